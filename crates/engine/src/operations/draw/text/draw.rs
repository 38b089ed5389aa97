//! Places a text: finds the size at which it fits, stacks the box, the shadow, the outline and the
//! letters, and draws them over the image.

use super::layout::{Block, Letters, block, turned};
use super::mask::Area;
use super::transform::{inverse, then};
use super::{Lines, Mask, Text, fonts};
use crate::kernels::Size;
use crate::kernels::canvas::over_pixel;
use crate::length::Length;
use crate::{Color, ExecuteError, Picture, Place, Sample};
use cosmic_text::FontSystem;
use zeno::{Command, Point, Transform};

/// The default margin around a text, in percent of the shorter side.
pub(super) const MARGIN: Length = Length::Percent(4.0);
/// The smallest size that a text is reduced to, in pixels.
const SMALLEST_PX: f32 = 4.0;
/// The space between a text and the edges of its box, as a fraction of the font size.
const ROOM: f32 = 0.3;
/// The offset of the shadow and the standard deviation of its blur, as fractions of the font size.
const SHADOW: (f32, f32) = (0.06, 0.05);

/// The bytes for drawing a text: the parsed fonts, and the layer and the masks for each pixel.
pub(crate) fn scratch_bytes(input: Size) -> u64 {
    const FONTS_BYTES: u64 = 16 << 20;
    const PIXEL_BYTES: u64 = 16;
    FONTS_BYTES + (u64::from(input.0) + 64) * (u64::from(input.1) + 64) * PIXEL_BYTES
}

/// Draws a text over an image. Warns if it had to be made smaller or is cut off.
pub(super) fn draw<S: Sample>(
    step: &Text,
    picture: &mut Picture<S>,
    warnings: &mut Vec<String>,
) -> Result<(), ExecuteError> {
    let mut fonts = fonts();
    let fitted = Fitted::new(step, &mut fonts, picture.size())?;
    if fitted.cut {
        warnings.push("the text is larger than the image and is cut off".to_owned());
    } else if fitted.size_px < fitted.wanted_px {
        let (drawn, wanted) = (fitted.size_px.round(), fitted.wanted_px.round());
        warnings.push(format!(
            "the text size is {drawn}px instead of {wanted}px so that the text fits"
        ));
    }
    let mut layer = Layer::new(picture.size())?;
    let (turn, place) = fitted.place(step, picture.size());
    let placed = |path: &[Command]| -> Vec<Command> {
        path.iter().map(|command| command.transform(&turn).transform(&place)).collect()
    };
    let area = Area { size: picture.size(), beyond_px: 0 };
    let letters = placed(&fitted.block.path);
    if let Some(color) = step.ground {
        layer.lay(&Mask::filled(&placed(&fitted.ground()), area), color);
    }
    if let Some(color) = step.shadow {
        let by_px = (fitted.size_px * SHADOW.0).round().max(1.0) as i32;
        let sigma_px = f64::from(fitted.size_px * SHADOW.1).max(0.5);
        let beyond_px = by_px + Mask::softening_px(sigma_px);
        let mask = Mask::filled(&letters, Area { beyond_px, ..area });
        layer.lay(&mask.softened(sigma_px, by_px), color);
    }
    if let Some(outline) = step.outline {
        let em = fitted.size_px.round().max(1.0) as u32;
        let width = outline.width.exact_px(em) as f32;
        layer.lay(&Mask::stroked(&letters, 2.0 * width, area), outline.color);
    }
    layer.lay(&Mask::filled(&letters, area), step.color);
    for stamp in &fitted.block.stamps {
        if let Some((emoji, within)) = stamp.picture(&mut fonts)? {
            layer.stamp(&emoji, &then(&then(&within, &turn), &place));
        }
    }
    layer.over(picture, step.opacity_percent);
    Ok(())
}

/// A text shaped at a size at which it fits.
struct Fitted {
    block: Block,
    size_px: f32,
    wanted_px: f32,
    margin: f32,
    /// Whether the text is too large even at the smallest size.
    cut: bool,
}

