//! Why a request cannot be accepted.

use thiserror::Error;

/// What is wrong with a request, in which field, and a sentence that explains it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Rejected {
    /// The kind of mistake.
    pub reason: Reason,
    /// The field, as the caller wrote it, if the mistake is in one.
    pub param: Option<String>,
    /// What is wrong, with the numbers, and what to do about it.
    pub message: String,
}

/// The kinds of mistakes that can be found in the text of a request alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The body is not a JSON object in UTF-8.
    InvalidJson,
    /// A key appears twice in the body.
    DuplicateField,
    /// A required field is missing.
    MissingField,
    /// A field has a value of the wrong type.
    InvalidType,
    /// A field has an invalid value of the right type.
    InvalidValue,
    /// Two fields contradict each other.
    ConflictingFields,
    /// A text has too many characters.
    TooLong,
    /// There are more images than the model accepts.
    TooManyImages,
    /// An inline image has too many bytes.
    ImageTooLarge,
    /// An inline image is not valid base64.
    InvalidBase64,
    /// There is no such model.
    UnknownModel,
    /// The model does not offer the aspect ratio.
    UnsupportedAspectRatio,
}

impl Rejected {
    /// A mistake in the field `param`.
    pub fn field(reason: Reason, param: &str, message: impl Into<String>) -> Self {
        Self { reason, param: Some(param.to_owned()), message: message.into() }
    }

    /// A mistake in the body as a whole.
    pub fn body(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, param: None, message: message.into() }
    }
}
