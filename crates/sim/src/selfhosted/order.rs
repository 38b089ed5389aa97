//! Parses requests strictly. The real servers ignore unknown fields.

use bytes::Bytes;
use http::StatusCode;

use super::accent::Accent;
use super::errors::Error;
use crate::arrived::Arrived;
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Form};
use crate::picture::{self, Format, sniff};

/// The side of the result if there is no size and no input image.
const SIDE_PX: u32 = 1024;
/// Model names that start with this are unknown. All others are accepted.
const NO_MODEL: &str = "no-such";

/// An order.
#[derive(Debug)]
pub(super) struct Order {
    /// The images to make.
    pub(super) wanted: Wanted,
    /// Whether the response contains URLs and not base64.
    pub(super) as_address: bool,
}

/// An edit.
pub(super) fn of_form(arrived: Arrived, accent: &Accent) -> Result<Order, Error> {
    let mut form = Form::body(arrived)?;
    let inputs = form.files(&["image", "image[]"])?;
    form.files(accent.files)?;
    if inputs.is_empty() {
        let detail = "Field 'image' or 'url' is required";
        return Err(Error::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    }
    if inputs.iter().any(|input| sniff(input).is_none()) {
        return Err(Error::new(StatusCode::BAD_REQUEST, "Failed to load image"));
    }
    let numbers = [&["n"], accent.numbers].concat();
    read(form.into_fields(&numbers, accent.flags)?, &inputs, accent)
}

/// A generation.
pub(super) fn of_json(arrived: Arrived, accent: &Accent) -> Result<Order, Error> {
    read(Fields::body(arrived)?, &[], accent)
}

fn read(mut fields: Fields, inputs: &[Bytes], accent: &Accent) -> Result<Order, Error> {
    let prompt = fields.required_text("prompt")?;
    if fields.text("model")?.is_some_and(|model| model.starts_with(NO_MODEL)) {
        let detail = "Model mismatch: another one is served";
        return Err(Error::new(StatusCode::BAD_REQUEST, detail));
    }
    let size = size(&mut fields, inputs)?;
    let count = fields.whole("n", 1..=10)?.unwrap_or(1).try_into().unwrap_or(1);
    let format = fields.one_of("output_format", &["png", "jpeg", "webp"])?;
    let format = format.and_then(|name| Format::named(&name)).unwrap_or(Format::Png);
    let form = fields.one_of("response_format", accent.response_formats)?;
    let usual = accent.response_formats.first().copied();
    let as_address = form.as_deref().or(usual) == Some("url");
    for name in accent.texts {
        fields.text(name)?;
    }
    for name in accent.numbers {
        fields.number(name, f64::MIN..=f64::MAX)?;
    }
    for name in accent.flags {
        fields.flag(name)?;
    }
    fields.end()?;
    let seed = picture::seed(&prompt, inputs);
    let (provider, kind) = (accent.name, Kind::Picture(format));
    Ok(Order { wanted: Wanted { provider, prompt, seed, count, size, kind }, as_address })
}

fn size(fields: &mut Fields, inputs: &[Bytes]) -> Result<(u32, u32), FieldError> {
    let first = inputs.first().and_then(|first| sniff(first));
    let of_first = first.map_or((SIDE_PX, SIDE_PX), |first| (first.width, first.height));
    match fields.text("size")?.as_deref() {
        None | Some("auto") => Ok(of_first),
        Some(text) => {
            let sides = text.split_once('x');
            let sides = sides.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
            sides
                .filter(|(w, h)| (1..=8192).contains(w) && (1..=8192).contains(h))
                .ok_or_else(|| FieldError::value("size", "WIDTHxHEIGHT"))
        }
    }
}
