//! Rotation: byte-exact by quarter turns; else the canvas grows to hold the turned picture, and
//! each pixel is read between its four source neighbours (bilinear, premultiplied), with the
//! background outside.

use super::{Capability, Operation, Size, Spoken, canvas, only, within};
use crate::instruction::{Clause, Unit};
use crate::length::whole;
use crate::{Colour, ExecuteError, Picture, Refusal};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Turns the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rotate {
    /// The angle in degrees; clockwise is positive.
    pub degrees: f64,
    /// What fills the corners that appear.
    pub background: Colour,
}

const LEFT: &[&str] = &[
    "counter clockwise",
    "counterclockwise",
    "anti clockwise",
    "ccw",
    "to the left",
    "left",
    "leftwards",
    "to left",
    "leftward",
    "towards the left",
    "in a counterclockwise direction",
];
const RIGHT: &[&str] = &[
    "clockwise",
    "cw",
    "to the right",
    "right",
    "rightwards",
    "to right",
    "rightward",
    "towards the right",
];
const HEADS: &[&str] = &[
    "rotate",
    "rotated",
    "rotating",
    "rotation",
    "rotates",
    "spin",
    "straighten",
    "tilt",
    "tilted",
    "upside down",
    "spun",
];

impl Spoken for Rotate {
    const CAPABILITY: Capability = Capability {
        name: "rotate",
        summary: "Turns the picture by any angle.",
        definition: "Quarter turns move whole pixels; other angles: bilinear, premultiplied, the canvas grows, \
                     the corners are transparent unless a colour is said.",
        heads: HEADS,
        details: &[
            "turn",
            "turned",
            "turning",
            "quarter turn",
            "half turn",
            "around",
            "round",
            "corners",
            "background",
            "filled",
            "fill",
            "direction",
            "angle",
            "counter clockwise",
            "counterclockwise",
            "anti clockwise",
            "ccw",
            "leftwards",
            "leftward",
            "towards",
            "clockwise",
            "cw",
            "rightwards",
            "rightward",
        ],
        examples: &[
            "rotate 90 degrees to the left",
            "turn it upside down",
            "rotate by 12.5° with a white background",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let turns = clause.has(&["turn", "turned", "turning"])
            && (clause.has(&["°", "degrees", "degree", "deg", "half turn", "quarter turn"])
                || clause.has(LEFT)
                || clause.has(RIGHT));
        if !clause.has(HEADS) && !turns {
            return Ok(None);
        }
        let upside_down = clause.head(&["upside down"]).is_some();
        clause.head(HEADS);
        let turn = clause.take(&["quarter turn", "half turn"]);
        clause.take(&["turn", "turned", "turning"]);
        clause.take(&["around", "round"]);
        let way = way(clause);
        clause.take(&["in direction", "direction"]);
        let degrees = match (clause.quantity(), turn, upside_down) {
            (None, None, true) if way.is_none() => 180.0,
            (None, Some(1), false) => 180.0,
            (None, Some(_), false) => signed(clause, 90.0, way)?,
            (None, None, false) if way.is_some() => {
                clause.assumed.push("a turn without an angle is 90 degrees".to_owned());
                signed(clause, 90.0, way)?
            }
            (Some(quantity), None, false) if !quantity.to && is_angle(quantity.unit) => {
                signed(clause, quantity.value, way)?
            }
            _ => {
                return Err(Refusal::missing(
                    "say by how many degrees and which way: \"rotate 90 degrees clockwise\"",
                ));
            }
        };
        Ok(Some(Self { degrees, background: background(clause) }))
    }
}

/// -1 for left, 1 for right.
fn way(clause: &mut Clause<'_>) -> Option<f64> {
    if clause.take(LEFT).is_some() {
        return Some(-1.0);
    }
    clause.take(RIGHT).map(|_| 1.0)
}

fn is_angle(unit: Unit) -> bool {
    matches!(unit, Unit::Degrees | Unit::None)
}

/// The angle with its way; clockwise where none is said and it matters.
fn signed(clause: &mut Clause<'_>, degrees: f64, way: Option<f64>) -> Result<f64, Refusal> {
    match way {
        Some(_) if degrees < 0.0 => {
            Err(Refusal::contradiction("a negative angle and a direction speak against each other"))
        }
        Some(way) => Ok(degrees * way),
        None => {
            if degrees % 180.0 != 0.0 {
                clause.assumed.push("positive angles turn clockwise".to_owned());
            }
            Ok(degrees)
        }
    }
}

fn background(clause: &mut Clause<'_>) -> Colour {
    let colour = clause.colour();
    if colour.is_some() {
        clause.take_all(&["background", "corners", "filled", "fill"]);
    }
    colour.unwrap_or(Colour::TRANSPARENT)
}

impl Operation for Rotate {
    fn words(&self) -> String {
        let way = if self.degrees < 0.0 { "counterclockwise" } else { "clockwise" };
        let turn = format!("rotate {} degrees {way}", self.degrees.abs());
        if self.background == Colour::TRANSPARENT {
            return turn;
        }
        format!("{turn} with a {} background", self.background)
    }

