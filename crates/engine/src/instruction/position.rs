//! Positions in pixels: "50,80", "(50, 80)", "x 50 y 80".

use super::clause::Clause;
use super::token::Kind;
use super::words;

impl Clause<'_> {
    /// Takes the first position in pixels from the left and the top.
    pub(crate) fn point(&mut self) -> Option<(f64, f64)> {
        let (start, end, point) = self.open().find_map(|at| self.point_at(at))?;
        self.mark(start, end - start);
        Some(point)
    }

    fn point_at(&self, start: usize) -> Option<(usize, usize, (f64, f64))> {
        let mut at = start;
        let bracket = self.passes_mark(&mut at, '(');
        let named = self.passes_axis(&mut at, "x");
        let x = self.passes_number(&mut at)?;
        let comma = self.passes_mark(&mut at, ',');
        if named && !comma && self.open_word(at) == Some("and") {
            at += 1;
        }
        // "x 50 y 80" names both axes; two bare numbers need a comma between them.
        if !(if named { self.passes_axis(&mut at, "y") } else { comma }) {
            return None;
        }
        let y = self.passes_number(&mut at)?;
        if bracket && !self.passes_mark(&mut at, ')') {
            return None;
        }
        Some((start, at, (x, y)))
    }

    fn passes_mark(&self, at: &mut usize, mark: char) -> bool {
        let stands = self.open_word(*at).is_some() && self.kind(*at) == Some(&Kind::Mark(mark));
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

    fn passes_number(&self, at: &mut usize) -> Option<f64> {
        let value = match self.kind(*at)? {
            Kind::Number { value, signed: false } => *value,
            _ => return None,
        };
        self.open_word(*at)?;
        *at += 1;
        if self.open_word(*at).is_some_and(|word| words::PIXELS.contains(&word)) {
            *at += 1;
        }
        Some(value)
    }
}
