//! Parts of an image that words can name: halves, strips, boxes, corners, edges, circles.

mod round;

use crate::operation::{scaled_offset, scaled_side};
use crate::{Coordinates, Length, Place};
pub(crate) use round::Ellipse;
use serde::{Deserialize, Serialize};

/// The part of an image that an edit is limited to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Region {
    /// A rectangle at one of the nine places.
    Part {
        /// Its width. Percentages refer to the width of the image.
        width: Length,
        /// Its height. Percentages refer to the height of the image.
        height: Length,
        /// Where it is.
        place: Place,
    },
    /// A rectangle at coordinates. The part of it outside the image is ignored.
    Box {
        /// Pixels from the left edge.
        x: u32,
        /// Pixels from the top edge.
        y: u32,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// A square in each of the four corners.
    Corners {
        /// The side of the squares. Percentages refer to the shorter side of the image.
        side: Length,
    },
    /// A strip along each of the four edges.
    Edges {
        /// The width of the strips. Percentages refer to the shorter side of the image.
        width: Length,
    },
    /// A circle at one of the nine places.
    Circle {
        /// Its diameter.
        diameter: Length,
        /// What a percentage refers to.
        #[serde(default, skip_serializing_if = "Across::is_shorter_side")]
        of: Across,
        /// Where it is.
        place: Place,
    },
    /// A circle around a point.
    CircleAt {
        /// Its center.
        center: Coordinates,
        /// Its radius. Percentages refer to the shorter side of the image.
        radius: Length,
    },
    /// An ellipse at one of the nine places.
    Oval {
        /// Its width. Percentages refer to the width of the image.
        width: Length,
        /// Its height. Percentages refer to the height of the image.
        height: Length,
        /// Where it is.
        place: Place,
    },
}

/// The length that the diameter of a circle is compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Across {
    /// The shorter side of the image.
    #[default]
    ShorterSide,
    /// The width of the image.
    Width,
    /// The height of the image.
    Height,
}

impl Across {
    const fn is_shorter_side(&self) -> bool {
        matches!(self, Self::ShorterSide)
    }
}

/// The pixels of a region.
pub(crate) enum Area {
    /// Rectangles in order and without overlap.
    Rectangles(Vec<Rectangle>),
    /// An ellipse, or a circle.
    Ellipse(Ellipse),
}

/// A rectangle in an image: first column and row, and one past the last column and row.
pub(crate) type Rectangle = [u32; 4];

