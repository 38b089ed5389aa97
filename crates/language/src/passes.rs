//! What is done to the words before they are read, as an explicit list.

mod corrections;
mod decorations;
mod hyphens;
mod lists;
mod physical;
pub(crate) mod spelling;
mod variants;

use crate::lexicon::{Lexicon, lexicon};
use crate::token::{self, Token};

/// The words on their way, and what was assumed about them.
#[derive(Clone)]
pub(crate) struct Words {
    pub(crate) tokens: Vec<Token>,
    pub(crate) assumed: Vec<String>,
    /// How many pixels are an inch.
    pub(crate) dpi: Option<f64>,
    pub(crate) lexicon: &'static Lexicon,
    /// The spans of misspelled words, with all words that may be meant.
    pub(crate) unsure: Vec<([usize; 2], Vec<&'static str>)>,
}

impl Words {
    fn cut(instruction: &str, lexicon: &'static Lexicon) -> Self {
        let tokens = token::cut(instruction);
        Self { tokens, assumed: Vec::new(), dpi: None, lexicon, unsure: Vec::new() }
    }
}

/// One pass over the words.
pub struct Pass {
    /// What it is called.
    pub name: &'static str,
    run: fn(&mut Words),
    /// Words before it and after it.
    pub examples: &'static [(&'static str, &'static str)],
}

/// All passes, in order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "decorations",
        run: decorations::drop,
        examples: &[("brighter 🙏✨", "brighter"), ("brighter!!!", "brighter !")],
    },
    Pass {
        name: "lists",
        run: lists::separate,
        examples: &[
            ("1. brighter 2. sharper", ". brighter . sharper"),
            ("- brighter\n- sharper", "\n brighter \n sharper"),
            ("1. brighter\n2. sharper", ". brighter \n . sharper"),
            ("brightness - 10", "brightness - 10"),
            ("crop to 1:1. brighter", "crop to 1 : 1 . brighter"),
        ],
    },
    Pass {
        name: "hyphens",
        run: hyphens::drop,
        examples: &[("black-and-white", "black and white"), ("levels 10-240", "levels 10 - 240")],
    },
    Pass {
        name: "variants",
        run: variants::unify,
        examples: &[
            ("posterise it", "posterize it"),
            ("grey", "gray"),
            ("grainy n faded", "grainy and faded"),
            ("pad it w/o a border", "pad it without a border"),
        ],
    },
    Pass {
        name: "spelling",
        run: spelling::correct,
        examples: &[
            ("brigthen it", "brighten it"),
            ("contarst +30%", "contrast + 30 %"),
            ("BRIGTHEN IT", "brighten it"),
            // An English word is no typing error.
            ("increase the contract", "increase the contract"),
        ],
    },
    Pass {
        name: "but only",
        run: variants::but_only,
        examples: &[("blur it but only the top half", "blur it only the top half")],
    },
    Pass {
        name: "around",
        run: variants::around,
        examples: &[("white round it", "white around it")],
    },
    Pass {
        name: "physical",
        run: physical::to_pixels,
        examples: &[
            ("a 1 cm border at 300 dpi", "a 118 px border"),
            ("crop an inch off the left (image is 300dpi)", "crop 300 px off the left"),
            ("resize to 35x45 mm at 300 dpi", "resize to 413 px x 531 px"),
            ("sharpen it at 300 dpi", "sharpen it"),
            ("set the dpi to 300 dpi", "set the dpi to 300 dpi"),
            // Without a resolution, a length in centimeters is no number of pixels.
            ("a 1 cm border", "a 1 cm border"),
        ],
    },
    Pass {
        name: "corrections",
        run: corrections::replace,
        examples: &[
            ("rotate it left, no wait, right", "rotate it right"),
            ("add a 10px border, no wait, make it 20px", "add a 20 px border"),
            (
                "cut ten percent off the top no wait five percent off the top",
                "cut five percent off the top",
            ),
            // Which of the two numbers is corrected?
            (
                "10% warmer and 10% sharper, no wait, 20%",
                "10 % warmer and 10 % sharper , no wait , 20 %",
            ),
        ],
    },
];

/// Cuts the instruction and runs all passes.
pub(crate) fn words(instruction: &str, lexicon: &'static Lexicon) -> Words {
    let mut words = Words::cut(instruction, lexicon);
    PASSES.iter().for_each(|pass| (pass.run)(&mut words));
    words
}

impl Pass {
    /// Runs only this pass and joins the words with spaces.
    #[must_use]
    pub fn apply(&self, instruction: &str) -> String {
        let mut words = Words::cut(instruction, lexicon());
        (self.run)(&mut words);
        words.tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}
