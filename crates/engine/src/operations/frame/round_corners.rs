//! Rounded corners: the image becomes transparent outside the corner circles. The edge is smoothed
//! with the covered part of each pixel, `clamp(radius + 0.5 - distance, 0, 1)`.

use crate::kernels::canvas;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, only, scaled_length,
};
use crate::{ExecuteError, Picture, Place, Sample};
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
}

const SCALE_PERCENT: [f64; 5] = [2.5, 5.0, 10.0, 20.0, 35.0];

const RADIUS_PX: Parameter = Parameter::new("a corner radius", "px", (1.0, 8192.0));
const RADIUS_PERCENT: Parameter =
    Parameter::new("a corner radius", "%", (0.1, 50.0)).scaled(SCALE_PERCENT);

impl Described for RoundCorners {
    const CAPABILITY: Capability = Capability {
        name: "round_corners",
        parameters: &[RADIUS_PX, RADIUS_PERCENT],
        controls: &[Control::length("radius", "Radius", [RADIUS_PX, RADIUS_PERCENT])],
        summary: "Rounds all corners or some of them. The area outside becomes transparent.",
        definition: "Alpha times clamp(radius + 0.5 - distance to the corner circle's center, 0, 1).",
        examples: &[
            "round the corners",
            "add rounded corners with a radius of 30px",
            "round the top corners by 40px",
        ],
    };
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
