//! QR codes, as another program reads them.

use crate::shaping::{attempt, edit, opaque_noise};
use retouch_engine::Picture;
use rqrr::PreparedImage;

/// What the codes in a picture say.
fn said(picture: &Picture) -> Vec<String> {
    let level = |x: usize, y: usize| picture.pixel(x as u32, y as u32).unwrap()[1];
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut image = PreparedImage::prepare_from_greyscale(width, height, level);
    image.detect_grids().iter().map(|grid| grid.decode().unwrap().1).collect()
}

#[test]
fn a_code_says_its_text_wherever_it_is_and_whatever_is_behind_it() {
    let source = opaque_noise(640, 480);
    assert_eq!(said(&source), [] as [&str; 0]);
    for text in ["https://example.com", "Grüße, 你好", "1234567890", &"long ".repeat(60)] {
        for (place, size) in [("top left", "300px"), ("center", "60%"), ("bottom right", "95%")] {
            let result =
                edit(&format!("add a QR code for \"{text}\" at the {place}, {size}"), &source);
            assert_eq!(said(&result), [text], "{place}, {size}");
        }
    }
}

#[test]
fn a_code_keeps_its_white_edge_its_margin_and_its_size() {
    let source = Picture::from_rgba(500, 400, [90, 90, 90, 255].repeat(200_000)).unwrap();
    let result = edit("add a QR code for https://example.com at the bottom right, 102px", &source);
    let changed: Vec<(u32, u32)> = (0..400)
        .flat_map(|y| (0..500).map(move |x| (x, y)))
        .filter(|(x, y)| result.pixel(*x, *y) != source.pixel(*x, *y))
        .collect();
    let (left, top) = (500 - 16 - 102, 400 - 16 - 102);
    assert_eq!(
        (changed.first(), changed.last()),
        (Some(&(left, top)), Some(&(left + 101, top + 101)))
    );
    assert_eq!(changed.len(), 102 * 102);
    // Version 2 has 25 squares, and 4 of white on each side: 33 of 3 px leave 3 px, of which 1 is
    // before them.
    for (at, edge) in (0..102).flat_map(|at| (0..13).map(move |edge| (at, edge))) {
        assert_eq!(result.pixel(left + at, top + edge), Some([255; 4]));
        assert_eq!(result.pixel(left + edge, top + at), Some([255; 4]));
    }
    assert_eq!(result.pixel(left + 13, top + 13), Some([0, 0, 0, 255]));
}

#[test]
fn a_code_that_is_too_small_is_said_to_be() {
    let source = opaque_noise(400, 300);
    let small = attempt("add a QR code for https://example.com at the top, 40px", &[source]);
    let small = small.unwrap();
    assert_eq!(small.warnings, ["The QR code may be too small to be read; make it larger."]);
    assert_eq!(said(&small.picture), ["https://example.com"]);
    let tiny = attempt("add a QR code for https://example.com", &[opaque_noise(30, 300)]).unwrap();
    assert_eq!(tiny.warnings, small.warnings);
}
