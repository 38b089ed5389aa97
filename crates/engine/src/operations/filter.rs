//! Filters: blurs, sharpening, noise, and artistic effects.

mod blur;
mod box_blur;
mod clarity;
mod dehaze;
mod denoise;
mod dither;
mod edges;
mod emboss;
mod glow;
mod grain;
mod halftone;
mod median;
mod motion_blur;
mod pixelate;
mod sharpen;
mod sketch;
mod soft_focus;
mod vignette;

pub use blur::Blur;
pub use box_blur::BoxBlur;
pub use clarity::Clarity;
pub use dehaze::Dehaze;
pub use denoise::Denoise;
pub use dither::Dither;
pub use edges::Edges;
pub use emboss::Emboss;
pub use glow::Glow;
pub use grain::Grain;
pub use halftone::Halftone;
pub use median::Median;
pub use motion_blur::MotionBlur;
pub use pixelate::Pixelate;
pub use sharpen::Sharpen;
pub use sketch::Sketch;
pub use soft_focus::SoftFocus;
pub use vignette::Vignette;
