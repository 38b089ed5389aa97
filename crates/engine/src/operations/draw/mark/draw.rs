//! Draws a mark by computing in double precision how much of each pixel it covers.

use super::{Form, Mark};
use crate::kernels::canvas::over_pixel;
use crate::{Picture, Sample};

/// The length of an arrowhead in widths of the line, and its minimum in pixels.
const HEAD: (f64, f64) = (4.0, 8.0);

/// Draws the mark over the image.
pub(super) fn draw<S: Sample>(step: &Mark, picture: &mut Picture<S>) {
    let size = picture.size();
    let shorter = size.0.min(size.1);
    let line = step.line.map(|line| line.exact_px(shorter).max(0.5));
    let pixels = |(x, y)| Spot { x, y };
    let ends = |from: crate::Coordinates, to: crate::Coordinates| {
        (pixels(from.px(size)), pixels(to.px(size)))
    };
    let figure = match step.form {
        Form::Line { from, to } => Figure::line(ends(from, to), line.unwrap_or(1.0)),
        Form::Arrow { from, to } => Figure::arrow(ends(from, to), line.unwrap_or(1.0)),
        Form::Box { from, to } => Figure::in_box(ends(from, to), line, false),
        Form::Placed { width, height, place } => {
            let (column, row) = place.column_row();
            let along = |third: u32, side: u32, length: crate::Length| {
                let length = length.exact_px(side).min(f64::from(side));
                let start = (f64::from(side) - length) * f64::from(third) / 2.0;
                (start, start + length)
            };
            let (left, right) = along(column, size.0, width);
            let (top, bottom) = along(row, size.1, height);
            let corners = (Spot { x: left, y: top }, Spot { x: right, y: bottom });
            Figure::in_box(corners, line, false)
        }
        Form::Ellipse { from, to } => Figure::in_box(ends(from, to), line, true),
        Form::Circle { center, radius } => {
            let (center, radius) = (pixels(center.px(size)), radius.exact_px(shorter));
            let corner = |by: f64| Spot { x: center.x + by, y: center.y + by };
            Figure::in_box((corner(-radius), corner(radius)), line, true)
        }
    };
    let [red, green, blue, alpha] = step.color.rgba.map(S::of);
    let strength = f64::from(alpha.level()) * step.opacity_percent / 100.0;
    let (first, last) = (figure.least.y - 1.0, figure.most.y + 1.0);
    picture.each_row(|y, row| {
        let y = y as f64 + 0.5;
        if y < first || y > last {
            return;
        }
        let skipped = (figure.least.x - 1.0).max(0.0) as usize;
        for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate().skip(skipped) {
            let spot = Spot { x: x as f64 + 0.5, y };
            if spot.x > figure.most.x + 1.0 {
                return;
            }
            let alpha = S::rounded_double(figure.share(spot) * strength);
            if alpha > S::default() {
                *pixel = over_pixel([red, green, blue, alpha], *pixel);
            }
        }
    });
}

#[derive(Clone, Copy)]
struct Spot {
    x: f64,
    y: f64,
}

