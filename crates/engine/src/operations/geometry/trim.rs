//! Trim: crops margins that are transparent or of one color.

use crate::kernels::outermost::{Edges, is_called, is_near, levels};
use crate::kernels::{Size, canvas};
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Refusal, RefusalKind, Sample};
use serde::{Deserialize, Serialize};

/// Crops uniform margins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trim {
    /// The color of the margins in the instruction. If `None`, any color is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "colour")]
    pub color: Option<Color>,
    /// How much a channel may differ from the color of the margin, in percent of the full range.
    pub tolerance_percent: f64,
}

/// The default tolerance.
const TOLERANCE_PERCENT: f64 = 4.0;
const TOLERANCE: Parameter =
    Parameter::new("the tolerance", "%", (0.0, 50.0)).usually(TOLERANCE_PERCENT);

impl Described for Trim {
    const CAPABILITY: Capability = Capability {
        name: "trim",
        parameters: &[TOLERANCE],
        controls: &[
            Control::color("color", "Color"),
            Control::number("tolerance_percent", "Tolerance", TOLERANCE),
        ],
        summary: "Cuts off margins that are transparent or of one color.",
        definition: "The margin's color is the median of the outermost pixels; the result is the \
                     smallest box that contains every pixel with a channel that differs from it \
                     by more than the tolerance.",
        examples: &["trim the margins", "crop away the white border", "remove the black bars"],
    };
}

impl Operation for Trim {
    fn words(&self) -> String {
        let color = self.color.map(|color| format!("{color} ")).unwrap_or_default();
        format!("trim the {color}margins with a tolerance of {}%", self.tolerance_percent)
    }

    fn check(&self) -> Result<(), String> {
        if self.color.is_some_and(|color| !color.is_opaque()) {
            return Err("the color of the margins must be opaque; leave it out for transparent \
                        margins"
                .to_owned());
        }
        TOLERANCE.check(self.tolerance_percent)
    }

    fn finds_size(&self) -> bool {
        true
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        Ok((u64::from(width), u64::from(height)))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let tolerance = levels(self.tolerance_percent);
        let margin = Edges::measured(&picture, tolerance).color;
        if let Some(said) = self.color.filter(|said| !is_called(margin, *said)) {
            return Err(refused(format!(
                "the instruction says that the margins are {said}, but they are {margin}"
            ))
            .into());
        }
        let Some((from, size)) = inner(&picture, |pixel| !is_near(pixel, margin.rgba, tolerance))
        else {
            return Err(refused(format!(
                "the whole image is within {}% of {margin}, so nothing would be left",
                self.tolerance_percent
            ))
            .into());
        };
        if size == picture.size() {
            warnings.push(format!(
                "there are no margins of one color: the median color of the edges is {margin}, \
                 but other colors reach every side"
            ));
            return Ok(picture);
        }
        canvas::part(&picture, from, size)
    }
}

/// The smallest box that contains every pixel with a property.
fn inner<S: Sample>(picture: &Picture<S>, has: impl Fn([u8; 4]) -> bool) -> Option<(Size, Size)> {
    let (mut left, mut right) = (u32::MAX, 0);
    let (mut top, mut bottom) = (u32::MAX, 0);
    for (y, row) in (0_u32..).zip(picture.rows()) {
        let has = |pixel: &[S; 4]| has(pixel.map(S::nearest));
        let pixels = row.as_chunks::<4>().0;
        let Some(first) = pixels.iter().position(has) else { continue };
        let last = pixels.iter().rposition(has).unwrap_or(first);
        left = left.min(u32::try_from(first).unwrap_or(u32::MAX));
        right = right.max(u32::try_from(last).unwrap_or(0));
        top = top.min(y);
        bottom = y;
    }
    (top <= bottom && left <= right).then(|| ((left, top), (right - left + 1, bottom - top + 1)))
}

fn refused(message: String) -> Refusal {
    Refusal::new(RefusalKind::OutOfRange, message)
}
