//! The operations. One file each; the list at the end of this file is the only place that
//! names them all.

mod adjust;
mod background;
mod blur;
mod border;
mod brightness;
mod canvas;
mod contrast;
mod crop;
mod flip;
mod gaussian;
mod grayscale;
mod hue;
mod invert;
mod join;
mod make;
mod opacity;
mod pad;
mod point;
mod resize;
mod rotate;
mod rounded;
mod saturation;
mod sepia;
mod shape;
mod share;
mod sharpen;
mod text;
mod tint;
mod vignette;
mod warmth;
mod within;

use crate::instruction::Clause;
use crate::{ExecuteError, Picture, Refusal};
use serde::{Deserialize, Serialize};

pub use flip::Sides;
pub use join::Layout;
pub use make::{Fill, Measure, Run};
pub(crate) use make::{Wanted, described};
pub(crate) use point::{Matrix, apply_all as apply_points};
pub(crate) use resize::lanczos as resampled;
pub use shape::Outline;

/// Width and height of a picture in pixels.
pub(crate) type Size = (u32, u32);

/// What documents and spelling need to know about an operation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Capability {
    /// Its name in a plan.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The exact definition.
    pub definition: &'static str,
    /// The words that name it; an instruction with none of them never means it.
    pub heads: &'static [&'static str],
    /// The other words that it understands besides amounts, colours and places.
    pub details: &'static [&'static str],
    /// Sentences that ask for it.
    pub examples: &'static [&'static str],
}

/// How an operation is found in words; separate from [`Operation`] because it makes the value.
pub(crate) trait Spoken: Sized {
    /// Its entry in the table of operations.
    const CAPABILITY: Capability;

    /// Takes its words from a clause. `None` when the clause does not name it; a refusal when it
    /// does and a detail is missing or wrong.
    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal>;
}

/// What an operation does to pixels.
pub(crate) trait Operation {
    /// Plain words that read back as the same step.
    fn words(&self) -> String;

    /// Says what is wrong with the parameters, with the numbers.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The size that comes out, or what is wrong with doing it to these inputs.
    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        Ok((u64::from(width), u64::from(height)))
    }

    /// Bytes needed while it runs, besides the inputs and the result; works in place when the
    /// size stays (see [`Self::in_place`]).
    fn scratch_bytes(&self, _input: Size, _result: Size) -> u64 {
        0
    }

    /// Whether the result takes the place of the input, without a second picture.
    fn in_place(&self) -> bool {
        self.matrix().is_some()
    }

    /// The same as a change of each pixel's colour alone, so that neighbours become one pass.
    fn matrix(&self) -> Option<Matrix> {
        None
    }

    /// How far it moves something that can go both ways; neighbours of opposite signs contradict.
    fn change(&self) -> Option<f64> {
        None
    }

    /// Whether a neighbour of the same kind may leave its verb out ("flip horizontally and
    /// vertically"); where a second one is rare, it would be a wrong guess.
    fn repeats(&self) -> bool {
        false
    }

    /// Whether it can be limited to a part of the picture: every pixel stays where it is.
    fn regional(&self) -> bool {
        self.matrix().is_some()
    }

    /// Whether it makes one picture of all inputs.
    fn joins(&self) -> bool {
        false
    }

    /// Whether it makes a picture out of nothing, so that it can only come first.
    fn makes(&self) -> bool {
        false
    }

    /// Does it. Joining operations get all pictures, the others exactly one.
    fn apply(
        &self,
        pictures: Vec<Picture>,
        _warnings: &mut Vec<String>,
    ) -> Result<Picture, ExecuteError> {
        let mut picture = only(pictures)?;
        apply_points(&mut picture, self.matrix().as_slice());
        Ok(picture)
    }
}

/// Limits a parameter, with a message that carries the numbers.
pub(crate) fn within(what: &str, value: f64, range: (f64, f64), unit: &str) -> Result<(), String> {
    if value.is_finite() && value >= range.0 && value <= range.1 {
        return Ok(());
    }
    Err(format!("{what} can be from {}{unit} to {}{unit}, not {value}{unit}", range.0, range.1))
}

/// The one picture that an operation on a single picture gets.
pub(crate) fn only(pictures: Vec<Picture>) -> Result<Picture, ExecuteError> {
    pictures.into_iter().next().ok_or(ExecuteError::NoPicture)
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

        /// One reading function for each operation on pictures that were sent.
        pub(crate) const READINGS: &[Reading] =
            &[$(|clause| Ok(<$module::$type as Spoken>::read(clause)?.map(Step::$name)),)*];

        /// The same for what only is drawn on pictures that are made.
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

            /// Its entry in the table of operations.
            #[must_use]
            pub const fn capability(&self) -> &'static Capability {
                match self { $(Self::$name(_) => const { &<$module::$type as Spoken>::CAPABILITY },)* }
            }
        }
    };
}

operations! {
    edits {
    /// Colours to greys.
    Grayscale(grayscale::Grayscale),
    /// The brown of old prints.
    Sepia(sepia::Sepia),
    /// The negative.
    Invert(invert::Invert),
    /// Lighter or darker.
    Brightness(brightness::Brightness),
    /// More or less difference between light and dark.
    Contrast(contrast::Contrast),
    /// Stronger or weaker colours.
    Saturation(saturation::Saturation),
    /// Warmer or cooler.
    Warmth(warmth::Warmth),
    /// All colours around the colour circle.
    Hue(hue::Hue),
    /// A touch of one colour.
    Tint(tint::Tint),
    /// Turned by an angle.
    Rotate(rotate::Rotate),
    /// Mirrored.
    Flip(flip::Flip),
    /// Cut to a part.
    Crop(crop::Crop),
    /// Larger or smaller.
    Resize(resize::Resize),
    /// Room around the picture.
    Pad(pad::Pad),
    /// Softer.
    Blur(blur::Blur),
    /// Crisper.
    Sharpen(sharpen::Sharpen),
    /// Darker towards the corners.
    Vignette(vignette::Vignette),
    /// A frame of one colour.
    Border(border::Border),
    /// Round corners.
    RoundCorners(rounded::RoundCorners),
    /// Words on the picture.
    Text(text::Text),
    /// See-through.
    Opacity(opacity::Opacity),
    /// A colour behind what is see-through.
    Background(background::Background),
    /// Several pictures in one.
    Join(join::Join),
    /// Another edit, in a part of the picture only.
    Within(within::Within),
    }
    makings {
    /// A picture out of nothing.
    Make(make::Make),
    /// A shape on a picture that is made.
    Shape(shape::Shape),
    }
}

/// The table of what makes pictures where none was sent; the operations of [`capabilities`] work
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
