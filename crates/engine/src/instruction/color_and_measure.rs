//! Things that have a color and a measure: "a 2px black outline", "outlined in black".

use super::clause::Clause;
use super::quantity::Quantity;
use crate::Color;

/// The properties of a thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thing {
    /// Its color.
    pub(crate) color: Option<Color>,
    /// How wide or large it is.
    pub(crate) measure: Option<Quantity>,
}

impl Clause<'_> {
    /// Takes a thing with the color and the number directly before or after it.
    pub(crate) fn thing(&mut self, nouns: &[&str], adjectives: &[&str]) -> Option<Thing> {
        let (_, noun, length) = self.find(nouns)?;
        let mut thing = Thing { color: None, measure: None };
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
            } else if let Some(from) = self.color_ending(start).filter(|_| thing.color.is_none()) {
                thing.color = self.color_at(from).map(|(.., color)| color);
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
            let joined = ["of", "in", "color", "is"].contains(&self.open_word(end).unwrap_or(""));
            let next = end + usize::from(joined);
            if let Some((measure, after)) =
                self.measure_at(next).filter(|_| thing.measure.is_none())
            {
                thing.measure = Some(measure);
                end = after;
            } else if joined
                && thing.color.is_none()
                && let Some((at, length, color)) =
                    self.color_at(next).filter(|_| self.open_word(next).is_some())
            {
                thing.color = Some(color);
                end = at + length;
            } else {
                return end;
            }
        }
    }

    /// The start of the color that ends at a position.
    fn color_ending(&self, end: usize) -> Option<usize> {
        let starts = (1..=4).rev().filter_map(|words| end.checked_sub(words));
        let mut starts = starts.filter(|start| self.open_word(*start).is_some());
        starts.find(|start| self.color_at(*start).is_some_and(|(at, length, _)| at + length == end))
    }

    fn measure_before(&self, end: usize) -> Option<(usize, Quantity)> {
        let starts = [2, 1].into_iter().filter_map(|back| end.checked_sub(back));
        let mut found = starts.filter_map(|start| Some((start, self.measure_at(start)?)));
        let (start, (measure, _)) = found.find(|(_, (_, after))| *after == end)?;
        Some((start, measure))
    }
}
