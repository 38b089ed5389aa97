//! Shapes a text into one path of outlines, and into color glyphs.

use super::fonts::{is_colored, runs};
use super::stamp::Stamp;
use super::{Face, Lines};
use crate::ExecuteError;
use crate::kernels::angle::direction;
use cosmic_text::{
    Align, Attrs, Buffer, CacheKey, CacheKeyFlags, Family, FontSystem, LayoutGlyph, Metrics,
    Shaping, SwashCache, Weight, Wrap,
};
use zeno::{Command, Transform};

/// The height of a line, as a factor of the font size.
const LINE: f32 = 1.25;
/// How far italics lean to the right per unit of height: the tangent of 11 degrees, as in the
/// oblique faces of `DejaVu Sans`.
const SLANT: f32 = 0.194_380_3;

/// The text to shape, and its style.
pub(crate) struct Letters<'t> {
    pub(crate) text: &'t str,
    /// The font size (the em) in pixels.
    pub(crate) size_px: f32,
    pub(crate) face: Face,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) lines: Lines,
    /// The width at which lines are wrapped, in pixels. If `None`, only line breaks in the text
    /// count.
    pub(crate) wrap_px: Option<f32>,
}

/// A shaped text. The origin of its path is the top left, and its unit is a pixel.
pub(crate) struct Block {
    pub(crate) path: Vec<Command>,
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The color glyphs.
    pub(crate) stamps: Vec<Stamp>,
}

/// Shapes a text.
///
/// # Errors
/// Returns an error when the fonts can't draw a combination of characters.
pub(crate) fn block(fonts: &mut FontSystem, letters: &Letters<'_>) -> Result<Block, ExecuteError> {
    let size = letters.size_px;
    let mut buffer = Buffer::new(fonts, Metrics::new(size, size * LINE));
    buffer.set_wrap(Wrap::Word);
    buffer.set_size(letters.wrap_px, None);
    let weight = if letters.bold { Weight::BOLD } else { Weight::NORMAL };
    let attributes = Attrs::new()
        .family(Family::Name(letters.face.family()))
        .weight(weight)
        .cache_key_flags(CacheKeyFlags::DISABLE_HINTING);
    let spans = runs(letters.text).into_iter().map(|(run, family)| match family {
        None => (run, attributes.clone()),
        Some(family) => {
            (run, attributes.clone().family(Family::Name(family)).weight(Weight::NORMAL))
        }
    });
    buffer.set_rich_text(spans, &attributes, Shaping::Advanced, Some(Align::Left));
    buffer.shape_until_scroll(fonts, false);
    let width = buffer.layout_runs().map(|run| run.line_w).fold(0.0, f32::max);
    let mut block = Block { path: Vec::new(), width, height: 0.0, stamps: Vec::new() };
    let mut outlines = SwashCache::new();
    for run in buffer.layout_runs() {
        block.height = block.height.max(run.line_top + run.line_height);
        // Right-to-left lines may start at an offset from the left.
        let start = run.glyphs.iter().map(|glyph| glyph.x).reduce(f32::min).unwrap_or(0.0);
        let shift = (width - run.line_w) * letters.lines.share() - start;
        for glyph in run.glyphs {
            if glyph.glyph_id == 0 {
                let missing = run.text.get(glyph.start..glyph.end).unwrap_or_default();
                return Err(ExecuteError::Impossible(format!("no font can draw \"{missing}\"")));
            }
            let right = shift + glyph.x + glyph.font_size * glyph.x_offset;
            let down = run.line_y + glyph.y - glyph.font_size * glyph.y_offset;
            let font = fonts.get_font(glyph.font_id, glyph.font_weight);
            if let Some(font) = font.filter(|font| is_colored(font)) {
                block.stamps.push(Stamp::new(&font, glyph, (right, down)));
                continue;
            }
            let Some(outline) = outlines.get_outline_commands(fonts, key(glyph)) else { continue };
            let slant = if letters.italic { SLANT } else { 0.0 };
            // The y axis of outlines points upward.
            let place = Transform::new(1.0, 0.0, slant, -1.0, right, down);
            block.path.extend(outline.iter().map(|command| command.transform(&place)));
        }
    }
    Ok(block)
}

fn key(glyph: &LayoutGlyph) -> CacheKey {
    let flags = glyph.cache_key_flags;
    let (size, weight) = (glyph.font_size, glyph.font_weight);
    CacheKey::new(glyph.font_id, glyph.glyph_id, size, (0.0, 0.0), weight, flags).0
}

/// The transform that rotates a box clockwise around its center, and the size of the bounding box
/// of the result, whose top left corner is at that of the original box.
pub(crate) fn turned((width, height): (f32, f32), degrees: f64) -> (Transform, (f32, f32)) {
    if degrees == 0.0 {
        return (Transform::IDENTITY, (width, height));
    }
    let (cosine, sine) = direction(degrees);
    let (cosine, sine) = (cosine as f32, sine as f32);
    let outer =
        (width * cosine.abs() + height * sine.abs(), width * sine.abs() + height * cosine.abs());
    let right = outer.0 / 2.0 - (width * cosine - height * sine) / 2.0;
    let down = outer.1 / 2.0 - (width * sine + height * cosine) / 2.0;
    (Transform::new(cosine, sine, -sine, cosine, right, down), outer)
}
