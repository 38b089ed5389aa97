//! The requested size of the result, in any of the ways to express it.

use std::ops::RangeInclusive;

use bytes::Bytes;
use serde_json::Value;

use crate::fields::{FieldError, Fields, Problem};
use crate::picture::sniff;

/// fal's names for sizes, and what they mean.
const WORDS: [(&str, (u32, u32)); 6] = [
    ("square_hd", (1024, 1024)),
    ("square", (512, 512)),
    ("portrait_4_3", (768, 1024)),
    ("portrait_16_9", (576, 1024)),
    ("landscape_4_3", (1024, 768)),
    ("landscape_16_9", (1024, 576)),
];

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    Text(String),
    Whole(i64),
    Size(u32, u32),
}

/// What the fields together say about the results.
#[derive(Debug)]
pub(super) struct Wishes {
    pub(super) count: usize,
    pub(super) format: Option<String>,
    ratio: Option<(u32, u32)>,
    step_px: f64,
    width: Option<u32>,
    height: Option<u32>,
}

impl Default for Wishes {
    fn default() -> Self {
        let (count, format, ratio, step_px) = (1, None, None, 1024.0);
        Self { count, format, ratio, step_px, width: None, height: None }
    }
}

impl Wishes {
    /// Records the value of the field `name`.
    pub(super) fn note(&mut self, name: &str, said: Said) {
        match (name, said) {
            ("num_images" | "number_of_images", Said::Whole(count)) => {
                self.count = count.try_into().unwrap_or(1);
            }
            ("output_format", Said::Text(format)) => self.format = Some(format),
            ("aspect_ratio", Said::Text(ratio)) => self.ratio = pair(&ratio, ':'),
            ("resolution" | "size", Said::Text(step)) => self.step_px = step_px(&step),
            ("image_size", Said::Text(size)) => self.set(pair(&size, 'x')),
            ("width", Said::Whole(side)) => self.width = side.try_into().ok(),
            ("height", Said::Whole(side)) => self.height = side.try_into().ok(),
            (_, Said::Size(width, height)) => self.set(Some((width, height))),
            _ => {}
        }
    }

    fn set(&mut self, size: Option<(u32, u32)>) {
        (self.width, self.height) = (size.map(|size| size.0), size.map(|size| size.1));
    }

    /// Width and height of the results.
    pub(super) fn pixels(&self, inputs: &[Bytes]) -> (u32, u32) {
        if let (Some(width), Some(height)) = (self.width, self.height) {
            return (width, height);
        }
        let first = inputs.first().and_then(|first| sniff(first));
        let of_first = first.map(|first| (first.width, first.height));
        let (width, height) = self.ratio.or(of_first).unwrap_or((1, 1));
        let ratio = f64::from(width.max(1)) / f64::from(height.max(1));
        let side = |share: f64| ((self.step_px * share / 8.0).round() * 8.0).clamp(64.0, 8192.0);
        (side(ratio.sqrt()) as u32, side(ratio.sqrt().recip()) as u32)
    }
}

/// `W:H`, from `widest` to its inverse.
pub(super) fn ratio(
    fields: &mut Fields,
    name: &str,
    widest: f64,
) -> Result<Option<String>, FieldError> {
    let Some(text) = fields.text(name)? else { return Ok(None) };
    let ratio = pair(&text, ':').map(|(width, height)| f64::from(width) / f64::from(height));
    // A tolerance for ratios such as 21:9, which have no exact floating-point value.
    let most = widest + 1e-9;
    if ratio.is_some_and(|ratio| (most.recip()..=most).contains(&ratio)) {
        return Ok(Some(text));
    }
    Err(FieldError::value(fields.path(name), "a ratio between 21:9 and 9:21"))
}

/// A size as an object or as one of fal's names.
pub(super) fn object(
    fields: &mut Fields,
    name: &str,
    area: RangeInclusive<u64>,
) -> Result<Option<Said>, FieldError> {
    let path = fields.path(name);
    let (width, height) = match fields.take(name) {
        None => return Ok(None),
        Some(Value::String(word)) if word == "auto" => return Ok(None),
        Some(Value::String(word)) => {
            let known = WORDS.iter().find(|(known, _)| *known == word);
            return match known {
                Some((_, (width, height))) => Ok(Some(Said::Size(*width, *height))),
                None => Err(FieldError::value(path, "a preset or an object of width and height")),
            };
        }
        Some(value) => {
            let mut object = Fields::of(value, path.as_str())?;
            let missing = |side: &str| FieldError::missing(format!("{path}.{side}"));
            let width = object.whole("width", 64..=14_142)?.ok_or_else(|| missing("width"))?;
            let height = object.whole("height", 64..=14_142)?.ok_or_else(|| missing("height"))?;
            object.end()?;
            (width, height)
        }
    };
    let sides = (u32::try_from(width), u32::try_from(height));
    let (Ok(width), Ok(height)) = sides else {
        return Err(FieldError { path, problem: Problem::Type("an integer") });
    };
    if !area.contains(&(u64::from(width) * u64::from(height))) {
        let right = format!("of {} to {} pixels", area.start(), area.end());
        return Err(FieldError::value(path, right));
    }
    Ok(Some(Said::Size(width, height)))
}

fn pair(text: &str, between: char) -> Option<(u32, u32)> {
    let (one, other) = text.split_once(between)?;
    let (one, other) = (one.parse().ok()?, other.parse().ok()?);
    (one > 0 && other > 0).then_some((one, other))
}

/// The side of a square at this resolution.
fn step_px(step: &str) -> f64 {
    match step.to_ascii_lowercase().as_str() {
        "0.5k" => 512.0,
        "768sq" => 768.0,
        "1.5k" => 1536.0,
        "2k" => 2048.0,
        "3k" => 3072.0,
        "4k" => 4096.0,
        _ => 1024.0,
    }
}
