//! Frame: borders, round corners, shadows and edges.

mod border;
mod edge_gradient;
mod polaroid;
mod round_corners;
mod shadow;
mod soft_edges;

pub use border::{Border, OuterBorder, Side};
pub use edge_gradient::EdgeGradient;
pub use polaroid::Polaroid;
pub use round_corners::{Corner, RoundCorners};
pub use shadow::Shadow;
pub use soft_edges::SoftEdges;
