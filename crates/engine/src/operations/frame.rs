//! Frame: borders, round corners, shadows.

mod border;
mod polaroid;
mod round_corners;
mod shadow;
mod soft_edges;

pub use border::{Border, OuterBorder, Side};
pub use polaroid::Polaroid;
pub use round_corners::{Corner, RoundCorners};
pub use shadow::Shadow;
pub use soft_edges::SoftEdges;
