//! What is known about a family of models, as data.

use retouch_core::Kind;

use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

/// Models with the same fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    /// The models' names. `*` matches any text.
    pub(super) names: &'static [&'static str],
    /// Whether this is only a guess: what most of the provider's models support.
    pub(super) is_guess: bool,
    /// What the models make.
    pub(super) makes: Makes,
    /// How input images are sent.
    pub(super) pictures: Pictures,
    /// Whether the models need an image.
    pub(super) needs_picture: bool,
    /// Limits on input images.
    pub(super) rules: PictureRules,
    /// How the shape of the result is sent.
    pub(super) frame: Frame,
    /// The field for the negative prompt.
    pub(super) negative: Option<&'static str>,
    /// The switch that lets the provider rewrite the prompt. Off by default.
    pub(super) rewriting: Option<&'static str>,
    /// The field for the quality.
    pub(super) quality: Option<&'static str>,
    /// How the length of a video is sent.
    pub(super) seconds: Option<Seconds>,
    /// Fields that are always sent, so as not to depend on defaults.
    pub(super) fixed: &'static [(&'static str, Fixed)],
}

/// The type of a family's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    /// Images.
    Pictures,
    /// Videos.
    Videos,
}

/// The fields of the input images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pictures {
    /// No field.
    None,
    /// One field with one image.
    One(&'static str),
    /// One field with a list.
    List(&'static str),
    /// One field for each image: the second has the name of the first with `_2`, and so on.
    Numbered(&'static str),
}

/// How the shape of the result is sent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// The shape is not sent.
    Own,
    /// As an aspect ratio.
    Ratio(Ratios),
    /// As a size in pixels.
    Pixels(Pixels),
    /// As one of a few sizes, `WIDTHxHEIGHT`.
    Sizes {
        /// The field.
        field: &'static str,
        /// The sizes.
        sizes: &'static [(u32, u32)],
    },
}

/// A shape that is sent as an aspect ratio, possibly with a resolution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratios {
    /// The field.
    pub(super) field: &'static str,
    /// The ratios that the field accepts.
    pub(super) taken: Taken,
    /// What to send if the caller asks for no shape and there are input images.
    pub(super) unasked: Unasked,
    /// How the resolution is sent.
    pub(super) tiers: Option<Tiers>,
    /// How an exact size is sent, if that is possible.
    pub(super) exact: Option<Pixels>,
}

/// The ratios that a field accepts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taken {
    /// Only these.
    Listed(&'static [(u32, u32)]),
    /// Any whole numbers, between this ratio and its inverse.
    AnyWithin((u32, u32)),
}

/// What to send if the caller asks for no shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unasked {
    /// Nothing: the model follows the shape of the first image.
    Omitted,
    /// This word, which means the shape of the first image.
    Word(&'static str),
    /// The shape of the first image, as if the caller had asked for it.
    OfFirst,
}

/// Resolutions, ascending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiers {
    /// The field.
    pub(super) field: &'static str,
    /// The name of each resolution, and its approximate number of pixels.
    pub(super) steps: &'static [(&'static str, u64)],
    /// The resolution if no size is requested. `None`: the model's own default.
    pub(super) usual: Option<&'static str>,
}

/// A shape that is sent in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixels {
    /// How the size is written.
    pub(super) form: Form,
    /// Limits on the size.
    pub(super) bounds: Bounds,
    /// Approximate number of pixels if only a ratio is given.
    pub(super) area_px: u64,
    /// What to send if the caller asks for no shape and there are input images.
    pub(super) unasked: Unasked,
    /// Fields to send along, such as the one that turns a custom size on.
    pub(super) also: &'static [(&'static str, Fixed)],
}

/// How a size in pixels is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One field with an object of `width` and `height`.
    Object(&'static str),
    /// The fields `width` and `height`.
    Sides,
}

/// How the length of a video is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds {
    /// The field.
    pub(super) field: &'static str,
    /// How a number of seconds is written.
    pub(super) form: SecondsForm,
    /// The lengths that are accepted, ascending.
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

/// A constant value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    /// A text.
    Text(&'static str),
    /// A whole number.
    Whole(u64),
}

impl Family {
    /// A family for text to image without any other field. The tables override what differs.
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

    /// Whether the models make results of the type of `kind`.
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

/// The first family in `table` that includes `model`, or else `fallback`.
pub(super) fn find(
    table: &'static [Family],
    model: &str,
    fallback: &'static Family,
) -> &'static Family {
    table.iter().find(|family| family.includes(model)).unwrap_or(fallback)
}

/// Whether `text` matches `pattern`, in which `*` matches any text.
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
