//! Draw: text, marks, shapes and codes on the image.

mod grid_lines;
mod mark;
mod qr_code;
pub(super) mod shape;
mod text;
mod watermark;

pub use grid_lines::{GridBy, GridLines};
pub use mark::{Form, Mark};
pub use qr_code::QrCode;
pub use shape::{Outline, Shape};
pub use text::{Face, FontError, Lines, Stroke, Text, add_fonts};
pub(super) use text::{check_text, quoted, scratch_bytes as text_bytes};
pub use watermark::Watermark;
