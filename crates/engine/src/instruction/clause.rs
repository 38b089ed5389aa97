//! One clause of an instruction. Operations take its words until none are left.

use super::reasons::is_purpose;
use super::token::{Kind, Token};
use super::{budget, common_words};
use crate::{Color, Place};

/// The words of one clause, and which of them have been understood.
///
/// A word that has not been understood yet is open. To take words is to mark them as understood.
#[derive(Debug, Clone)]
pub(crate) struct Clause<'t> {
    tokens: Vec<&'t Token>,
    used: Vec<bool>,
    /// Positions of the words that say more, less or set. The next clause may share them.
    pub(crate) direction_at: Vec<usize>,
    /// Positions of the words that say how much.
    pub(crate) amount_at: Vec<usize>,
    /// Positions of the words that name the operation.
    pub(crate) head_at: Vec<usize>,
    /// What had to be assumed. The caller sees it in the plan.
    pub(crate) assumed: Vec<String>,
}

impl<'t> Clause<'t> {
    /// Creates a clause in which every word is open.
    pub(crate) fn new(tokens: Vec<&'t Token>) -> Self {
        let used = vec![false; tokens.len()];
        Self {
            tokens,
            used,
            direction_at: Vec::new(),
            amount_at: Vec::new(),
            head_at: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// All words of the clause.
    pub(crate) fn tokens(&self) -> &[&'t Token] {
        &self.tokens
    }

    /// Takes the longest of the phrases found in open words, and returns its index in the list.
    pub(crate) fn take(&mut self, phrases: &[&str]) -> Option<usize> {
        let (which, at, length) = self.find(phrases)?;
        self.mark(at, length);
        Some(which)
    }

    /// Takes a phrase that names the operation.
    pub(crate) fn head(&mut self, phrases: &[&str]) -> Option<usize> {
        let (which, at, length) = self.find(phrases)?;
        self.mark(at, length);
        self.head_at.extend(at..at + length);
        Some(which)
    }

    /// Takes a phrase that says more or less. The next clause may share it.
    pub(crate) fn verb(&mut self, phrases: &[&str]) -> Option<usize> {
        let (which, at, length) = self.find(phrases)?;
        self.mark(at, length);
        self.direction_at.extend(at..at + length);
        Some(which)
    }

    /// Takes every occurrence of the phrases.
    pub(crate) fn take_all(&mut self, phrases: &[&str]) {
        while self.take(phrases).is_some() {}
    }

    /// Whether only filler comes before a position.
    pub(super) fn is_filler_until(&self, at: usize) -> bool {
        let mut before = self.clone();
        before.tokens.truncate(at);
        before.used.truncate(at);
        before.leftover().is_none()
    }

    /// Takes the number of images ("two pictures").
    pub(crate) fn numbers_of_pictures(&mut self) {
        let pictures = ["pictures", "images", "photos", "photographs", "of"];
        let found = self.open().find(|at| {
            let number = self.tokens.get(*at).and_then(|token| token.number());
            number.is_some() && pictures.contains(&self.word(at + 1))
        });
        if let Some(at) = found {
            self.mark(at, 1);
        }
    }

    /// Whether one of the phrases is found in open words.
    pub(crate) fn has(&self, phrases: &[&str]) -> bool {
        self.find(phrases).is_some()
    }

    /// Takes the first quoted text.
    pub(crate) fn quoted(&mut self) -> Option<String> {
        let at = self.open().find(|at| matches!(self.kind(*at), Some(Kind::Quoted(_))))?;
        self.mark(at, 1);
        match self.kind(at) {
            Some(Kind::Quoted(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Takes the first color: `#` and digits, or a CSS name of one to three words, perhaps after
    /// "light" or "dark".
    pub(crate) fn color(&mut self) -> Option<Color> {
        let (at, length, color) = self.open().find_map(|at| self.color_at(at))?;
        self.mark(at, length);
        // "red color", "the color red"
        self.take(&["colored", "color"]);
        Some(color)
    }

    /// Takes the first place ("the upper right hand corner").
    pub(crate) fn place(&mut self) -> Option<Place> {
        let (start, (place, end)) = self.open().find_map(|at| Some((at, self.place_at(at)?)))?;
        self.mark(start, end - start);
        Some(place)
    }

    /// The place that the open words name from a position on, and the position after it.
    pub(super) fn place_at(&self, start: usize) -> Option<(Place, usize)> {
        let (mut column, mut row) = (None, None);
        let mut end = start;
        while let Some(word) = self.open_word(end) {
            match place_word(word) {
                Some((Some(found), None)) if column.is_none() => column = Some(found),
                Some((None, Some(found))) if row.is_none() => row = Some(found),
                Some((None, None)) => {}
                _ if end > start && ["hand", "corner", "side", "edge", "part"].contains(&word) => {}
                // Neither "the top of the right" nor "the middle of the top" is a place.
                _ => break,
            }
            end += 1;
        }
        (end > start).then(|| (Place::at(column.unwrap_or(1), row.unwrap_or(1)), end))
    }

    /// Takes two numbers written as a size ("800x600", "800 by 600 px").
    pub(crate) fn dimensions(&mut self) -> Option<(f64, f64)> {
        let (at, pair) = self.pair(&["x", "by"])?;
        self.mark(at, 3);
        if common_words::PIXELS.contains(&self.open_word(at + 3).unwrap_or_default()) {
            self.mark(at + 3, 1);
        }
        Some(pair)
    }

    /// Takes two numbers written as a ratio ("16:9").
    pub(crate) fn ratio(&mut self) -> Option<(f64, f64)> {
        let (at, pair) = self.pair(&[":"])?;
        self.mark(at, 3);
        Some(pair)
    }

    /// Takes one of the documented degrees: 0 (very slightly) to 4 (extremely).
    pub(crate) fn degree(&mut self) -> Option<usize> {
        let found = common_words::DEGREES.iter().enumerate().filter_map(|(degree, phrases)| {
            self.find(phrases).map(|(_, at, length)| (length, degree, at))
        });
        let (length, degree, at) = found.max_by_key(|(length, degree, _)| (*length, *degree))?;
        self.mark(at, length);
        self.amount_at.extend(at..at + length);
        Some(degree)
    }

    /// Takes all purposes of the image ("for my website"), and returns whether there were any.
    pub(super) fn take_purposes(&mut self) -> bool {
        let found: Vec<_> = self.open().filter_map(|at| Some((at, self.purpose_at(at)?))).collect();
        for (at, length) in &found {
            self.mark(*at, *length);
        }
        !found.is_empty()
    }

    /// The length of a purpose such as "for my website" at a position.
    fn purpose_at(&self, at: usize) -> Option<usize> {
        const WHOSE: &[&str] = &["a", "an", "the", "my", "our", "his", "her", "their"];
        if self.open_word(at) != Some("for") {
            return None;
        }
        let whose = usize::from(self.open_word(at + 1).is_some_and(|word| WHOSE.contains(&word)));
        let purposes = (at + 1 + whose..self.tokens.len())
            .take_while(|at| self.open_word(*at).is_some_and(is_purpose));
        Some(purposes.count()).filter(|count| *count > 0).map(|count| 1 + whose + count)
    }

    /// The positions of the first open words that are not filler, or `None` if there are none.
    pub(crate) fn leftover(&self) -> Option<(usize, usize)> {
        let mut rest = self.clone();
        rest.take_purposes();
        for at in 0..rest.tokens.len() {
            // A single pass keeps the time linear, however many fillers there are.
            let standing = common_words::FILLERS.iter().filter(|phrase| rest.stands_at(at, phrase));
            if let Some(length) = standing.map(|phrase| phrase.split(' ').count()).max() {
                rest.mark(at, length);
            }
        }
        let open = |at: &usize| !rest.is_punctuation(*at);
        let first = rest.open().find(open)?;
        let last = rest.open().take_while(|at| *at < first + 3).filter(open).last();
        Some((first, last.unwrap_or(first) + 1))
    }

    /// How many words are open. The reading that leaves the fewest explains a refusal best.
    pub(crate) fn open_count(&self) -> usize {
        self.open().count()
    }

    /// The kind of a token.
    pub(super) fn kind(&self, at: usize) -> Option<&'t Kind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    /// The word at a position, or an empty string.
    pub(super) fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word())
    }

    /// The word at a position, if it is open.
    pub(super) fn open_word(&self, at: usize) -> Option<&'t str> {
        self.is_open(at).then(|| self.word(at))
    }

    /// Marks words as understood.
    pub(crate) fn mark(&mut self, at: usize, length: usize) {
        self.used.iter_mut().skip(at).take(length).for_each(|used| *used = true);
    }

    /// Positions of the open words.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tokens.len()).filter(|at| self.is_open(*at))
    }

    /// Finds the longest of the phrases in open words. Returns its index, position and length.
    pub(crate) fn find(&self, phrases: &[&str]) -> Option<(usize, usize, usize)> {
        let found = phrases.iter().enumerate().filter_map(|(which, phrase)| {
            let at = self.open().find(|at| self.stands_at(*at, phrase))?;
            Some((which, at, phrase.split(' ').count()))
        });
        found.max_by_key(|(which, at, length)| (*length, usize::MAX - at, usize::MAX - which))
    }

    /// All occurrences of the phrases in open words, as position and length.
    pub(crate) fn open_phrases<'p>(
        &'p self,
        phrases: &'p [&str],
    ) -> impl Iterator<Item = (usize, usize)> + 'p {
        self.open().flat_map(move |at| {
            let standing = phrases.iter().filter(move |phrase| self.stands_at(at, phrase));
            standing.map(move |phrase| (at, phrase.split(' ').count()))
        })
    }

