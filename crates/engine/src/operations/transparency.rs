//! Background and transparency.

mod backdrop;
mod background;
mod color_key;
mod opacity;

pub use backdrop::Backdrop;
pub use background::Background;
pub use color_key::ColorKey;
pub use opacity::Opacity;
