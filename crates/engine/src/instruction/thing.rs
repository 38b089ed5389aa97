//! Things that have a colour and a measure: "a 2px black outline", "outlined in black".

use super::clause::Clause;
use super::quantity::Quantity;
use crate::Colour;

/// What is said about a thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thing {
    /// Its colour.
    pub(crate) colour: Option<Colour>,
    /// How wide or large it is.
    pub(crate) measure: Option<Quantity>,
}

impl Clause<'_> {
    /// Takes a thing with the colour and the number that stand directly before or after it.
    pub(crate) fn thing(&mut self, nouns: &[&str], adjectives: &[&str]) -> Option<Thing> {
        let (_, noun, length) = self.find(nouns)?;
        let mut thing = Thing { colour: None, measure: None };
        let start = self.before_thing(noun, adjectives, &mut thing);
        let end = self.after_thing(noun + length, &mut thing);
        self.mark(start, end - start);
        Some(thing)
    }

    fn before_thing(&self, noun: usize, adjectives: &[&str], thing: &mut Thing) -> usize {
        let mut start = noun;
        while let Some(before) = start.checked_sub(1) {
            if self.open_word(before).is_some_and(|word| adjectives.contains(&word)) {
                start = before;
            } else if let Some(from) = self.colour_ending(start).filter(|_| thing.colour.is_none())
            {
                thing.colour = self.colour_at(from).map(|(.., colour)| colour);
                start = from;
            } else if let Some((from, measure)) = self.measure_before(start)
                && thing.measure.is_none()
            {
                thing.measure = Some(measure);
                start = from;
            } else {
                break;
            }
        }
        start
    }

    fn after_thing(&self, after: usize, thing: &mut Thing) -> usize {
        let mut end = after;
        loop {
            let joined = ["of", "in", "colour", "is"].contains(&self.open_word(end).unwrap_or(""));
            let next = end + usize::from(joined);
            if let Some((measure, after)) =
                self.measure_at(next).filter(|_| thing.measure.is_none())
            {
                thing.measure = Some(measure);
                end = after;
            } else if joined
                && thing.colour.is_none()
                && let Some((at, length, colour)) =
                    self.colour_at(next).filter(|_| self.open_word(next).is_some())
            {
                thing.colour = Some(colour);
                end = at + length;
            } else {
                return end;
            }
        }
    }

    /// Where a colour begins that ends at a position.
    fn colour_ending(&self, end: usize) -> Option<usize> {
        let starts = (1..=4).rev().filter_map(|words| end.checked_sub(words));
        let mut starts = starts.filter(|start| self.open_word(*start).is_some());
        starts
            .find(|start| self.colour_at(*start).is_some_and(|(at, length, _)| at + length == end))
    }

    fn measure_before(&self, end: usize) -> Option<(usize, Quantity)> {
        let starts = [2, 1].into_iter().filter_map(|back| end.checked_sub(back));
        let mut found = starts.filter_map(|start| Some((start, self.measure_at(start)?)));
        let (start, (measure, _)) = found.find(|(_, (_, after))| *after == end)?;
        Some((start, measure))
    }
}
