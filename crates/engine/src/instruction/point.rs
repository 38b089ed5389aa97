//! Places by coordinates: "from 100,100 to 300,200", "around (50%, 20%)", "to the centre".

use super::clause::Clause;
use super::quantity::{Quantity, Unit};
use super::token::Kind;
use crate::Place;
use crate::length::Length;
use crate::point::Point;

/// How far from an edge a place such as "left" is, in percent of the side.
const EDGE_PERCENT: f64 = 5.0;

impl Clause<'_> {
    /// Takes the coordinates, or the place with a name, after one of the words.
    pub(crate) fn point_after(&mut self, words: &[&str]) -> Option<Point> {
        let starts = self.open().filter(|at| words.contains(&self.word(*at)));
        let found = starts.filter_map(|at| {
            let mut from = at + 1;
            while ["the", "a", "point"].contains(&self.word(from)) {
                from += 1;
            }
            let (point, end) = self.coordinates(from).or_else(|| self.named(from))?;
            Some((at, point, end))
        });
        let (at, point, end) = found.into_iter().next()?;
        self.mark(at, end - at);
        Some(point)
    }

    /// Takes the coordinates after one of the words, not a place with a name.
    pub(crate) fn coordinates_after(&mut self, words: &[&str]) -> Option<Point> {
        let found = self.open().find_map(|at| {
            let (point, end) =
                words.contains(&self.word(at)).then(|| self.coordinates(at + 1))??;
            Some((at, point, end))
        });
        let (at, point, end) = found?;
        self.mark(at, end - at);
        Some(point)
    }

    /// Two numbers with a comma between them, perhaps in brackets, and the position after them.
    fn coordinates(&self, at: usize) -> Option<(Point, usize)> {
        let mark = |at: usize, wanted: char| matches!(self.kind(at), Some(Kind::Mark(mark)) if *mark == wanted);
        let bracket = mark(at, '(');
        let (x, comma) = self.measure_at(at + usize::from(bracket))?;
        if !mark(comma, ',') {
            return None;
        }
        let (y, end) = self.measure_at(comma + 1)?;
        if bracket && !mark(end, ')') {
            return None;
        }
        let point = Point { x: length(x)?, y: length(y)? };
        Some((point, end + usize::from(bracket)))
    }

    fn named(&self, at: usize) -> Option<(Point, usize)> {
        let (place, end) = self.place_at(at)?;
        Some((near(place), end))
    }
}

/// A place with a name, as a share of the picture, a little away from its edges.
fn near(place: Place) -> Point {
    let (column, row) = place.column_row();
    let share = |third: u32| match third {
        0 => Length::Percent(EDGE_PERCENT),
        1 => Length::Percent(50.0),
        _ => Length::Percent(100.0 - EDGE_PERCENT),
    };
    Point { x: share(column), y: share(row) }
}

fn length(quantity: Quantity) -> Option<Length> {
    match quantity {
        Quantity { signed: true, .. } => None,
        Quantity { value, unit: Unit::Percent, .. } => Some(Length::Percent(value)),
        Quantity { value, unit: Unit::Pixels | Unit::None, .. } => Some(Length::Pixels(value)),
        Quantity { .. } => None,
    }
}
