//! What a call makes.

use serde::{Deserialize, Serialize};

/// The three things that are for sale; `generation.kind`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A picture out of pictures and an instruction.
    #[default]
    ImageEdit,
    /// A picture out of words alone.
    TextToImage,
    /// A video out of words, and of pictures where there are any.
    Video,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::ImageEdit, Self::TextToImage, Self::Video];

    /// The stable name, as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImageEdit => "image_edit",
            Self::TextToImage => "text_to_image",
            Self::Video => "video",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
