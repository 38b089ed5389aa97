//! Compose: several images in one.

mod blend;
mod join;
mod mask;
mod overlay;

pub use blend::{Blend, Mode};
pub use join::{Join, Layout};
pub use mask::{Mask, MaskBy};
pub use overlay::Overlay;
