//! The operations. One file each; the list at the end of this file is the only place that
//! names them all.

mod adjust;
mod auto;
mod backdrop;
mod background;
mod blacks;
mod blend;
mod blur;
mod border;
mod box_blur;
mod brightness;
mod canvas;
mod channel;
mod clarity;
mod color_key;
mod color_tones;
mod colorize;
mod contrast;
mod crop;
mod cutout;
mod denoise;
mod dither;
mod duotone;
mod edges;
mod emboss;
mod exposure;
mod fade;
mod flip;
mod gamma;
mod gaussian;
mod given;
mod glow;
mod grain;
mod grayscale;
mod halftone;
mod highlights;
mod hue;
mod invert;
mod join;
mod keep_color;
mod levels;
mod light;
mod make;
mod mark;
mod mask;
mod median;
mod midtones;
mod motion_blur;
mod opacity;
mod operation;
mod overlay;
mod pad;
mod parameter;
mod phrases;
mod pixelate;
mod point;
mod polaroid;
mod posterize;
mod replace_color;
mod resize;
mod rotate;
mod rounded;
mod s_curve;
mod saturation;
mod sepia;
mod shadow;
mod shadows;
mod shape;
mod shapes;
mod share;
mod sharpen;
mod sketch;
mod soft_focus;
mod solarize;
mod split_tone;
mod spoken;
mod strength;
mod text;
mod threshold;
mod tint;
mod tones;
mod trim;
mod vibrance;
mod vignette;
mod warmth;
mod watermark;
mod white_balance;
mod whites;
mod within;

use crate::instruction::Clause;
use crate::{ExecuteError, Picture, Refusal, Sample};
use serde::{Deserialize, Serialize};

pub use auto::What;
pub use blend::Mode;
pub use border::{OuterBorder, Side};
pub use channel::Primary;
pub use color_tones::{Band, Property};
pub use cutout::Cut;
pub use flip::Sides;
pub(crate) use given::{both, on_levels, only};
pub use join::Layout;
pub use make::{Fill, Measure, Run};
pub(crate) use make::{Wanted, described};
pub use mark::Form;
pub use mask::MaskBy;
pub(crate) use operation::Operation;
pub use pad::Backing;
pub use parameter::Parameter;
use parameter::check_length;
pub(crate) use point::{Matrix, Point, apply_all as apply_points};
pub use resize::Limit;
pub(crate) use resize::lanczos as resampled;
pub use rotate::Corners;
pub use rounded::Corner;
pub use shape::Outline;
pub use split_tone::Part;
pub use spoken::Capability;
pub(crate) use spoken::Spoken;
pub use text::{FontError, Lines, Stroke, add_fonts};

/// Width and height of an image in pixels.
pub(crate) type Size = (u32, u32);

/// Limits a parameter, with a message that carries the numbers.
pub(crate) fn within(what: &str, value: f64, range: (f64, f64), unit: &str) -> Result<(), String> {
    if value.is_finite() && value >= range.0 && value <= range.1 {
        return Ok(());
    }
    Err(format!("{what} must be between {}{unit} and {}{unit}, not {value}{unit}", range.0, range.1))
}

