//! Expresses the caller's shape and size in the terms of a family of models.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_core::image::{AspectRatio, Size};

use super::family::{Family, Form, Frame, Pixels, Ratios, Taken, Tiers, Unasked};
use super::fields::{Fields, Value};
use crate::upstream::{Order, pixels_max, shape, warnings};

/// What the caller asks for. A size takes precedence over a ratio.
#[derive(Clone, Copy)]
enum Asked {
    Size(Size),
    Ratio(u32, u32),
}

/// Adds the shape of the result to `fields`.
pub(super) fn set(fields: &mut Fields<'_>, frame: &Frame, order: &Order<'_>) {
    let asked = asked(order.edit);
    match frame {
        Frame::Own => {}
        Frame::Ratio(ratios) => set_ratio(fields, ratios, asked, order),
        Frame::Pixels(pixels) => set_pixels(fields, pixels, asked, order),
        Frame::Sizes { field, sizes } => {
            let ratio = asked.map(Asked::ratio).or_else(|| shape::first_ratio(order));
            if let Some((width, height)) = ratio.and_then(|ratio| shape::nearest(ratio, sizes)) {
                fields.set(*field, Value::Text(format!("{width}x{height}").into()));
            }
        }
    }
}

/// The warning if the result will not have the shape that `edit` asks for.
pub(super) fn warnings(family: &Family, edit: &Edit) -> Option<Warning> {
    let asked = asked(edit)?;
    if family.is_guess {
        let how = "was passed on as an aspect ratio; the provider's model may ignore it.";
        return Some(warnings::approximated(asked.param(), how));
    }
    match (&family.frame, asked) {
        (Frame::Own, _) => Some(warnings::not_honored(
            asked.param(),
            "has no effect: the model decides the aspect ratio.",
        )),
        (Frame::Ratio(ratios), Asked::Ratio(..)) => {
            let (wide, high) = ratios.taken.nearest(asked);
            let how = || {
                format!("is approximated as {wide}:{high}, the nearest that the provider supports.")
            };
            (!shape::is_same((wide, high), asked.ratio()))
                .then(|| warnings::approximated("aspectRatio", &how()))
        }
        (Frame::Ratio(Ratios { exact: Some(pixels), .. }) | Frame::Pixels(pixels), _) => {
            asked.unless_made(pixels.made(asked))
        }
        (Frame::Ratio(ratios), Asked::Size(size)) => {
            let (wide, high) = ratios.taken.nearest(asked);
            let how = format!(
                "is approximated as {wide}:{high}: the provider accepts an aspect ratio, not the \
                 pixels of {size}."
            );
            Some(warnings::approximated("size", &how))
        }
        (Frame::Sizes { sizes, .. }, _) => asked.unless_made(shape::nearest(asked.ratio(), sizes)?),
    }
}

fn set_ratio(fields: &mut Fields<'_>, ratios: &Ratios, asked: Option<Asked>, order: &Order<'_>) {
    if let (Some(Asked::Size(_)), Some(pixels)) = (asked, &ratios.exact) {
        return set_pixels(fields, pixels, asked, order);
    }
    let first = order.pictures.first().map(|picture| Asked::Ratio(picture.width, picture.height));
    let ratio = match (asked, ratios.unasked, first) {
        (Some(asked), ..) => Some(ratios.taken.written(asked)),
        (None, Unasked::Word(word), Some(_)) => Some(word.to_owned()),
        (None, Unasked::OfFirst, Some(first)) => Some(ratios.taken.written(first)),
        (None, ..) => None,
    };
    if let Some(ratio) = ratio {
        fields.set(ratios.field, Value::Text(ratio.into()));
    }
    if let Some((tiers, step)) = ratios.tiers.and_then(|tiers| Some((tiers, tiers.step(asked)?))) {
        fields.set(tiers.field, Value::Text(step.into()));
    }
}

