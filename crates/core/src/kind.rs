//! The kinds of results that a call can create.

use serde::{Deserialize, Serialize};

/// The kinds of results that callers pay for (`generation.kind`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An image from input images and an instruction.
    #[default]
    ImageEdit,
    /// An image from text alone.
    TextToImage,
    /// A video from text and, optionally, images.
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
