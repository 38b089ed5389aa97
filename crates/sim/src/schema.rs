//! What the models of a platform take, as data, and reading an order by it: strictly, since a
//! platform that ignores a misspelt field would hide the mistake.

mod picture;
mod size;

use bytes::Bytes;

use crate::check::{Fields, Wrong};
use crate::delivery::{Kind, Wanted};
use crate::picture::{Format, seed};

pub(crate) use picture::NOT_A_PICTURE;

/// What models with these names take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Names; at most one `*` in each stands for any text.
    pub(crate) names: &'static [&'static str],
    /// How input pictures come.
    pub(crate) pictures: Pictures,
    /// Whether there must be one.
    pub(crate) needs_picture: bool,
    /// The other fields, beside `prompt`.
    pub(crate) fields: &'static [(&'static str, Rule)],
    /// Whether videos are made.
    pub(crate) makes_videos: bool,
}

/// How input pictures come, and how many at most.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pictures {
    /// Not at all.
    None,
    /// In one field.
    One(&'static str),
    /// In a list.
    Many(&'static str, usize),
    /// In fields with numbers: `NAME`, `NAME_2`, ….
    Numbered(&'static str, usize),
}

/// What a field may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Text,
    Flag,
    Whole(i64, i64),
    Number(f64, f64),
    OneOf(&'static [&'static str]),
    /// `W:H`, at most so wide or so tall.
    AnyRatio(f64),
    /// `{width, height}` with an area within these, in pixels, or one of fal's words for sizes.
    Size(u64, u64),
    /// A multiple of the first, from the second to the third.
    Side(i64, i64, i64),
}

/// Reads `data:` URIs, base64 and addresses as a platform does.
pub(crate) struct Reader<'a> {
    /// Whose.
    pub(crate) vendor: &'static str,
    /// Whether pictures come as base64 without anything around it.
    pub(crate) is_bare: bool,
    /// Files that were uploaded before, by address.
    pub(crate) uploads: &'a dyn Fn(&str) -> Option<Bytes>,
}

/// The model of `table` that is called `name`.
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
    /// What `fields` ask `model` for.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub(crate) fn read(&self, model: &Model, mut fields: Fields) -> Result<Wanted, Wrong> {
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
            // As the platforms do where nothing is asked for.
            None => Kind::Picture(Format::Jpeg),
            Some(format) => Kind::Picture(format),
        };
        Ok(Wanted {
            vendor: self.vendor,
            seed: seed(&prompt, &inputs),
            prompt,
            count: wishes.count,
            size: wishes.pixels(&inputs),
            kind,
        })
    }
}

impl Rule {
    fn check(self, name: &str, fields: &mut Fields) -> Result<size::Said, Wrong> {
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
                    return Err(Wrong::value(name, format!("a multiple of {multiple}")));
                }
                side.map(Said::Whole)
            }
            Self::AnyRatio(widest) => size::ratio(fields, name, widest)?.map(Said::Text),
            Self::Size(least, most) => size::object(fields, name, least..=most)?,
        };
        Ok(said.unwrap_or(Said::Nothing))
    }
}