    fn check(&self) -> Result<(), String> {
        within("a rotation", self.degrees, (-360.0, 360.0), " degrees")
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        Ok(match quarter_turns(self.degrees) {
            Some(1 | 3) => (u64::from(height), u64::from(width)),
            Some(_) => (u64::from(width), u64::from(height)),
            None => grown((width, height), self.degrees),
        })
    }

    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let picture = only(pictures)?;
        match quarter_turns(self.degrees) {
            Some(0) => Ok(picture),
            Some(turns) => quarter(&picture, turns),
            None => self.freely(&picture),
        }
    }
}

/// How many quarter turns clockwise the angle is, 0 to 3, when it is a whole number of them.
fn quarter_turns(degrees: f64) -> Option<u8> {
    match degrees.rem_euclid(360.0) {
        0.0 => Some(0),
        90.0 => Some(1),
        180.0 => Some(2),
        270.0 => Some(3),
        _ => None,
    }
}

/// The size that holds the whole turned picture; a thousandth of a pixel is not worth a row.
fn grown((width, height): Size, degrees: f64) -> (u64, u64) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (width, height) = (f64::from(width), f64::from(height));
    let side = |pixels: f64| whole((pixels - 1e-3).ceil()).max(1);
    (
        side(width * cosine.abs() + height * sine.abs()),
        side(width * sine.abs() + height * cosine.abs()),
    )
}

fn quarter(picture: &Picture, turns: u8) -> Result<Picture, ExecuteError> {
    let (width, height) = picture.size();
    let size = if turns == 2 { (width, height) } else { (height, width) };
    let mut result = Picture::new(size.0, size.1)?;
    let row_bytes = result.row_bytes();
    // Eight rows at a time: for each column of the source that is one cache line after another.
    result.pixels_mut().par_chunks_mut(row_bytes * 8).enumerate().for_each(|(block, rows)| {
        for x in 0..size.0 {
            for (row, line) in rows.chunks_exact_mut(row_bytes).enumerate() {
                let y = u32::try_from(block * 8 + row).unwrap_or(0);
                let from = match turns {
                    1 => (y, height - 1 - x),
                    2 => (width - 1 - x, height - 1 - y),
                    _ => (width - 1 - y, x),
                };
                let at = x as usize * 4;
                if let (Some(to), Some(pixel)) =
                    (line.get_mut(at..at + 4), picture.pixel(from.0, from.1))
                {
                    to.copy_from_slice(&pixel);
                }
            }
        }
    });
    Ok(result)
}

impl Rotate {
    fn freely(&self, picture: &Picture) -> Result<Picture, ExecuteError> {
        let (width, height) = picture.size();
        let grown = grown((width, height), self.degrees);
        let size = (u32::try_from(grown.0).unwrap_or(0), u32::try_from(grown.1).unwrap_or(0));
        let mut result = Picture::new(size.0, size.1)?;
        let row_bytes = result.row_bytes();
        let (sine, cosine) = self.degrees.to_radians().sin_cos();
        let middle = (f64::from(width) / 2.0, f64::from(height) / 2.0);
        let (half_width, half_height) = (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
        result.pixels_mut().par_chunks_mut(row_bytes).enumerate().for_each(|(y, row)| {
            let down = f64::from(u32::try_from(y).unwrap_or(0)) + 0.5 - half_height;
            for (x, pixel) in (0_u32..).zip(row.chunks_exact_mut(4)) {
                let across = f64::from(x) + 0.5 - half_width;
                let source_x = across * cosine + down * sine + middle.0 - 0.5;
                let source_y = down * cosine - across * sine + middle.1 - 0.5;
                let turned = canvas::straight(between(picture, source_x, source_y), 255.0 * 255.0);
                pixel.copy_from_slice(&canvas::over_pixel(turned, self.background.rgba));
            }
        });
        Ok(result)
    }
}

/// The premultiplied mix of the four pixels around a position; outside is nothing.
#[expect(
    clippy::cast_possible_truncation,
    reason = "positions lie within a few pixels of the picture"
)]
fn between(picture: &Picture, x: f64, y: f64) -> [f32; 4] {
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = ((x - left) as f32, (y - top) as f32);
    let mut sum = [0.0_f32; 4];
    for (dx, dy, weight) in [
        (0, 0, (1.0 - across) * (1.0 - down)),
        (1, 0, across * (1.0 - down)),
        (0, 1, (1.0 - across) * down),
        (1, 1, across * down),
    ] {
        let at = (u32::try_from(left as i64 + dx), u32::try_from(top as i64 + dy));
        let (Ok(column), Ok(row)) = at else { continue };
        let Some([red, green, blue, alpha]) = picture.pixel(column, row) else { continue };
        let cover = weight * f32::from(alpha);
        let parts = [f32::from(red), f32::from(green), f32::from(blue), 255.0];
        sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * cover);
    }
    sum
}