impl Spot {
    fn less(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

enum Shape {
    /// The two ends, and half the width of the line.
    Line(Spot, Spot, f64),
    /// The shaft as a line, and the corners of the head.
    Arrow(Spot, Spot, f64, [Spot; 3]),
    /// A box, which is the bounding box of the figure.
    Box,
    /// The ellipse inside the bounding box of the figure.
    Ellipse,
}

/// A shape and its bounding box.
struct Figure {
    shape: Shape,
    least: Spot,
    most: Spot,
    /// The line width of a box or an ellipse, or `None` if it is filled.
    line: Option<f64>,
}

impl Figure {
    fn line((from, to): (Spot, Spot), width: f64) -> Self {
        Self::around(Shape::Line(from, to, width / 2.0), &[from, to], width / 2.0)
    }

    fn arrow((from, to): (Spot, Spot), width: f64) -> Self {
        let along = to.less(from);
        let length = along.dot(along).sqrt();
        if length == 0.0 {
            return Self::line((from, to), width);
        }
        let head = (HEAD.0 * width).max(HEAD.1).min(length);
        let forward = Spot { x: along.x / length, y: along.y / length };
        let base = Spot { x: to.x - forward.x * head, y: to.y - forward.y * head };
        let side = |by: f64| Spot { x: base.x - forward.y * by, y: base.y + forward.x * by };
        let corners = [to, side(head / 2.0), side(-head / 2.0)];
        let all = [from, to, corners[1], corners[2]];
        Self::around(Shape::Arrow(from, base, width / 2.0, corners), &all, width / 2.0)
    }

    fn in_box((one, other): (Spot, Spot), line: Option<f64>, round: bool) -> Self {
        let shape = if round { Shape::Ellipse } else { Shape::Box };
        Self { line, ..Self::around(shape, &[one, other], 0.0) }
    }

    fn around(shape: Shape, spots: &[Spot], room: f64) -> Self {
        let pick = |pick: fn(f64, f64) -> f64, start: f64| Spot {
            x: spots.iter().map(|spot| spot.x).fold(start, pick),
            y: spots.iter().map(|spot| spot.y).fold(start, pick),
        };
        let (least, most) = (pick(f64::min, f64::INFINITY), pick(f64::max, f64::NEG_INFINITY));
        Self {
            shape,
            least: Spot { x: least.x - room, y: least.y - room },
            most: Spot { x: most.x + room, y: most.y + room },
            line: None,
        }
    }

    /// How much of the pixel around a position is covered, from 0 to 1.
    fn share(&self, spot: Spot) -> f64 {
        match &self.shape {
            Shape::Line(from, to, half) => edge(to_line(spot, (*from, *to)) - half),
            Shape::Arrow(from, base, half, corners) => {
                let shaft = to_line(spot, (*from, *base)) - half;
                edge(shaft.min(to_triangle(spot, corners)))
            }
            Shape::Box => {
                let inner = self.line.map_or(0.0, |line| self.box_share(spot, line));
                self.box_share(spot, 0.0) - inner
            }
            Shape::Ellipse => {
                let inner = self.line.map_or(0.0, |line| self.ellipse_share(spot, line));
                self.ellipse_share(spot, 0.0) - inner
            }
        }
    }

    /// How much of a pixel is in the box after each of its sides has moved inward by `by` pixels.
    fn box_share(&self, spot: Spot, by: f64) -> f64 {
        let along = |at: f64, least: f64, most: f64| {
            ((at + 0.5).min(most - by) - (at - 0.5).max(least + by)).clamp(0.0, 1.0)
        };
        along(spot.x, self.least.x, self.most.x) * along(spot.y, self.least.y, self.most.y)
    }

    fn ellipse_share(&self, spot: Spot, by: f64) -> f64 {
        let across = (self.most.x - self.least.x) / 2.0 - by;
        let down = (self.most.y - self.least.y) / 2.0 - by;
        if across <= 0.0 || down <= 0.0 {
            return 0.0;
        }
        let x = spot.x - f64::midpoint(self.least.x, self.most.x);
        let y = spot.y - f64::midpoint(self.least.y, self.most.y);
        if across == down {
            return edge((x * x + y * y).sqrt() - across);
        }
        let (u, v) = (x / across, y / down);
        let reach = (u * u + v * v).sqrt();
        let slope = ((u / across).powi(2) + (v / down).powi(2)).sqrt();
        if slope == 0.0 { 1.0 } else { edge(reach * (reach - 1.0) / slope) }
    }
}

/// How much of a pixel is covered at a distance from an edge in pixels. Inside, the distance is
/// negative.
fn edge(distance: f64) -> f64 {
    (0.5 - distance).clamp(0.0, 1.0)
}

/// The distance from the line between two points.
fn to_line(spot: Spot, (from, to): (Spot, Spot)) -> f64 {
    let (along, away) = (to.less(from), spot.less(from));
    let length = along.dot(along);
    let share = if length == 0.0 { 0.0 } else { (away.dot(along) / length).clamp(0.0, 1.0) };
    let apart = Spot { x: away.x - along.x * share, y: away.y - along.y * share };
    apart.dot(apart).sqrt()
}

/// The distance from the edges of a triangle, which is negative inside.
fn to_triangle(spot: Spot, [a, b, c]: &[Spot; 3]) -> f64 {
    let sides = [(*a, *b), (*b, *c), (*c, *a)];
    let distance = sides.iter().map(|side| to_line(spot, *side)).fold(f64::INFINITY, f64::min);
    let side = |(from, to): &(Spot, Spot)| {
        let (along, away) = (to.less(*from), spot.less(*from));
        along.x * away.y - along.y * away.x
    };
    let turns: Vec<f64> = sides.iter().map(side).collect();
    let inside = turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0);
    if inside { -distance } else { distance }
}
