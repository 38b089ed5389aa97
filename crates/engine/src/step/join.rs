//! Join: several pictures beside or below each other. All are brought to the height (or width)
//! of the first with Lanczos3; pictures that have it already stay, byte for byte.

use super::crop::to_u32;
use super::{Capability, Operation, Size, Spoken, canvas, resize};
use crate::instruction::Clause;
use crate::length::whole;
use crate::{ExecuteError, Picture, Refusal};
use serde::{Deserialize, Serialize};

/// Makes one picture of all inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// How they lie.
    pub layout: Layout,
}

/// How joined pictures lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// From left to right.
    SideBySide,
    /// From top to bottom.
    Stacked,
}

const BESIDE: &[&str] =
    &["side by side", "next to each other", "beside each other", "in a row", "left to right"];
const BELOW: &[&str] = &[
    "stacked",
    "stack",
    "on top of each other",
    "one above the other",
    "below each other",
    "above each other",
    "in a column",
    "one below the other",
    "vertically stacked",
    "top to bottom",
    "underneath each other",
];
const WHICH: &[&str] = &[
    "both", "all", "them", "these", "two", "three", "four", "together", "the two", "each",
    "combine", "join", "place", "merge", "arrange", "all the", "side", "combined", "joined", "lay",
];

impl Spoken for Join {
    const CAPABILITY: Capability = Capability {
        name: "join",
        summary: "Makes one picture of several, side by side or stacked.",
        definition: "All are brought to the first one's height (or width) with Lanczos3 and put edge to edge.",
        heads: &[
            "side by side",
            "next to each other",
            "beside each other",
            "stacked",
            "stack",
            "on top of each other",
            "below each other",
            "above each other",
        ],
        details: &[
            "both",
            "all",
            "them",
            "these",
            "two",
            "three",
            "four",
            "together",
            "each",
            "combine",
            "join",
            "place",
            "merge",
            "arrange",
            "row",
            "column",
            "one",
            "above",
            "below",
            "other",
            "vertically",
            "horizontally",
            "combined",
            "joined",
            "lay",
            "underneath",
        ],
        examples: &["put both pictures side by side", "stack the pictures"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let verb = clause.has(&["combine", "join", "merge", "arrange"]);
        let beside =
            clause.has(&["side by side", "next to each other", "beside each other", "in a row"]);
        let below = clause.has(&[
            "stacked",
            "stack",
            "on top of each other",
            "below each other",
            "above each other",
            "one above the other",
            "in a column",
            "one below the other",
            "underneath each other",
        ]);
        if !verb && !beside && !below {
            return Ok(None);
        }
        clause.head(if below { BELOW } else { BESIDE });
        let across = clause.take(&["horizontally"]).is_some();
        let down = clause.take(&["vertically"]).is_some();
        clause.take_all(WHICH);
        clause.numbers_of_pictures();
        let layout = match (beside || across, below || down) {
            (true, false) => Layout::SideBySide,
            (false, true) => Layout::Stacked,
            _ => {
                return Err(Refusal::missing(
                    "say how to join them: \"side by side\" or \"stacked\"",
                ));
            }
        };
        Ok(Some(Self { layout }))
    }
}

impl Operation for Join {
    fn words(&self) -> String {
        match self.layout {
            Layout::SideBySide => "put the pictures side by side".to_owned(),
            Layout::Stacked => "stack the pictures".to_owned(),
        }
    }

    fn joins(&self) -> bool {
        true
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let sizes = self.sizes(inputs);
        let sum = |side: fn(&(u64, u64)) -> u64| sizes.iter().map(side).sum::<u64>();
        let most = |side: fn(&(u64, u64)) -> u64| sizes.iter().map(side).max().unwrap_or(1);
        match self.layout {
            Layout::SideBySide => Ok((sum(|size| size.0), most(|size| size.1))),
            Layout::Stacked => Ok((most(|size| size.0), sum(|size| size.1))),
        }
    }

    /// One resized picture at a time, and what the resizer needs for it: at most the result,
    /// twice the input, and the half-done picture that is no larger than both together.
    fn scratch_bytes(&self, input: Size, result: Size) -> u64 {
        let pixels = |size: Size| u64::from(size.0) * u64::from(size.1);
        let half_done = u64::from(result.0) * u64::from(input.1);
        (2 * pixels(input) + pixels(result) + half_done) * crate::limits::PIXEL_BYTES
    }

    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let sizes: Vec<Size> = pictures.iter().map(Picture::size).collect();
        let whole_size = self.result_size(&sizes).map_err(ExecuteError::Impossible)?;
        let mut result = Picture::new(to_u32(whole_size.0), to_u32(whole_size.1))?;
        let mut at = (0_u32, 0_u32);
        for (picture, size) in pictures.into_iter().zip(self.sizes(&sizes)) {
            let size = (to_u32(size.0), to_u32(size.1));
            let fitted =
                if picture.size() == size { picture } else { resize::lanczos(&picture, size)? };
            canvas::put(&fitted, &mut result, at);
            match self.layout {
                Layout::SideBySide => at.0 += size.0,
                Layout::Stacked => at.1 += size.1,
            }
        }
        Ok(result)
    }
}

impl Join {
    /// The size that each picture gets.
    fn sizes(&self, inputs: &[Size]) -> Vec<(u64, u64)> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        let fitted = |size: &Size| {
            let factor = match self.layout {
                Layout::SideBySide => f64::from(height) / f64::from(size.1),
                Layout::Stacked => f64::from(width) / f64::from(size.0),
            };
            let side = |side: u32| whole(f64::from(side) * factor).max(1);
            (side(size.0), side(size.1))
        };
        inputs.iter().map(fitted).collect()
    }
}
