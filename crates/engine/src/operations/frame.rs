//! Frame: borders, round corners, shadows.

mod border;
mod polaroid;
mod round_corners;
mod shadow;

pub use border::{Border, OuterBorder, Side};
pub use polaroid::Polaroid;
pub use round_corners::{Corner, RoundCorners};
pub use shadow::Shadow;
