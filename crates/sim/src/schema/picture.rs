//! The input images of an order.

use bytes::Bytes;
use serde_json::Value;

use super::{Model, Pictures, Reader};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture::sniff;

/// The description of an invalid image, for which providers have a separate error.
pub(crate) const NOT_A_PICTURE: &str = "a readable image";

impl Reader<'_> {
    /// The images for `model` in `fields`. For an unknown address, its text takes the place of the
    /// bytes.
    pub(super) fn pictures(
        &self,
        model: &Model,
        fields: &mut Fields,
    ) -> Result<Vec<Bytes>, FieldError> {
        let (values, most, name) = match model.pictures {
            Pictures::None => return Ok(Vec::new()),
            Pictures::One(name) => (Vec::from_iter(fields.take(name)), 1, name),
            Pictures::Many(name, most) => (fields.list(name)?.unwrap_or_default(), most, name),
            Pictures::Numbered(name, most) => (numbered(fields, name, most)?, most, name),
        };
        if values.is_empty() && model.needs_picture {
            return Err(FieldError::missing(fields.path(name)));
        }
        if values.len() > most {
            return Err(FieldError::value(fields.path(name), format!("at most {most} images")));
        }
        values.into_iter().map(|value| self.picture(value, fields.path(name))).collect()
    }

    fn picture(&self, value: Value, path: String) -> Result<Bytes, FieldError> {
        let Value::String(text) = value else {
            return Err(FieldError { path, problem: Problem::Type("a string") });
        };
        let wrong = FieldError::value(path, NOT_A_PICTURE);
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok((self.uploads)(&text).unwrap_or_else(|| text.into()));
        }
        let data = match text.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
            Some((_, data)) if !self.is_bare => data,
            None if self.is_bare => text.as_str(),
            _ => return Err(wrong),
        };
        let bytes = base64_simd::STANDARD.decode_to_vec(data).map_err(|_| wrong.clone())?;
        if sniff(&bytes).is_some() { Ok(bytes.into()) } else { Err(wrong) }
    }
}

/// `NAME`, `NAME_2`, … without gaps.
fn numbered(fields: &mut Fields, name: &str, most: usize) -> Result<Vec<Value>, FieldError> {
    let mut values = Vec::new();
    for number in 1..=most {
        let field = if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
        match fields.take(&field) {
            Some(value) if values.len() + 1 == number => values.push(value),
            Some(_) => return Err(FieldError::missing(name)),
            None => {}
        }
    }
    Ok(values)
}
