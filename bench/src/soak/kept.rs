//! Results that callers may come back to.

use std::collections::VecDeque;

use super::mix::Kind;

/// The most small results that are remembered. The oldest are forgotten, not deleted.
const KEPT_MAX: usize = 5_000;

/// An edit that was answered.
#[derive(Clone, Debug)]
pub(super) struct Edited {
    /// The account's index.
    pub(super) account: usize,
    /// The kind of its call.
    pub(super) kind: Kind,
    /// The number of the call, from which its idempotency key and body are made.
    pub(super) number: u64,
    /// The generation's ID.
    pub(super) uuid: String,
    /// The path of its result.
    pub(super) path: String,
}

/// Results that no caller is using: a caller takes one out, so that no result is deleted while
/// another caller reads it.
#[derive(Debug, Default)]
pub(super) struct Kept {
    small: VecDeque<Edited>,
    large: VecDeque<Edited>,
}

impl Kept {
    /// A result to come back to: the oldest small one, or else the oldest large one.
    pub(super) fn take(&mut self) -> Option<Edited> {
        self.small.pop_front().or_else(|| self.large.pop_front())
    }

    /// A result to delete: large ones first, so that they don't fill the disk.
    pub(super) fn take_to_delete(&mut self) -> Option<Edited> {
        self.large.pop_front().or_else(|| self.small.pop_back())
    }

    /// Remembers a result.
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
