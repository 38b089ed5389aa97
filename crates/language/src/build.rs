//! Makes steps of filled frames. Each builder belongs to one or more frames, by its name.

mod camera;
mod captions;
mod channels;
mod color;
mod compose;
mod crop;
mod few_colors;
mod frame_effects;
mod gradients;
mod grid_lines;
mod idioms;
mod look;
mod make;
mod marks;
mod operation;
mod resize;
mod saving;
mod screens;
mod simple;
mod soft_edges;
mod transparency;
mod turning;
mod writing;
mod zooming;

use crate::clause::Reading;
use crate::frame::Filled;
use crate::value::{Amount, Unit, Use, Value};
pub(crate) use camera::{Fade, Take};
pub(crate) use compose::numbered;
pub(crate) use crop::OFF_PERCENT;
use retouch_engine::limits::SIDE_PX_MAX;
use retouch_engine::operations::Text;
use retouch_engine::{
    Color, Context, Length, Place, Refusal, RefusalKind, Region, Saving, Step, operations,
};
pub(crate) use saving::whole_dpi;

/// What a builder gets.
pub(crate) struct Request<'a> {
    pub(crate) filled: &'a Filled<'a>,
    /// How the edited image is named.
    pub(crate) images: &'a [&'static str],
    /// Whether it is named without a preposition.
    pub(crate) object: bool,
    /// Whether it is named behind "of": "a grid of this photo".
    pub(crate) of_image: bool,
    pub(crate) context: &'a Context,
    /// What the remark before is about: "the contrast is too low, raise it".
    pub(crate) about: Option<&'a Value>,
    /// What the camera does before: "pan left, then up".
    pub(crate) before: Option<&'a Take>,
    /// The text before: "the title \"A\", and \"B\" below it".
    pub(crate) written: Option<&'a Text>,
    /// The edge and the color of the gradient before, where a text goes.
    pub(crate) gradient: Option<(Place, Color)>,
    /// What to ask, if the frame says too little.
    pub(crate) question: &'static str,
}

/// The steps of one edit, what a camera does or how the result is saved, and what had to be assumed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Edit {
    pub(crate) steps: Vec<Step>,
    pub(crate) takes: Vec<Take>,
    pub(crate) saving: Option<Saving>,
    pub(crate) assumed: Vec<String>,
}

/// Why a filled frame makes no steps.
pub(crate) enum Miss {
    /// The words do not fit together, so this is no reading of them.
    Unfit,
    /// The words fit, but the edit can't be done as they say.
    Refused(Refusal),
}

