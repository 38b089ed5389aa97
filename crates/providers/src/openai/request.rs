//! Builds the call for an order.

use retouch_core::Kind;
use retouch_core::catalogue::Quality;
use serde_json::{Map, Value};
use url::form_urlencoded::byte_serialize;

use super::profile::{ImagePart, Paths, Profile};
use super::{Options, size};
use crate::upstream::{Body, Call, Order, Part, Picture, text};

/// The call that submits the work: a form for an edit, JSON for text to image.
pub(super) fn call(profile: &Profile, options: &Options, order: &Order<'_>) -> Call {
    let fields = fields(profile, order);
    match order.edit.kind {
        Kind::ImageEdit => {
            let path = path(profile, options, order.model, "/images/edits");
            Call::post(path, Body::Form(form(profile, fields, order)))
        }
        Kind::TextToImage | Kind::Video => {
            let path = path(profile, options, order.model, "/images/generations");
            Call::post(path, Body::json(&fields))
        }
    }
}

/// The path of `call` for `model`, below the base URL.
pub(super) fn path(profile: &Profile, options: &Options, model: &str, call: &str) -> String {
    let version = options.api_version.as_deref().map(escaped);
    match (profile.paths, version) {
        (Paths::Plain, _) => call.to_owned(),
        (Paths::Azure, None) => format!("/openai/v1{call}"),
        (Paths::Azure, Some(version)) if model.is_empty() => {
            format!("/openai{call}?api-version={version}")
        }
        (Paths::Azure, Some(version)) => {
            format!("/openai/deployments/{}{call}?api-version={version}", escaped(model))
        }
    }
}

/// A name, escaped for use in a path.
fn escaped(name: &str) -> String {
    byte_serialize(name.as_bytes()).collect()
}

/// The fields other than files.
fn fields(profile: &Profile, order: &Order<'_>) -> Map<String, Value> {
    let (edit, has) = (order.edit, profile.fields);
    let size = size::chosen(profile, order).map(|(width, height)| format!("{width}x{height}"));
    let quality = quality(order).filter(|_| has.quality).map(|quality| quality.as_str().into());
    let prompt = if has.negative_prompt {
        edit.instruction.clone().into()
    } else {
        text::prompt_with_negative(edit).into_owned().into()
    };
    let negative = edit.negative_prompt.clone().filter(|_| has.negative_prompt);
    let background = edit.background.filter(|_| has.background);
    let fields: [(&str, Option<Value>); 10] = [
        ("prompt", Some(prompt)),
        ("model", Some(order.model.into())),
        ("n", has.n.then(|| 1.into())),
        ("output_format", has.output_format.then(|| "png".into())),
        ("quality", quality),
        ("response_format", has.response_format.then(|| "b64_json".into())),
        ("size", size.map(Into::into)),
        ("background", background.map(|background| background.as_str().into())),
        ("user", order.end_user.filter(|_| has.user).map(Into::into)),
        ("negative_prompt", negative.map(Into::into)),
    ];
    let sent = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    sent.collect()
}

/// The quality to send: the caller's, or a default for models that are known to support it.
fn quality(order: &Order<'_>) -> Option<Quality> {
    let is_known = size::of_gpt_image(order.model).is_some();
    order.edit.quality.or_else(|| is_known.then(|| order.quality()))
}

/// The text fields, then the images in their order, then the mask.
fn form(profile: &Profile, fields: Map<String, Value>, order: &Order<'_>) -> Vec<Part> {
    let pictures = order.pictures;
    let texts = fields.into_iter().map(|(name, value)| match value {
        Value::String(text) => Part::text(name, text),
        other => Part::text(name, other.to_string()),
    });
    let name = match (profile.image_part, pictures.len()) {
        (ImagePart::ByCount, 1) => "image",
        _ => "image[]",
    };
    let files =
        pictures.iter().enumerate().map(|(index, picture)| file(name, &index.to_string(), picture));
    let mask = order.mask.map(|mask| file("mask", "mask", mask));
    texts.chain(files).chain(mask).collect()
}

fn file(field: &'static str, stem: &str, picture: &Picture) -> Part {
    let media_type = picture.format.media_type();
    let ending = media_type.trim_start_matches("image/");
    Part::file(field, format!("{stem}.{ending}"), media_type, picture.bytes.clone())
}
