//! A vendor's key: shown to the vendor, and to nobody else.

/// What opens a vendor's door. Nothing prints it.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// The key `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key itself, for whom it opens a door to.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key: vendors quote it in their errors.
    pub(super) fn redact(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("[key]")
    }
}
