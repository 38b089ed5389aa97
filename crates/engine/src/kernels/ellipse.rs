//! How far points are from an ellipse.

/// The distance in pixels from a point to the ellipse with these semi-axes around 0,0, to the first
/// order. Inside, it is negative.
pub(crate) fn distance((x, y): (f64, f64), (a, b): (f64, f64)) -> f64 {
    let (across, down) = (x / a, y / b);
    let f = (across * across + down * down).sqrt();
    let g = ((across / a).powi(2) + (down / b).powi(2)).sqrt();
    if g == 0.0 { -a.min(b) } else { f * (f - 1.0) / g }
}

/// The share of the pixel around a point that is inside the ellipse, from 0 to 1.
pub(crate) fn covered(point: (f64, f64), half: (f64, f64)) -> f64 {
    (0.5 - distance(point, half)).clamp(0.0, 1.0)
}
