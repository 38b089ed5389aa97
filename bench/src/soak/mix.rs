//! What callers do, in which shares, and the expected answers.

use serde_json::json;

use crate::service::{FAILING, LARGE, MODEL};
use crate::{Fallible, picture};

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An edit by the scripted provider, with a small result.
    Small,
    /// An edit by the scripted provider, with a large result.
    Large,
    /// An edit by the built-in editor.
    BuiltIn,
    /// An edit at which the provider fails, so its hold is released.
    Failing,
    /// An edit that the built-in editor does not understand.
    Refused,
    /// An earlier edit, repeated with its key.
    Replay,
    /// A request for the balance.
    Balance,
    /// A request for a result.
    Download,
    /// The deletion of a generation and its result.
    Deletion,
}

/// The kinds: how many of a hundred calls each is, its name, and the expected status and code in
/// the body.
const MIX: [(Kind, u64, &str, u16, &str); 9] = [
    (Kind::Small, 48, "small edit", 200, ""),
    (Kind::Large, 2, "large edit", 200, ""),
    (Kind::BuiltIn, 8, "built-in edit", 200, ""),
    (Kind::Failing, 3, "failing edit", 500, "upstream_error"),
    (Kind::Refused, 2, "refused edit", 400, "instruction_not_supported"),
    (Kind::Replay, 5, "replay", 200, ""),
    (Kind::Balance, 12, "balance", 200, ""),
    (Kind::Download, 15, "download", 200, ""),
    (Kind::Deletion, 5, "deletion", 204, ""),
];
/// Calls after which the mix repeats.
const ROUND: u64 = 100;
/// Coprime to [`ROUND`], so that a round visits every place and calls of one kind are spread: a
/// provider that fails several times in a row would be paused (`docs/reliability.md`).
const STRIDE: u64 = 37;
/// The instructions for the built-in editor, in turn.
const INSTRUCTIONS: [&str; 6] = [
    "make it grayscale and rotate it left",
    "increase the contrast by 20% and blur it a little",
    "resize it to half its size and add a 10 pixel white border",
    "sepia, then flip it horizontally",
    "brighten it by 15% and sharpen it",
    "crop it to a square and rotate it by 10 degrees",
];
/// An instruction that the built-in editor cannot follow.
const REFUSED: &str = "let the statue smile at the mayor";

impl Kind {
    /// Every kind.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        MIX.iter().map(|row| row.0)
    }

    /// The kind of the call with this number.
    pub(super) fn of(number: u64) -> Self {
        let mut place = number * STRIDE % ROUND;
        let found = MIX.iter().find(|(_, share, ..)| {
            let is_it = place < *share;
            place = place.saturating_sub(*share);
            is_it
        });
        found.map_or(Self::Balance, |row| row.0)
    }

    pub(super) fn name(self) -> &'static str {
        self.row().2
    }

    /// The expected status, and the code in the answer's body.
    pub(super) fn answer(self) -> (u16, &'static str) {
        (self.row().3, self.row().4)
    }

    /// Whether it requests a new edit.
    pub(super) fn is_edit(self) -> bool {
        matches!(self, Self::Small | Self::Large | Self::BuiltIn | Self::Failing | Self::Refused)
    }

    fn row(self) -> &'static (Self, u64, &'static str, u16, &'static str) {
        MIX.iter().find(|row| row.0 == self).unwrap_or(&MIX[0])
    }
}

/// The bodies of edit requests.
pub(super) struct Bodies {
    scripted: [String; 3],
    built_in: Vec<String>,
    refused: String,
}

impl Bodies {
    pub(super) fn make() -> Fallible<Self> {
        let small = base64_simd::STANDARD.encode_to_string(picture::input()?);
        let scripted = |instruction: &str| {
            let body = json!({ "model": MODEL, "instruction": instruction, "imageBase64": &small });
            body.to_string()
        };
        let real = base64_simd::STANDARD.encode_to_string(picture::photograph()?);
        let built_in = |instruction: &str| {
            json!({ "instruction": instruction, "imageBase64": &real }).to_string()
        };
        Ok(Self {
            scripted: ["make it warmer", LARGE, FAILING].map(scripted),
            built_in: INSTRUCTIONS.map(built_in).to_vec(),
            refused: built_in(REFUSED),
        })
    }

    /// The body of the edit with this number, always the same for the same number.
    pub(super) fn of(&self, kind: Kind, number: u64) -> &str {
        let [small, large, failing] = &self.scripted;
        match kind {
            Kind::Large => large,
            Kind::Failing => failing,
            Kind::Refused => &self.refused,
            Kind::BuiltIn => {
                let turn = number / ROUND + number;
                let turn = usize::try_from(turn).unwrap_or(0) % self.built_in.len();
                self.built_in.get(turn).map_or("", |body| body)
            }
            _ => small,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_each_kind_as_often_as_the_mix_says() {
        for (kind, share, ..) in MIX {
            let found = (0..ROUND).filter(|number| Kind::of(700 + number) == kind).count();
            assert_eq!(u64::try_from(found).unwrap(), share, "{kind:?}");
        }
    }

    #[test]
    fn the_provider_never_fails_twice_in_a_row() {
        let asks = |kind: &Kind| matches!(kind, Kind::Small | Kind::Large | Kind::Failing);
        let asked: Vec<Kind> = (0..2 * ROUND).map(Kind::of).filter(asks).collect();
        assert!(
            !asked
                .windows(5)
                .any(|five| { five.iter().filter(|kind| **kind == Kind::Failing).count() > 1 })
        );
    }
}