/// Makes steps of a filled frame.
pub(crate) type Builder = fn(&Request<'_>) -> Result<Edit, Miss>;

/// What is assumed where the result has no metadata.
const CLEAN: &str = "all metadata is removed, such as the place and the camera";

/// The builders by the names that frames have for them.
const BUILDERS: &[(&str, Builder)] = &[
    ("simple", simple::apply),
    ("adjust", simple::adjust),
    ("adjust_each", simple::adjust_each),
    ("multiply", simple::multiply),
    ("grayscale_by_removal", idioms::grayscale_by_removal),
    ("reduced", idioms::reduced),
    ("dark_rim", idioms::dark_rim),
    ("noise", idioms::noise),
    ("high_contrast", idioms::high_contrast),
    ("motion_blur", idioms::motion_blur),
    ("chromatic_aberration", screens::chromatic_aberration),
    ("scan_lines", screens::scan_lines),
    ("swap_channels", channels::swap_channels),
    ("stops", idioms::stops),
    ("ask", |request| missing(request.question)),
    ("elsewhere", |request| {
        Err(Miss::Refused(Refusal::new(RefusalKind::NotUnderstood, request.question)))
    }),
    ("save", saving::save),
    ("resolution", saving::resolution),
    ("save_clean", |_| {
        let edit = Edit { saving: Some(Saving::default()), ..Edit::default() };
        Ok(edit.assuming(CLEAN))
    }),
    ("given", |request| Ok(Edit::default().assuming(request.question))),
    ("no_model", |request| {
        Err(Miss::Refused(Refusal::new(RefusalKind::NeedsGenerativeModel, request.question)))
    }),
    ("make_plain", make::plain),
    ("make_gradient", make::gradient),
    ("make_stripes", make::stripes),
    ("make_checkerboard", make::checkerboard),
    ("make_dots", make::dots),
    ("make_grid", make::grid),
    ("make_noise", make::noise),
    ("make_shape", make::shape),
    ("make_more", make::more),
    ("again", again),
    ("look", look::look),
    ("band", color::band),
    ("bands", color::bands),
    ("split_tone", color::split_tone),
    ("split_tones", few_colors::split_tones),
    ("duotone", few_colors::duotone),
    ("duotone_by_tone", few_colors::duotone_by_tone),
    ("auto", color::auto),
    ("auto_color", |_| simple::fixed("auto_color")),
    ("towards", color::towards),
    ("tint_slider", color::tint_slider),
    ("overlaid", color::overlaid),
    ("sized_effect", idioms::sized_effect),
    ("blocks_across", idioms::blocks_across),
    ("colorize", color::monochrome),
    ("hue", color::hue),
    ("gamma", color::gamma),
    ("levels", color::levels),
    ("posterize_to", few_colors::posterize_to),
    ("reduce_colors", few_colors::reduce_colors),
    ("reduce_grays", few_colors::reduce_grays),
    ("maxed", simple::maxed),
    ("white_balance", color::white_balance),
    ("threshold", few_colors::threshold),
    ("replace_color", color::replace_color),
    ("keep_color", color::keep_color),
    ("single_channel", color::single_channel),
    ("channel_off", color::channel_off),
    ("color_tones", color::color_tones),
    ("dither", few_colors::dither),
    ("rotate", turning::rotate),
    ("flip", turning::flip),
    ("transpose", turning::transpose),
    ("tile", turning::tile),
    ("skew", turning::skew),
    ("crop_ratio", crop::ratio),
    ("crop_size", crop::size),
    ("crop_box", crop::boxed),
    ("crop_part", crop::part),
    ("crop_few", crop::few),
    ("crop_share", crop::share),
    ("crop_off", crop::off),
    ("crop_tighter", crop::tighter),
    ("crop_alone", crop::alone),
    ("crop_square", crop::square),
    ("crop_shape", crop::shape),
    ("crop_upright", crop::upright),
    ("trim", crop::trim),
    ("cutout", crop::cutout),
    ("resize", resize::resize),
    ("stretch_by", resize::stretch_by),
    ("resize_by", resize::resize_by),
    ("resize_named", resize::resize_named),
    ("resize_for", resize::resize_for),
    ("zoom", zooming::zoom),
    ("halve", resize::halve),
    ("letterbox", frame_effects::letterbox),
    ("pad", frame_effects::pad),
    ("pad_each", frame_effects::pad_each),
    ("border", frame_effects::border),
    ("double_border", frame_effects::double_border),
    ("round_corners", frame_effects::round_corners),
    ("shadow", frame_effects::shadow),
    ("shadow_at", frame_effects::shadow_at),
    ("shadow_css", frame_effects::shadow_css),
    ("soft_edges", soft_edges::soft_edges),
    ("edge_gradient", gradients::edge_gradient),
    ("polaroid", frame_effects::polaroid),
    ("text", writing::text),
    ("strip", captions::strip),
    ("polaroid_text", captions::polaroid),
    ("texts", writing::texts),
    ("watermark", writing::watermark),
    ("no_text", writing::no_text),
    ("mark", marks::mark),
    ("line_through", marks::line_through),
    ("redact", marks::redact),
    ("banner", marks::banner),
    ("shape", marks::shape),
    ("grid_lines", grid_lines::grid_lines),
    ("qr_code", marks::qr_code),
    ("opacity", transparency::opacity),
    ("background", transparency::background),
    ("backdrop", transparency::backdrop),
    ("color_key", transparency::color_key),
    ("join", compose::join),
    ("join_at", compose::join_at),
    ("labels", compose::labels),
    ("overlay", compose::overlay),
    ("blend", compose::blend),
    ("mask", compose::mask),
    ("camera_zoom", camera::zoom),
    ("camera_pan", camera::pan),
    ("camera_roll", camera::roll),
    ("camera_fade", camera::fade),
    ("camera_hold", camera::hold),
    ("camera_more", camera::more),
    ("camera_length", camera::length),
];

/// The builder with a name.
pub(crate) fn named(name: &str) -> Option<Builder> {
    BUILDERS.iter().find(|(known, _)| *known == name).map(|(_, builder)| *builder)
}

/// What was said before an edit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Before {
    /// What the remark right before is about.
    pub(crate) about: Option<Value>,
    /// What the camera does right before.
    pub(crate) take: Option<Take>,
    /// The text that is written right before.
    pub(crate) text: Option<Text>,
    /// The edge and the color of the gradient that is added right before.
    pub(crate) gradient: Option<(Place, Color)>,
}

/// Whether a word of the lexicon names an operation of the table.
pub(crate) fn is_operation(name: &str) -> bool {
    operation::find(name).is_some()
}

