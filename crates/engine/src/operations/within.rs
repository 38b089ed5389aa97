//! Within: limits an edit to a part of the image.

mod feather;

use crate::kernels::Size;
use crate::operation::{
    AREA, Capability, Control, Described, OFFSETS, Operation, Parameter, SIDE, check_length, only,
    scaled_length,
};
use crate::region::{Area, Rectangle, Region};
use crate::{ExecuteError, Length, Picture, Sample, Step};
use feather::Soft;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Limits another edit to a part of the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// The part of the image that changes.
    pub region: Region,
    /// The edit.
    pub step: Box<Step>,
    /// The width over which the edit fades at the edges of the part, if they are soft. Percentages
    /// refer to the shorter side of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feather: Option<Length>,
    /// Whether everything but the part changes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// The width of the edge of an ellipse without a feather, in pixels: that of smooth curves.
const SMOOTH_PX: f64 = 1.5;

/// The width of a soft edge, in pixels and in percent.
const FEATHER: [Parameter; 2] = [
    Parameter::new("a feather", "px", (1.0, 4000.0)),
    Parameter::new("a feather", "%", (0.1, 100.0)),
];

impl Described for Within {
    const CAPABILITY: Capability = Capability {
        name: "within",
        parameters: &[],
        controls: &[
            Control::step("step"),
            Control::place("region.place", "Position"),
            Control::length("region.width", "Width", AREA).when("region.kind", "part"),
            Control::length("region.height", "Height", AREA).when("region.kind", "part"),
            Control::length("region.width", "Width", AREA).when("region.kind", "edges"),
            Control::whole("region.x", "From the left", OFFSETS[0]),
            Control::whole("region.y", "From the top", OFFSETS[0]),
            Control::whole("region.width", "Width", SIDE).when("region.kind", "box"),
            Control::whole("region.height", "Height", SIDE).when("region.kind", "box"),
            Control::length("region.side", "Side", AREA),
            Control::length("region.diameter", "Diameter", AREA),
            Control::choice("region.of", "Of", &["shorter_side", "width", "height"]),
            Control::length("region.center.x", "Center, from the left", OFFSETS),
            Control::length("region.center.y", "Center, from the top", OFFSETS),
            Control::length("region.radius", "Radius", AREA),
            Control::length("region.width", "Width", AREA).when("region.kind", "oval"),
            Control::length("region.height", "Height", AREA).when("region.kind", "oval"),
            Control::length("feather", "Feather", FEATHER),
            Control::switch("outside", "Outside"),
        ],
        summary: "Limits an edit to part of the image.",
        definition: "The edit is applied to the whole image. Its result is kept inside the part, \
                     byte for byte; outside, the image does not change. Sides are rounded half \
                     up, at least 1 pixel. With a feather of f, the two are mixed across each edge \
                     inside the image, premultiplied: the share of the result rises as 3t^2 - 2t^3 \
                     from f / 2 outside the edge (t = 0) to f / 2 inside (t = 1). A \"soft edge\" is a feather of 10%. \
                     The edge of a circle or an oval always fades, over 1.5 pixels without a feather; its \
                     distance is that of a cutout. With \"outside\", the two change places.",
        examples: &[
            "brighten the top half",
            "blur a 200x100 box at 50,80",
            "make the left third black and white",
            "desaturate the corners",
            "blur the top third with a feather of 40px",
            "blur everything except a circle in the middle, half the width",
            "pixelate the circle around 640,410 with a radius of 90px",
        ],
    };
}

impl Operation for Within {
    fn words(&self) -> String {
        let side = if self.outside { "outside" } else { "in" };
        let words = format!("{} {side} {}", self.step.operation().words(), self.region.words());
        match self.feather {
            Some(feather) => format!("{words} with a feather of {feather}"),
            None => words,
        }
    }

    fn check(&self) -> Result<(), String> {
        if !self.step.operation().regional() {
            let words = self.step.operation().words();
            return Err(format!("\"{words}\" can only be applied to the whole image"));
        }
        self.region.check()?;
        if let Some(feather) = self.feather {
            check_length(feather, &FEATHER[0], &FEATHER[1])?;
        }
        self.step.operation().check()
    }

    fn scale(&mut self, factor: f64) {
        self.region.scale(factor);
        self.feather = self.feather.map(|feather| scaled_length(feather, factor, &FEATHER[0]));
        self.step.operation_mut().scale(factor);
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let size = inputs.first().copied().unwrap_or((1, 1));
        self.region.area(size)?;
        self.step.operation().result_size(inputs)
    }

    /// A copy of the original image, in addition to what the edit needs.
    fn scratch_bytes(&self, input: Size, result: Size, pixel_bytes: u64) -> u64 {
        let copy = u64::from(input.0) * u64::from(input.1) * pixel_bytes;
        let step = self.step.operation();
        let new = if step.in_place() { 0 } else { copy };
        let soft = self.feather.map_or(0, |_| feather::scratch_bytes(input));
        copy + new + soft + step.scratch_bytes(input, result, pixel_bytes)
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let original = only(pictures)?;
        let size = original.size();
        let area = self.region.area(size).map_err(ExecuteError::Impossible)?;
        let edited = self.step.apply(vec![original.clone()], warnings)?;
        let (mut picture, inside) =
            if self.outside { (edited, original) } else { (original, edited) };
        let feather_px = self.feather.map(|feather| feather.exact_px(size.0.min(size.1)));
        match (area, feather_px) {
            (Area::Rectangles(rectangles), None) => copy(&mut picture, &inside, &rectangles),
            (area, width_px) => {
                let width_px = width_px.unwrap_or(SMOOTH_PX);
                Soft { area, width_px }.mix(&mut picture, &inside);
            }
        }
        Ok(picture)
    }
}

/// Copies the pixels of rectangles.
fn copy<S: Sample>(picture: &mut Picture<S>, from: &Picture<S>, rectangles: &[Rectangle]) {
    let row_samples = picture.row_samples();
    let lines =
        picture.pixels_mut().par_chunks_mut(row_samples).zip(from.pixels().par_chunks(row_samples));
    lines.enumerate().for_each(|(y, (to, from))| {
        for [left, top, right, bottom] in rectangles {
            if (*top as usize..*bottom as usize).contains(&y) {
                let samples = *left as usize * 4..*right as usize * 4;
                if let (Some(to), Some(from)) = (to.get_mut(samples.clone()), from.get(samples)) {
                    to.copy_from_slice(from);
                }
            }
        }
    });
}
