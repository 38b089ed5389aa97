//! The requested properties of the result: aspect ratio, size, quality and file format.

use super::Edit;
use super::body::Body;
use super::fields;
use super::json::Json;
use super::number;
use super::rejected::{Reason, Rejected};
use crate::Warning;
use crate::catalogue::{Model, Quality};
use crate::image::{AspectRatio, Background, Encoding, OutputFormat, Size};

/// The field with the quality of the file.
const COMPRESSION: &str = "output_compression";

/// What a request asks for, with warnings about what can't be applied.
pub(super) struct Output {
    pub(super) aspect_ratio: AspectRatio,
    pub(super) size: Option<Size>,
    pub(super) quality: Option<Quality>,
    pub(super) warnings: Vec<Warning>,
}

/// Reads `aspectRatio`, `size` and `quality`, and checks that `model` offers them.
pub(super) fn accept(body: &Body<'_>, model: &Model) -> Result<Output, Rejected> {
    let mut warnings = Vec::new();
    let asked = aspect_ratio(body, model)?;
    let size = size(body)?;
    if let Some(size) = size {
        check_shape(size, asked, model)?;
    }
    let mut aspect_ratio = asked.unwrap_or(AspectRatio::Auto);
    if model.aspect_ratios.is_empty() && asked.is_some() {
        let message =
            format!("`aspectRatio` was ignored: the provider of {} decides the shape.", model.id);
        warnings.push(Warning::about("aspect_ratio_not_applied", "aspectRatio", message));
        aspect_ratio = AspectRatio::Auto;
    }
    let quality = quality(body)?;
    if let Some(quality) = quality.filter(|quality| !model.has_quality(*quality)) {
        let (id, quality, offers) = (&model.id, quality.as_str(), model.offer_names());
        let message = format!("{id} does not offer `quality` {quality}. It offers: {offers}.");
        return Err(Rejected::field(Reason::InvalidValue, "quality", message));
    }
    Ok(Output { aspect_ratio, size, quality, warnings })
}

/// Reads `output_format` and `output_compression`.
pub(super) fn encoding(body: &Body<'_>, warnings: &mut Vec<Warning>) -> Result<Encoding, Rejected> {
    let format = match fields::word(body, "output_format")? {
        None => OutputFormat::default(),
        Some(name) => OutputFormat::parse(&name).ok_or_else(|| {
            let message = "`output_format` must be png, jpeg or webp.";
            Rejected::field(Reason::InvalidValue, "output_format", message)
        })?,
    };
    let encoding = Encoding { format, compression: compression(body)? };
    warnings.extend(not_compressed(encoding));
    Ok(encoding)
}

impl Edit {
    /// Sets how the result is encoded, because the instruction says so.
    pub fn encode(&mut self, encoding: Encoding) {
        let is_other = |warning: &Warning| warning.param.as_deref() != Some(COMPRESSION);
        self.warnings.retain(is_other);
        self.warnings.extend(not_compressed(encoding));
        self.encoding = encoding;
    }
}

/// A warning about a quality for a format that has none.
fn not_compressed(Encoding { format, compression }: Encoding) -> Option<Warning> {
    compression.filter(|_| format != OutputFormat::Jpeg)?;
    let message = format!(
        "`{COMPRESSION}` has no effect on {}, which is saved without loss. It applies to jpeg.",
        format.as_str()
    );
    Some(Warning::about("parameter_not_honored", COMPRESSION, message))
}

/// Reads `background`. A format without transparency can't have a transparent one.
pub(super) fn background(
    body: &Body<'_>,
    format: OutputFormat,
) -> Result<Option<Background>, Rejected> {
    const NAME: &str = "background";
    let asked = match fields::word(body, NAME)?.as_deref() {
        None | Some("auto") => return Ok(None),
        Some("transparent") => Background::Transparent,
        Some("opaque") => Background::Opaque,
        Some(_) => {
            let message = "`background` must be transparent, opaque or auto.";
            return Err(Rejected::field(Reason::InvalidValue, NAME, message));
        }
    };
    if asked == Background::Transparent && format == OutputFormat::Jpeg {
        let message = "A JPEG can't have a transparent background. Set `output_format` to png or \
                       webp.";
        return Err(Rejected::field(Reason::ConflictingFields, NAME, message));
    }
    Ok(Some(asked))
}

