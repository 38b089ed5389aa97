//! What a request says besides its instruction.

use serde::{Deserialize, Serialize};

/// The fields of the request that affect how its instruction is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// How many images were sent. Without any, the words describe the image to create.
    pub inputs: usize,
    /// The aspect ratio that the result must have, if the request has one.
    pub aspect: Option<AspectRatio>,
    /// The size in pixels that the result must have, if the request has one.
    pub size: Option<(u32, u32)>,
}

impl Default for Context {
    /// One image, with no constraint on the output.
    fn default() -> Self {
        Self { inputs: 1, aspect: None, size: None }
    }
}

/// The aspect ratio of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AspectRatio {
    /// Whatever the edit produces.
    Auto,
    /// A fixed ratio of width to height.
    Ratio {
        /// Width of the ratio.
        width: u32,
        /// Height of the ratio.
        height: u32,
    },
}
