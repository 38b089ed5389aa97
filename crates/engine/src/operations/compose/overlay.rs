//! Overlay: puts another image on the first one at a position.

mod overlay_words;

use super::blend::Mode;
use crate::coordinates::Coordinates;
use crate::kernels::size::to_u32;
use crate::kernels::{Size, canvas, resample};
use crate::length::{Length, whole};
use crate::operation::{
    Capability, Control, Described, OFFSETS, Operation, Parameter, both, check_length,
    scaled_length,
};
use crate::{ExecuteError, Picture, Place, Sample};
use serde::{Deserialize, Serialize};

/// Puts another image on the first one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    /// The number of the other image; the first image is 1.
    pub picture: usize,
    /// The position of the other image.
    pub place: Place,
    /// The position of its top left corner. If set, `place` is the top left and there is no margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Coordinates>,
    /// The width of the other image. Percentages refer to the width of the first one. If `None`, it
    /// keeps its own width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<Length>,
    /// The distance from the edges. Percentages refer to the shorter side of the first image.
    pub margin: Length,
    /// Opacity in percent.
    pub percent: f64,
}

const OPACITY: Parameter = Parameter::new("the opacity", "%", (0.0, 100.0)).usually(100.0);

const WIDTH_PX: Parameter = Parameter::new("the width", "px", (1.0, 16_384.0));
const WIDTH_PERCENT: Parameter =
    Parameter::new("the width", "%", (0.1, 100.0)).usually(overlay_words::WIDTH.value());
const MARGIN_PX: Parameter = Parameter::new("the margin", "px", (0.0, 16_384.0));
const MARGIN_PERCENT: Parameter =
    Parameter::new("the margin", "%", (0.0, 50.0)).usually(overlay_words::MARGIN.value());

impl Described for Overlay {
    const CAPABILITY: Capability = Capability {
        name: "overlay",
        parameters: &[OPACITY, WIDTH_PX, WIDTH_PERCENT, MARGIN_PX, MARGIN_PERCENT],
        controls: &[
            Control::place("place", "Position").instead_of("at"),
            Control::length("at.x", "From the left", OFFSETS),
            Control::length("at.y", "From the top", OFFSETS),
            Control::length("width", "Width", [WIDTH_PX, WIDTH_PERCENT]),
            Control::length("margin", "Margin", [MARGIN_PX, MARGIN_PERCENT]),
            Control::number("percent", "Opacity", OPACITY),
        ],
        summary: "Places another image on the first, with a position, size and opacity.",
        definition: "The other image keeps its aspect ratio (Lanczos3, premultiplied). It is \
                     placed with Porter-Duff over, its alpha times the opacity.",
        examples: &[
            "put the second picture in the bottom right corner at 20%",
            "overlay picture 2 at the top left with a width of 200px and a margin of 10px",
            "put the second picture at 40,60 in its own size",
        ],
    };
}

impl Operation for Overlay {
    fn words(&self) -> String {
        overlay_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        super::blend::is_other(self.picture)?;
        if let Some(at) = self.at {
            at.check()?;
            if self.place != Place::TopLeft || self.margin != Length::ZERO {
                return Err(
                    "coordinates cannot be combined with another position or a margin".to_owned()
                );
            }
        }
        self.width.map_or(Ok(()), |width| check_length(width, &WIDTH_PX, &WIDTH_PERCENT))?;
        check_length(self.margin, &MARGIN_PX, &MARGIN_PERCENT)?;
        OPACITY.check(self.percent)
    }

    fn scale(&mut self, factor: f64) {
        self.at = self.at.map(|at| at.at_scale(factor));
        self.width = self.width.map(|width| scaled_length(width, factor, &WIDTH_PX));
        self.margin = scaled_length(self.margin, factor, &MARGIN_PX);
    }

    fn takes(&self) -> Option<usize> {
        Some(self.picture)
    }

    fn in_place(&self) -> bool {
        true
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let [below, above] = inputs else { return Ok((1, 1)) };
        self.spot(*below, *above)?;
        Ok((u64::from(below.0), u64::from(below.1)))
    }

    /// The bytes of the other image in its new size, which is at most that of the first image, and
    /// of the resizer.
    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        resample::resized_bytes(input, result, pixel_bytes)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let (mut below, above) = both(pictures)?;
        let (at, size) = self.spot(below.size(), above.size()).map_err(ExecuteError::Impossible)?;
        let above = if above.size() == size { above } else { resample::lanczos(&above, size)? };
        canvas::under(&mut below, (&above, at), |below, above| {
            Mode::Normal.laid(below, above, self.percent / 100.0)
        });
        Ok(below)
    }
}

impl Overlay {
    /// The position and the size of the other image on the first one.
    fn spot(&self, below: Size, above: Size) -> Result<(Size, Size), String> {
        let factor = self.width.map_or(1.0, |width| width.exact_px(below.0) / f64::from(above.0));
        let side = |side: u32| to_u32(whole(f64::from(side) * factor).max(1));
        let size = (side(above.0), side(above.1));
        if let Some(at) = self.at {
            return self.inside(at.px(below), (below, size)).map(|at| (at, size));
        }
        let margin = to_u32(self.margin.px(below.0.min(below.1)));
        let twice = margin.saturating_mul(2);
        let room = (below.0.saturating_sub(twice), below.1.saturating_sub(twice));
        if size.0 > room.0 || size.1 > room.1 {
            return Err(format!(
                "image {} would be {}x{} pixels, which does not fit on an image of {}x{} with a \
                 margin of {margin}; make it smaller",
                self.picture, size.0, size.1, below.0, below.1
            ));
        }
        let (left, top) = self.place.offset(room, size);
        Ok(((left + margin, top + margin), size))
    }

    /// The position in whole pixels. Returns an error unless the other image is entirely on the
    /// first one.
    fn inside(&self, at: (f64, f64), (below, size): (Size, Size)) -> Result<Size, String> {
        let at = (to_u32(whole(at.0)), to_u32(whole(at.1)));
        let ends =
            |at: u32, side: u32, outer: u32| u64::from(at) + u64::from(side) <= u64::from(outer);
        if ends(at.0, size.0, below.0) && ends(at.1, size.1, below.1) {
            return Ok(at);
        }
        Err(format!(
            "image {}, {}x{} pixels at {},{}, extends beyond the edge of an image of {}x{}; make \
             it smaller or place it elsewhere",
            self.picture, size.0, size.1, at.0, at.1, below.0, below.1
        ))
    }
}