fn set_pixels(fields: &mut Fields<'_>, pixels: &Pixels, asked: Option<Asked>, order: &Order<'_>) {
    let area_px = pixels.area_px.min(pixels_max(order.edit));
    let sides = match (asked, pixels.unasked, shape::first_ratio(order)) {
        (Some(asked), ..) => pixels.made(asked),
        (None, Unasked::OfFirst, Some(ratio)) => shape::of_area(ratio, area_px, pixels.bounds),
        (None, Unasked::Word(word), Some(_)) => {
            if let Form::Object(field) = pixels.form {
                fields.set(field, Value::Text(word.into()));
            }
            return;
        }
        (None, ..) => return,
    };
    fields.set_fixed(pixels.also);
    match pixels.form {
        Form::Object(field) => fields.set(field, Value::Sides(sides.into())),
        Form::Sides => {
            fields.set("width", Value::Whole(sides.0.into()));
            fields.set("height", Value::Whole(sides.1.into()));
        }
    }
}

fn asked(edit: &Edit) -> Option<Asked> {
    match (edit.size, edit.aspect_ratio) {
        (Some(size), _) => Some(Asked::Size(size)),
        (None, AspectRatio::Ratio(width, height)) => Some(Asked::Ratio(width, height)),
        (None, AspectRatio::Auto) => None,
    }
}

impl Asked {
    fn sides(self) -> (u32, u32) {
        match self {
            Self::Size(size) => (size.width(), size.height()),
            Self::Ratio(width, height) => (width, height),
        }
    }

    fn ratio(self) -> f64 {
        let (width, height) = self.sides();
        f64::from(width) / f64::from(height)
    }

    fn param(self) -> &'static str {
        match self {
            Self::Size(_) => "size",
            Self::Ratio(..) => "aspectRatio",
        }
    }

    /// The warning that `made`, in pixels, is not what was requested. `None` if it is.
    fn unless_made(self, made: (u32, u32)) -> Option<Warning> {
        let is_as_asked = match self {
            Self::Size(_) => made == self.sides(),
            Self::Ratio(..) => shape::is_same(made, self.ratio()),
        };
        let how = || {
            format!(
                "is approximated as {}x{}, the nearest that the provider supports.",
                made.0, made.1
            )
        };
        (!is_as_asked).then(|| warnings::approximated(self.param(), &how()))
    }
}

impl Taken {
    fn nearest(self, asked: Asked) -> (u32, u32) {
        match self {
            Self::Listed(ratios) => {
                shape::nearest(asked.ratio(), ratios).unwrap_or_else(|| asked.sides())
            }
            Self::AnyWithin((wide, high)) => {
                let widest = f64::from(wide) / f64::from(high);
                if asked.ratio() > widest {
                    (wide, high)
                } else if asked.ratio() < widest.recip() {
                    (high, wide)
                } else {
                    reduced(asked.sides())
                }
            }
        }
    }

    fn written(self, asked: Asked) -> String {
        let (width, height) = self.nearest(asked);
        format!("{width}:{height}")
    }
}

impl Tiers {
    /// The resolution that is nearest to the requested number of pixels.
    fn step(self, asked: Option<Asked>) -> Option<&'static str> {
        let Some(Asked::Size(size)) = asked else { return self.usual };
        let area = f64::from(size.width()) * f64::from(size.height());
        let distance = |step_px: u64| (step_px as f64 / area).ln().abs();
        let nearest =
            self.steps.iter().min_by(|one, other| distance(one.1).total_cmp(&distance(other.1)));
        nearest.map(|(name, _)| *name)
    }
}

impl Pixels {
    /// The size to request for what the caller asks for.
    fn made(&self, asked: Asked) -> (u32, u32) {
        match asked {
            Asked::Size(size) => shape::of_size((size.width(), size.height()), self.bounds),
            Asked::Ratio(..) => shape::of_area(asked.ratio(), self.area_px, self.bounds),
        }
    }
}

/// The same ratio in lowest terms.
fn reduced((width, height): (u32, u32)) -> (u32, u32) {
    let (mut one, mut other) = (width, height);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    let divisor = one.max(1);
    (width / divisor, height / divisor)
}