impl Region {
    /// The region in plain words. Reading them again gives the same region.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Part { width, height, place } => {
                let whole = Length::Percent(100.0);
                let (column, row) = place.column_row();
                let place = place.words();
                match (*width == whole, *height == whole) {
                    (true, false) if column == 1 && row != 1 => {
                        format!("the {place} {}", share(*height))
                    }
                    (false, true) if row == 1 && column != 1 => {
                        format!("the {place} {}", share(*width))
                    }
                    _ => format!("the {width} by {height} area at the {place}"),
                }
            }
            Self::Box { x, y, width, height } => format!("the {width}x{height} box at {x},{y}"),
            Self::Corners { side } => format!("the corners of {side}"),
            Self::Edges { width } => format!("the edges of {width}"),
            Self::Circle { diameter, of, place } => {
                let of = match of {
                    Across::ShorterSide => "",
                    Across::Width => " of the width",
                    Across::Height => " of the height",
                };
                format!("the circle of {diameter}{of} at the {}", place.words())
            }
            Self::CircleAt { center, radius } => {
                format!("the circle around {center} with a radius of {radius}")
            }
            Self::Oval { width, height, place } => {
                format!("the {width} by {height} oval at the {}", place.words())
            }
        }
    }

    /// The same part of an image whose sides are `factor` times as long.
    pub(crate) fn scale(&mut self, factor: f64) {
        let scaled = |length: &mut Length| {
            if let Length::Pixels(px) = length {
                *px *= factor;
            }
        };
        match self {
            Self::Part { width, height, .. } | Self::Oval { width, height, .. } => {
                scaled(width);
                scaled(height);
            }
            Self::Corners { side: width }
            | Self::Edges { width }
            | Self::Circle { diameter: width, .. } => scaled(width),
            Self::CircleAt { center, radius } => {
                *center = center.at_scale(factor);
                scaled(radius);
            }
            Self::Box { x, y, width, height } => {
                *x = scaled_offset(*x, factor);
                *y = scaled_offset(*y, factor);
                *width = scaled_side(*width, factor);
                *height = scaled_side(*height, factor);
            }
        }
    }

    /// Checks what can be checked without knowing the image.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Self::Part { width, height, .. } | Self::Oval { width, height, .. } => {
                length(*width).and_then(|()| length(*height))
            }
            Self::Circle { diameter: Length::Pixels(_), of, .. } if !of.is_shorter_side() => {
                Err("only a percentage is of the width or of the height".to_owned())
            }
            Self::Corners { side: width }
            | Self::Edges { width }
            | Self::Circle { diameter: width, .. } => length(*width),
            Self::CircleAt { center, radius } => center.check().and_then(|()| length(*radius)),
            Self::Box { width: 0, .. } | Self::Box { height: 0, .. } => {
                Err("a box must be at least 1 pixel wide and 1 pixel high".to_owned())
            }
            Self::Box { .. } => Ok(()),
        }
    }

    /// What it covers in an image of this size.
    ///
    /// # Errors
    /// A message with the numbers, if the region is outside the image.
    pub(crate) fn area(&self, size: (u32, u32)) -> Result<Area, String> {
        match self.ellipse(size) {
            Some(ellipse) => ellipse.check(size).map(|()| Area::Ellipse(ellipse)),
            None => self.rectangles(size).map(Area::Rectangles),
        }
    }

    /// The ellipse that it is in an image of this size.
    fn ellipse(&self, size: (u32, u32)) -> Option<Ellipse> {
        let short = size.0.min(size.1);
        match self {
            Self::Circle { diameter, of, place } => {
                let side = match of {
                    Across::ShorterSide => short,
                    Across::Width => size.0,
                    Across::Height => size.1,
                };
                let diameter_px = diameter.exact_px(side);
                Some(Ellipse::placed((diameter_px, diameter_px), *place, size))
            }
            Self::CircleAt { center, radius } => {
                let radius_px = radius.exact_px(short);
                Some(Ellipse { center: center.px(size), half: (radius_px, radius_px) })
            }
            Self::Oval { width, height, place } => {
                let sides = (width.exact_px(size.0), height.exact_px(size.1));
                Some(Ellipse::placed(sides, *place, size))
            }
            _ => None,
        }
    }

    /// The rectangles that it covers in an image of this size, in order and without overlap; none
    /// if it is an ellipse.
    fn rectangles(&self, size: (u32, u32)) -> Result<Vec<Rectangle>, String> {
        let short = size.0.min(size.1);
        Ok(match self {
            Self::Circle { .. } | Self::CircleAt { .. } | Self::Oval { .. } => Vec::new(),
            Self::Part { width, height, place } => {
                let inner = (side(*width, size.0, size.0), side(*height, size.1, size.1));
                let (x, y) = place.offset(size, inner);
                vec![[x, y, x + inner.0, y + inner.1]]
            }
            Self::Box { x, y, width, height } => {
                if *x >= size.0 || *y >= size.1 {
                    return Err(format!(
                        "the box starts at {x},{y}, outside the image of {}x{} pixels",
                        size.0, size.1
                    ));
                }
                let end =
                    |from: u32, length: u32, limit: u32| from.saturating_add(length).min(limit);
                vec![[*x, *y, end(*x, *width, size.0), end(*y, *height, size.1)]]
            }
            Self::Corners { side: length } => {
                let side = side(*length, short, short);
                corners(size, (side.min(size.0.div_ceil(2)), side.min(size.1.div_ceil(2))))
            }
            Self::Edges { width } => {
                let strip = side(*width, short, short.div_ceil(2));
                let (right, bottom) = (size.0 - strip, size.1 - strip);
                vec![
                    [0, 0, size.0, strip],
                    [0, strip, strip, bottom],
                    [right.max(strip), strip, size.0, bottom],
                    [0, bottom.max(strip), size.0, size.1],
                ]
            }
        })
    }
}

/// Four squares. If two of them overlap, the first one gets the shared rows or columns.
fn corners(size: (u32, u32), side: (u32, u32)) -> Vec<Rectangle> {
    let columns = [(0, side.0), ((size.0 - side.0).max(side.0), size.0)];
    let rows = [(0, side.1), ((size.1 - side.1).max(side.1), size.1)];
    let all = rows.iter().flat_map(|(top, bottom)| {
        columns.iter().map(move |(left, right)| [*left, *top, *right, *bottom])
    });
    all.collect()
}

/// Writes common fractions in words such as "half", so that plans read naturally.
fn share(length: Length) -> String {
    let named = [
        (50.0, "half"),
        (100.0 / 3.0, "third"),
        (200.0 / 3.0, "two thirds"),
        (25.0, "quarter"),
        (75.0, "three quarters"),
    ];
    let found = named.into_iter().find(|(percent, _)| length == Length::Percent(*percent));
    found.map_or_else(|| length.to_string(), |(_, name)| name.to_owned())
}

fn side(length: Length, of: u32, most: u32) -> u32 {
    u32::try_from(length.px(of)).unwrap_or(u32::MAX).clamp(1, most)
}

fn length(length: Length) -> Result<(), String> {
    let (most, unit) = match length {
        Length::Percent(_) => (100.0, "%"),
        Length::Pixels(_) => (f64::from(crate::limits::SIDE_PX_MAX), "px"),
    };
    let value = length.value();
    if value > 0.0 && value <= most {
        return Ok(());
    }
    Err(format!(
        "the size of an area must be more than 0 and at most {most}{unit}, not {value}{unit}"
    ))
}
