//! Slots: places in a workflow's file that are filled for each edit.

use super::workflow::WorkflowError;

/// Highest frame rate of a slot, in frames per second.
const FRAMES_PER_SECOND_MAX: u32 = 120;
/// Maximum number of input images of a workflow.
const IMAGES_MAX: usize = 16;

/// The value of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// `{{instruction}}`: the instruction.
    Instruction,
    /// `{{negative_prompt}}`: what to avoid, empty by default.
    NegativePrompt,
    /// `{{image1}}`, `{{image2}}`, …: the name of an uploaded image, counted from 0 here.
    Image(usize),
    /// `{{width}}`, in pixels.
    Width,
    /// `{{height}}`, in pixels.
    Height,
    /// `{{seed}}`: a number that is different for each edit.
    Seed,
    /// `{{seconds}}`: the length of a video.
    Seconds,
    /// `{{frames@24}}`: the number of frames of a video at 24 frames per second, plus one.
    Frames(u32),
}

/// A part of a text with slots in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that stays the same.
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

    /// Whether the slot may be part of a longer text.
    fn is_text(self) -> bool {
        matches!(self, Self::Instruction | Self::NegativePrompt)
    }
}

/// The parts of `text`. `None` if it contains no slot. `place` is named in errors.
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