/// Makes the steps of a reading.
pub(crate) fn build(
    reading: &Reading<'_>,
    context: &Context,
    before: &Before,
) -> Result<Edit, Miss> {
    let Reading { frame, filled, images, object, of_image, .. } = reading;
    let (about, written, gradient) = (before.about.as_ref(), before.text.as_ref(), before.gradient);
    let (before, question) = (before.take.as_ref(), frame.question);
    let (object, of_image) = (*object, *of_image);
    let request = Request {
        filled,
        images,
        object,
        of_image,
        context,
        about,
        before,
        written,
        gradient,
        question,
    };
    let edit = (frame.builder)(&request)?;
    if leaves_out(&request, frame.builder, &edit) { Err(Miss::Unfit) } else { Ok(edit) }
}

/// Whether a number, a color, a place or a size changes nothing of an edit: "blur with a radius of 3px by
/// 9px". Then the edit is not what the words say. Another value that makes no edit shows that it counts.
fn leaves_out(request: &Request<'_>, builder: Builder, edit: &Edit) -> bool {
    let entries = request.filled.entries();
    (0..entries.len()).any(|at| {
        entries[at].1.altered().iter().any(|others| {
            others.iter().all(|other| {
                let mut changed = entries.to_vec();
                changed[at].1 = other;
                let filled = &Filled::new(changed.into_iter());
                builder(&Request { filled, ..*request }).is_ok_and(|other| other == *edit)
            })
        })
    })
}

impl Edit {
    /// An edit of one step that assumes nothing.
    pub(crate) fn one(step: impl Into<Step>) -> Result<Self, Miss> {
        Ok(Self { steps: vec![step.into()], ..Self::default() })
    }

    /// Adds something that had to be assumed.
    pub(crate) fn assuming(mut self, assumed: impl Into<String>) -> Self {
        self.assumed.push(assumed.into());
        self
    }

    /// Limits the steps to the part of the image that the slot `region` names.
    pub(crate) fn within(mut self, filled: &Filled<'_>) -> Result<Self, Miss> {
        let feather = feather(filled)?;
        if let Some((region, outside)) = region(filled)? {
            for step in &mut self.steps {
                let inner = Box::new(step.clone());
                *step = operations::Within { region, step: inner, feather, outside }.into();
            }
        } else if feather.is_some() {
            return Err(Miss::Unfit);
        }
        Ok(if filled.has("soft") {
            self.assuming(format!("the edge fades over {SOFT_PERCENT}% of the shorter side"))
        } else {
            self
        })
    }
}

/// A refusal because a detail is missing.
pub(crate) fn missing<T>(message: &str) -> Result<T, Miss> {
    Err(Miss::Refused(Refusal::missing(message)))
}

/// A refusal because words contradict each other.
pub(crate) fn contradiction<T>(message: &str) -> Result<T, Miss> {
    Err(Miss::Refused(Refusal::contradiction(message)))
}

/// How wide a soft edge is, in percent of the shorter side.
const SOFT_PERCENT: f64 = 10.0;

/// How soft the edges of the part are: "with a feather of 40px", "with a soft edge".
fn feather(filled: &Filled<'_>) -> Result<Option<Length>, Miss> {
    match (filled.get("feather").and_then(Value::amount), filled.has("soft")) {
        (Some(_), true) => Err(Miss::Unfit),
        (Some(given), false) => length(given).map(Some).ok_or(Miss::Unfit),
        (None, soft) => Ok(soft.then_some(Length::Percent(SOFT_PERCENT))),
    }
}

/// The part of the image in the slot `region`, and whether everything but it is meant.
fn region(filled: &Filled<'_>) -> Result<Option<(Region, bool)>, Miss> {
    let except = filled.has("except") || filled.has("leave");
    let Some(value) = filled.get("region") else {
        return if except || filled.has("spared") { Err(Miss::Unfit) } else { Ok(None) };
    };
    if filled.has("spared") && !except {
        return Err(Miss::Unfit);
    }
    let Value::Region(region) = value else { return Err(Miss::Unfit) };
    let third = |length: &Length| matches!(length, Length::Percent(one) if one * 3.0 == 100.0);
    if matches!(region, Region::Part { place: Place::Center, width, .. } if third(width)) {
        return missing("say whether the third lies between left and right, or top and bottom");
    }
    let round =
        matches!(region, Region::Circle { .. } | Region::CircleAt { .. } | Region::Oval { .. });
    // "Add a blue circle in the middle" draws one.
    if round && !except && filled.says("verb", "add") && filled.preposition("region").is_empty() {
        return Err(Miss::Unfit);
    }
    // "Blur around the circle" leaves the circle as it is.
    let around = round && filled.preposition("region") == "around";
    if !except {
        return Ok(Some((*region, around)));
    }
    Ok(Some(complement(*region).map_or((*region, true), |rest| (rest, false))))
}

/// The color in a slot.
pub(crate) fn color(filled: &Filled<'_>, slot: &str) -> Option<Color> {
    match filled.get(slot) {
        Some(Value::Color(color)) => Some(*color),
        _ => None,
    }
}

