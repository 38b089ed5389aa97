//! The weights of a sampled Gaussian.

/// How far a kernel extends, in standard deviations. The rest would contribute less than a
/// hundredth of a level.
const REACH: f64 = 4.0;

/// How far a Gaussian extends to each side, in whole steps; at least 1.
pub(super) fn reach(sigma: f64) -> usize {
    usize::try_from(crate::length::whole((sigma * REACH).ceil())).unwrap_or(1).max(1)
}

/// The number of weights of [`centered`].
pub(super) fn taps(sigma: f64) -> usize {
    2 * reach(sigma) + 1
}

/// Weights for two pixels at a time, each repeated for four channels. An odd last weight is paired
/// with 0.
pub(super) fn paired(weights: &[f32]) -> Vec<[f32; 8]> {
    weights.chunks(2).map(|pair| lanes(pair[0], pair.get(1).copied().unwrap_or(0.0))).collect()
}

/// Two weights, each repeated for four channels.
pub(super) fn lanes(first: f32, second: f32) -> [f32; 8] {
    [first, first, first, first, second, second, second, second]
}

/// Weights at the positions from `-reach` to `reach`; their sum is 1.
pub(super) fn centered(sigma: f64) -> Vec<f32> {
    let reach = i32::try_from(reach(sigma)).unwrap_or(i32::MAX);
    normalized(sigma, (-reach..=reach).map(f64::from))
}

/// Weights at any positions; their sum is 1.
#[expect(clippy::cast_possible_truncation, reason = "weights are rounded to single precision")]
pub(super) fn normalized(sigma: f64, places: impl Iterator<Item = f64>) -> Vec<f32> {
    let weights: Vec<f64> =
        places.map(|place| (-place * place / (2.0 * sigma * sigma)).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| (weight / total) as f32).collect()
}
