//! The places in a workflow that are filled for each edit, as they are written in its file.

use super::workflow::WorkflowError;

/// Most frames a second that a slot may ask for.
const FRAMES_PER_SECOND_MAX: u32 = 120;
/// Most input pictures of a workflow.
const IMAGES_MAX: usize = 16;

/// What goes into a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// `{{instruction}}`: what to do.
    Instruction,
    /// `{{negative_prompt}}`: what to keep out of the picture; empty where nothing is asked.
    NegativePrompt,
    /// `{{image1}}`, `{{image2}}`, …: the name of an input picture on the server; from 0.
    Image(usize),
    /// `{{width}}`, in pixels.
    Width,
    /// `{{height}}`, in pixels.
    Height,
    /// `{{seed}}`: a number that is different for each edit.
    Seed,
    /// `{{seconds}}`: how long a video is to be.
    Seconds,
    /// `{{frames@24}}`: as many frames as a video has at 24 a second, and one.
    Frames(u32),
}

/// One piece of a text with slots in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A text that stays.
    Text(String),
    /// A slot.
    Slot(Slot),
}

impl Slot {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "instruction" => Some(Self::Instruction),
            "negative_prompt" => Some(Self::NegativePrompt),
            "image" => Some(Self::Image(0)),
            "width" => Some(Self::Width),
            "height" => Some(Self::Height),
            "seed" => Some(Self::Seed),
            "seconds" => Some(Self::Seconds),
            _ => Self::numbered(name),
        }
    }

    fn numbered(name: &str) -> Option<Self> {
        if let Some(rate) = name.strip_prefix("frames@") {
            let rate = rate.parse().ok()?;
            return (1..=FRAMES_PER_SECOND_MAX).contains(&rate).then_some(Self::Frames(rate));
        }
        let number: usize = name.strip_prefix("image")?.parse().ok()?;
        (1..=IMAGES_MAX).contains(&number).then(|| Self::Image(number - 1))
    }

    /// Whether it may stand in the middle of a text.
    fn is_text(self) -> bool {
        matches!(self, Self::Instruction | Self::NegativePrompt)
    }
}

/// The pieces of `text`; none where no slot is in it. `place` says where it stands.
pub(super) fn pieces(text: &str, place: &str) -> Result<Option<Vec<Piece>>, WorkflowError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let unclosed = || WorkflowError::Unclosed { place: place.to_owned() };
        let (name, after) = after.split_once("}}").ok_or_else(unclosed)?;
        let unknown =
            || WorkflowError::UnknownSlot { place: place.to_owned(), name: name.to_owned() };
        let slot = Slot::parse(name.trim()).ok_or_else(unknown)?;
        let is_alone = before.is_empty() && after.is_empty() && pieces.is_empty();
        if !slot.is_text() && !is_alone {
            let (place, name) = (place.to_owned(), name.to_owned());
            return Err(WorkflowError::NotAlone { place, name });
        }
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Slot(slot));
        rest = after;
    }
    if !rest.is_empty() && !pieces.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok((!pieces.is_empty()).then_some(pieces))
}
