//! Why a video could not be made.

use super::VIDEO_BYTES_MAX;
use crate::{ExecuteError, Refusal};
use thiserror::Error;

/// Why a plan could not be filmed; no part of a video is given back then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VideoError {
    /// There is no image to film.
    #[error("there is no image to make a video of")]
    NoPicture,
    /// The plan does not fit the limits.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The image to film could not be made.
    #[error(transparent)]
    Picture(#[from] ExecuteError),
    /// The encoder refused.
    #[error("the video could not be encoded: {0}")]
    Encoder(String),
    /// The images do not compress.
    #[error("the video would be larger than {VIDEO_BYTES_MAX} bytes; make it shorter or smaller")]
    TooLarge,
}
