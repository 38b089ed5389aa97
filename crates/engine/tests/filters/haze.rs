//! Haze removal, against the published method in double precision.

use super::support::{at, close, edit, luma, noise, places};
use retouch_engine::Picture;

type Grid = Vec<Vec<f64>>;

/// A function of each square, by column and row.
fn grid(width: usize, height: usize, each: impl Fn(usize, usize) -> f64) -> Grid {
    (0..height).map(|y| (0..width).map(|x| each(x, y)).collect()).collect()
}

/// What is at most `radius` away, inside the grid.
fn near(grid: &Grid, radius: usize, (x, y): (usize, usize)) -> Vec<f64> {
    let rows = grid.iter().take(y + radius + 1).skip(y.saturating_sub(radius));
    rows.flat_map(|row| row.iter().take(x + radius + 1).skip(x.saturating_sub(radius)))
        .copied()
        .collect()
}

fn smallest(values: &Grid, radius: usize) -> Grid {
    let least = |place| near(values, radius, place).into_iter().fold(f64::INFINITY, f64::min);
    grid(values[0].len(), values.len(), |x, y| least((x, y)))
}

fn mean(values: &Grid, radius: usize) -> Grid {
    let mean = |place| {
        let near = near(values, radius, place);
        near.iter().sum::<f64>() / near.len() as f64
    };
    grid(values[0].len(), values.len(), |x, y| mean((x, y)))
}

/// The mean color of a square, from 0 to 1, for opaque pictures.
fn square(picture: &Picture, side: i64, (x, y): (usize, usize)) -> [f64; 3] {
    let (left, top) = (x as i64 * side, y as i64 * side);
    let right = (left + side).min(i64::from(picture.width()));
    let below = (top + side).min(i64::from(picture.height()));
    let pixels = (top..below).flat_map(|y| (left..right).map(move |x| (x, y)));
    let pixels: Vec<_> = pixels.map(|(x, y)| at(picture, x, y)).collect();
    [0, 1, 2].map(|channel| {
        pixels.iter().map(|pixel| pixel[channel]).sum::<f64>() / pixels.len() as f64 / 255.0
    })
}

/// What the published method makes of an opaque picture.
struct Reference {
    side: f64,
    air: [f64; 3],
    gain: Grid,
    base: Grid,
}

impl Reference {
    fn of(picture: &Picture, share: f64) -> Self {
        let side = picture.width().max(picture.height()).div_ceil(1024);
        let (width, height) = (picture.width().div_ceil(side), picture.height().div_ceil(side));
        let (width, height) = (width as usize, height as usize);
        let radius = ((width.max(height) as f64 * 0.0125).round() as usize).max(1);
        let color = |x, y| square(picture, i64::from(side), (x, y));
        let least = |[red, green, blue]: [f64; 3]| red.min(green).min(blue);
        let dark = smallest(&grid(width, height, |x, y| least(color(x, y))), radius);
        let mut levels: Vec<f64> = dark.iter().flatten().copied().collect();
        levels.sort_by(|one, other| other.total_cmp(one));
        let from = levels[(levels.len() / 1000).max(1) - 1];
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let bright: Vec<_> = places.filter(|(x, y)| dark[*y][*x] >= from).collect();
        let air = [0, 1, 2].map(|channel| {
            bright.iter().map(|(x, y)| color(*x, *y)[channel]).sum::<f64>() / bright.len() as f64
        });
        let hazy = grid(width, height, |x, y| {
            let color = color(x, y);
            least([0, 1, 2].map(|channel| color[channel] / air[channel])).min(1.0)
        });
        let hazy = smallest(&hazy, radius);
        let through = grid(width, height, |x, y| 1.0 - share * hazy[y][x]);
        let guide = grid(width, height, |x, y| {
            let [red, green, blue] = color(x, y);
            luma([red, green, blue, 0.0])
        });
        let product = |one: &Grid, other: &Grid| {
            mean(&grid(width, height, |x, y| one[y][x] * other[y][x]), 4 * radius)
        };
        let (products, squares) = (product(&guide, &through), product(&guide, &guide));
        let (guide, through) = (mean(&guide, 4 * radius), mean(&through, 4 * radius));
        let gain = grid(width, height, |x, y| {
            let mean = guide[y][x];
            (products[y][x] - mean * through[y][x]) / (squares[y][x] - mean * mean + 1e-3)
        });
        let base = grid(width, height, |x, y| through[y][x] - gain[y][x] * guide[y][x]);
        let (gain, base) = (mean(&gain, 4 * radius), mean(&base, 4 * radius));
        Self { side: f64::from(side), air, gain, base }
    }

