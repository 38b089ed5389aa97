//! The chart of credits used by day and model, with its numbers.

use std::collections::BTreeMap;

use retouch_core::Timestamp;
use retouch_store::DayOfModel;

use crate::words::number;

/// Days in the chart.
pub(super) const DAYS: i64 = 30;
/// Milliseconds in a day.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The size of the chart, in its own units.
const WIDTH: i64 = 600;
const HEIGHT: i64 = 120;
const GAP: i64 = 4;
/// Distinguishable tints; further models share the last one.
const TINTS: usize = 6;

/// A part of a day's bar.
pub(super) struct Segment {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) tint: usize,
    /// The tooltip.
    pub(super) words: String,
}

/// The totals of a model.
pub(super) struct ModelSum {
    pub(super) model: String,
    pub(super) tint: usize,
    pub(super) credits: i64,
    pub(super) edits: i64,
}

/// The totals of a day on which credits were used.
pub(super) struct DaySum {
    pub(super) day: String,
    pub(super) credits: i64,
    pub(super) edits: i64,
}

/// The chart and its numbers.
pub(super) struct Usage {
    pub(super) segments: Vec<Segment>,
    pub(super) models: Vec<ModelSum>,
    pub(super) days: Vec<DaySum>,
    pub(super) total: i64,
    /// The credits of the highest bar.
    pub(super) top: i64,
    pub(super) first: String,
    pub(super) last: String,
}

impl Usage {
    /// The chart of the days up to `now`.
    pub(super) fn of(rows: &[DayOfModel], now: Timestamp) -> Self {
        let today = now.0 / DAY_MS;
        let first = today - DAYS + 1;
        let models = models(rows);
        let days = days(rows);
        let top = days.values().map(|(credits, _)| *credits).max().unwrap_or(0);
        let mut stacked: BTreeMap<Timestamp, i64> = BTreeMap::new();
        let segments = rows.iter().map(|row| {
            let below = stacked.entry(row.day).or_default();
            let place = row.day.0 / DAY_MS - first;
            let segment = segment(row, &Position { day: place, below: *below, top }, &models);
            *below += row.credits;
            segment
        });
        Self {
            segments: segments.collect(),
            total: days.values().map(|(credits, _)| credits).sum(),
            days: days
                .into_iter()
                .rev()
                .map(|(day, (credits, edits))| DaySum { day: date(day), credits, edits })
                .collect(),
            models,
            top,
            first: date(Timestamp(first * DAY_MS)),
            last: date(Timestamp(today * DAY_MS)),
        }
    }
}

/// Where a segment is in the chart.
struct Position {
    /// The number of its day, from 0.
    day: i64,
    /// The credits of the segments below it.
    below: i64,
    /// The credits of the highest day.
    top: i64,
}

fn segment(row: &DayOfModel, position: &Position, models: &[ModelSum]) -> Segment {
    let Position { day, below, top } = *position;
    let step = WIDTH / DAYS;
    let scaled = |credits: i64| credits * HEIGHT / top.max(1);
    // Round both ends, not the height, so that the segments meet.
    let (from, to) = (scaled(below), scaled(below + row.credits));
    let tint = models.iter().find(|sum| sum.model == row.model).map_or(0, |sum| sum.tint);
    Segment {
        x: day * step,
        y: HEIGHT - to,
        width: step - GAP,
        height: (to - from).max(1),
        tint,
        words: format!("{}: {} credits with {}", date(row.day), number(row.credits), row.model),
    }
}

/// The models, most credits first, each with a tint.
fn models(rows: &[DayOfModel]) -> Vec<ModelSum> {
    let mut sums: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for row in rows {
        let (credits, edits) = sums.entry(&row.model).or_default();
        *credits += row.credits;
        *edits += row.edits;
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, (credits, _))| std::cmp::Reverse(*credits));
    let sums = sums.into_iter().enumerate();
    let sums = sums.map(|(place, (model, (credits, edits)))| ModelSum {
        model: model.to_owned(),
        tint: place.min(TINTS - 1),
        credits,
        edits,
    });
    sums.collect()
}

fn days(rows: &[DayOfModel]) -> BTreeMap<Timestamp, (i64, i64)> {
    let mut sums: BTreeMap<Timestamp, (i64, i64)> = BTreeMap::new();
    for row in rows {
        let (credits, edits) = sums.entry(row.day).or_default();
        *credits += row.credits;
        *edits += row.edits;
    }
    sums
}

/// The date of a moment, as `2026-11-20`.
fn date(at: Timestamp) -> String {
    at.to_string().chars().take("2026-11-20".len()).collect()
}
