//! Soft edges and gradients, against values computed by hand.

use super::support::{at, close, edit, noise, places};
use retouch_engine::{Context, Picture};
use retouch_language::read;

fn flat(width: u32, height: u32, pixel: [u8; 4]) -> Picture {
    Picture::from_rgba(width, height, pixel.repeat((width * height) as usize)).unwrap()
}

/// The weight of a place by the published formula.
fn weight(size: (f64, f64), width: f64, (x, y): (i64, i64)) -> f64 {
    let smooth = |at: f64, side: f64| {
        let t = (at.min(side - at) / width).min(1.0);
        t * t * (3.0 - 2.0 * t)
    };
    smooth(x as f64 + 0.5, size.0) * smooth(y as f64 + 0.5, size.1)
}

#[test]
fn alpha_falls_off_smoothly_towards_all_four_edges() {
    let before = flat(40, 30, [10, 20, 30, 200]);
    let after = edit("feather the edges by 8px", &before);
    for place in places(&after) {
        let alpha = 200.0 * weight((40.0, 30.0), 8.0, place);
        close(&after, place, [10.0, 20.0, 30.0, alpha], "soft edges");
    }
    assert_eq!(at(&after, 20, 15), [10.0, 20.0, 30.0, 200.0]);
    assert_eq!(at(&after, 8, 8), [10.0, 20.0, 30.0, 200.0]);
    // Half way of 8 pixels, between two of them, are 0.5: here 3.5 and 4.5.
    assert_eq!([at(&after, 3, 15)[3], at(&after, 4, 15)[3]], [81.0, 119.0]);
}

#[test]
fn a_color_mixes_in_and_leaves_alpha() {
    let before = noise(33, 21, None);
    let after = edit("fade all four edges to white over 5px", &before);
    for (x, y) in places(&before) {
        let share = weight((33.0, 21.0), 5.0, (x, y));
        let [red, green, blue, alpha] = at(&before, x, y);
        let mixed = |level: f64| 255.0 + share * (level - 255.0);
        close(&after, (x, y), [mixed(red), mixed(green), mixed(blue), alpha], "white edges");
    }
}

#[test]
fn a_width_beyond_the_middle_ends_there() {
    let before = flat(30, 11, [90, 90, 90, 255]);
    let wide = edit("feather the edges by 300px", &before);
    assert_eq!(at(&wide, 15, 5)[3], 255.0);
    assert_eq!(wide, edit("feather the edges by 50%", &before));
    let single = noise(1, 1, None);
    assert_eq!(edit("feather the edges", &single), single);
}

#[test]
fn widths_beyond_the_limits_are_refused() {
    let message = |words: &str| read(words, &Context::default()).unwrap_err().message;
    assert_eq!(
        message("feather the edges by 80%"),
        "the width of soft edges must be between 0.1% and 50%, not 80%"
    );
    assert_eq!(
        message("feather the edges by 9000px"),
        "the width of soft edges must be between 1px and 8192px, not 9000px"
    );
}

#[test]
fn a_gradient_at_an_edge_is_full_there_and_ends_where_it_is_said() {
    let before = flat(3, 80, [200, 100, 40, 99]);
    let after = edit("fade the bottom half to black", &before);
    for (x, y) in places(&before) {
        let t = ((y as f64 + 0.5 - 40.0) / 40.0).max(0.0);
        let left = 1.0 - t * t * (3.0 - 2.0 * t);
        close(&after, (x, y), [200.0 * left, 100.0 * left, 40.0 * left, 99.0], "a gradient");
    }
    assert_eq!(at(&after, 1, 39), [200.0, 100.0, 40.0, 99.0]);
    let weak = edit("add a white gradient of 50% in the left 20px", &flat(40, 2, [0, 0, 0, 255]));
    assert_eq!([0, 19, 20, 39].map(|x| at(&weak, x, 1)[0]), [127.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_gradient_may_be_at_any_edge_and_clear() {
    let before = noise(60, 60, Some(255));
    for (edge, near, far) in [
        ("left", (0, 7), (59, 7)),
        ("right", (59, 7), (0, 7)),
        ("top", (7, 0), (7, 59)),
        ("bottom", (7, 59), (7, 0)),
    ] {
        let after = edit(&format!("fade the {edge} 30px to transparent"), &before);
        let [red, green, blue, _] = at(&before, near.0, near.1);
        let faded = at(&after, near.0, near.1);
        assert!(faded[3] < 3.0 && faded == [red, green, blue, faded[3]], "{edge}: {faded:?}");
        assert_eq!(at(&after, far.0, far.1), at(&before, far.0, far.1), "{edge}");
    }
    let single = noise(1, 1, None);
    assert_eq!(edit("add a black gradient of 0% in the bottom third", &single), single);
}
