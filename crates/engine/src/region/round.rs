//! Ellipses in an image.

use crate::Place;

/// An ellipse in pixels, whose axes are parallel to the sides of the image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ellipse {
    /// Its center.
    pub(crate) center: (f64, f64),
    /// Half of its width and height.
    pub(crate) half: (f64, f64),
}

impl Ellipse {
    /// The ellipse of these sides that touches the edges of a place in an image of this size.
    pub(super) fn placed(sides: (f64, f64), place: Place, size: (u32, u32)) -> Self {
        let (column, row) = place.column_row();
        let along = |third: u32, side: u32, length: f64| {
            (f64::from(side) - length) * f64::from(third) / 2.0 + length / 2.0
        };
        Self {
            center: (along(column, size.0, sides.0), along(row, size.1, sides.1)),
            half: (sides.0 / 2.0, sides.1 / 2.0),
        }
    }

    /// Checks that a part of it is in an image of this size.
    pub(super) fn check(&self, size: (u32, u32)) -> Result<(), String> {
        let beside = |center: f64, half: f64, side: u32| center - half >= f64::from(side);
        if beside(self.center.0, self.half.0, size.0) || beside(self.center.1, self.half.1, size.1)
        {
            return Err(format!(
                "the circle around {},{} is outside the image of {}x{} pixels",
                self.center.0, self.center.1, size.0, size.1
            ));
        }
        Ok(())
    }
}
