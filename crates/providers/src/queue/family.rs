//! What can be said about a family of models, as data.

use retouch_core::Kind;

use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

/// Models that take the same fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    /// The platform's names of them; `*` stands for any text.
    pub(super) names: &'static [&'static str],
    /// Whether this is what most models of the platform take, and nobody knows about these.
    pub(super) is_guess: bool,
    /// What they make.
    pub(super) makes: Makes,
    /// How input pictures are given.
    pub(super) pictures: Pictures,
    /// Whether they make nothing without a picture.
    pub(super) needs_picture: bool,
    /// What input pictures must be.
    pub(super) rules: PictureRules,
    /// How the shape of the result is said.
    pub(super) frame: Frame,
    /// The field for what to keep out of the picture.
    pub(super) negative: Option<&'static str>,
    /// The switch that lets the platform rewrite the instruction; off unless asked for.
    pub(super) rewriting: Option<&'static str>,
    /// The field for `low`, `medium`, `high` and `auto`.
    pub(super) quality: Option<&'static str>,
    /// How the length of a video is said.
    pub(super) seconds: Option<Seconds>,
    /// What is always sent, so that a default cannot surprise.
    pub(super) fixed: &'static [(&'static str, Fixed)],
}

/// What a family makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    /// Pictures.
    Pictures,
    /// Videos.
    Videos,
}

/// The field or fields of the input pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pictures {
    /// There is none.
    None,
    /// One field with one picture.
    One(&'static str),
    /// One field with a list.
    List(&'static str),
    /// A field for the first; the second has the name with `_2` behind it, and so on.
    Numbered(&'static str),
}

/// How the shape of the result is said.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// Not at all.
    Own,
    /// By a ratio.
    Ratio(Ratios),
    /// By a number of pixels.
    Pixels(Pixels),
    /// By one of few sizes, `WIDTHxHEIGHT`.
    Sizes {
        /// The field.
        field: &'static str,
        /// The sizes.
        sizes: &'static [(u32, u32)],
    },
}

/// A shape said as a ratio, and perhaps a resolution beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratios {
    /// The field.
    pub(super) field: &'static str,
    /// The ratios that it takes.
    pub(super) taken: Taken,
    /// What is said when the caller asks for no shape and there are pictures.
    pub(super) unasked: Unasked,
    /// How the number of pixels is said.
    pub(super) tiers: Option<Tiers>,
    /// How an exact size is said, where it can be.
    pub(super) exact: Option<Pixels>,
}

/// The ratios that a field takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taken {
    /// These.
    Listed(&'static [(u32, u32)]),
    /// Any in whole numbers, from as wide as this to as tall.
    AnyWithin((u32, u32)),
}

/// What is said about the shape when the caller says nothing about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unasked {
    /// Nothing: the model takes the shape of the first picture by itself.
    Omitted,
    /// This word, which means the shape of the first picture.
    Word(&'static str),
    /// The shape of the first picture, as if it had been asked for.
    OfFirst,
}

/// Steps of resolution, from few pixels to many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiers {
    /// The field.
    pub(super) field: &'static str,
    /// Each step's name and about how many pixels it has.
    pub(super) steps: &'static [(&'static str, u64)],
    /// The step where no size is asked for; none: the model's own.
    pub(super) usual: Option<&'static str>,
}

/// A shape said in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixels {
    /// How it is written.
    pub(super) form: Form,
    /// What is taken.
    pub(super) bounds: Bounds,
    /// About how many pixels are asked for where only a ratio is known.
    pub(super) area_px: u64,
    /// What is said when the caller asks for no shape and there are pictures.
    pub(super) unasked: Unasked,
    /// What goes with it, such as the word that makes a size count.
    pub(super) also: &'static [(&'static str, Fixed)],
}

/// How a size in pixels is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A field with an object of `width` and `height`.
    Object(&'static str),
    /// The fields `width` and `height`.
    Sides,
}

/// How the length of a video is said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds {
    /// The field.
    pub(super) field: &'static str,
    /// How a number of seconds is written.
    pub(super) form: SecondsForm,
    /// The lengths that are taken, in rising order.
    pub(super) choices: &'static [u32],
}

/// How a number of seconds is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecondsForm {
    /// `8`.
    Number,
    /// `"8"`.
    Text,
    /// `"8s"`.
    TextWithUnit,
}

/// A value that is always the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    /// A text.
    Text(&'static str),
    /// A whole number.
    Whole(u64),
}

impl Family {
    /// A family that makes pictures from words alone and takes no other field; the tables say
    /// what is different.
    pub(super) const PLAIN: Self = Self {
        names: &[],
        is_guess: false,
        makes: Makes::Pictures,
        pictures: Pictures::None,
        needs_picture: false,
        rules: PictureRules { count_max: 0, ..PictureRules::GENEROUS },
        frame: Frame::Own,
        negative: None,
        rewriting: None,
        quality: None,
        seconds: None,
        fixed: &[],
    };

    /// Whether it makes what `kind` is about.
    pub(super) fn makes(&self, kind: Kind) -> bool {
        let wanted = match kind {
            Kind::ImageEdit | Kind::TextToImage => Makes::Pictures,
            Kind::Video => Makes::Videos,
        };
        self.makes == wanted
    }

    fn includes(&self, model: &str) -> bool {
        self.names.iter().any(|pattern| matches(pattern, model))
    }
}

/// The first family of `table` that includes `model`, or `fallback`.
pub(super) fn find(
    table: &'static [Family],
    model: &str,
    fallback: &'static Family,
) -> &'static Family {
    table.iter().find(|family| family.includes(model)).unwrap_or(fallback)
}

/// Whether `text` is `pattern`, whose `*` stand for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(head) else { return false };
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.into_iter().any(|at| text.get(at..).is_some_and(|tail| matches(rest, tail)))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, expected) in [
            ("flux-2-pro", "flux-2-pro", true),
            ("flux-2-pro", "flux-2-pro-preview", false),
            ("flux-2*", "flux-2-pro", true),
            ("*/seedream/*/edit", "fal-ai/bytedance/seedream/v4/edit", true),
            ("*/seedream/*/edit", "fal-ai/bytedance/seedream/v4/text-to-image", false),
            ("a*b*c", "abc", true),
            ("a*b*c", "acb", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} and {text}");
        }
    }
}