    /// A value between the centers of squares.
    fn between(&self, grid: &Grid, (x, y): (i64, i64)) -> f64 {
        let place = |pixel: i64, last: usize| {
            let place = (pixel as f64 + 0.5) / self.side - 0.5;
            let place = place.clamp(0.0, last as f64);
            (place.floor() as usize, (place.floor() as usize + 1).min(last), place.fract())
        };
        let (left, right, across) = place(x, grid[0].len() - 1);
        let (top, below, down) = place(y, grid.len() - 1);
        let row = |y: usize| grid[y][left] * (1.0 - across) + grid[y][right] * across;
        row(top) * (1.0 - down) + row(below) * down
    }

    fn at(&self, picture: &Picture, place: (i64, i64)) -> [f64; 4] {
        let color = at(picture, place.0, place.1);
        let [gain, base] = [&self.gain, &self.base].map(|grid| self.between(grid, place));
        let through = (gain * luma(color) / 255.0 + base).clamp(0.1, 1.0);
        let clear = |channel: usize| {
            let air = self.air[channel] * 255.0;
            (color[channel] - air) / through + air
        };
        [clear(0), clear(1), clear(2), color[3]]
    }
}

/// Noise that becomes lighter and bluer towards the top, as haze does it.
fn hazy(width: u32, height: u32) -> Picture {
    let mut picture = noise(width, height, Some(255));
    for (at, pixel) in picture.pixels_mut().chunks_exact_mut(4).enumerate() {
        let through = 0.3 + 0.6 * (at as f64 / f64::from(width * height));
        for (value, air) in pixel.iter_mut().zip([200.0, 215.0, 235.0]) {
            *value = (f64::from(*value) * through + air * (1.0 - through)).round() as u8;
        }
    }
    picture
}

#[test]
fn haze_is_removed_by_the_dark_channel_prior() {
    for (width, height, percent) in
        [(90, 60, 60), (160, 31, 100), (7, 90, 30), (1, 1, 100), (1100, 9, 60)]
    {
        let picture = hazy(width, height);
        let result = edit(&format!("dehaze by {percent}%"), &picture);
        let reference = Reference::of(&picture, 0.95 * f64::from(percent) / 100.0);
        for place in places(&picture) {
            close(&result, place, reference.at(&picture, place), &format!("{width}x{height}"));
        }
    }
}

#[test]
fn without_haze_little_changes_and_with_it_the_contrast_grows() {
    let spread = |picture: &Picture| {
        let lumas: Vec<f64> = picture
            .pixels()
            .chunks(4)
            .map(|p| luma([0, 1, 2, 3].map(|at| f64::from(p[at]))))
            .collect();
        let mean = lumas.iter().sum::<f64>() / lumas.len() as f64;
        lumas.iter().map(|luma| (luma - mean).powi(2)).sum::<f64>() / lumas.len() as f64
    };
    let clear = noise(90, 60, Some(255));
    let veiled = hazy(90, 60);
    let [clear_after, veiled_after] = [&clear, &veiled]
        .map(|picture| spread(&edit("remove the haze", picture)) / spread(picture));
    assert!(clear_after < 1.1, "{clear_after}");
    assert!(veiled_after > 1.3, "{veiled_after}");
}

#[test]
fn what_is_clear_says_nothing_about_the_haze() {
    let mut one = hazy(50, 40);
    one.pixels_mut().chunks_exact_mut(4).step_by(3).for_each(|pixel| pixel.fill(0));
    let mut other = one.clone();
    other.pixels_mut().chunks_exact_mut(4).step_by(3).for_each(|pixel| pixel[..3].fill(255));
    let [one, other] = [one, other].map(|picture| edit("remove the haze", &picture));
    let pairs = one.pixels().chunks(4).zip(other.pixels().chunks(4));
    assert!(pairs.into_iter().all(|(one, other)| one[3] == 0 || one == other));
}
