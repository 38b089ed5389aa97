//! The fields of a provider's models, as data, and a strict parser for them. A provider that
//! ignores misspelled fields would hide mistakes.

mod picture;
mod size;

use bytes::Bytes;

use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields};
use crate::picture::{Format, seed};

pub(crate) use picture::NOT_A_PICTURE;

/// The fields of the models with these names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Names, in which one `*` matches any text.
    pub(crate) names: &'static [&'static str],
    /// How input images are sent.
    pub(crate) pictures: Pictures,
    /// Whether an image is required.
    pub(crate) needs_picture: bool,
    /// The fields other than `prompt`.
    pub(crate) fields: &'static [(&'static str, Rule)],
    /// Whether the models make videos.
    pub(crate) makes_videos: bool,
}

/// How input images are sent, and the maximum number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pictures {
    /// There are none.
    None,
    /// In one field.
    One(&'static str),
    /// In a list.
    Many(&'static str, usize),
    /// In numbered fields: `NAME`, `NAME_2`, ….
    Numbered(&'static str, usize),
}

/// The values that a field accepts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Text,
    Flag,
    Whole(i64, i64),
    Number(f64, f64),
    OneOf(&'static [&'static str]),
    /// `W:H`, up to this ratio or its inverse.
    AnyRatio(f64),
    /// `{width, height}` with an area in this range, in pixels, or one of fal's names for sizes.
    Size(u64, u64),
    /// A multiple of the first number, from the second to the third.
    Side(i64, i64, i64),
}

/// Reads `data:` URIs, base64 and addresses as a provider does.
pub(crate) struct Reader<'a> {
    /// The provider.
    pub(crate) provider: &'static str,
    /// Whether images are sent as plain base64.
    pub(crate) is_bare: bool,
    /// Finds uploaded files by their address.
    pub(crate) uploads: &'a dyn Fn(&str) -> Option<Bytes>,
}

/// The model in `table` with this name.
pub(crate) fn find(table: &'static [Model], name: &str) -> Option<&'static Model> {
    let matches = |pattern: &str| match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    };
    table.iter().find(|model| model.names.iter().any(|pattern| matches(pattern)))
}

impl Reader<'_> {
    /// What `fields` request from `model`.
    ///
    /// # Errors
    /// The first error in them.
    pub(crate) fn read(&self, model: &Model, mut fields: Fields) -> Result<Wanted, FieldError> {
        let prompt = fields.required_text("prompt")?;
        let inputs = self.pictures(model, &mut fields)?;
        let mut wishes = size::Wishes::default();
        for (name, rule) in model.fields {
            wishes.note(name, rule.check(name, &mut fields)?);
        }
        fields.end()?;
        let format = wishes.format.as_deref().and_then(Format::named);
        let kind = match format {
            _ if model.makes_videos => Kind::Video,
            // The providers' default.
            None => Kind::Picture(Format::Jpeg),
            Some(format) => Kind::Picture(format),
        };
        Ok(Wanted {
            provider: self.provider,
            seed: seed(&prompt, &inputs),
            prompt,
            count: wishes.count,
            size: wishes.pixels(&inputs),
            kind,
        })
    }
}

impl Rule {
    fn check(self, name: &str, fields: &mut Fields) -> Result<size::Said, FieldError> {
        use size::Said;
        let said = match self {
            Self::Text => fields.text(name)?.map(Said::Text),
            Self::OneOf(allowed) => fields.one_of(name, allowed)?.map(Said::Text),
            Self::Flag => fields.flag(name)?.map(|_| Said::Nothing),
            Self::Number(least, most) => fields.number(name, least..=most)?.map(|_| Said::Nothing),
            Self::Whole(least, most) => fields.whole(name, least..=most)?.map(Said::Whole),
            Self::Side(multiple, least, most) => {
                let side = fields.whole(name, least..=most)?;
                if side.is_some_and(|side| side % multiple != 0) {
                    return Err(FieldError::value(name, format!("a multiple of {multiple}")));
                }
                side.map(Said::Whole)
            }
            Self::AnyRatio(widest) => size::ratio(fields, name, widest)?.map(Said::Text),
            Self::Size(least, most) => size::object(fields, name, least..=most)?,
        };
        Ok(said.unwrap_or(Said::Nothing))
    }
}