/// The amount in a slot.
pub(crate) fn amount(filled: &Filled<'_>, slot: &str) -> Option<Amount> {
    filled.get(slot).and_then(Value::amount)
}

/// The degree in the slot `degree`, from 0 to 4.
pub(crate) fn degree(filled: &Filled<'_>) -> Option<usize> {
    let mild = filled.has("mild").then_some(1);
    filled.word("degree").parse().ok().or(mild)
}

/// An amount in percent, which is also what numbers without a unit are.
pub(crate) fn percent(amount: Amount) -> Option<f64> {
    matches!(amount.unit, Unit::None | Unit::Percent).then_some(amount.value)
}

/// The sign of the words in the slots `direction` and `push`: 1 for more, -1 for less. `None` if
/// they contradict each other.
pub(crate) fn direction(filled: &Filled<'_>) -> Option<f64> {
    let mut signs = filled
        .all("direction")
        .map(|value| if matches!(value.word(), "-" | "down") { -1.0 } else { 1.0 });
    let first = signs.next()?;
    signs.all(|sign| sign == first).then_some(first)
}

/// A length in pixels or percent.
pub(crate) fn length(amount: Amount) -> Option<Length> {
    amount.length().filter(|_| !amount.signed)
}

/// The place in the slot `place`, or the usual one.
pub(crate) fn place(filled: &Filled<'_>, usual: Place) -> Result<Place, Miss> {
    match filled.get("place") {
        Some(Value::Place(place)) => Ok(*place),
        Some(_) => Err(Miss::Unfit),
        None => Ok(usual),
    }
}

/// A side in whole pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
pub(crate) fn whole_px(value: f64) -> Result<u32, Miss> {
    let fits = value >= 1.0 && value <= f64::from(SIDE_PX_MAX) && value.fract() == 0.0;
    let message = || format!("a side must be between 1 and {SIDE_PX_MAX} pixels, not {value}");
    if fits { Ok(value as u32) } else { Err(Miss::Refused(Refusal::out_of_range(message()))) }
}

/// Everything but a strip along a side, which is a strip too: "everything but the left half".
fn complement(region: Region) -> Option<Region> {
    let whole = Length::Percent(100.0);
    let rest = |length: Length| match length {
        // Two thirds exactly as they are read.
        Length::Percent(percent) if percent * 3.0 == 100.0 => Some(Length::Percent(percent * 2.0)),
        Length::Percent(percent) => Some(Length::Percent(100.0 - percent)),
        Length::Pixels(_) => None,
    };
    let Region::Part { width, height, place } = region else { return None };
    let opposite = match place {
        Place::Left => Place::Right,
        Place::Right => Place::Left,
        Place::Top => Place::Bottom,
        Place::Bottom => Place::Top,
        _ => return None,
    };
    match (width == whole, height == whole) {
        (false, true) => rest(width).map(|width| Region::Part { width, height, place: opposite }),
        (true, false) => rest(height).map(|height| Region::Part { width, height, place: opposite }),
        _ => None,
    }
}

/// The edit that helps against what is complained of: "it is too dark, fix it".
fn remedied(request: &Request<'_>, used: &Use) -> Result<Edit, Miss> {
    let filled = request.filled;
    let fixes = filled.says("verb", "fix");
    let agrees = direction(filled).is_some_and(|sign| sign == used.sign);
    if filled.has("op") || filled.has("amount") || !fixes && !agrees {
        return Err(Miss::Unfit);
    }
    let operation = operation::find(used.name).ok_or(Miss::Unfit)?;
    let mut edit = Edit::default();
    simple::step(&mut edit, request, operation, used)?;
    edit.within(filled)
}

/// "The contrast is too low, raise it": the pronoun stands for what the remark is about.
fn again(request: &Request<'_>) -> Result<Edit, Miss> {
    let verbs = ["add", "fix"];
    let named = !request.images.is_empty()
        || verbs.into_iter().any(|verb| request.filled.says("verb", verb));
    let (Some(about), true) = (request.about, named) else {
        return Err(Miss::Unfit);
    };
    let mut filled = request.filled.clone();
    // "It is too dark, fix it", "too bright, bring it down": the complaint tells the direction.
    if let Value::Use(used) = about
        && (used.sign != 0.0 || matches!(used.name, "sharpen" | "denoise" | "dehaze"))
    {
        return remedied(request, used);
    }
    match about {
        Value::Use(_) if !filled.has("op") => {
            filled.push("quality", about, "");
            simple::adjust(&Request { filled: &filled, ..*request })
        }
        Value::Word("noise") if !filled.has("op") => idioms::reduced(request),
        Value::Word(_) if !filled.has("op") || request.images.contains(&"them") => {
            filled.push("band", about, "");
            color::band(&Request { filled: &filled, ..*request })
        }
        _ => Err(Miss::Unfit),
    }
}
