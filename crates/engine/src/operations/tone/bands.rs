//! The bands of tones, from blacks to whites: each becomes lighter or darker along a curve of its
//! own.
//!
//! Shadows, midtones and highlights change the luma and keep the hue. Blacks and whites move one end
//! of every channel and leave the other unchanged. The factors in the curves are our choice.

mod tone_words;

use crate::Refusal;
use crate::instruction::{Clause, phrases};
use crate::kernels::Point;
use crate::kernels::point::by_luma;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};
use tone_words::{SCALE, Tones};

/// Declares an operation for each band.
macro_rules! bands {
    ($($band:ident {
        name: $name:literal,
        parameter: $parameter:literal,
        summary: $summary:literal,
        definition: $definition:literal,
        words: $words:expr,
        details: $details:expr,
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
            const WORDS: Tones = $words;
            const CHANGE: Parameter =
                Parameter::new($parameter, "%", (-100.0, 100.0)).scaled(SCALE.values);
        }

        impl Spoken for $band {
            const CAPABILITY: Capability = Capability {
                name: $name,
                parameters: &[Self::CHANGE],
 controls: &[Control::number("percent", "Amount", Self::CHANGE)],
                summary: $summary,
                definition: $definition,
                heads: Self::WORDS.nouns,
                details: $details,
                examples: $examples,
            };

            fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
                Ok(tone_words::read(clause, &Self::WORDS)?.map(|percent| Self { percent }))
            }
        }

        impl Operation for $band {
            fn words(&self) -> String {
                tone_words::words_of($name, self.percent)
            }

            fn change(&self) -> Option<f64> {
                Some(self.percent)
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
        words: Tones {
            nouns: &["blacks", "black tones"],
            lighter: &["fade"],
            darker: &["crush", "crushed", "richer", "blacker"],
            grows: false,
        },
        details: phrases!(Blacks::WORDS.lighter, Blacks::WORDS.darker),
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
        words: Tones {
            nouns: &[
                "shadows",
                "shadow areas",
                "shadow tones",
                "dark areas",
                "dark parts",
                "dark tones",
                "darker areas",
                "darker parts",
                "darkest parts",
                "shadow detail",
                "shadow details",
            ],
            lighter: &["recover", "bring out", "open", "boost"],
            darker: &[],
            grows: false,
        },
        details: tone_words::DETAILS,
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
        words: Tones {
            nouns: &["midtones", "mid tones", "middle tones", "midtone", "mids"],
            lighter: &[],
            darker: &[],
            grows: true,
        },
        details: &[],
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
        words: Tones {
            nouns: &[
                "highlights",
                "highlight areas",
                "highlight tones",
                "bright areas",
                "bright parts",
                "bright tones",
                "light areas",
                "light parts",
                "light tones",
                "brighter areas",
                "brighter parts",
                "brightest parts",
                "lightest parts",
                "highlight detail",
                "highlight details",
            ],
            lighter: &[],
            darker: &["recover", "tame", "tone down", "bring back", "pull back", "take down"],
            grows: true,
        },
        details: Highlights::WORDS.darker,
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
        words: Tones {
            nouns: &["whites", "white tones"],
            lighter: &["whiter"],
            darker: &["tone down"],
            grows: true,
        },
        details: phrases!(Whites::WORDS.lighter, Whites::WORDS.darker),
        examples: &["brighten the whites", "darken the whites by 20%"],
        change: |t| Point::curve(move |c| c + 0.25 * t * c.powi(3)),
    }
}
