//! The contact sheet: the examples of all operations in one image, with titles.

use crate::handbook::chapters::Entry;
use crate::handbook::shown::edited;
use retouch_engine::Picture;

const COLUMNS: u32 = 9;
/// Width and height of an image in its cell; the title is below it.
const CELL_PX: (u32, u32) = (176, 150);
const TITLE_PX: u32 = 26;
/// Gray, so that white images stand out.
const GROUND: &str = "#d9d9d9";

/// Arranges the examples with their images, in order.
pub(crate) fn sheet(examples: &[(&Entry, Picture)]) -> Picture {
    let rows = u32::try_from(examples.len()).unwrap().div_ceil(COLUMNS);
    let mut sheet = ground(COLUMNS * CELL_PX.0, rows * (CELL_PX.1 + TITLE_PX));
    for (at, (entry, picture)) in (0_u32..).zip(examples) {
        let (left, top) = (at % COLUMNS * CELL_PX.0, at / COLUMNS * (CELL_PX.1 + TITLE_PX));
        let small = small(picture);
        let free = (CELL_PX.0 - small.width(), CELL_PX.1 - small.height());
        put(&small, &mut sheet, (left + free.0 / 2, top + free.1));
        put(&title(entry), &mut sheet, (left, top + CELL_PX.1));
    }
    sheet
}

fn ground(width: u32, height: u32) -> Picture {
    edited(&format!("a plain {GROUND} picture of {width}x{height} pixels"), Vec::new())
}

fn small(picture: &Picture) -> Picture {
    let (width, height) = (CELL_PX.0 - 8, CELL_PX.1 - 8);
    edited(&format!("make it no larger than {width}x{height}"), vec![picture.clone()])
}

fn title(entry: &Entry) -> Picture {
    let words =
        format!("add the text \"{}\" in black in the center with a size of 12px", entry.title);
    edited(&words, vec![ground(CELL_PX.0, TITLE_PX)])
}

fn put(cell: &Picture, sheet: &mut Picture, (left, top): (u32, u32)) {
    let row_samples = sheet.row_samples();
    for (y, row) in (top as usize..).zip(cell.rows()) {
        let start = y * row_samples + left as usize * 4;
        sheet.pixels_mut()[start..start + row.len()].copy_from_slice(row);
    }
}
