//! The words that all operations share, for documents.

use super::common_words;

/// What a reader of words takes beside the operations' own words.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    /// The documented scale of vague amounts, from very slight to extreme. What stands in the middle
    /// may as well be left out.
    pub degrees: [&'static [&'static str]; 5],
    /// Ways to say more.
    pub more: &'static [&'static str],
    /// Ways to say less.
    pub less: &'static [&'static str],
    /// Units of numbers: what each counts, and the words for it.
    pub units: &'static [(&'static str, &'static [&'static str])],
}

/// The words that all operations share.
#[must_use]
pub const fn vocabulary() -> Vocabulary {
    Vocabulary {
        degrees: common_words::DEGREES,
        more: common_words::MORE,
        less: common_words::LESS,
        units: &[
            ("hundredths", common_words::PERCENT),
            ("pixels", common_words::PIXELS),
            ("degrees of an angle", common_words::DEGREE_UNITS),
            ("factors", common_words::TIMES),
            ("stops, which are doublings of light", common_words::STOPS),
            ("kelvins of a color temperature", common_words::KELVINS),
        ],
    }
}
