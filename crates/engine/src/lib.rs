//! The built-in editor: from a plan to pixels.
//!
//! A [`Plan`] comes from words, which `retouch-language` reads, or from JSON. [`execute()`] runs it.
//! Every operation is in a file of its own in `operations/`.

pub mod codec;
mod color;
mod context;
mod coordinates;
mod execute;
mod kernels;
mod length;
pub mod limits;
mod operation;
pub mod operations;
mod picture;
mod place;
mod plan;
mod refusal;
mod region;
mod sample;
pub mod video;

pub use color::Color;
pub use context::{AspectRatio, Context};
pub use coordinates::Coordinates;
pub use execute::{Edited, ExecuteError, execute, execute_any};
pub use length::Length;
pub use operation::{Capability, Control, Input, Parameter};
pub use operations::{FontError, Step, add_fonts, capabilities, makings};
pub use picture::{AnyPicture, Picture, PictureError};
pub use place::Place;
pub use plan::{FileFormat, PLAN_VERSION, Plan, Saving, Understood};
pub use refusal::{Refusal, RefusalKind};
pub use region::{Across, Region};
pub use sample::{Depth, Sample};
