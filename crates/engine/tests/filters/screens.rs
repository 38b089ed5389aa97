//! Color fringes, against values computed by hand.

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
