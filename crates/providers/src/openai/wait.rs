//! How long a server asks clients to wait.

use super::complaint::Complaint;
use crate::upstream::Answer;

/// Rate limits: the header with the remaining amount, and the one with the time until it resets.
const LIMITS: [(&str, &str); 2] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
];

/// How long to wait, in milliseconds: as `Retry-After` says, or until a used-up rate limit resets,
/// or as the message says (`retry after 22 seconds`, Azure).
pub(super) fn hint_ms(answer: &Answer, complaint: &Complaint) -> Option<u64> {
    answer.retry_after_ms().or_else(|| reset_ms(answer)).or_else(|| words_ms(&complaint.message))
}

fn reset_ms(answer: &Answer) -> Option<u64> {
    let spent = LIMITS.iter().filter(|(remaining, _)| answer.header(remaining) == Some("0"));
    spent.filter_map(|(_, reset)| duration_ms(answer.header(reset)?)).max()
}

fn words_ms(message: &str) -> Option<u64> {
    let lower = message.to_ascii_lowercase();
    let (_, rest) = lower.split_once("retry after ")?;
    let (number, unit) = rest.split_once(' ')?;
    let seconds: u64 = number.parse().ok()?;
    unit.starts_with("second").then(|| seconds.saturating_mul(1000))
}

/// A duration such as `6m0s`, `1.5s` or `20ms`, in milliseconds.
fn duration_ms(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut total_ms = 0.0;
    while !rest.is_empty() {
        let unit_at = rest.find(|character: char| character.is_ascii_alphabetic())?;
        let (number, after) = rest.split_at(unit_at);
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, next) = after.split_at(end);
        let scale_ms = match unit {
            "ms" => 1.0,
            "s" => 1e3,
            "m" => 60e3,
            "h" => 3600e3,
            "d" => 86_400e3,
            _ => return None,
        };
        total_ms += number.parse::<f64>().ok()? * scale_ms;
        rest = next;
    }
    (total_ms > 0.0).then_some(total_ms.ceil() as u64)
}