/// Declares the steps: the enum with its JSON, the table and the dispatch come from this list.
macro_rules! operations {
    (
        edits { $($(#[$doc:meta])* $name:ident($module:ident::$type:ident),)* }
        makings { $($(#[$made_doc:meta])* $made:ident($made_module:ident::$made_type:ident),)* }
    ) => {
        operations! { steps
            $($(#[$doc])* $name($module::$type),)*
            $($(#[$made_doc])* $made($made_module::$made_type),)*
        }

        const CAPABILITIES: &[Capability] = &[$(<$module::$type as Spoken>::CAPABILITY,)*];

        const MAKINGS: &[Capability] = &[$(<$made_module::$made_type as Spoken>::CAPABILITY,)*];

        /// Takes the words of one operation from a clause.
        pub(crate) type Reading = fn(&mut Clause<'_>) -> Result<Option<Step>, Refusal>;

        /// One reading function for each operation on images that were sent.
        pub(crate) const READINGS: &[Reading] =
            &[$(|clause| Ok(<$module::$type as Spoken>::read(clause)?.map(Step::$name)),)*];

        /// The same for what only is drawn on images that are made.
        pub(crate) const MAKING_READINGS: &[Reading] =
            &[$(|clause| Ok(<$made_module::$made_type as Spoken>::read(clause)?.map(Step::$made)),)*];
    };
    (steps $($(#[$doc:meta])* $name:ident($module:ident::$type:ident),)*) => {
        /// One operation with its parameters.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "operation", rename_all = "snake_case")]
        pub enum Step { $($(#[$doc])* $name($module::$type),)* }

        $(pub use $module::$type;)*

        $(impl From<$module::$type> for Step {
            fn from(step: $module::$type) -> Self { Self::$name(step) }
        })*

        impl Step {
            pub(crate) fn operation(&self) -> &dyn Operation {
                match self { $(Self::$name(step) => step,)* }
            }

            /// Does it to images of one depth, as [`Operation::apply`] says.
            pub(crate) fn apply<S: Sample>(
                &self,
                pictures: Vec<Picture<S>>,
                warnings: &mut Vec<String>,
            ) -> Result<Picture<S>, ExecuteError> {
                match self { $(Self::$name(step) => Operation::apply(step, pictures, warnings),)* }
            }

            /// Looks at the image, as [`Operation::measured`] says.
            pub(crate) fn measured<S: Sample>(
                &self,
                picture: &Picture<S>,
                warnings: &mut Vec<String>,
            ) -> Vec<Point> {
                match self { $(Self::$name(step) => Operation::measured(step, picture, warnings),)* }
            }

            /// The operation's entry in the table of operations.
            #[must_use]
            pub const fn capability(&self) -> &'static Capability {
                match self { $(Self::$name(_) => const { &<$module::$type as Spoken>::CAPABILITY },)* }
            }
        }
    };
}

operations! {
    edits {
    /// Colors to grays.
    Grayscale(grayscale::Grayscale),
    /// The brown of old prints.
    Sepia(sepia::Sepia),
    /// The negative.
    Invert(invert::Invert),
    /// Lighter or darker.
    Brightness(brightness::Brightness),
    /// More or less difference between light and dark.
    Contrast(contrast::Contrast),
    /// Stronger or weaker colors.
    Saturation(saturation::Saturation),
    /// Warmer or cooler.
    Warmth(warmth::Warmth),
    /// All colors around the color circle.
    Hue(hue::Hue),
    /// A touch of one color.
    Tint(tint::Tint),
    /// More or less light, in stops.
    Exposure(exposure::Exposure),
    /// The middle of the tones.
    Gamma(gamma::Gamma),
    /// Darker darks and lighter lights.
    SCurve(s_curve::SCurve),
    /// The dark tones.
    Shadows(shadows::Shadows),
    /// The tones between.
    Midtones(midtones::Midtones),
    /// The bright tones.
    Highlights(highlights::Highlights),
    /// The white end of the tones.
    Whites(whites::Whites),
    /// The black end of the tones.
    Blacks(blacks::Blacks),
    /// What becomes black and what white.
    Levels(levels::Levels),
    /// Levels, contrast or colors by what the image holds.
    Auto(auto::Auto),
    /// Stronger or weaker colors where they are weak.
    Vibrance(vibrance::Vibrance),
    /// The color of the light.
    WhiteBalance(white_balance::WhiteBalance),
    /// More or less of one primary color.
    Channel(channel::Channel),
    /// A color in a part of the tones.
    SplitTone(split_tone::SplitTone),
    /// Two colors.
    Duotone(duotone::Duotone),
    /// Shades of one color.
    #[serde(alias = "colourise")]
    Colorize(colorize::Colorize),
    /// One color more or less saturated, lighter or darker.
    #[serde(alias = "colour_tones")]
    ColorTones(color_tones::ColorTones),
    /// Grays but for one color.
    #[serde(alias = "keep_colour")]
    KeepColor(keep_color::KeepColor),
    /// One color in the place of another.
    #[serde(alias = "replace_colour")]
    ReplaceColor(replace_color::ReplaceColor),
    /// Few levels.
    #[serde(alias = "posterise")]
    Posterize(posterize::Posterize),
    /// Black and white, nothing between.
    Threshold(threshold::Threshold),
    /// The bright inverted.
    #[serde(alias = "solarise")]
    Solarize(solarize::Solarize),
    /// The look of an old print.
    Fade(fade::Fade),
    /// Turned by an angle.
    Rotate(rotate::Rotate),
    /// Mirrored.
    Flip(flip::Flip),
    /// Cut to a part.
    Crop(crop::Crop),
    /// Larger or smaller.
    Resize(resize::Resize),
    /// Room around the image.
    Pad(pad::Pad),
    /// Softer.
    Blur(blur::Blur),
    /// Crisper.
    Sharpen(sharpen::Sharpen),
    /// Softer, by squares.
    BoxBlur(box_blur::BoxBlur),
    /// Smeared in one direction.
    MotionBlur(motion_blur::MotionBlur),
    /// Local contrast.
    Clarity(clarity::Clarity),
    /// Without noise.
    Denoise(denoise::Denoise),
    /// Without single wrong pixels.
    Median(median::Median),
    /// With the grain of film.
    Grain(grain::Grain),
    /// Light that spills over.
    Glow(glow::Glow),
    /// Under a veil.
    SoftFocus(soft_focus::SoftFocus),
    /// In coarse blocks.
    Pixelate(pixelate::Pixelate),
    /// Edges only.
    Edges(edges::Edges),
    /// In relief.
    Emboss(emboss::Emboss),
    /// Drawn with a pencil.
    Sketch(sketch::Sketch),
    /// In few levels.
    Dither(dither::Dither),
    /// In dots.
    Halftone(halftone::Halftone),
    /// Darker towards the corners, or faded.
    Vignette(vignette::Vignette),
    /// A frame of one color.
    Border(border::Border),
    /// Round corners.
    RoundCorners(rounded::RoundCorners),
    /// A circle or an ellipse of the image.
    Cutout(cutout::Cutout),
    /// A shadow behind the image.
    Shadow(shadow::Shadow),
    /// The frame of an instant photo.
    Polaroid(polaroid::Polaroid),
    /// Words on the image.
    Text(text::Text),
    /// Words all over the image.
    Watermark(watermark::Watermark),
    /// A line, an arrow, a box or a circle at coordinates.
    Mark(mark::Mark),
    /// A shape at a place.
    Shape(shape::Shape),
    /// See-through.
    Opacity(opacity::Opacity),
    /// A color behind what is see-through.
    Background(background::Background),
    /// Another color, or none, for a plain background.
    Backdrop(backdrop::Backdrop),
    /// No color where there was one.
    #[serde(alias = "colour_key")]
    ColorKey(color_key::ColorKey),
    /// Without its margins.
    Trim(trim::Trim),
    /// Another image on the first, at a place.
    Overlay(overlay::Overlay),
    /// Another image on the whole of the first.
    Blend(blend::Blend),
    /// Another image as a mask.
    Mask(mask::Mask),
    /// Several images in one.
    Join(join::Join),
    /// Another edit, in a part of the image only.
    Within(within::Within),
    }
    makings {
    /// An image out of nothing.
    Make(make::Make),
    }
}

/// Reads a shape where no verb has to say that it is drawn: on an image that is made.
pub(crate) const SHAPE_READING: Reading = |clause| Ok(shape::on_made(clause)?.map(Step::Shape));

/// The table of what makes images where none was sent; the operations of [`capabilities`] work
/// on those as well.
#[must_use]
pub const fn makings() -> &'static [Capability] {
    MAKINGS
}

/// The table of operations, for documents, suggestions and spelling.
#[must_use]
pub const fn capabilities() -> &'static [Capability] {
    CAPABILITIES
}