fn compression(body: &Body<'_>) -> Result<Option<u8>, Rejected> {
    let text = match body.get(COMPRESSION) {
        None => return Ok(None),
        Some(Json::Number(text)) => text,
        Some(other) => return Err(fields::wrong_type(COMPRESSION, "a whole number", other)),
    };
    let quality = number::whole(text).and_then(|number| u8::try_from(number).ok());
    quality.filter(|quality| (1..=100).contains(quality)).map(Some).ok_or_else(|| {
        let shown = super::json::short(text);
        let message =
            format!("`{COMPRESSION}` is {shown}. It must be a whole number from 1 to 100.");
        Rejected::field(Reason::InvalidValue, COMPRESSION, message)
    })
}

/// Reads `aspectRatio` and `size` without the limits of a model.
pub(super) fn any_shape(body: &Body<'_>) -> Result<(AspectRatio, Option<Size>), Rejected> {
    let asked = any_ratio(body)?;
    let size = size(body)?;
    if let (Some(ratio), Some(size)) = (asked, size) {
        check_agreement(size, ratio)?;
    }
    Ok((asked.unwrap_or(AspectRatio::Auto), size))
}

fn any_ratio(body: &Body<'_>) -> Result<Option<AspectRatio>, Rejected> {
    let Some(text) = fields::word(body, "aspectRatio")? else { return Ok(None) };
    text.parse().map(Some).map_err(|error| {
        let message = format!("`aspectRatio` is {error}.");
        Rejected::field(Reason::InvalidValue, "aspectRatio", message)
    })
}

fn aspect_ratio(body: &Body<'_>, model: &Model) -> Result<Option<AspectRatio>, Rejected> {
    if model.aspect_ratios.is_empty() {
        return any_ratio(body);
    }
    let Some(text) = fields::word(body, "aspectRatio")? else { return Ok(None) };
    // Compared as text: `02:3` is not one of the listed values.
    let listed = model.aspect_ratios.iter().find(|ratio| ratio.to_string() == *text);
    listed.copied().map(Some).ok_or_else(|| {
        let (id, allowed) = (&model.id, model.ratio_names());
        let message = format!("{id} does not support this `aspectRatio`. It supports: {allowed}.");
        Rejected::field(Reason::UnsupportedAspectRatio, "aspectRatio", message)
    })
}

fn size(body: &Body<'_>) -> Result<Option<Size>, Rejected> {
    match fields::word(body, "size")?.as_deref() {
        None | Some("auto") => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|error| {
            Rejected::field(Reason::InvalidValue, "size", format!("`size` is {error}."))
        }),
    }
}

fn check_shape(size: Size, asked: Option<AspectRatio>, model: &Model) -> Result<(), Rejected> {
    if let Some(ratio) = asked {
        check_agreement(size, ratio)?;
    }
    let fits = asked.is_some()
        || model.takes_any_shape()
        || model.aspect_ratios.iter().any(|ratio| size.has_shape(*ratio));
    if fits {
        return Ok(());
    }
    let (id, allowed) = (&model.id, model.ratio_names());
    let message =
        format!("`size` {size} has an aspect ratio that {id} does not support: use {allowed}.");
    Err(Rejected::field(Reason::UnsupportedAspectRatio, "size", message))
}

fn check_agreement(size: Size, ratio: AspectRatio) -> Result<(), Rejected> {
    if size.has_shape(ratio) {
        return Ok(());
    }
    let message =
        format!("`size` {size} does not match `aspectRatio` {ratio}. Change one of them.");
    Err(Rejected::field(Reason::ConflictingFields, "size", message))
}

fn quality(body: &Body<'_>) -> Result<Option<Quality>, Rejected> {
    match fields::word(body, "quality")?.as_deref() {
        // Without a quality, a provider might choose the most expensive one, so calls without one
        // are sent as medium.
        None | Some("auto") => Ok(None),
        Some("low") => Ok(Some(Quality::Low)),
        Some("medium") => Ok(Some(Quality::Medium)),
        Some("high") => Ok(Some(Quality::High)),
        Some(_) => {
            let message = "`quality` must be low, medium, high or auto.";
            Err(Rejected::field(Reason::InvalidValue, "quality", message))
        }
    }
}
