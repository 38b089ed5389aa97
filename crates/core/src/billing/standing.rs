//! What has been booked for an invoice or a pack, and what to book next.

use crate::Timestamp;
use crate::credits::{BucketKind, Command, Credits, Grant, TakeBack};

/// What has been booked for an invoice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What it has granted in total. None before the first grant.
    pub granted: Option<Credits>,
    /// How much of that must be taken back.
    pub asked: Credits,
    /// How much of that was taken or became a debt. The rest had expired unused.
    pub taken: Credits,
    /// How many bookings followed the first grant. Gives each of them a source key of its own.
    pub steps: u32,
}

/// What the credits of an invoice or a pack are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How many of those granted expired unused.
    pub expired: Credits,
    /// When a new grant expires.
    pub expires_at: Option<Timestamp>,
    /// A month of a plan, or bought once.
    pub kind: BucketKind,
}

/// The next booking for an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settling {
    /// The command to book.
    pub command: Command,
    /// The state after the command, if everything to be taken back is taken.
    then: Standing,
}

impl Standing {
    /// The next booking that the invoice `id` needs to have brought exactly `due` to its account.
    /// None if nothing is missing.
    pub fn next(&self, id: &str, due: Credits, terms: Terms) -> Option<Settling> {
        let granted = self.granted.unwrap_or_default();
        let asked = minus(granted, due);
        let given_back = minus(self.taken, asked);
        if asked > self.asked {
            let excused_max = minus(terms.expired, minus(self.asked, self.taken));
            return Some(self.take_back(id, asked, excused_max));
        }
        if !given_back.is_zero() {
            let then = Self { asked, taken: asked, steps: self.steps + 1, ..*self };
            let words = "Restored: the payment is valid again";
            return Some(Settling { command: self.paid(id, given_back, (terms, words)), then });
        }
        if due <= granted {
            return None;
        }
        let steps = self.steps + u32::from(self.granted.is_some());
        let then = Self { granted: Some(due), asked: Credits::ZERO, steps, ..*self };
        Some(Settling { command: self.paid(id, minus(due, granted), (terms, "Paid")), then })
    }

    /// The state after booking `settling`, if `taken` credits were taken or became a debt.
    #[must_use]
    pub fn after(&self, settling: &Settling, taken: Credits) -> Self {
        match settling.command {
            Command::TakeBack(_) => {
                let taken = self.taken.checked_add(taken).unwrap_or(Credits::MAX);
                Self { taken, ..settling.then }
            }
            _ => settling.then,
        }
    }

    fn take_back(&self, id: &str, asked: Credits, excused_max: Credits) -> Settling {
        let command = Command::TakeBack(TakeBack {
            credits: minus(asked, self.asked),
            excused_max: Some(excused_max),
            source_key: format!("{}:back:{}", source(id), self.steps),
            only_from: Some(source(id)),
            description: "Taken back: the payment was refunded or disputed".into(),
        });
        Settling { command, then: Self { asked, steps: self.steps + 1, ..*self } }
    }

    fn paid(&self, id: &str, credits: Credits, (terms, description): (Terms, &str)) -> Command {
        let source = source(id);
        Command::Paid(Grant {
            kind: terms.kind,
            credits,
            source_key: match self.granted {
                None => source,
                Some(_) => format!("{source}:again:{}", self.steps),
            },
            expires_at: terms.expires_at,
            priority: None,
            description: description.to_owned(),
        })
    }
}

/// The prefix of the source keys of all bookings for the invoice `id`.
fn source(id: &str) -> String {
    format!("stripe:{id}")
}

/// `one` minus `other`, or zero if `other` is larger.
fn minus(one: Credits, other: Credits) -> Credits {
    one.checked_sub(other).unwrap_or_default()
}
