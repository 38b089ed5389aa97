//! Warnings that accompany a result.

use serde::{Deserialize, Serialize};

/// Something in a request that was understood differently from what its sender may have meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A stable code, listed in the documentation.
    pub code: String,
    /// An explanation in one sentence.
    pub message: String,
    /// The field of the request that the warning is about, if any.
    pub param: Option<String>,
}

impl Warning {
    /// A warning that an image has lost its transparency.
    pub fn flattened() -> Self {
        let message = "JPEG has no transparency, so the transparent parts became white. Use png or \
                       webp to keep them.";
        Self::about("transparency_lost", "output_format", message)
    }

    /// A warning about one field of the request.
    pub fn about(code: &str, param: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), param: Some(param.into()) }
    }
}
