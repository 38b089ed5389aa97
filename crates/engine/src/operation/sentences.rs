//! Sentences about steps that several operations share.

/// The documented scale for vague changes, in percent.
pub(crate) const CHANGE_SCALE: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 60.0];

/// A change in percent: "increase the contrast by 20%".
pub(crate) fn changed(noun: &str, percent: f64) -> String {
    if percent < 0.0 {
        format!("reduce the {noun} by {}%", -percent)
    } else {
        format!("increase the {noun} by {percent}%")
    }
}

/// An effect that can be applied partly: "apply 50% sepia".
pub(crate) fn applied(effect: &str, percent: f64) -> String {
    if percent == 100.0 { format!("apply {effect}") } else { format!("apply {percent}% {effect}") }
}
