//! The operations, in groups as the handbook has them, one file each. The list at the end of this
//! file is the only place that names all of them.

mod color;
mod compose;
mod draw;
mod filter;
mod frame;
mod geometry;
mod make;
mod only;
mod tone;
mod transparency;
mod within;

use crate::kernels::Point;
use crate::operation::{Capability, Described, Operation};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

pub use color::{Band, ChannelPair, Part, Primary, Property, Rgb};
pub use compose::{Layout, MaskBy, Mode};
pub use draw::{Face, FontError, Form, GridBy, Lines, Outline, Stroke, add_fonts};
pub use filter::ShiftAxis;
pub use frame::{Corner, OuterBorder, Side};
pub use geometry::{Backing, Corners, Cut, Limit, Sides, SkewAxis};
pub use make::{Fill, Measure, Run};
pub use tone::What;

/// Declares the steps: generates the enum with its JSON form, the table of operations and the
/// dispatch from one list.
macro_rules! operations {
    (
        edits { $($(#[$doc:meta])* $name:ident($module:ident::$type:ident),)* }
        wrappers { $($(#[$wrap_doc:meta])* $wrap:ident($wrap_module:ident::$wrap_type:ident),)* }
        makings { $($(#[$made_doc:meta])* $made:ident($made_module:ident::$made_type:ident),)* }
    ) => {
        operations! { steps
            $($(#[$doc])* $name($module::$type),)*
            $($(#[$wrap_doc])* $wrap($wrap_module::$wrap_type),)*
            $($(#[$made_doc])* $made($made_module::$made_type),)*
        }

        const CAPABILITIES: &[Capability] = &[$(<$module::$type as Described>::CAPABILITY,)*];

        const MAKINGS: &[Capability] = &[$(<$made_module::$made_type as Described>::CAPABILITY,)*];
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

            pub(crate) fn operation_mut(&mut self) -> &mut dyn Operation {
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
                match self { $(Self::$name(_) => const { &<$module::$type as Described>::CAPABILITY },)* }
            }
        }
    };
}

operations! {
    edits {
    /// Converts colors to grays.
    Grayscale(color::Grayscale),
    /// The brown tone of old prints.
    Sepia(color::Sepia),
    /// Inverted colors.
    Invert(color::Invert),
    /// Lighter or darker.
    Brightness(tone::Brightness),
    /// More or less difference between light and dark.
    Contrast(tone::Contrast),
    /// Stronger or weaker colors.
    Saturation(color::Saturation),
    /// Warmer or cooler.
    Warmth(color::Warmth),
    /// Rotates all colors around the color wheel.
    Hue(color::Hue),
    /// A tint with one color.
    Tint(color::Tint),
    /// More or less light, in stops.
    Exposure(tone::Exposure),
    /// A gamma curve, which changes the midtones.
    Gamma(tone::Gamma),
    /// Darker darks and lighter lights.
    SCurve(tone::SCurve),
    /// The dark tones.
    Shadows(tone::Shadows),
    /// The midtones.
    Midtones(tone::Midtones),
    /// The bright tones.
    Highlights(tone::Highlights),
    /// The lightest tones.
    Whites(tone::Whites),
    /// The darkest tones.
    Blacks(tone::Blacks),
    /// Which levels become black and white.
    Levels(tone::Levels),
    /// Automatic levels, contrast or white balance.
    Auto(tone::Auto),
    /// An equalized histogram.
    Equalize(tone::Equalize),
    /// Stronger or weaker colors, mostly the muted ones.
    Vibrance(color::Vibrance),
    /// The color temperature of the light.
    WhiteBalance(color::WhiteBalance),
    /// More or less of one primary color.
    Channel(color::Channel),
    /// One channel alone.
    SingleChannel(color::SingleChannel),
    /// Two channels exchanged.
    SwapChannels(color::SwapChannels),
    /// A color in the shadows, midtones or highlights.
    SplitTone(color::SplitTone),
    /// The image in two colors.
    Duotone(color::Duotone),
    /// Shades of one color.
    #[serde(alias = "colourise")]
    Colorize(color::Colorize),
    /// One color more or less saturated, lighter or darker.
    #[serde(alias = "colour_tones")]
    ColorTones(color::ColorTones),
    /// Grays except for one color.
    #[serde(alias = "keep_colour")]
    KeepColor(color::KeepColor),
    /// Replaces one color with another.
    #[serde(alias = "replace_colour")]
    ReplaceColor(color::ReplaceColor),
    /// A few levels per channel.
    #[serde(alias = "posterise")]
    Posterize(color::Posterize),
    /// A palette of a few colors.
    ReduceColors(color::ReduceColors),
    /// Pure black and white.
    Threshold(color::Threshold),
    /// Inverted bright tones.
    #[serde(alias = "solarise")]
    Solarize(color::Solarize),
    /// The look of an old print.
    Fade(tone::Fade),
    /// Rotates by an angle.
    Rotate(geometry::Rotate),
    /// Slanted.
    Skew(geometry::Skew),
    /// Mirrored.
    Flip(geometry::Flip),
    /// Crops to a part.
    Crop(geometry::Crop),
    /// Larger or smaller.
    Resize(geometry::Resize),
    /// A part enlarged to the size of the whole.
    Zoom(geometry::Zoom),
    /// Repeated in columns and rows.
    Tile(geometry::Tile),
    /// Adds space around the image.
    Pad(geometry::Pad),
    /// Gaussian blur.
    Blur(filter::Blur),
    /// Sharper edges.
    Sharpen(filter::Sharpen),
    /// Blur by averaging squares.
    BoxBlur(filter::BoxBlur),
    /// Blur in one direction.
    MotionBlur(filter::MotionBlur),
    /// Local contrast.
    Clarity(filter::Clarity),
    /// Haze removal.
    Dehaze(filter::Dehaze),
    /// Noise reduction.
    Denoise(filter::Denoise),
    /// Median filter against isolated wrong pixels.
    Median(filter::Median),
    /// Film grain.
    Grain(filter::Grain),
    /// Glowing bright areas.
    Glow(filter::Glow),
    /// The look of a soft-focus lens.
    SoftFocus(filter::SoftFocus),
    /// Red and blue moved apart.
    ChromaticAberration(filter::ChromaticAberration),
    /// Dark lines like those of an old screen.
    ScanLines(filter::ScanLines),
    /// Coarse blocks.
    Pixelate(filter::Pixelate),
    /// Edges only.
    Edges(filter::Edges),
    /// Embossed relief.
    Emboss(filter::Emboss),
    /// The look of a pencil drawing.
    Sketch(filter::Sketch),
    /// A few levels with a pattern of dots.
    Dither(filter::Dither),
    /// Black dots on white.
    Halftone(filter::Halftone),
    /// Darker or faded towards the corners.
    Vignette(filter::Vignette),
    /// A border in one or two colors.
    Border(frame::Border),
    /// Round corners.
    RoundCorners(frame::RoundCorners),
    /// A circle or an ellipse of the image.
    Cutout(geometry::Cutout),
    /// A shadow behind the image.
    Shadow(frame::Shadow),
    /// Edges that fade out.
    SoftEdges(frame::SoftEdges),
    /// One edge that fades into a color.
    EdgeGradient(frame::EdgeGradient),
    /// The frame of an instant photo.
    Polaroid(frame::Polaroid),
    /// Text on the image.
    Text(draw::Text),
    /// Text repeated over the whole image.
    Watermark(draw::Watermark),
    /// A line, an arrow, a box or a circle at coordinates.
    Mark(draw::Mark),
    /// A filled shape at a position.
    Shape(draw::Shape),
    /// A grid of lines.
    GridLines(draw::GridLines),
    /// A QR code at a position.
    QrCode(draw::QrCode),
    /// A partly transparent image.
    Opacity(transparency::Opacity),
    /// A color behind transparent areas.
    Background(transparency::Background),
    /// Another color or transparency for a plain background.
    Backdrop(transparency::Backdrop),
    /// Makes one color transparent.
    #[serde(alias = "colour_key")]
    ColorKey(transparency::ColorKey),
    /// Cuts off plain margins.
    Trim(geometry::Trim),
    /// Another image on the first, at a position.
    Overlay(compose::Overlay),
    /// Another image blended into the first.
    Blend(compose::Blend),
    /// Another image as a mask.
    Mask(compose::Mask),
    /// Several images in one.
    Join(compose::Join),
    /// Another edit, limited to a part of the image.
    Within(within::Within),
    }
    wrappers {
    /// Another edit, limited to one of several images.
    Only(only::Only),
    }
    makings {
    /// An image created from text.
    Make(make::Make),
    }
}

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
