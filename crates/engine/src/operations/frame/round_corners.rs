//! Rounded corners: the image becomes transparent outside the corner circles. The edge is smoothed
//! with the covered part of each pixel, `clamp(radius + 0.5 - distance, 0, 1)`.

use crate::instruction::{Clause, Unit};
use crate::kernels::canvas;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Operation, Parameter, Spoken, check_length, only, scaled_length,
};
use crate::{ExecuteError, Picture, Place, Refusal, Sample};
use serde::{Deserialize, Serialize};

/// Rounds the corners of the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoundCorners {
    /// The radius. Percentages refer to the shorter side; 50% is the largest possible radius.
    pub radius: Length,
    /// Which corners to round, in reading order from the top left. If empty, all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corners: Vec<Corner>,
}

/// A corner of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Corner {
    /// The top left corner.
    TopLeft,
    /// The top right corner.
    TopRight,
    /// The bottom left corner.
    BottomLeft,
    /// The bottom right corner.
    BottomRight,
}

impl Corner {
    /// All corners, in reading order.
    pub const ALL: [Self; 4] = [Self::TopLeft, Self::TopRight, Self::BottomLeft, Self::BottomRight];

    const fn place(self) -> Place {
        match self {
            Self::TopLeft => Place::TopLeft,
            Self::TopRight => Place::TopRight,
            Self::BottomLeft => Place::BottomLeft,
            Self::BottomRight => Place::BottomRight,
        }
    }

    /// Whether a place is this corner or a side next to it.
    fn is_at(self, place: Place) -> bool {
        let (own, wanted) = (self.place().column_row(), place.column_row());
        (wanted.0 == 1 || wanted.0 == own.0) && (wanted.1 == 1 || wanted.1 == own.1)
    }
}

const SCALE_PERCENT: [f64; 5] = [2.5, 5.0, 10.0, 20.0, 35.0];

const RADIUS_PX: Parameter = Parameter::new("a corner radius", "px", (1.0, 8192.0));
const RADIUS_PERCENT: Parameter =
    Parameter::new("a corner radius", "%", (0.1, 50.0)).scaled(SCALE_PERCENT);

impl Spoken for RoundCorners {
    const CAPABILITY: Capability = Capability {
        name: "round_corners",
        parameters: &[RADIUS_PX, RADIUS_PERCENT],
        controls: &[Control::length("radius", "Radius", [RADIUS_PX, RADIUS_PERCENT])],
        summary: "Rounds all corners or some of them. The area outside becomes transparent.",
        definition: "Alpha times clamp(radius + 0.5 - distance to the corner circle's center, 0, 1).",
        heads: &[
            "rounded corners",
            "round corners",
            "round the corners",
            "rounded corner",
            "corners rounded",
            "rounded edges",
            "round off the corners",
            "corners round",
            "rounding the corners",
            "round the edges",
            "border radius",
            "corner radius",
            "curved corners",
            "curve the corners",
        ],
        details: &["radius", "corner", "corners", "rounded", "round", "rounding", "round off"],
        examples: &[
            "round the corners",
            "add rounded corners with a radius of 30px",
            "round the top corners by 40px",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let corners = if clause.head(Self::CAPABILITY.heads).is_some() {
            Vec::new()
        } else {
            match chosen(clause) {
                Some(corners) => corners,
                None => return Ok(None),
            }
        };
        clause.take(&["corner radius", "radius"]);
        let radius = match clause.quantity() {
            Some(radius) => match radius.unit {
                Unit::Percent => Length::Percent(radius.value),
                Unit::Pixels | Unit::None => Length::Pixels(radius.value),
                _ => {
                    return Err(Refusal::missing(
                        "give the radius of the corners in pixels or percent",
                    ));
                }
            },
            None => {
                let degree = clause.degree().unwrap_or(2);
                let percent = SCALE_PERCENT.get(degree).copied().unwrap_or(10.0);
                clause.assumed.push(format!("the radius is {percent}% of the shorter side"));
                Length::Percent(percent)
            }
        };
        Ok(Some(Self { radius, corners }))
    }
}

/// Parses "round the top corners" or "round the top left and bottom right corners".
fn chosen(clause: &mut Clause<'_>) -> Option<Vec<Corner>> {
    let mut trial = clause.clone();
    trial.head(&["round off", "round", "rounded", "rounding"])?;
    if !trial.has(&["corner", "corners"]) {
        return None;
    }
    let mut corners = Vec::new();
    while let Some(place) = trial.place() {
        corners.extend(Corner::ALL.into_iter().filter(|corner| corner.is_at(place)));
        trial.take_all(&["corner", "corners"]);
    }
    trial.take_all(&["and", "off"]);
    corners.sort_unstable();
    corners.dedup();
    if corners.is_empty() {
        return None;
    }
    *clause = trial;
    Some(if corners.len() == 4 { Vec::new() } else { corners })
}

impl Operation for RoundCorners {
    fn words(&self) -> String {
        let places: Vec<&str> = self.corners.iter().map(|corner| corner.place().words()).collect();
        let corners = match places.split_last() {
            None => "corners".to_owned(),
            Some((last, [])) => format!("{last} corner"),
            Some((last, before)) => format!("{} and {last} corners", before.join(", ")),
        };
        format!("round the {corners} with a radius of {}", self.radius)
    }

    fn check(&self) -> Result<(), String> {
        if !self.corners.is_sorted_by(|first, second| first < second) || self.corners.len() > 3 {
            return Err(
                "list the corners in reading order, each only once; for all corners, leave \
                        the list empty"
                    .to_owned(),
            );
        }
        check_length(self.radius, &RADIUS_PX, &RADIUS_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.radius = scaled_length(self.radius, factor, &RADIUS_PX);
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let shorter = width.min(height);
        let radius = self.radius.exact_px(picture.width().min(picture.height())).min(shorter / 2.0);
        let row_samples = picture.row_samples();
        let meant = |at: (f64, f64)| {
            let corner = match (at.0 > width / 2.0, at.1 > height / 2.0) {
                (false, false) => Corner::TopLeft,
                (true, false) => Corner::TopRight,
                (false, true) => Corner::BottomLeft,
                (true, true) => Corner::BottomRight,
            };
            self.corners.is_empty() || self.corners.contains(&corner)
        };
        for (y, row) in (0_u32..).zip(picture.pixels_mut().chunks_exact_mut(row_samples)) {
            let beyond =
                |center: f64, side: f64| (radius - center).max(center - (side - radius)).max(0.0);
            let down = f64::from(y) + 0.5;
            if beyond(down, height) == 0.0 {
                continue;
            }
            for (x, pixel) in (0_u32..).zip(row.chunks_exact_mut(4)) {
                let across = f64::from(x) + 0.5;
                let distance = beyond(across, width).hypot(beyond(down, height));
                if let [.., alpha] = pixel
                    && beyond(across, width) > 0.0
                    && meant((across, down))
                {
                    let inside = (radius + 0.5 - distance).clamp(0.0, 1.0);
                    *alpha = canvas::scaled(*alpha, inside);
                }
            }
        }
        Ok(picture)
    }
}
