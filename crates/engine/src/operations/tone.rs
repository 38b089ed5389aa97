//! Tone: lightness and contrast.

mod auto;
mod bands;
pub(super) mod brightness;
mod contrast;
mod equalize;
mod exposure;
mod fade;
mod gamma;
mod levels;
mod measure;
mod s_curve;

pub use auto::{Auto, What};
pub use bands::{Blacks, Highlights, Midtones, Shadows, Whites};
pub use brightness::Brightness;
pub use contrast::Contrast;
pub use equalize::Equalize;
pub use exposure::Exposure;
pub use fade::Fade;
pub use gamma::Gamma;
pub use levels::Levels;
pub use s_curve::SCurve;
