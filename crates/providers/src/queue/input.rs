//! Converts an order to the fields of a model, and warns about what they cannot express.

use std::borrow::Cow;

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};

use super::family::{Family, Pictures, Seconds, SecondsForm};
use super::fields::{Fields, Sent, Value};
use super::frame;
use crate::error::{Refused, RefusedKind};
use crate::upstream::{Order, text, warnings};

/// What `family` will do differently than `edit` requests.
///
/// # Errors
/// When the family makes something else, or needs an image and there is none.
pub(super) fn read(family: &Family, edit: &Edit) -> Result<Vec<Warning>, Refused> {
    if !family.makes(edit.kind) {
        let wanted = if edit.kind == Kind::Video { "videos" } else { "images" };
        return Err(parameters(format!("The provider's model does not make {wanted}."), "model"));
    }
    if family.needs_picture && edit.pictures.is_empty() {
        return Err(parameters(
            "The provider's model needs at least one image.".into(),
            "imageUrls",
        ));
    }
    let mut warnings = Vec::from_iter(frame::warnings(family, edit));
    warnings.extend(seconds_warning(family.seconds.as_ref(), edit));
    if edit.negative_prompt.is_some() && family.negative.is_none() {
        let how = "was added to the instruction, because the provider has no field for it.";
        warnings.push(warnings::approximated("negative_prompt", how));
    }
    let mut without = |param: &str, is_asked: bool| {
        if is_asked {
            let why = "has no effect: the provider's model has no such option.";
            warnings.push(warnings::not_honored(param, why));
        }
    };
    without("prompt_extend", edit.prompt_extend == Some(true) && family.rewriting.is_none());
    without("watermark", edit.watermark == Some(true));
    without("quality", edit.quality.is_some() && family.quality.is_none());
    Ok(warnings)
}

/// The fields of the model's input, with the images as they are `sent`.
pub(super) fn fields<'a>(family: &Family, order: &Order<'a>, sent: Vec<Sent<'a>>) -> Fields<'a> {
    let edit = order.edit;
    let mut fields = Fields::default();
    let prompt = match family.negative {
        Some(_) => Cow::Borrowed(edit.instruction.as_str()),
        None => text::prompt_with_negative(edit),
    };
    fields.set("prompt", Value::Text(prompt));
    set_pictures(&mut fields, family.pictures, sent);
    fields.set_fixed(family.fixed);
    frame::set(&mut fields, &family.frame, order);
    if let (Some(field), Some(negative)) = (family.negative, &edit.negative_prompt) {
        fields.set(field, Value::Text(negative.into()));
    }
    if let Some(field) = family.rewriting {
        fields.set(field, Value::Flag(edit.prompt_extend == Some(true)));
    }
    if let Some(field) = family.quality {
        fields.set(field, Value::Text(order.quality().as_str().into()));
    }
    if let (Some(seconds), Some(asked)) = (&family.seconds, edit.duration_seconds) {
        fields.set(seconds.field, seconds.value(seconds.nearest(asked)));
    }
    fields
}

/// All images as part of the request, in a `data:` URI if `has_prefix`.
pub(super) fn inline<'a>(order: &Order<'a>, has_prefix: bool) -> Vec<Sent<'a>> {
    let sent = |picture: &'a crate::upstream::Picture| Sent::Inline {
        prefix: if has_prefix { text::data_uri_prefix(picture) } else { String::new() },
        bytes: &picture.bytes,
    };
    order.pictures.iter().map(sent).collect()
}

fn set_pictures<'a>(fields: &mut Fields<'a>, pictures: Pictures, sent: Vec<Sent<'a>>) {
    if sent.is_empty() {
        return;
    }
    match pictures {
        Pictures::None => {}
        Pictures::One(field) => {
            if let Some(first) = sent.into_iter().next() {
                fields.set(field, Value::Picture(first));
            }
        }
        Pictures::List(field) => fields.set(field, Value::Pictures(sent)),
        Pictures::Numbered(field) => {
            for (number, picture) in (1..).zip(sent) {
                let name: Cow<'static, str> =
                    if number == 1 { field.into() } else { format!("{field}_{number}").into() };
                fields.set(name, Value::Picture(picture));
            }
        }
    }
}

fn seconds_warning(seconds: Option<&Seconds>, edit: &Edit) -> Option<Warning> {
    const PARAM: &str = "duration_seconds";
    let asked = edit.duration_seconds?;
    let Some(seconds) = seconds else {
        return Some(warnings::not_honored(PARAM, "has no effect: the model decides the length."));
    };
    let nearest = seconds.nearest(asked);
    let how =
        || format!("is approximated as {nearest}: the provider does not make videos of {asked} s.");
    (nearest != asked).then(|| warnings::approximated(PARAM, &how()))
}

impl Seconds {
    /// The length nearest to `asked`; of two, the longer one.
    fn nearest(&self, asked: u32) -> u32 {
        let nearest = self.choices.iter().rev().min_by_key(|choice| choice.abs_diff(asked));
        nearest.copied().unwrap_or(asked)
    }

    fn value(&self, seconds: u32) -> Value<'static> {
        match self.form {
            SecondsForm::Number => Value::Whole(seconds.into()),
            SecondsForm::Text => Value::Text(seconds.to_string().into()),
            SecondsForm::TextWithUnit => Value::Text(format!("{seconds}s").into()),
        }
    }
}

fn parameters(message: String, param: &str) -> Refused {
    Refused { kind: RefusedKind::Parameters, message, param: Some(param.into()) }
}
