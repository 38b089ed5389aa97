//! Color fringes and scan lines, against values computed by hand.

use super::support::{at, edit, noise};
use retouch_engine::{Context, Picture, RefusalKind};
use retouch_language::read;

fn row(pixels: &[[u8; 4]]) -> Picture {
    Picture::from_rgba(pixels.len() as u32, 1, pixels.concat()).unwrap()
}

fn pixels(picture: &Picture) -> Vec<[u8; 4]> {
    picture.pixels().as_chunks::<4>().0.to_vec()
}

#[test]
fn red_moves_to_the_left_and_blue_to_the_right() {
    let before = row(&[
        [10, 1, 60, 255],
        [20, 2, 70, 255],
        [30, 3, 80, 255],
        [40, 4, 90, 255],
        [50, 5, 99, 255],
    ]);
    let after = edit("chromatic aberration of 2px", &before);
    assert_eq!(
        pixels(&after),
        [[30, 1, 60, 255], [40, 2, 60, 255], [50, 3, 60, 255], [50, 4, 70, 255], [50, 5, 80, 255]]
    );
}

#[test]
fn parts_of_a_pixel_are_interpolated() {
    let before = row(&[[0, 7, 0, 255], [100, 8, 200, 255], [200, 9, 100, 255]]);
    let after = edit("chromatic aberration of 0.5px", &before);
    assert_eq!(pixels(&after), [[50, 7, 0, 255], [150, 8, 100, 255], [200, 9, 150, 255]]);
}

#[test]
fn colors_of_transparent_pixels_do_not_move() {
    let before = row(&[[90, 0, 50, 0], [100, 0, 150, 255], [200, 0, 250, 0]]);
    let after = edit("chromatic aberration of 1px", &before);
    assert_eq!(pixels(&after)[1], [100, 0, 150, 255]);
    // From a pixel that is two thirds opaque, two thirds of the difference come.
    let after = edit("chromatic aberration of 1px", &row(&[[10, 0, 0, 255], [100, 0, 0, 170]]));
    assert_eq!(pixels(&after), [[70, 0, 0, 255], [100, 0, 0, 170]]);
}

#[test]
fn channels_move_up_and_down_too() {
    let picture = noise(13, 17, Some(255));
    let result = edit("vertical chromatic aberration of 3px", &picture);
    for (x, y) in [(0, 0), (5, 2), (12, 9), (6, 16)] {
        let [_, green, _, alpha] = at(&picture, x, y);
        let wanted = [at(&picture, x, y + 3)[0], green, at(&picture, x, y - 3)[2], alpha];
        assert_eq!(at(&result, x, y), wanted, "{x},{y}");
    }
}

#[test]
fn a_single_pixel_and_a_shift_of_nothing_change_nothing() {
    let single = noise(1, 1, None);
    assert_eq!(edit("chromatic aberration of 40px", &single), single);
    let picture = noise(9, 7, None);
    assert_eq!(edit("chromatic aberration of 0px", &picture), picture);
}

#[test]
fn a_shift_too_far_is_refused_with_its_limit() {
    let refusal = read("chromatic aberration of 3000px", &Context::default()).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::OutOfRange);
    assert_eq!(
        refusal.message,
        "the shift of a chromatic aberration must be between 0px and 1000px, not 3000px"
    );
}

fn column(values: &[u8]) -> Picture {
    let pixels: Vec<[u8; 4]> = values.iter().map(|value| [*value, 200, 0, *value]).collect();
    Picture::from_rgba(1, values.len() as u32, pixels.concat()).unwrap()
}

fn first(picture: &Picture) -> Vec<u8> {
    pixels(picture).iter().map(|pixel| pixel[0]).collect()
}

#[test]
fn the_lower_half_of_each_period_is_darker() {
    let before = column(&[200, 100, 50, 80, 200, 100, 50]);
    let after = edit("add scan lines of 25% every 4px", &before);
    assert_eq!(first(&after), [200, 100, 38, 60, 200, 100, 38]);
    assert_eq!(pixels(&after)[3], [60, 150, 0, 80]);
    let after = edit("add scan lines of 100% on every second line", &before);
    assert_eq!(first(&after), [200, 0, 50, 0, 200, 0, 50]);
}

#[test]
fn a_line_may_cover_a_part_of_a_row() {
    // Dark from 1.5 to 3 and from 4.5 to 6.
    let after = edit("add scan lines of 50% every 3px", &column(&[100; 6]));
    assert_eq!(first(&after), [100, 75, 50, 100, 75, 50]);
}

#[test]
fn a_share_of_the_shorter_side_is_whole_pixels_and_at_least_two() {
    let flat = |side| Picture::from_rgba(side, side, [100; 4].repeat((side * side) as usize));
    let down = |picture: &Picture| -> Vec<u8> {
        (0..8).map(|y| picture.pixel(0, y).unwrap()[0]).collect()
    };
    let small = edit("add scan lines of 50%", &flat(8).unwrap());
    assert_eq!(down(&small), [100, 50, 100, 50, 100, 50, 100, 50]);
    let large = edit("add scan lines of 50%", &flat(790).unwrap());
    assert_eq!(down(&large), [100, 100, 50, 50, 100, 100, 50, 50]);
    let single = noise(1, 1, None);
    assert_eq!(edit("add scan lines", &single), single);
}

#[test]
fn lines_too_close_or_too_dark_are_refused_with_the_limit() {
    let message = |words: &str| read(words, &Context::default()).unwrap_err().message;
    assert_eq!(
        message("add scan lines every 1px"),
        "the distance of scan lines must be between 2px and 1000px, not 1px"
    );
    assert_eq!(
        message("add scan lines of 120%"),
        "the strength of scan lines must be between 0% and 100%, not 120%"
    );
}
