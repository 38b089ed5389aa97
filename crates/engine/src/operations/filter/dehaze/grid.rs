//! A coarse image of one channel, with the filters that look at the squares around each one.

use rayon::prelude::*;

/// Values in rows from top to bottom.
#[derive(Clone)]
pub(super) struct Grid {
    pub(super) width: usize,
    pub(super) values: Vec<f32>,
}

impl Grid {
    /// A function of each value of two grids of the same size.
    pub(super) fn with(&self, other: &Self, each: impl Fn(f32, f32) -> f32) -> Self {
        let pairs = self.values.iter().zip(&other.values);
        Self { width: self.width, values: pairs.map(|(one, other)| each(*one, *other)).collect() }
    }

    /// The smallest value at most `radius` away, across and down.
    pub(super) fn smallest(self, radius: usize) -> Self {
        self.both_ways(|row, to| {
            for (at, to) in to.iter_mut().enumerate() {
                let near = row.get(window(at, radius, row.len())).unwrap_or_default();
                *to = near.iter().copied().fold(f32::INFINITY, f32::min);
            }
        })
    }

    /// The mean of the values at most `radius` away, across and down. Only those inside the grid count.
    pub(super) fn mean(self, radius: usize) -> Self {
        self.both_ways(|row, to| {
            let mut sums = Vec::with_capacity(row.len() + 1);
            let mut sum = 0.0_f64;
            sums.push(sum);
            sums.extend(row.iter().map(|value| {
                sum += f64::from(*value);
                sum
            }));
            for (at, to) in to.iter_mut().enumerate() {
                let near = window(at, radius, row.len());
                let [from, end] = [near.start, near.end].map(|at| sums.get(at).copied());
                *to = mean(end.unwrap_or(sum) - from.unwrap_or(0.0), near.len());
            }
        })
    }

    /// Filters all rows and then all columns.
    fn both_ways(self, filter: impl Fn(&[f32], &mut [f32]) + Sync) -> Self {
        self.rows(&filter).turned().rows(&filter).turned()
    }

    fn rows(self, filter: &(impl Fn(&[f32], &mut [f32]) + Sync)) -> Self {
        let mut values = vec![0.0; self.values.len()];
        let rows = self.values.par_chunks(self.width).zip(values.par_chunks_mut(self.width));
        rows.for_each(|(row, to)| filter(row, to));
        Self { width: self.width, values }
    }

    /// Rows as columns.
    fn turned(self) -> Self {
        let height = self.values.len() / self.width;
        let mut values = vec![0.0; self.values.len()];
        values.par_chunks_mut(height).enumerate().for_each(|(x, column)| {
            let from = self.values.iter().skip(x).step_by(self.width);
            column.iter_mut().zip(from).for_each(|(to, value)| *to = *value);
        });
        Self { width: height, values }
    }
}

/// The indexes at most `radius` away from one.
fn window(at: usize, radius: usize, length: usize) -> std::ops::Range<usize> {
    at.saturating_sub(radius)..(at + radius + 1).min(length)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a mean of at most a thousand small numbers"
)]
fn mean(sum: f64, count: usize) -> f32 {
    (sum / count as f64) as f32
}
