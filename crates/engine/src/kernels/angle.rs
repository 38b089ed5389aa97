//! Directions in an image.

/// A step of one pixel; exact for quarter turns, which sine and cosine are not.
pub(crate) fn direction(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (1.0, 0.0),
        90.0 => (0.0, 1.0),
        180.0 => (-1.0, 0.0),
        270.0 => (0.0, -1.0),
        turned => (turned.to_radians().cos(), turned.to_radians().sin()),
    }
}
