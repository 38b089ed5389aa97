//! The palette that suits an image, and which of its colors each cell of colors gets.

use rayon::prelude::*;

/// A color in levels.
pub(super) type Rgb = [f32; 3];

/// How often the colors move to the middle of what is nearest to them.
const ROUNDS: usize = 4;
/// How much the distance between the two colors of a mixture counts against it: far ones show as
/// dots.
const DOTS: f32 = 1.0 / 8.0;

/// A cell that has pixels, and their mean.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) pixels: u32,
    pub(super) mean: Rgb,
}

/// Two colors of a palette whose mixture imitates a color.
#[derive(Clone, Copy, Default)]
pub(super) struct Mixture {
    /// The number of the nearest color.
    pub(super) nearest: u8,
    /// The number of the other color.
    pub(super) other: u8,
    /// The share of the other color, from 0 to 1/2.
    pub(super) share: f32,
}

/// At most this number of colors for the cells, and fewer only if there are fewer cells.
pub(super) fn palette(cells: &[Cell], colors: usize) -> Vec<Rgb> {
    let mut grouped = cells.to_vec();
    let mut groups = vec![Group::of(&grouped, 0)];
    while groups.len() < colors {
        let Some(widest) = widest(&groups) else { break };
        let Some(group) = groups.get_mut(widest) else { break };
        let (start, length) = (group.start, group.length);
        let members = grouped.get_mut(start..start + length).unwrap_or_default();
        let below = group.split(members);
        if below == 0 || below == length {
            // They differ by less than can be computed with.
            group.error = 0.0;
            continue;
        }
        let (low, high) = members.split_at(below);
        *group = Group::of(low, start);
        groups.push(Group::of(high, start + below));
    }
    let mut palette: Vec<Rgb> = groups.iter().map(Group::color).collect();
    (0..ROUNDS).for_each(|_| move_to_means(cells, &mut palette));
    palette
}

/// Moves each color to the mean of the cells that are nearest to it.
fn move_to_means(cells: &[Cell], palette: &mut [Rgb]) {
    let mut sums = vec![[0.0_f64; 4]; palette.len()];
    let numbers: Vec<u8> = cells.par_iter().map(|cell| nearest(palette, cell.mean)).collect();
    // In order, because sums of fractions depend on it.
    for (cell, number) in cells.iter().zip(numbers) {
        if let Some([red, green, blue, pixels]) = sums.get_mut(usize::from(number)) {
            let weight = f64::from(cell.pixels);
            *red += weight * f64::from(cell.mean[0]);
            *green += weight * f64::from(cell.mean[1]);
            *blue += weight * f64::from(cell.mean[2]);
            *pixels += weight;
        }
    }
    for (color, [red, green, blue, pixels]) in palette.iter_mut().zip(sums) {
        if pixels > 0.0 {
            *color = [red, green, blue].map(|sum| (sum / pixels) as f32);
        }
    }
}

/// The nearest color for each cell and, with dithering, the best other one.
pub(super) fn mixtures(cells: &[Cell], palette: &[Rgb], dither: bool) -> Vec<Mixture> {
    let of = |cell: &Cell| {
        let nearest = nearest(palette, cell.mean);
        match palette.get(usize::from(nearest)) {
            Some(color) if dither => mixture(palette, cell.mean, nearest, *color),
            _ => Mixture { nearest, ..Mixture::default() },
        }
    };
    cells.par_iter().map(of).collect()
}

/// The number of the color of a palette that is nearest, or the first of several.
#[expect(clippy::cast_possible_truncation, reason = "a palette has at most 256 colors")]
fn nearest(palette: &[Rgb], color: Rgb) -> u8 {
    let mut best = (0, f32::INFINITY);
    for (number, entry) in palette.iter().enumerate() {
        let apart = minus(*entry, color);
        let distance = dot(apart, apart);
        if distance < best.1 {
            best = (number, distance);
        }
    }
    best.0 as u8
}

/// The mixture of the nearest color with another one that imitates a color best.
#[expect(clippy::cast_possible_truncation, reason = "a palette has at most 256 colors")]
fn mixture(palette: &[Rgb], color: Rgb, nearest: u8, entry: Rgb) -> Mixture {
    let off = minus(color, entry);
    let none = Mixture { nearest, other: nearest, share: 0.0 };
    let mut best = (none, f32::NEG_INFINITY);
    for (number, other) in palette.iter().enumerate() {
        let way = minus(*other, entry);
        let length = dot(way, way);
        // The part of the way to the other color that comes closest. It is at most half, because
        // the first color is nearer.
        let share = dot(off, way) / length.max(f32::MIN_POSITIVE);
        if share > 0.0 {
            // What is gained, in squared levels.
            let gain = length * share * (share - DOTS * (1.0 - share));
            if gain > best.1 {
                best = (Mixture { nearest, other: number as u8, share: share.min(0.5) }, gain);
            }
        }
    }
    best.0
}

fn minus([red, green, blue]: Rgb, other: Rgb) -> Rgb {
    [red - other[0], green - other[1], blue - other[2]]
}

fn dot([red, green, blue]: Rgb, other: Rgb) -> f32 {
    red * other[0] + green * other[1] + blue * other[2]
}

/// The group with the largest error, or the first of several. None if no group can be split.
fn widest(groups: &[Group]) -> Option<usize> {
    let mut best = None;
    let mut error = 0.0;
    for (at, group) in groups.iter().enumerate() {
        if group.error > error {
            (best, error) = (Some(at), group.error);
        }
    }
    best
}

/// Cells that share a color.
struct Group {
    start: usize,
    length: usize,
    mean: [f64; 3],
    /// The channel that varies most.
    channel: usize,
    /// The sum of the squared distances from the mean.
    error: f64,
}

impl Group {
    fn of(cells: &[Cell], start: usize) -> Self {
        let weight: f64 = cells.iter().map(|cell| f64::from(cell.pixels)).sum();
        let sum = |of: &dyn Fn(&Cell) -> f64| -> f64 {
            cells.iter().map(|cell| f64::from(cell.pixels) * of(cell)).sum()
        };
        let channels = [0, 1, 2];
        let mean = channels.map(|channel| sum(&|cell| f64::from(cell.mean[channel])) / weight);
        let errors = channels
            .map(|channel| sum(&|cell| (f64::from(cell.mean[channel]) - mean[channel]).powi(2)));
        let channel = channels
            .into_iter()
            .fold(0, |best, channel| if errors[channel] > errors[best] { channel } else { best });
        Self { start, length: cells.len(), mean, channel, error: errors.iter().sum() }
    }

    /// Moves the cells below the mean of the channel to the front, and returns their number.
    fn split(&self, cells: &mut [Cell]) -> usize {
        let mut below = 0;
        for at in 0..cells.len() {
            if f64::from(cells[at].mean[self.channel]) < self.mean[self.channel] {
                cells.swap(at, below);
                below += 1;
            }
        }
        below
    }

    #[expect(clippy::cast_possible_truncation, reason = "levels need few digits")]
    fn color(&self) -> Rgb {
        self.mean.map(|level| level as f32)
    }
}