impl Fitted {
    fn new(step: &Text, fonts: &mut FontSystem, size: Size) -> Result<Self, ExecuteError> {
        let wanted_px = (step.size.exact_px(size.1) as f32).clamp(1.0, 2000.0);
        let margin = step.margin.unwrap_or(MARGIN).exact_px(size.0.min(size.1)).round() as f32;
        let mut fitted = |size_px: f32| shaped(step, (fonts, size), (size_px, margin));
        let (block, fits) = fitted(wanted_px)?;
        let (mut low, mut high) = (SMALLEST_PX.min(wanted_px), wanted_px);
        let mut best = (block, wanted_px);
        if !fits {
            let (smallest, fits) = fitted(low)?;
            best = (smallest, low);
            if !fits {
                return Ok(Self { block: best.0, size_px: low, wanted_px, margin, cut: true });
            }
            while high - low > (low / 50.0).max(0.25) {
                let middle = f32::midpoint(low, high);
                let (block, fits) = fitted(middle)?;
                if fits {
                    (low, best) = (middle, (block, middle));
                } else {
                    high = middle;
                }
            }
        }
        Ok(Self { block: best.0, size_px: best.1, wanted_px, margin, cut: false })
    }

    /// The box behind the text, relative to the block.
    fn ground(&self) -> Vec<Command> {
        let room = self.size_px * ROOM;
        let (right, bottom) = (self.block.width + room, self.block.height + room);
        vec![
            Command::MoveTo(Point::new(-room, -room)),
            Command::LineTo(Point::new(right, -room)),
            Command::LineTo(Point::new(right, bottom)),
            Command::LineTo(Point::new(-room, bottom)),
            Command::Close,
        ]
    }

    /// The transform that rotates the block, and the one that moves it to its place in the image.
    fn place(&self, step: &Text, size: Size) -> (Transform, Transform) {
        let (turn, outer) = turned((self.block.width, self.block.height), step.degrees);
        let room = if step.ground.is_some() { self.size_px * ROOM } else { 0.0 };
        let (column, row) = step.place.column_row();
        let start = |third: u32, side: u32, inner: f32| {
            let side = side as f32;
            match third {
                0 => self.margin + room,
                1 => (side - inner) / 2.0,
                _ => side - self.margin - room - inner,
            }
        };
        let (left, top) = match step.at {
            Some(point) => {
                let (x, y) = point.px(size);
                (x as f32 + room, y as f32 + room)
            }
            None => (start(column, size.0, outer.0).round(), start(row, size.1, outer.1).round()),
        };
        (turn, Transform::translation(left, top))
    }
}

/// Shapes a text at a size. Also returns whether it fits inside the margins.
fn shaped(
    step: &Text,
    (fonts, size): (&mut FontSystem, Size),
    (size_px, margin): (f32, f32),
) -> Result<(Block, bool), ExecuteError> {
    let room = if step.ground.is_some() { size_px * ROOM } else { 0.0 };
    let free = |side: u32, start: f32| (side as f32 - start - margin - 2.0 * room).max(1.0);
    let start = step.at.map_or((margin, margin), |point| {
        let (x, y) = point.px(size);
        (x as f32, y as f32)
    });
    let (width, height) = (free(size.0, start.0), free(size.1, start.1));
    let letters = Letters {
        text: &step.text,
        size_px,
        face: step.face,
        bold: step.bold,
        italic: step.italic,
        lines: step.lines.unwrap_or_else(|| usual_lines(step)),
        wrap_px: (step.degrees == 0.0).then_some(width),
    };
    let block = block(fonts, &letters)?;
    let (_, outer) = turned((block.width, block.height), step.degrees);
    let fits = outer.0 <= width + 0.5 && outer.1 <= height + 0.5;
    Ok((block, fits))
}

fn usual_lines(step: &Text) -> Lines {
    match step.place {
        _ if step.at.is_some() => Lines::Left,
        Place::TopLeft | Place::Left | Place::BottomLeft => Lines::Left,
        Place::Top | Place::Center | Place::Bottom => Lines::Middle,
        Place::TopRight | Place::Right | Place::BottomRight => Lines::Right,
    }
}

/// Everything that is drawn over an image together, with one opacity.
pub(crate) struct Layer {
    picture: Picture,
    /// The first row with content, and the row after the last one.
    rows: (usize, usize),
}

impl Layer {
    pub(crate) fn new(size: Size) -> Result<Self, ExecuteError> {
        Ok(Self { picture: Picture::new(size.0, size.1)?, rows: (size.1 as usize, 0) })
    }

