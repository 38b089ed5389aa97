//! Places by coordinates: "50,80", "(50%, 20%)", "x 50 y 80", "to the center".

use super::clause::Clause;
use super::quantity::{Quantity, Unit};
use super::token::Kind;
use crate::Place;
use crate::coordinates::Coordinates;
use crate::length::Length;

/// How far from an edge a place such as "left" is, in percent of the side.
const EDGE_PERCENT: f64 = 5.0;

impl Clause<'_> {
    /// Takes the first coordinates that are whole numbers of pixels.
    pub(crate) fn pixel_coordinates(&mut self) -> Option<(f64, f64)> {
        let (start, pixels, end) = self.open().find_map(|at| {
            let (found, end) = self.coordinates_at(at)?;
            Some((at, found.in_pixels()?, end))
        })?;
        self.mark(start, end - start);
        Some(pixels)
    }

    /// Takes the coordinates, or the place with a name, after one of the words.
    pub(crate) fn place_after(&mut self, words: &[&str]) -> Option<Coordinates> {
        self.found_after(words, |clause, at| {
            let mut from = at;
            while ["the", "a", "point"].contains(&clause.word(from)) {
                from += 1;
            }
            clause.coordinates_at(from).or_else(|| clause.named(from))
        })
    }

    /// Takes the coordinates after one of the words, not a place with a name.
    pub(crate) fn coordinates_after(&mut self, words: &[&str]) -> Option<Coordinates> {
        self.found_after(words, Self::coordinates_at)
    }

    fn found_after(
        &mut self,
        words: &[&str],
        read: impl Fn(&Self, usize) -> Option<(Coordinates, usize)>,
    ) -> Option<Coordinates> {
        let (at, found, end) = self.open().find_map(|at| {
            let (found, end) = words.contains(&self.word(at)).then(|| read(self, at + 1))??;
            Some((at, found, end))
        })?;
        self.mark(at, end - at);
        Some(found)
    }

    /// Coordinates in open words from a position on, and the position after them: two lengths with
    /// a comma between them or with the names of both axes, perhaps in brackets.
    pub(super) fn coordinates_at(&self, start: usize) -> Option<(Coordinates, usize)> {
        let mut at = start;
        let bracket = self.passes_mark(&mut at, '(');
        let named = self.passes_axis(&mut at, "x");
        let x = self.passes_length(&mut at)?;
        let comma = self.passes_mark(&mut at, ',');
        if named && !comma && self.open_word(at) == Some("and") {
            at += 1;
        }
        // Two bare numbers need a comma between them.
        if !(self.passes_axis(&mut at, "y") && named || comma) {
            return None;
        }
        let y = self.passes_length(&mut at)?;
        if bracket && !self.passes_mark(&mut at, ')') {
            return None;
        }
        Some((Coordinates { x, y }, at))
    }

    fn passes_mark(&self, at: &mut usize, mark: char) -> bool {
        let stands = self.is_open(*at) && self.kind(*at) == Some(&Kind::Mark(mark));
        *at += usize::from(stands);
        stands
    }

    fn passes_axis(&self, at: &mut usize, axis: &str) -> bool {
        if self.open_word(*at) != Some(axis) {
            return false;
        }
        *at += 1;
        let _ = self.passes_mark(at, '=') || self.passes_mark(at, ':');
        if self.open_word(*at) == Some(":") {
            *at += 1;
        }
        true
    }

    fn passes_length(&self, at: &mut usize) -> Option<Length> {
        let (said, end) = self.measure_at(*at)?;
        let length = match said {
            Quantity { signed: true, .. } => return None,
            Quantity { value, unit: Unit::Percent, .. } => Length::Percent(value),
            Quantity { value, unit: Unit::Pixels | Unit::None, .. } => Length::Pixels(value),
            Quantity { .. } => return None,
        };
        *at = end;
        Some(length)
    }

    fn named(&self, at: usize) -> Option<(Coordinates, usize)> {
        let (place, end) = self.place_at(at)?;
        Some((near(place), end))
    }
}

/// A place with a name, as a share of the picture, a little away from its edges.
fn near(place: Place) -> Coordinates {
    let (column, row) = place.column_row();
    let share = |third: u32| match third {
        0 => Length::Percent(EDGE_PERCENT),
        1 => Length::Percent(50.0),
        _ => Length::Percent(100.0 - EDGE_PERCENT),
    };
    Coordinates { x: share(column), y: share(row) }
}
