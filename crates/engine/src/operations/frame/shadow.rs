//! Shadow: a blurred copy of the image's outline behind the image.

use crate::instruction::{Clause, Quantity, Unit, phrases};
use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas, gaussian};
use crate::length::{Length, whole};
use crate::operation::{
    Capability, Control, Operation, Parameter, Spoken, check_length, only, scaled_length,
};
use crate::{Color, ExecuteError, Picture, Place, Refusal, Sample};
use serde::{Deserialize, Serialize};

/// Puts a shadow behind the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shadow {
    /// The color of the shadow.
    #[serde(alias = "colour")]
    pub color: Color,
    /// Opacity in percent.
    pub percent: f64,
    /// The standard deviation of the blur. Percentages refer to the shorter side.
    pub blur: Length,
    /// How far the shadow is from the image. Percentages refer to the shorter side.
    pub distance: Length,
    /// The direction of the offset. Center means no offset.
    pub towards: Place,
}

/// The default values.
const USUAL: Shadow = Shadow {
    color: Color::BLACK,
    percent: 50.0,
    blur: Length::Percent(2.0),
    distance: Length::Percent(2.0),
    towards: Place::BottomRight,
};

const DROPPED: &[&str] = &["drop shadow", "dropshadow"];
/// Only means this operation if it is added or is behind something. Otherwise, it means a dark part
/// of the image.
const PLAIN: &[&str] = &["shadow"];
const OPACITY: Parameter = Parameter::new("the opacity of a shadow", "%", (1.0, 100.0));

const BLUR_PX: Parameter = Parameter::new("the blur of a shadow", "px", (0.1, 100.0));
const BLUR_PERCENT: Parameter = Parameter::new("the blur of a shadow", "%", (0.01, 10.0));
const DISTANCE_PX: Parameter = Parameter::new("the distance of a shadow", "px", (0.0, 4096.0));
const DISTANCE_PERCENT: Parameter = Parameter::new("the distance of a shadow", "%", (0.0, 100.0));

impl Spoken for Shadow {
    const CAPABILITY: Capability = Capability {
        name: "shadow",
        parameters: &[OPACITY, BLUR_PX, BLUR_PERCENT, DISTANCE_PX, DISTANCE_PERCENT],
        controls: &[
            Control::color("color", "Color"),
            Control::number("percent", "Opacity", OPACITY),
            Control::length("blur", "Blur", [BLUR_PX, BLUR_PERCENT]),
            Control::length("distance", "Distance", [DISTANCE_PX, DISTANCE_PERCENT]),
            Control::place("towards", "Direction"),
        ],
        summary: "Adds a drop shadow behind the image. The canvas grows to make room for it.",
        definition: "The shadow is alpha times the opacity, offset by whole pixels (on diagonals, \
                     by distance / √2 in both directions), blurred with a Gaussian whose standard \
                     deviation is the blur, and placed under the image with Porter-Duff over. \
                     Each side grows by 3 standard deviations, plus or minus the offset.",
        heads: phrases!(DROPPED, PLAIN),
        details: &[
            "drop", "soft", "hard", "blur", "blurred", "distance", "offset", "opacity", "away",
            "behind", "towards", "subtle",
        ],
        examples: &[
            "add a drop shadow",
            "add a soft drop shadow",
            "add a navy drop shadow with a blur of 12px and a distance of 8px to the bottom left",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let named = clause.has(DROPPED) || (clause.has(PLAIN) && clause.has(&["add", "behind"]));
        if !named || clause.has(&["text", "caption", "title", "word", "letters"]) {
            return Ok(None);
        }
        clause.head(Self::CAPABILITY.heads);
        let missing = || {
            Refusal::missing(
                "say the blur and the distance of the shadow in pixels or percent, and its opacity in percent",
            )
        };
        let (soft, hard) = (clause.take(&["soft"]).is_some(), clause.take(&["hard"]).is_some());
        let percent = clause.labeled(&["opacity", "opaque"]);
        let blur = clause.labeled(&["blur", "blurred"]);
        let distance = clause.labeled(&["distance", "offset", "away"]);
        let percent = percent.or_else(|| share(clause));
        let percent = match (percent, clause.degree()) {
            (Some(percent), None) if percent.unit == Unit::Percent => percent.value,
            (None, None) => USUAL.percent,
            (None, Some(degree)) => {
                [15.0, 30.0, 50.0, 70.0, 85.0].get(degree).copied().unwrap_or(USUAL.percent)
            }
            _ => return Err(missing()),
        };
        let usual = match (soft, hard) {
            (true, false) => Length::Percent(4.0),
            (false, true) => Length::Percent(0.2),
            _ => USUAL.blur,
        };
        let length = |amount: Option<Quantity>, usual| match amount {
            None => Ok(usual),
            Some(amount) if matches!(amount.unit, Unit::Pixels | Unit::None) => {
                Ok(Length::Pixels(amount.value))
            }
            Some(amount) if amount.unit == Unit::Percent => Ok(Length::Percent(amount.value)),
            Some(_) => Err(missing()),
        };
        let (blur, distance) = (length(blur, usual)?, length(distance, USUAL.distance)?);
        clause.take_all(&["and", "behind", "towards"]);
        let color = clause.color().unwrap_or(USUAL.color);
        let towards = clause.place().unwrap_or(USUAL.towards);
        let shadow = Self { color, percent, blur, distance, towards };
        clause.assumed.push(format!("the shadow: {}", shadow.words()));
        Ok(Some(shadow))
    }
}

/// A percentage directly before the shadow is its opacity: "a 50% black shadow".
fn share(clause: &mut Clause<'_>) -> Option<Quantity> {
    let mut trial = clause.clone();
    let amount = trial.quantity().filter(|amount| amount.unit == Unit::Percent && !amount.to)?;
    *clause = trial;
    Some(amount)
}

impl Operation for Shadow {
    fn words(&self) -> String {
        let Self { color, percent, blur, distance, towards } = self;
        format!(
            "add a {color} drop shadow with an opacity of {percent}% a blur of {blur} and a distance of {distance} towards the {}",
            towards.words()
        )
    }

