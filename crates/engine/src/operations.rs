//! The operations, one file each. The list at the end of this file is the only place that names all
//! of them.

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

/// Checks that a parameter is within its limits; the error message contains the numbers.
pub(crate) fn within(what: &str, value: f64, range: (f64, f64), unit: &str) -> Result<(), String> {
    if value.is_finite() && value >= range.0 && value <= range.1 {
        return Ok(());
    }
    Err(format!(
        "{what} must be between {}{unit} and {}{unit}, not {value}{unit}",
        range.0, range.1
    ))
}

/// Declares the steps: generates the enum with its JSON form, the table of operations and the
/// dispatch from one list.
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

        /// Parses one operation and takes its words from the clause.
        pub(crate) type Reading = fn(&mut Clause<'_>) -> Result<Option<Step>, Refusal>;

        /// One parse function for each operation on uploaded images.
        pub(crate) const READINGS: &[Reading] =
            &[$(|clause| Ok(<$module::$type as Spoken>::read(clause)?.map(Step::$name)),)*];

        /// One parse function for each operation that creates an image.
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

            /// Applies the step to images of one depth; see [`Operation::apply`].
            pub(crate) fn apply<S: Sample>(
                &self,
                pictures: Vec<Picture<S>>,
                warnings: &mut Vec<String>,
            ) -> Result<Picture<S>, ExecuteError> {
                match self { $(Self::$name(step) => Operation::apply(step, pictures, warnings),)* }
            }

            /// Measures the image; see [`Operation::measured`].
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
    /// Converts colors to grays.
    Grayscale(grayscale::Grayscale),
    /// The brown tone of old prints.
    Sepia(sepia::Sepia),
    /// Inverted colors.
    Invert(invert::Invert),
    /// Lighter or darker.
    Brightness(brightness::Brightness),
    /// More or less difference between light and dark.
    Contrast(contrast::Contrast),
    /// Stronger or weaker colors.
    Saturation(saturation::Saturation),
    /// Warmer or cooler.
    Warmth(warmth::Warmth),
    /// Rotates all colors around the color wheel.
    Hue(hue::Hue),
    /// A tint with one color.
    Tint(tint::Tint),
    /// More or less light, in stops.
    Exposure(exposure::Exposure),
    /// A gamma curve, which changes the midtones.
    Gamma(gamma::Gamma),
    /// Darker darks and lighter lights.
    SCurve(s_curve::SCurve),
    /// The dark tones.
    Shadows(shadows::Shadows),
    /// The midtones.
    Midtones(midtones::Midtones),
    /// The bright tones.
    Highlights(highlights::Highlights),
    /// The lightest tones.
    Whites(whites::Whites),
    /// The darkest tones.
    Blacks(blacks::Blacks),
    /// Which levels become black and white.
    Levels(levels::Levels),
    /// Automatic levels, contrast or white balance.
    Auto(auto::Auto),
    /// Stronger or weaker colors, mostly the muted ones.
    Vibrance(vibrance::Vibrance),
    /// The color temperature of the light.
    WhiteBalance(white_balance::WhiteBalance),
    /// More or less of one primary color.
    Channel(channel::Channel),
    /// A color in the shadows, midtones or highlights.
    SplitTone(split_tone::SplitTone),
    /// The image in two colors.
    Duotone(duotone::Duotone),
    /// Shades of one color.
    #[serde(alias = "colourise")]
    Colorize(colorize::Colorize),
    /// One color more or less saturated, lighter or darker.
    #[serde(alias = "colour_tones")]
    ColorTones(color_tones::ColorTones),
    /// Grays except for one color.
    #[serde(alias = "keep_colour")]
    KeepColor(keep_color::KeepColor),
    /// Replaces one color with another.
    #[serde(alias = "replace_colour")]
    ReplaceColor(replace_color::ReplaceColor),
    /// A few levels per channel.
    #[serde(alias = "posterise")]
    Posterize(posterize::Posterize),
    /// Pure black and white.
    Threshold(threshold::Threshold),
    /// Inverted bright tones.
    #[serde(alias = "solarise")]
    Solarize(solarize::Solarize),
    /// The look of an old print.
    Fade(fade::Fade),
    /// Rotates by an angle.
    Rotate(rotate::Rotate),
    /// Mirrored.
    Flip(flip::Flip),
    /// Crops to a part.
    Crop(crop::Crop),
    /// Larger or smaller.
    Resize(resize::Resize),
    /// Adds space around the image.
    Pad(pad::Pad),
    /// Gaussian blur.
    Blur(blur::Blur),
    /// Sharper edges.
    Sharpen(sharpen::Sharpen),
    /// Blur by averaging squares.
    BoxBlur(box_blur::BoxBlur),
    /// Blur in one direction.
    MotionBlur(motion_blur::MotionBlur),
    /// Local contrast.
    Clarity(clarity::Clarity),
    /// Noise reduction.
    Denoise(denoise::Denoise),
    /// Median filter against isolated wrong pixels.
    Median(median::Median),
    /// Film grain.
    Grain(grain::Grain),
    /// Glowing bright areas.
    Glow(glow::Glow),
    /// The look of a soft-focus lens.
    SoftFocus(soft_focus::SoftFocus),
    /// Coarse blocks.
    Pixelate(pixelate::Pixelate),
    /// Edges only.
    Edges(edges::Edges),
    /// Embossed relief.
    Emboss(emboss::Emboss),
    /// The look of a pencil drawing.
    Sketch(sketch::Sketch),
    /// A few levels with a pattern of dots.
    Dither(dither::Dither),
    /// Black dots on white.
    Halftone(halftone::Halftone),
    /// Darker or faded towards the corners.
    Vignette(vignette::Vignette),
    /// A border in one or two colors.
    Border(border::Border),
    /// Round corners.
    RoundCorners(rounded::RoundCorners),
    /// A circle or an ellipse of the image.
    Cutout(cutout::Cutout),
    /// A shadow behind the image.
    Shadow(shadow::Shadow),
    /// The frame of an instant photo.
    Polaroid(polaroid::Polaroid),
    /// Text on the image.
    Text(text::Text),
    /// Text repeated over the whole image.
    Watermark(watermark::Watermark),
    /// A line, an arrow, a box or a circle at coordinates.
    Mark(mark::Mark),
    /// A filled shape at a position.
    Shape(shape::Shape),
    /// A partly transparent image.
    Opacity(opacity::Opacity),
    /// A color behind transparent areas.
    Background(background::Background),
    /// Another color or transparency for a plain background.
    Backdrop(backdrop::Backdrop),
    /// Makes one color transparent.
    #[serde(alias = "colour_key")]
    ColorKey(color_key::ColorKey),
    /// Cuts off plain margins.
    Trim(trim::Trim),
    /// Another image on the first, at a position.
    Overlay(overlay::Overlay),
    /// Another image blended into the first.
    Blend(blend::Blend),
    /// Another image as a mask.
    Mask(mask::Mask),
    /// Several images in one.
    Join(join::Join),
    /// Another edit, limited to a part of the image.
    Within(within::Within),
    }
    makings {
    /// An image created from text.
    Make(make::Make),
    }
}

/// Parses a shape on an image that is being created. No verb such as "draw" is needed there.
pub(crate) const SHAPE_READING: Reading = |clause| Ok(shape::on_made(clause)?.map(Step::Shape));

/// The operations that create an image if none was uploaded. The operations of [`capabilities`]
/// also work on created images.
#[must_use]
pub const fn makings() -> &'static [Capability] {
    MAKINGS
}

/// The table of operations, for documentation, suggestions and spelling correction.
#[must_use]
pub const fn capabilities() -> &'static [Capability] {
    CAPABILITIES
}
