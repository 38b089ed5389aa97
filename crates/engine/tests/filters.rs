//! Filters against their definitions, worked out in double precision.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod effects;
mod haze;
mod neighbors;
mod parts;
mod rims;
mod screens;
mod softening;
mod support;
