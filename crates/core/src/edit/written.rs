//! Reads JSON bodies that are written in other protocols, with the same care as our own: in place,
//! and with the field named in each message.

use std::borrow::Cow;

use url::Url;

use super::body::Body;
use super::fields::wrong_type;
use super::json::{Json, Object};
use super::pictures::origin;
use super::rejected::{Reason, Rejected};
use super::{Origin, PictureSource, RequestLimits};

/// A value of a field that is no image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text, or the number or boolean as it is written. Empty for an array or an object.
    pub text: String,
    /// Whether it is a string.
    pub is_text: bool,
}

/// How to read fields that refer to images.
#[derive(Clone, Copy)]
pub struct PictureReferences<'r> {
    /// The limits on each image.
    pub limits: RequestLimits,
    /// The maximum number of images in a field.
    pub count_max: usize,
    /// The address of the upload with this id.
    pub upload_url: &'r dyn Fn(&str) -> Option<Url>,
}

impl<'a> Body<'a> {
    /// The beginning of each field's name. Null fields are left out.
    pub fn names_shown(&self) -> impl Iterator<Item = Cow<'a, str>> {
        let names = self.names();
        names.filter(|name| self.get(&name.read()).is_some()).map(|name| name.shown())
    }

    /// The value of the field `name`, if there is one.
    pub fn scalar(&self, name: &str) -> Option<Scalar> {
        let (text, is_text) = match self.get(name)? {
            Json::Null => return None,
            Json::Bool(value) => (value.to_string(), false),
            Json::Number(text) => (text.to_owned(), false),
            Json::Text(text) => (text.read().into_owned(), true),
            Json::List(_) | Json::Object(_) => (String::new(), false),
        };
        Some(Scalar { text, is_text })
    }

    /// The images that the field `name` refers to. It is a reference or a list of them. A reference
    /// is a URL or a `data:` URI, alone or as `image_url` of an object, or the id of an upload as
    /// `file_id` of an object.
    ///
    /// # Errors
    /// When it is something else, or has too many references.
    pub fn referenced_pictures(
        &self,
        name: &str,
        reading: &PictureReferences<'_>,
    ) -> Result<Vec<PictureSource>, Rejected> {
        let list = match self.get(name) {
            None => return Ok(Vec::new()),
            Some(Json::List(list)) => list,
            Some(one) => return Ok(vec![reference(name, one, reading)?]),
        };
        let (count, most) = (list.items().count(), reading.count_max);
        if count > most {
            let message = format!("`{name}` has {count} images; the limit is {most}.");
            return Err(Rejected::field(Reason::TooManyImages, name, message));
        }
        let items = list.items().enumerate();
        items.map(|(index, item)| reference(&format!("{name}[{index}]"), item, reading)).collect()
    }
}

fn reference(
    param: &str,
    value: Json<'_>,
    reading: &PictureReferences<'_>,
) -> Result<PictureSource, Rejected> {
    match value {
        Json::Text(text) => {
            let origin = origin(param, text, (false, reading.limits))?;
            Ok(PictureSource { param: param.to_owned(), origin })
        }
        Json::Object(object) => of_object(param, object, reading),
        other => Err(wrong_type(param, "a URL, or an object with `image_url` or `file_id`", other)),
    }
}

fn of_object(
    param: &str,
    object: Object<'_>,
    reading: &PictureReferences<'_>,
) -> Result<PictureSource, Rejected> {
    let member = |name: &str| {
        let mut members = object.members();
        members.find(|(key, value)| key.is(name) && !value.is_null()).map(|(_, value)| value)
    };
    let (field, text) = match (member("image_url"), member("file_id")) {
        (Some(Json::Text(text)), None) => ("image_url", text),
        (None, Some(Json::Text(text))) => ("file_id", text),
        _ => {
            let message = format!(
                "`{param}` must have either `image_url` or `file_id`, and it must be a string."
            );
            return Err(Rejected::field(Reason::InvalidValue, param, message));
        }
    };
    let param = format!("{param}.{field}");
    let origin = match field {
        "image_url" => origin(&param, text, (false, reading.limits))?,
        _ => Origin::Address((reading.upload_url)(&text.shown()).ok_or_else(|| {
            let message = format!(
                "`{param}` is not the id of an upload. Upload the image to /api/uploads first."
            );
            Rejected::field(Reason::InvalidValue, &param, message)
        })?),
    };
    Ok(PictureSource { param, origin })
}
