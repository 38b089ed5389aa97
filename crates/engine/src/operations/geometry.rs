//! Geometry: rotation, size, space around the image, and crops.

mod affine;
mod crop;
mod cutout;
mod flip;
mod pad;
mod resize;
mod rotate;
mod skew;
mod tile;
mod trim;
mod zoom;

pub use crop::Crop;
pub use cutout::{Cut, Cutout};
pub use flip::{Flip, Sides};
pub use pad::{Backing, Pad};
pub use resize::{Limit, Resize};
pub use rotate::{Corners, Rotate};
pub use skew::{Skew, SkewAxis};
pub use tile::Tile;
pub use trim::Trim;
pub use zoom::Zoom;
