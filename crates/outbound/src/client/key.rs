//! The key of a service, which only that service may see.

/// An API key. It is never printed.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// A key with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text of the key, to send it to its service.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key, because services quote it in their errors.
    pub(super) fn redact(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("[key]")
    }
}
