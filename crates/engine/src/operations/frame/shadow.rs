//! Shadow: a blurred copy of the image's outline behind the image.

use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas, gaussian};
use crate::length::{Length, whole};
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, only, scaled_length,
};
use crate::{Color, ExecuteError, Picture, Place, Sample};
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

const OPACITY: Parameter = Parameter::new("the opacity of a shadow", "%", (1.0, 100.0));

const BLUR_PX: Parameter = Parameter::new("the blur of a shadow", "px", (0.1, 100.0));
const BLUR_PERCENT: Parameter = Parameter::new("the blur of a shadow", "%", (0.01, 10.0));
const DISTANCE_PX: Parameter = Parameter::new("the distance of a shadow", "px", (0.0, 4096.0));
const DISTANCE_PERCENT: Parameter = Parameter::new("the distance of a shadow", "%", (0.0, 100.0));

impl Described for Shadow {
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
        examples: &[
            "add a drop shadow",
            "add a soft drop shadow",
            "add a navy drop shadow with a blur of 12px and a distance of 8px to the bottom left",
        ],
    };
}

impl Operation for Shadow {
    fn words(&self) -> String {
        let Self { color, percent, blur, distance, towards } = self;
        format!(
            "add a {color} drop shadow with an opacity of {percent}% a blur of {blur} and a distance of {distance} towards the {}",
            towards.words()
        )
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
