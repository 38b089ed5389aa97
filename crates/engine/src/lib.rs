//! The built-in editor: instruction to plan to pixels.

pub mod codec;
pub mod limits;
mod picture;

pub use picture::{Picture, PictureError};