    /// Draws a color over the layer through a mask.
    pub(crate) fn lay(&mut self, mask: &Mask, color: Color) {
        let row_samples = self.picture.row_samples();
        let [red, green, blue, alpha] = color.rgba;
        let skipped = usize::try_from(-mask.left).unwrap_or(0);
        let left = usize::try_from(mask.left).unwrap_or(0);
        let top = usize::try_from(mask.top).unwrap_or(0);
        self.rows = (self.rows.0.min(top), self.rows.1.max(top + mask.height()));
        let rows = self.picture.pixels_mut().chunks_exact_mut(row_samples).skip(top);
        for (y, row) in (mask.top.max(0)..).zip(rows).take(mask.height()) {
            let shares = mask.row(y).iter().skip(skipped);
            let pixels = row.as_chunks_mut::<4>().0.iter_mut().skip(left);
            for (pixel, share) in pixels.zip(shares).filter(|(_, share)| **share > 0) {
                let alpha = (u32::from(alpha) * u32::from(*share) + 127) / 255;
                let upper = [red, green, blue, u8::try_from(alpha).unwrap_or(255)];
                *pixel = over_pixel(upper, *pixel);
            }
        }
    }

    /// Draws an image over the layer. `place` maps its pixels to those of the layer.
    pub(crate) fn stamp(&mut self, picture: &Picture, place: &Transform) {
        let Some(back) = inverse(place) else { return };
        let (width, height) = (picture.width() as f32, picture.height() as f32);
        let corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
            .map(|corner| place.transform_point(Point::from(corner)));
        let span = |at: fn(&Point) -> f32, side: u32| {
            let first = corners.iter().map(at).fold(f32::MAX, f32::min).floor();
            let end = corners.iter().map(at).fold(f32::MIN, f32::max).ceil();
            first.clamp(0.0, side as f32) as u32..end.clamp(0.0, side as f32) as u32
        };
        let (across, down) =
            (span(|at| at.x, self.picture.width()), span(|at| at.y, self.picture.height()));
        if across.is_empty() || down.is_empty() {
            return;
        }
        self.rows = (self.rows.0.min(down.start as usize), self.rows.1.max(down.end as usize));
        let row_samples = self.picture.row_samples();
        let rows = self.picture.pixels_mut().chunks_exact_mut(row_samples);
        for (y, row) in down.clone().zip(rows.skip(down.start as usize)) {
            let pixels = row.as_chunks_mut::<4>().0.iter_mut().skip(across.start as usize);
            for (x, pixel) in across.clone().zip(pixels) {
                let at = back.transform_point(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                *pixel = over_pixel(between(picture, (at.x - 0.5, at.y - 0.5)), *pixel);
            }
        }
    }

    /// Draws the layer over an image.
    pub(crate) fn over<S: Sample>(&self, picture: &mut Picture<S>, opacity_percent: f64) {
        let share = (opacity_percent * 655.36).round() as u64;
        let (first, count) = (self.rows.0, self.rows.1.saturating_sub(self.rows.0));
        let width = picture.width() as usize;
        let pairs = picture.pixels_mut().as_chunks_mut::<4>().0.iter_mut();
        let pairs = pairs.zip(self.picture.pixels().as_chunks::<4>().0);
        for (below, above) in pairs.skip(first * width).take(count * width) {
            if above[3] > 0 {
                let [red, green, blue, alpha] = above.map(S::of);
                let alpha = S::of_whole((alpha.whole() * share + (1 << 15)) >> 16);
                *below = over_pixel([red, green, blue, alpha], *below);
            }
        }
    }
}

/// Interpolates between the four pixels around a position, weighted by alpha. Outside the image is
/// transparent.
fn between(picture: &Picture, (x, y): (f32, f32)) -> [u8; 4] {
    let (left, top) = (x.floor(), y.floor());
    let pixel = |right: f32, down: f32| {
        let side = |at: f32| (at >= 0.0).then_some(at as u32);
        picture.pixel(side(left + right)?, side(top + down)?)
    };
    let (right, down) = (x - left, y - top);
    let mut sums = [0.0_f32; 4];
    for (across, along) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let share = |at: f32, part: f32| if at == 0.0 { 1.0 - part } else { part };
        let share = share(across, right) * share(along, down);
        let Some(pixel) = pixel(across, along).filter(|_| share > 0.0) else { continue };
        let weight = share * f32::from(pixel[3]);
        sums.iter_mut()
            .zip(&pixel[..3])
            .for_each(|(sum, sample)| *sum += weight * f32::from(*sample));
        sums[3] += weight;
    }
    let [red, green, blue, alpha] = sums;
    if alpha == 0.0 {
        return [0; 4];
    }
    [red / alpha, green / alpha, blue / alpha, alpha].map(u8::rounded)
}
