//! Pad: the canvas grows; the picture's own pixels stay, byte for byte.

use super::crop::to_u32;
use super::{Capability, Operation, Size, Spoken, canvas, only, within};
use crate::instruction::{Clause, Unit, whole_pixels};
use crate::length::whole;
use crate::{Colour, ExecuteError, Picture, Place, Refusal};
use serde::{Deserialize, Serialize};

/// Adds room around the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Pad {
    /// The smallest canvas of a shape that holds the picture.
    Ratio {
        /// Width of the shape.
        width: f64,
        /// Height of the shape.
        height: f64,
        /// What fills the new room.
        colour: Colour,
        /// Where the picture lies.
        place: Place,
    },
    /// A canvas of a size.
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// What fills the new room.
        colour: Colour,
        /// Where the picture lies.
        place: Place,
    },
    /// The same number of pixels on every side.
    By {
        /// Pixels on each side.
        px: u32,
        /// What fills the new room.
        colour: Colour,
    },
}

impl Spoken for Pad {
    const CAPABILITY: Capability = Capability {
        name: "pad",
        summary: "Adds room around the picture.",
        definition: "The picture's pixels stay; the new room is transparent unless a colour is said.",
        heads: &["pad", "padded", "padding", "letterbox", "pillarbox"],
        details: &[
            "square",
            "ratio",
            "aspect ratio",
            "aspect",
            "background",
            "all",
            "sides",
            "each",
            "every",
            "side",
            "around",
            "edges",
            "fill",
            "filled",
            "canvas",
            "extend",
            "expand",
            "bars",
            "colour",
            "size",
        ],
        examples: &[
            "pad to 16:9 with black",
            "pad to a square with a white background",
            "add 50px of padding in white",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let canvas = clause.has(&[
            "extend the canvas",
            "expand the canvas",
            "extend canvas",
            "expand canvas",
        ]);
        if canvas {
            clause.head(&[
                "extend the canvas",
                "expand the canvas",
                "extend canvas",
                "expand canvas",
            ]);
        } else if clause.head(Self::CAPABILITY.heads).is_none() {
            return Ok(None);
        }
        let shape = clause.ratio().or_else(|| clause.take(&["square"]).map(|_| (1.0, 1.0)));
        clause.take(&["aspect ratio", "ratio", "aspect"]);
        let size = if shape.is_none() { clause.dimensions() } else { None };
        let px = if shape.is_none() && size.is_none() { clause.quantity() } else { None };
        let colour = clause.colour();
        clause.take_all(&[
            "background",
            "all sides",
            "each side",
            "every side",
            "sides",
            "around",
            "edges",
            "fill",
            "filled",
            "bars",
            "all around",
            "all",
        ]);
        let place = clause.place().unwrap_or(Place::Centre);
        if colour.is_none() {
            clause.assumed.push("the new room is transparent".to_owned());
        }
        let colour = colour.unwrap_or(Colour::TRANSPARENT);
        let missing = || {
            Refusal::missing(
                "say how far to pad: \"pad to 16:9\", \"pad to 800x600\" or \"pad by 50px\"",
            )
        };
        if let Some((width, height)) = shape {
            return Ok(Some(Self::Ratio { width, height, colour, place }));
        }
        if let Some((width, height)) = size {
            let (width, height) =
                whole_pixels(width).zip(whole_pixels(height)).ok_or_else(missing)?;
            return Ok(Some(Self::Size { width, height, colour, place }));
        }
        let px = px.filter(|px| {
            matches!(px.unit, Unit::Pixels | Unit::None) && !px.to && place == Place::Centre
        });
        let px = px.and_then(|px| whole_pixels(px.value)).ok_or_else(missing)?;
        Ok(Some(Self::By { px, colour }))
    }
}

impl Operation for Pad {
    fn words(&self) -> String {
        match self {
            Self::Ratio { width, height, colour, place } => {
                format!("pad to {width}:{height} with {colour} at the {}", place.words())
            }
            Self::Size { width, height, colour, place } => {
                format!("pad to {width}x{height} pixels with {colour} at the {}", place.words())
            }
            Self::By { px, colour } => format!("pad by {px} pixels with {colour}"),
        }
    }

    fn check(&self) -> Result<(), String> {
        let Self::Ratio { width, height, .. } = self else { return Ok(()) };
        within("a side of a ratio", *width, (0.01, 10_000.0), "")?;
        within("a side of a ratio", *height, (0.01, 10_000.0), "")
    }

    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        match *self {
            Self::Ratio { width: across, height: down, .. } => {
                let (exact_width, exact_height) = (f64::from(width), f64::from(height));
                let shape = across / down;
                Ok((
                    whole(exact_height * shape).max(u64::from(width)),
                    whole(exact_width / shape).max(u64::from(height)),
                ))
            }
            Self::Size { width: across, height: down, .. } if across < width || down < height => {
                Err(format!(
                    "the picture is {width}x{height} pixels and does not fit on {across}x{down}; crop or resize it first"
                ))
            }
            Self::Size { width, height, .. } => Ok((u64::from(width), u64::from(height))),
            Self::By { px, .. } => {
                let grown = |side: u32| u64::from(side) + 2 * u64::from(px);
                Ok((grown(width), grown(height)))
            }
        }
    }

    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let picture = only(pictures)?;
        let size = self.result_size(&[picture.size()]).map_err(ExecuteError::Impossible)?;
        let size = (to_u32(size.0), to_u32(size.1));
        let (colour, place) = match self {
            Self::Ratio { colour, place, .. } | Self::Size { colour, place, .. } => {
                (*colour, *place)
            }
            Self::By { colour, .. } => (*colour, Place::Centre),
        };
        if size == picture.size() {
            return Ok(picture);
        }
        let mut result = canvas::filled(size, colour)?;
        canvas::put(&picture, &mut result, place.offset(size, picture.size()));
        Ok(result)
    }
}
