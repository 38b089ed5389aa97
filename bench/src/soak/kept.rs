//! Results that callers may come back to.

use std::collections::VecDeque;

use super::mix::Kind;

/// Results that are remembered; the oldest are forgotten, not deleted.
const KEPT_MAX: usize = 5_000;

/// An edit that was answered.
#[derive(Clone, Debug)]
pub(super) struct Edited {
    /// Whose.
    pub(super) account: usize,
    /// What was asked for.
    pub(super) kind: Kind,
    /// The number of the call, of which its key for repetitions and its body are made.
    pub(super) number: u64,
    /// The generation's name.
    pub(super) uuid: String,
    /// The path of its result.
    pub(super) path: String,
}

/// Those that nobody works with at the moment: whoever takes one has it alone, so that no result is
/// deleted while somebody else looks at it.
#[derive(Debug, Default)]
pub(super) struct Kept {
    small: VecDeque<Edited>,
    large: VecDeque<Edited>,
}

impl Kept {
    /// One to come back to: the oldest.
    pub(super) fn take(&mut self) -> Option<Edited> {
        self.small.pop_front().or_else(|| self.large.pop_front())
    }

    /// One to delete: large ones first, so that no disk is filled by them.
    pub(super) fn take_to_delete(&mut self) -> Option<Edited> {
        self.large.pop_front().or_else(|| self.small.pop_back())
    }

    /// Remembers one.
    pub(super) fn put(&mut self, edited: Edited) {
        if edited.kind == Kind::Large {
            self.large.push_back(edited);
        } else {
            self.small.push_back(edited);
            if self.small.len() > KEPT_MAX {
                self.small.pop_front();
            }
        }
    }
}
