//! The fields of a request, and what becomes of each. A field that changes the image is passed on,
//! refused, or named in a warning; none is dropped in silence.

use std::collections::BTreeMap;

use retouch_core::Warning;
use retouch_core::edit::Scalar;
use serde_json::{Map, Value};

use crate::error::{ApiError, ApiResult, Code};

/// What becomes of a field.
#[derive(Clone, Copy)]
enum Fate {
    /// It means the same in both protocols.
    Same(Kind),
    /// `answers` and the functions below read it.
    Own,
    /// It says nothing about the image.
    NoEffect,
    /// It is ignored with a warning, unless it has one of these values.
    Ignored(&'static [&'static str], &'static str),
    /// The call is refused, because the image would not be the one that was asked for.
    Refused(&'static str),
}

/// What a field contains.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
}

const FIELDS: [(&str, Fate); 25] = [
    ("prompt", Fate::Same(Kind::Text)),
    ("size", Fate::Same(Kind::Text)),
    ("background", Fate::Same(Kind::Text)),
    ("output_format", Fate::Same(Kind::Text)),
    ("aspectRatio", Fate::Same(Kind::Text)),
    ("negative_prompt", Fate::Same(Kind::Text)),
    ("instruction_reader", Fate::Same(Kind::Text)),
    ("watermark", Fate::Same(Kind::Flag)),
    ("prompt_extend", Fate::Same(Kind::Flag)),
    ("model", Fate::Own),
    ("quality", Fate::Own),
    ("output_compression", Fate::Own),
    ("n", Fate::Own),
    ("response_format", Fate::Own),
    ("stream", Fate::Own),
    ("partial_images", Fate::Own),
    ("user", Fate::NoEffect),
    ("safety_identifier", Fate::NoEffect),
    ("moderation", Fate::Ignored(&["auto"], "each provider moderates by its own rules")),
    ("input_fidelity", Fate::Ignored(&[], "each provider keeps as much of the images as it can")),
    ("style", Fate::Ignored(&["vivid"], "describe the style in the prompt")),
    ("complexity", Fate::Ignored(&[], "no provider here has this option")),
    ("frame_count", Fate::Refused("the result is a single image")),
    ("svg", Fate::Refused("the result is an image of pixels")),
    ("markup", Fate::Refused("no provider here reads drawings over the image; use `mask`")),
];

/// The most images that one call makes.
pub(super) const N_MAX: u32 = 10;
/// The most partial images that a caller may ask for.
const PARTIAL_IMAGES_MAX: u32 = 3;
/// The most unknown fields that get a warning of their own.
const UNKNOWN_NAMED_MAX: usize = 20;

/// The names of the fields that are not images.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|(name, _)| *name)
}

