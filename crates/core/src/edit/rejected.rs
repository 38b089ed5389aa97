//! Why a request cannot be accepted.

use thiserror::Error;

/// What is wrong with a request, the field that is wrong, and a sentence with the numbers in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Rejected {
    /// The kind of mistake.
    pub reason: Reason,
    /// The field, as the caller wrote it, if it is about one.
    pub param: Option<String>,
    /// What is wrong, with the numbers, and what to do.
    pub message: String,
}

/// The kinds of mistakes that the text of a request alone can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The body is not a JSON object in UTF-8.
    InvalidJson,
    /// A key stands twice in the body.
    DuplicateField,
    /// A field that must be there is not.
    MissingField,
    /// A field holds a value of another type.
    InvalidType,
    /// A field holds a value of the right type that cannot be meant.
    InvalidValue,
    /// Two fields say different things.
    ConflictingFields,
    /// A text has too many characters.
    TooLong,
    /// There are more pictures than the model takes.
    TooManyImages,
    /// An inline picture has too many bytes.
    ImageTooLarge,
    /// An inline picture is not base64.
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
