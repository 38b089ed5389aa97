//! Numbers and images identified by a word next to them: "a blur of 20px", "the second picture".

use super::clause::Clause;
use super::quantity::Quantity;
use super::token::Kind;
use super::whole_pixels;

const PICTURES: &[&str] = &["picture", "image", "photo", "photograph", "pic", "input"];
const ORDINALS: &[&str] =
    &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

impl Clause<'_> {
    /// Takes one of the words and the number that belongs to it: "a blur of 20px", "blur: 20px", "a
    /// 20px blur".
    pub(crate) fn labeled(&mut self, labels: &[&str]) -> Option<Quantity> {
        let (_, at, length) = self.find(labels)?;
        let mut after = at + length;
        while ["of", "is", "by", "at", "to"].contains(&self.open_word(after).unwrap_or_default())
            || matches!(self.kind(after), Some(Kind::Mark(':' | '=')))
        {
            after += 1;
        }
        let is_number = |clause: &Self, at: usize| {
            clause.open_word(at).is_some() && clause.is_amount(at) && clause.kind(at).is_some()
        };
        if is_number(self, after) {
            self.mark(at, after - at);
            return self.quantity_at(after);
        }
        // A color between the number and the word has already been taken: "a 20px white gap".
        let gap = (0..at).rev().take_while(|before| self.open_word(*before).is_none()).count();
        let end = at - gap;
        let unit = end.checked_sub(1).filter(|before| self.is_unit(self.word(*before)));
        let number =
            unit.unwrap_or(end).checked_sub(1).filter(|before| is_number(self, *before))?;
        self.mark(at, length);
        self.quantity_at(number)
    }

    /// Takes the number of an image, counted from 1: "the second picture", "the first", "picture
    /// 2". "The other picture" is the second.
    pub(crate) fn picture(&mut self) -> Option<usize> {
        let is_picture = |word: &str| PICTURES.contains(&word);
        let found = self.open().find_map(|at| {
            let next = self.open_word(at + 1).unwrap_or_default();
            let word = self.word(at);
            if let Some(ordinal) = ORDINALS.iter().position(|ordinal| *ordinal == word) {
                // "the second one". Number words have already been converted to numbers.
                let one = self.tokens().get(at + 1).and_then(|token| token.number()) == Some(1.0);
                let bare = ordinal < 2 && at > 0 && self.word(at - 1) == "the";
                let length = if is_picture(next) || one { 2 } else { 1 };
                return (length == 2 || bare).then_some((at, length, ordinal + 1));
            }
            if word == "other" && is_picture(next) {
                return Some((at, 2, 2));
            }
            let number = self.tokens().get(at + 1)?.number().and_then(whole_pixels)?;
            let counts = is_picture(word) && self.open_word(at + 1).is_some();
            let bare = !self.is_unit(self.word(at + 2));
            (counts && bare).then_some((at, 2, usize::try_from(number).ok()?))
        });
        let (at, length, number) = found?;
        self.mark(at, length);
        Some(number)
    }

    /// Takes "two pictures".
    pub(crate) fn two_pictures(&mut self) -> bool {
        let found = self.counted(&["pictures", "images", "photos", "photographs"]);
        let at = found.filter(|(_, count)| *count == 2.0).map(|(at, _)| at);
        at.inspect(|at| self.mark(*at, 2)).is_some()
    }
}
