//! What is done to the words before they are read, as an explicit list.

mod decorations;
mod hyphens;
mod lists;
mod spelling;
mod variants;

use crate::lexicon::{Lexicon, lexicon};
use crate::token::{self, Token};

/// The words on their way, and what was assumed about them.
pub(crate) struct Words {
    pub(crate) tokens: Vec<Token>,
    pub(crate) assumed: Vec<String>,
    pub(crate) lexicon: &'static Lexicon,
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
            ("brightness - 10", "brightness - 10"),
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
        examples: &[("posterise it", "posterize it"), ("grey", "gray")],
    },
    Pass {
        name: "spelling",
        run: spelling::correct,
        examples: &[
            ("brigthen it", "brighten it"),
            ("contarst +30%", "contrast + 30 %"),
            // An English word is no typing error.
            ("increase the contract", "increase the contract"),
        ],
    },
];

/// Cuts the instruction and runs all passes.
pub(crate) fn words(instruction: &str, lexicon: &'static Lexicon) -> Words {
    let mut words = Words { tokens: token::cut(instruction), assumed: Vec::new(), lexicon };
    PASSES.iter().for_each(|pass| (pass.run)(&mut words));
    words
}

impl Pass {
    /// Runs only this pass and joins the words with spaces.
    #[must_use]
    pub fn apply(&self, instruction: &str) -> String {
        let tokens = token::cut(instruction);
        let mut words = Words { tokens, assumed: Vec::new(), lexicon: lexicon() };
        (self.run)(&mut words);
        words.tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}
