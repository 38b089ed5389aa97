//! Grids of lines, pixel by pixel.

use super::support::{black, edit, flat};
use retouch_engine::{Context, Picture};
use retouch_language::read;

/// The columns, then the rows that lines cover, found in the first row and column without any.
fn lines(picture: &Picture) -> (Vec<u32>, Vec<u32>) {
    let lit = |x: u32, y: u32| picture.pixel(x, y).unwrap()[0] > 0;
    let across = (0..picture.width()).filter(|x| lit(*x, 0)).collect();
    let down = (0..picture.height()).filter(|y| lit(0, *y)).collect();
    (across, down)
}

#[test]
fn lines_are_between_cells_and_none_along_the_edges() {
    let grid = edit("draw a 4x3 grid of white lines with a thickness of 2px", &black(80, 60));
    assert_eq!(lines(&grid), (vec![19, 20, 39, 40, 59, 60], vec![19, 20, 39, 40]));
    let thirds = edit("overlay a rule of thirds grid", &black(90, 90));
    assert_eq!(lines(&thirds), (vec![30, 60], vec![30, 60]));
    let uneven = edit("draw a 3x3 grid, 1px", &black(100, 50));
    assert_eq!(lines(&uneven), (vec![33, 66], vec![16, 33]));
}

#[test]
fn a_distance_counts_from_the_top_left() {
    let grid = edit("add a grid of lines every 20px, 1px, gray", &black(50, 41));
    assert_eq!(lines(&grid), (vec![20, 40], vec![20, 40]));
    assert_eq!(grid.pixel(20, 7), Some([128, 128, 128, 255]));
    let none = edit("add a grid of lines every 50px", &black(50, 40));
    assert_eq!(none, black(50, 40));
    let percent = edit("add a grid of lines every 25%, 1px", &black(60, 40));
    assert_eq!(lines(&percent), (vec![10, 20, 30, 40, 50], vec![10, 20, 30]));
}

#[test]
fn crossings_are_drawn_once_and_transparent_pixels_take_the_color() {
    let words = "draw a 2x2 grid of red lines, 1px, at 50% opacity";
    let grid = edit(words, &flat(4, 4, [0, 0, 0, 0]));
    assert_eq!(grid.pixel(2, 2), Some([255, 0, 0, 128]));
    assert_eq!(grid.pixel(2, 0), Some([255, 0, 0, 128]));
    assert_eq!(grid.pixel(0, 0), Some([0, 0, 0, 0]));
    let grid = edit(words, &flat(4, 4, [0, 0, 100, 255]));
    assert_eq!(grid.pixel(2, 2), Some([128, 0, 50, 255]));
}

#[test]
fn the_smallest_images_and_the_widest_lines_are_drawn() {
    let single = flat(1, 1, [9, 9, 9, 255]);
    assert_eq!(edit("draw a 1x1 grid", &single), single);
    let covered = edit("draw a 2x2 grid, 500px thick", &black(30, 20));
    assert_eq!(covered, flat(30, 20, [255; 4]));
    edit("draw a 200x200 grid", &black(7, 5));
}

#[test]
fn grids_beyond_the_limits_are_refused() {
    let message = |words: &str| read(words, &Context::default()).unwrap_err().message;
    assert_eq!(
        message("draw a 300x2 grid of white lines"),
        "the number of cells in a row or column must be between 1 and 200, not 300"
    );
    assert_eq!(
        message("add a grid of lines every 1px"),
        "the distance of the lines of a grid must be between 2px and 16384px, not 1px"
    );
}