/// The fields of a request that are not images.
#[derive(Debug, Default)]
pub(super) struct Values(BTreeMap<&'static str, Scalar>);

impl Values {
    /// Adds the field `name`.
    ///
    /// # Errors
    /// When it is there already.
    pub(super) fn add(&mut self, name: &'static str, value: Scalar) -> ApiResult<()> {
        if self.0.insert(name, value).is_none() {
            return Ok(());
        }
        let message = format!("The field `{name}` appears more than once. Send it once.");
        Err(ApiError::about(Code::DuplicateField, name, message))
    }

    /// The fields as a body of `/api`, without the model.
    ///
    /// # Errors
    /// When one is missing, has a wrong type, or asks for what no provider does.
    pub(super) fn translated(&self) -> ApiResult<Map<String, Value>> {
        let mut body = Map::new();
        for (name, fate) in FIELDS {
            match fate {
                Fate::Same(Kind::Text) => set(&mut body, name, self.text(name)?.map(Into::into)),
                Fate::Same(Kind::Flag) => set(&mut body, name, self.flag(name)?.map(Into::into)),
                Fate::Refused(why) if self.0.contains_key(name) => {
                    let message = format!("`{name}` is not supported here: {why}.");
                    return Err(ApiError::about(Code::RequestRefused, name, message));
                }
                Fate::Own | Fate::NoEffect | Fate::Ignored(..) | Fate::Refused(_) => {}
            }
        }
        if !body.contains_key("prompt") {
            let message = "`prompt` is missing. Describe the image you want.";
            return Err(ApiError::about(Code::MissingField, "prompt", message));
        }
        set(&mut body, "quality", self.quality()?.map(Into::into));
        // 0 means the smallest file, which is 1 here.
        let compression = self.whole("output_compression", 0..=100)?.map(|it| it.max(1));
        set(&mut body, "output_compression", compression.map(Into::into));
        Ok(body)
    }

    /// Warnings about fields that have no effect.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let ignored = FIELDS.iter().filter_map(|(name, fate)| match fate {
            Fate::Ignored(usual, why) => Some((*name, usual, *why)),
            _ => None,
        });
        let sent = ignored.filter(|(name, usual, _)| {
            self.0.get(name).is_some_and(|value| !usual.contains(&value.text.as_str()))
        });
        sent.map(|(name, _, why)| {
            let message = format!("`{name}` has no effect: {why}.");
            Warning::about("parameter_not_honored", name, message)
        })
        .collect()
    }

    /// The text of the field `name`, if there is one.
    ///
    /// # Errors
    /// When it is not a string.
    pub(super) fn text(&self, name: &str) -> ApiResult<Option<&str>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) if value.is_text => Ok(Some(&value.text)),
            Some(_) => {
                let message = format!("`{name}` must be a string.");
                Err(ApiError::about(Code::InvalidType, name, message))
            }
        }
    }

    /// The number of images to make.
    ///
    /// # Errors
    /// When it is not a whole number from 1 to [`N_MAX`].
    pub(super) fn n(&self) -> ApiResult<u32> {
        Ok(self.whole("n", 1..=N_MAX)?.unwrap_or(1))
    }

    /// Whether the answer is a stream of events.
    ///
    /// # Errors
    /// When it is not a boolean, or `partial_images` is not a number in its range.
    pub(super) fn is_stream(&self) -> ApiResult<bool> {
        // No provider here makes partial images, so any number of them is none.
        self.whole("partial_images", 0..=PARTIAL_IMAGES_MAX)?;
        Ok(self.flag("stream")?.unwrap_or(false))
    }

    /// The quality, with the words of older models.
    fn quality(&self) -> ApiResult<Option<&str>> {
        Ok(self.text("quality")?.map(|asked| match asked {
            "standard" => "auto",
            "hd" => "high",
            other => other,
        }))
    }

    /// The value of the boolean field `name`, if there is one. Forms have only texts.
    fn flag(&self, name: &str) -> ApiResult<Option<bool>> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        match value.text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(Some(true)),
            "false" | "0" => Ok(Some(false)),
            _ => {
                let message = format!("`{name}` must be true or false.");
                Err(ApiError::about(Code::InvalidType, name, message))
            }
        }
    }

    /// The value of the field `name`, a whole number in `range`, if there is one.
    fn whole(&self, name: &str, range: std::ops::RangeInclusive<u32>) -> ApiResult<Option<u32>> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let text = value.text.trim();
        let number = text.strip_suffix(".0").unwrap_or(text).parse().ok();
        number.filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let message = format!("`{name}` must be a whole number from {least} to {most}.");
            ApiError::about(Code::InvalidValue, name, message)
        })
    }
}

/// Warnings about fields that are not known, given the beginnings of their names.
pub(super) fn unknown(names: &[String]) -> Vec<Warning> {
    let named = names.iter().take(UNKNOWN_NAMED_MAX).map(|name| {
        let name = crate::http::shown(name);
        let message = format!("The unknown field `{name}` was ignored.");
        Warning::about("unknown_field", name, message)
    });
    let more = names.len().saturating_sub(UNKNOWN_NAMED_MAX);
    let rest = (more > 0).then(|| Warning {
        code: "unknown_field".into(),
        message: format!("{more} more unknown fields were ignored."),
        param: None,
    });
    named.chain(rest).collect()
}

fn set(body: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        body.insert(name.to_owned(), value);
    }
}
