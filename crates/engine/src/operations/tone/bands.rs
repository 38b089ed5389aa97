//! The bands of tones, from blacks to whites: each becomes lighter or darker along a curve of its
//! own.
//!
//! Shadows, midtones and highlights change the luma and keep the hue. Blacks and whites move one end
//! of every channel and leave the other unchanged. The factors in the curves are our choice.

mod tone_words;

use crate::kernels::Point;
use crate::kernels::point::by_luma;
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};
use tone_words::SCALE;

/// Declares an operation for each band.
macro_rules! bands {
    ($($band:ident {
        name: $name:literal,
        parameter: $parameter:literal,
        summary: $summary:literal,
        definition: $definition:literal,
        examples: $examples:expr,
        change: $change:expr,
    })*) => {$(
        #[doc = $summary]
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub struct $band {
            /// How much, from -100 (much darker) to 100 (much lighter).
            pub percent: f64,
        }

        impl $band {
            const CHANGE: Parameter =
                Parameter::new($parameter, "%", (-100.0, 100.0)).scaled(SCALE);
        }

        impl Described for $band {
            const CAPABILITY: Capability = Capability {
                name: $name,
                parameters: &[Self::CHANGE],
 controls: &[Control::number("percent", "Amount", Self::CHANGE)],
                summary: $summary,
                definition: $definition,
                examples: $examples,
            };
        }

        impl Operation for $band {
            fn words(&self) -> String {
                tone_words::words_of($name, self.percent)
            }

            fn check(&self) -> Result<(), String> {
                Self::CHANGE.check(self.percent)
            }

            fn points(&self) -> Vec<Point> {
                let change: fn(f64) -> Point = $change;
                vec![change(self.percent / 100.0)]
            }
        }
    )*};
}

bands! {
    Blacks {
        name: "blacks",
        parameter: "a change in blacks",
        summary: "Makes the darkest tones lighter or darker.",
        definition: "Each sRGB channel becomes c + 0.25t * (1 - c)^3, t = percent / 100.",
        examples: &["lift the blacks", "deepen the blacks by 20%"],
        change: |t| Point::curve(move |c| c + 0.25 * t * (1.0 - c).powi(3)),
    }

    Shadows {
        name: "shadows",
        parameter: "a change in shadows",
        summary: "Makes the dark tones lighter or darker.",
        definition: "Rec. 709 luma Y of the sRGB channels becomes Y * 2^(2t(1 - Y)^3), t = \
                     percent / 100; each channel c becomes Y' + s(c - Y), s = Y' / Y or, if that is \
                     more than 1, its square root, and at most what keeps the channels in range.",
        examples: &["lift the shadows", "brighten the shadows by 30%", "darken the shadows a bit"],
        change: |t| by_luma(move |y| y * (2.0 * t * (1.0 - y).powi(3)).exp2()),
    }

    Midtones {
        name: "midtones",
        parameter: "a change in midtones",
        summary: "Makes the midtones lighter or darker.",
        definition: "Rec. 709 luma Y of the sRGB channels becomes Y + 3.2t * Y^2 * (1 - Y)^2, t = \
                     percent / 100; each channel c becomes Y' + s(c - Y), s = Y' / Y or, if that is \
                     more than 1, its square root, and at most what keeps the channels in range.",
        examples: &["brighten the midtones", "darken the midtones by 20%"],
        change: |t| by_luma(move |y| y + 3.2 * t * (y * (1.0 - y)).powi(2)),
    }

    Highlights {
        name: "highlights",
        parameter: "a change in highlights",
        summary: "Makes the bright tones lighter or darker.",
        definition: "Rec. 709 luma Y of the sRGB channels becomes 1 - (1 - Y) * 2^(-2tY^3), t = \
                     percent / 100; each channel c becomes Y' + s(c - Y), s = Y' / Y or, if that is \
                     more than 1, its square root, and at most what keeps the channels in range.",
        examples: &[
            "bring down the highlights",
            "reduce the highlights by 30%",
            "brighten the highlights",
        ],
        change: |t| by_luma(move |y| 1.0 - (1.0 - y) * (-2.0 * t * y.powi(3)).exp2()),
    }

    Whites {
        name: "whites",
        parameter: "a change in whites",
        summary: "Makes the lightest tones lighter or darker.",
        definition: "Each sRGB channel becomes c + 0.25t * c^3, t = percent / 100.",
        examples: &["brighten the whites", "darken the whites by 20%"],
        change: |t| Point::curve(move |c| c + 0.25 * t * c.powi(3)),
    }
}