    pub(crate) fn stands_at(&self, at: usize, phrase: &str) -> bool {
        // Most phrases begin with another word, so a cheap check comes first.
        let begins =
            self.open_word(at).is_some_and(|word| !word.is_empty() && phrase.starts_with(word));
        budget::spend(1)
            && begins
            && phrase
                .split(' ')
                .enumerate()
                .all(|(offset, word)| self.open_word(at + offset) == Some(word))
    }

    pub(super) fn is_open(&self, at: usize) -> bool {
        self.used.get(at) == Some(&false)
    }

    fn is_punctuation(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Mark(',' | '.' | '!' | ';' | ':' | '=' | '(' | ')')))
    }

    fn pair(&self, between: &[&str]) -> Option<(usize, (f64, f64))> {
        self.open().find_map(|at| {
            let first = self.tokens.get(at)?.number()?;
            let second = self.tokens.get(at + 2).filter(|_| self.is_open(at + 2))?.number()?;
            between.contains(&self.open_word(at + 1)?).then_some((at, (first, second)))
        })
    }

    /// The color named at a position, after its start and its length in words.
    pub(super) fn color_at(&self, at: usize) -> Option<(usize, usize, Color)> {
        // "the red" means things of that color, not a color to use.
        if at.checked_sub(1).is_some_and(|before| self.word(before) == "the")
            && self.word(at + 1) != "color"
            && !matches!(self.kind(at), Some(Kind::Hex(_)))
        {
            return None;
        }
        self.color_named_at(at)
    }

    /// Like [`Self::color_at`], also where the words mean everything of that color ("the red").
    pub(super) fn color_named_at(&self, at: usize) -> Option<(usize, usize, Color)> {
        if !budget::spend(budget::COLOR) {
            return None;
        }
        if let Some(Kind::Hex(digits)) = self.kind(at) {
            return Color::hex(digits).map(|color| (at, 1, color));
        }
        let joined = |from: usize, length: usize| -> Option<String> {
            (from..from + length)
                .map(|at| self.open_word(at).filter(|word| !word.is_empty()))
                .collect()
        };
        let named = |from: usize| {
            (1..=3).rev().find_map(|length| Some((length, Color::named(&joined(from, length)?)?)))
        };
        if let Some((length, color)) = named(at) {
            return Some((at, length, color));
        }
        let (length, color) = named(at + 1)?;
        match self.word(at) {
            "light" | "pale" => Some((at, length + 1, color.lighter())),
            "dark" | "deep" => Some((at, length + 1, color.darker())),
            _ => None,
        }
    }
}

/// What a word says about a place: a column, a row, or the middle of whichever isn't given.
fn place_word(word: &str) -> Option<(Option<u32>, Option<u32>)> {
    match word {
        "left" => Some((Some(0), None)),
        "right" => Some((Some(2), None)),
        "top" | "upper" | "uppermost" => Some((None, Some(0))),
        "bottom" | "lower" => Some((None, Some(2))),
        "middle" | "center" | "centered" | "central" => Some((None, None)),
        _ => None,
    }
}
