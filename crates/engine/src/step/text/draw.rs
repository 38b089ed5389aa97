//! Shapes and draws a text with the bundled fonts only, so that every machine draws the same.

use super::Text;
use crate::step::canvas::over_pixel;
use crate::{Picture, Place};
use cosmic_text::{
    Align, Attrs, Buffer, Color, Family, FontSystem, Metrics, Shaping, SwashCache, Weight, fontdb,
};
use std::collections::BTreeSet;

const REGULAR: &[u8] = include_bytes!("../../../fonts/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../../../fonts/DejaVuSans-Bold.ttf");
const FAMILY: &str = "DejaVu Sans";
/// Margin around the text, as a share of the shorter side.
const MARGIN: f32 = 0.04;
/// Height of a line, as a factor of the size.
const LINE: f32 = 1.25;

/// Draws a text over a picture and warns of what could not be shown.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "sides are below 2^24"
)]
pub(super) fn draw(step: &Text, picture: &mut Picture, warnings: &mut Vec<String>) {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let margin = (width.min(height) * MARGIN).round();
    let mut fonts = fonts();
    let mut buffer = shaped(step, picture, (&mut fonts, (width - 2.0 * margin).max(1.0)));
    let (text_height, missing) = measured(&buffer);
    warn(&missing, text_height > height, warnings);
    let (_, row) = step.place.column_row();
    let top = match row {
        0 => margin,
        1 => ((height - text_height) / 2.0).round(),
        _ => height - margin - text_height,
    };
    let (left, top) = (margin as i64, top as i64);
    let [red, green, blue, strength] = step.colour.rgba;
    let colour = Color::rgb(red, green, blue);
    buffer.draw(&mut fonts, &mut SwashCache::new(), colour, |x, y, _, _, dot| {
        let alpha = u8::try_from(u32::from(dot.a()) * u32::from(strength) / 255).unwrap_or(0);
        dot_at(picture, (left + i64::from(x), top + i64::from(y)), [red, green, blue, alpha]);
    });
}

/// The two bundled faces and nothing of the system.
fn fonts() -> FontSystem {
    let mut faces = fontdb::Database::new();
    faces.load_font_data(REGULAR.to_vec());
    faces.load_font_data(BOLD.to_vec());
    faces.set_sans_serif_family(FAMILY);
    FontSystem::new_with_locale_and_db("en".to_owned(), faces)
}

#[expect(clippy::cast_possible_truncation, reason = "a size of at most a side")]
fn shaped(step: &Text, picture: &Picture, (fonts, width): (&mut FontSystem, f32)) -> Buffer {
    let size = (step.size.exact_px(picture.height()) as f32).clamp(1.0, 2000.0);
    let mut buffer = Buffer::new(fonts, Metrics::new(size, size * LINE));
    buffer.set_size(Some(width), None);
    let weight = if step.bold { Weight::BOLD } else { Weight::NORMAL };
    let attributes = Attrs::new().family(Family::Name(FAMILY)).weight(weight);
    let align = match step.place {
        Place::TopLeft | Place::Left | Place::BottomLeft => Align::Left,
        Place::Top | Place::Centre | Place::Bottom => Align::Center,
        Place::TopRight | Place::Right | Place::BottomRight => Align::Right,
    };
    buffer.set_text(&step.text, &attributes, Shaping::Advanced, Some(align));
    buffer.shape_until_scroll(fonts, false);
    buffer
}

/// The height of all lines and the characters that the fonts lack.
fn measured(buffer: &Buffer) -> (f32, BTreeSet<String>) {
    let mut missing = BTreeSet::new();
    let mut height = 0.0_f32;
    for run in buffer.layout_runs() {
        height = height.max(run.line_top + run.line_height);
        for glyph in run.glyphs.iter().filter(|glyph| glyph.glyph_id == 0) {
            missing.insert(run.text.get(glyph.start..glyph.end).unwrap_or_default().to_owned());
        }
    }
    (height, missing)
}

fn warn(missing: &BTreeSet<String>, too_tall: bool, warnings: &mut Vec<String>) {
    if !missing.is_empty() {
        let list: Vec<String> = missing.iter().map(|text| format!("\"{text}\"")).collect();
        warnings.push(format!(
            "the font has no letters for {}; they are drawn as empty boxes",
            list.join(", ")
        ));
    }
    if too_tall {
        warnings.push("the text is taller than the picture and is cut off".to_owned());
    }
}

fn dot_at(picture: &mut Picture, (x, y): (i64, i64), dot: [u8; 4]) {
    let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
    let Some(below) = picture.pixel(x, y) else { return };
    let at = (y as usize * picture.width() as usize + x as usize) * 4;
    if let Some(pixel) = picture.pixels_mut().get_mut(at..at + 4) {
        pixel.copy_from_slice(&over_pixel(dot, below));
    }
}