    fn belongings(&self) -> &'static [&'static str] {
        &[
            "px blur",
            "pixel blur",
            "pixels blur",
            "% blur",
            "blur of",
            "px distance",
            "% opacity",
            "opacity of",
        ]
    }

    fn check(&self) -> Result<(), String> {
        if !self.color.is_opaque() {
            return Err("a shadow must have an opaque color; its opacity is a separate percentage"
                .to_owned());
        }
        OPACITY.check(self.percent)?;
        check_length(self.blur, &BLUR_PX, &BLUR_PERCENT)?;
        check_length(self.distance, &DISTANCE_PX, &DISTANCE_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.blur = scaled_length(self.blur, factor, &BLUR_PX);
        self.distance = scaled_length(self.distance, factor, &DISTANCE_PX);
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        let [left, top, right, bottom] = self.margins((width, height)).map(u64::from);
        Ok((u64::from(width) + left + right, u64::from(height) + top + bottom))
    }

    fn scratch_bytes(&self, input: Size, result: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(result, self.sigma(input))
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let picture = only(pictures)?;
        let size = self.result_size(&[picture.size()]).map_err(ExecuteError::Impossible)?;
        let mut result = Picture::new(to_u32(size.0), to_u32(size.1))?;
        let [left, top, ..] = self.margins(picture.size());
        let (right, down) = self.offset(picture.size());
        let at = (left.saturating_add_signed(right), top.saturating_add_signed(down));
        let [red, green, blue, _] = self.color.rgba.map(S::of);
        let color = self.color.rgba.map(f32::from);
        let share = (self.percent / 100.0) as f32;
        canvas::under(&mut result, (&picture, at), |_, [.., alpha]| [red, green, blue, alpha]);
        gaussian::blur(&mut result, self.sigma(picture.size()), |_, blurred| {
            let opacity = blurred[3] / gaussian::FULL * share * 255.0;
            [color[0], color[1], color[2], opacity]
        });
        canvas::under(&mut result, (&picture, (left, top)), |shadow, own| {
            canvas::over_pixel(own, shadow)
        });
        Ok(result)
    }
}

impl Shadow {
    fn sigma(&self, size: Size) -> f64 {
        self.blur.exact_px(size.0.min(size.1)).clamp(0.1, 100.0)
    }

    /// The offset to the right and downward, in pixels.
    fn offset(&self, size: Size) -> (i32, i32) {
        let distance = self.distance.exact_px(size.0.min(size.1));
        let (column, row) = self.towards.column_row();
        let diagonal = column != 1 && row != 1;
        let by = if diagonal { distance * std::f64::consts::FRAC_1_SQRT_2 } else { distance };
        let by = i32::try_from(whole(by)).unwrap_or(i32::MAX);
        let signed = |third: u32| match third {
            0 => -by,
            1 => 0,
            _ => by,
        };
        (signed(column), signed(row))
    }

    /// How much the canvas grows at the left, top, right and bottom, in pixels.
    fn margins(&self, size: Size) -> [u32; 4] {
        let reach = i32::try_from(whole((self.sigma(size) * 3.0).ceil())).unwrap_or(i32::MAX);
        let (right, down) = self.offset(size);
        [-right, -down, right, down]
            .map(|shift| u32::try_from(reach.saturating_add(shift)).unwrap_or(0))
    }
}
