//! Pixel machinery that several operations, codecs and videos share.

pub(crate) mod angle;
pub(crate) mod bayer;
pub(crate) mod canvas;
pub(crate) mod ellipse;
pub(crate) mod gaussian;
pub(crate) mod outermost;
pub(crate) mod point;
pub(crate) mod premultiplied;
pub(crate) mod resample;
pub(crate) mod size;
pub(crate) mod transfer;
pub(crate) mod vectors;

pub(crate) use point::{Matrix, Point};
pub(crate) use size::Size;
