//! Bar charts of the last days, drawn on the server as SVG, with the numbers as a table.

use retouch_core::Timestamp;

use super::days::date;

/// The size of a chart, in its own units.
const WIDTH: i64 = 600;
const HEIGHT: i64 = 120;
/// The space between two days.
const GAP: i64 = 4;

/// The values of one day, one for each series. `None`: not known.
pub(super) struct Day {
    pub(super) day: Timestamp,
    pub(super) values: Vec<Option<i64>>,
}

/// What to draw.
pub(super) struct Drawing {
    pub(super) title: &'static str,
    /// The series, in the order of the values.
    pub(super) names: &'static [&'static str],
    /// The values as text.
    pub(super) show: fn(i64) -> String,
    /// Whether a day's values are parts of a whole, drawn on top of each other. They are then never
    /// negative.
    pub(super) is_stacked: bool,
}

/// A bar.
pub(super) struct Bar {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) tint: usize,
    /// The tooltip.
    pub(super) words: String,
}

/// A row of the table.
pub(super) struct Row {
    pub(super) day: String,
    pub(super) cells: Vec<String>,
}

/// A chart, and the table with its numbers.
pub(super) struct Chart {
    pub(super) title: &'static str,
    pub(super) names: &'static [&'static str],
    /// What it shows, in words.
    pub(super) summary: String,
    pub(super) bars: Vec<Bar>,
    /// The line at zero.
    pub(super) zero: i64,
    pub(super) first: String,
    pub(super) last: String,
    /// The highest value.
    pub(super) top: String,
    /// The newest day first.
    pub(super) rows: Vec<Row>,
}

/// The classes of the series: the two with the most contrast first.
const TINTS: [usize; 3] = [0, 2, 1];

/// The values at the ends of the vertical axis.
#[derive(Clone, Copy)]
struct Scale {
    most: i64,
    least: i64,
}

impl Scale {
    fn of(days: &[Day], is_stacked: bool) -> Self {
        let values = days.iter().map(|day| day.values.iter().copied().flatten());
        let (mut most, mut least) = (0, 0);
        for values in values {
            if is_stacked {
                most = most.max(values.sum());
            } else {
                for value in values {
                    (most, least) = (most.max(value), least.min(value));
                }
            }
        }
        Self { most, least }
    }

    fn y(self, value: i64) -> i64 {
        // The values are bytes or millionths of dollars, so multiply with room to spare.
        let range = i128::from((self.most - self.least).max(1));
        let y = i128::from(self.most - value) * i128::from(HEIGHT) / range;
        i64::try_from(y).unwrap_or(HEIGHT)
    }
}

impl Chart {
    /// The chart of `days`, oldest first.
    pub(super) fn of(drawing: &Drawing, days: &[Day]) -> Self {
        let scale = Scale::of(days, drawing.is_stacked);
        let step = WIDTH / i64::try_from(days.len().max(1)).unwrap_or(WIDTH);
        let places = (0..).map(|place| place * step).zip(days);
        let bars = places.flat_map(|(x, day)| bars(drawing, day, scale, [x, step - GAP]));
        let top = (drawing.show)(scale.most);
        let named = |place: usize| days.get(place).map_or_else(String::new, |day| date(day.day));
        let (first, last) = (named(0), named(days.len().saturating_sub(1)));
        let names = drawing.names.join(", ").to_lowercase();
        Self {
            title: drawing.title,
            names: drawing.names,
            summary: format!("By day from {first} to {last}: {names}. Highest value: {top}"),
            bars: bars.collect(),
            zero: scale.y(0),
            first,
            last,
            top,
            rows: days.iter().rev().map(|day| row(drawing, day)).collect(),
        }
    }

    /// The class of the series at `place`.
    pub(super) fn tint(place: &usize) -> usize {
        TINTS.get(*place).copied().unwrap_or(0)
    }
}

fn row(drawing: &Drawing, day: &Day) -> Row {
    let cell = |value: &Option<i64>| value.map_or_else(|| "–".to_owned(), drawing.show);
    Row { day: date(day.day), cells: day.values.iter().map(cell).collect() }
}

/// The bars of a day, at `x` with this width for all of them.
fn bars(drawing: &Drawing, day: &Day, scale: Scale, [x, width]: [i64; 2]) -> Vec<Bar> {
    let count = i64::try_from(drawing.names.len().max(1)).unwrap_or(1);
    let own_width = if drawing.is_stacked { width } else { (width / count).max(1) };
    let mut below = 0;
    let mut bars = Vec::new();
    let series = drawing.names.iter().zip(&day.values).enumerate();
    for ((place, (name, value)), number) in series.zip(0..) {
        let Some(value) = value.filter(|value| *value != 0) else { continue };
        let from = if drawing.is_stacked { below } else { 0 };
        below += value;
        let (one, other) = (scale.y(from), scale.y(from + value));
        bars.push(Bar {
            x: if drawing.is_stacked { x } else { x + number * own_width },
            y: one.min(other),
            width: own_width,
            // Even a small value is seen.
            height: (one - other).abs().max(1),
            tint: Chart::tint(&place),
            words: format!("{}, {name}: {}", date(day.day), (drawing.show)(value)),
        });
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 24 * 3_600_000;

    fn drawn(is_stacked: bool, values: &[[i64; 2]]) -> Chart {
        let names = &["Cost", "Margin"];
        let drawing = Drawing { title: "Money", names, show: |it| it.to_string(), is_stacked };
        let days = values.iter().zip(0..).map(|(values, day)| Day {
            day: Timestamp(day * DAY_MS),
            values: values.iter().copied().map(Some).collect(),
        });
        Chart::of(&drawing, &days.collect::<Vec<_>>())
    }

    #[test]
    fn a_loss_is_drawn_below_the_line_at_zero() {
        let chart = drawn(false, &[[100, 200], [100, -100]]);
        assert_eq!((chart.zero, chart.top.as_str()), (80, "200"));
        let tops: Vec<_> = chart.bars.iter().map(|bar| (bar.y, bar.height)).collect();
        assert_eq!(tops, [(40, 40), (0, 80), (40, 40), (80, 40)]);
        assert_eq!(chart.rows[0].cells, ["100", "-100"], "the newest day comes first");
    }

    #[test]
    fn parts_of_a_whole_are_on_top_of_each_other() {
        let chart = drawn(true, &[[3, 1], [0, 0]]);
        let bars: Vec<_> = chart.bars.iter().map(|bar| (bar.x, bar.y, bar.height)).collect();
        assert_eq!(bars, [(0, 30, 90), (0, 0, 30)]);
    }

    #[test]
    fn nothing_at_all_can_be_drawn() {
        assert!(drawn(false, &[[0, 0]]).bars.is_empty());
    }
}
