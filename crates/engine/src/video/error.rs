//! Why a video could not be rendered.

use super::VIDEO_BYTES_MAX;
use crate::{ExecuteError, Refusal};
use thiserror::Error;

/// Why a plan could not be rendered. There is no partial video.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VideoError {
    /// There is no image to make a video of.
    #[error("there is no image to make a video of")]
    NoPicture,
    /// The plan exceeds a limit.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The image for the video could not be created.
    #[error(transparent)]
    Picture(#[from] ExecuteError),
    /// The encoder failed.
    #[error("the video could not be encoded: {0}")]
    Encoder(String),
    /// The video exceeds its size limit.
    #[error("the video would be larger than {VIDEO_BYTES_MAX} bytes; make it shorter or smaller")]
    TooLarge,
}
