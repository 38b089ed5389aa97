//! What has been booked for an invoice, and what is to be booked next.

use crate::Timestamp;
use crate::credits::{BucketKind, Command, Credits, Grant, TakeBack};

/// What has been booked for an invoice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What it granted in all; none: nothing yet.
    pub granted: Option<Credits>,
    /// What of that is to be taken back.
    pub asked: Credits,
    /// What of that was taken, or became a debt; the rest had expired unused.
    pub taken: Credits,
    /// How often something was booked after the first grant; makes each of them a name of its own.
    pub steps: u32,
}

/// One thing to be booked for an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settling {
    /// What is to be booked.
    pub command: Command,
    /// What has been booked then, where all that is to be taken back is taken.
    then: Standing,
}

impl Standing {
    /// What is to be booked next so that the invoice `id` has brought its account `due`; none: it
    /// has. `expired` is what expired unused of what it granted, `expires_at` when what it grants
    /// now expires.
    pub fn next(
        &self,
        id: &str,
        due: Credits,
        (expired, expires_at): (Credits, Option<Timestamp>),
    ) -> Option<Settling> {
        let granted = self.granted.unwrap_or_default();
        let asked = minus(granted, due);
        let given_back = minus(self.taken, asked);
        if asked > self.asked {
            let excused_max = minus(expired, minus(self.asked, self.taken));
            return Some(self.take_back(id, asked, excused_max));
        }
        if !given_back.is_zero() {
            let then = Self { asked, taken: asked, steps: self.steps + 1, ..*self };
            let words = "Restored: the payment is valid again";
            return Some(Settling {
                command: self.paid(id, given_back, (expires_at, words)),
                then,
            });
        }
        if due <= granted {
            return None;
        }
        let steps = self.steps + u32::from(self.granted.is_some());
        let then = Self { granted: Some(due), asked: Credits::ZERO, steps, ..*self };
        Some(Settling { command: self.paid(id, minus(due, granted), (expires_at, "Paid")), then })
    }

    /// What has been booked after `settling`, where `taken` credits were taken or are owed.
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

    fn paid(
        &self,
        id: &str,
        credits: Credits,
        (expires_at, description): (Option<Timestamp>, &str),
    ) -> Command {
        let source = source(id);
        Command::Paid(Grant {
            kind: BucketKind::Plan,
            credits,
            source_key: match self.granted {
                None => source,
                Some(_) => format!("{source}:again:{}", self.steps),
            },
            expires_at,
            priority: None,
            description: description.to_owned(),
        })
    }
}

/// What begins the names of all that is booked for the invoice `id`.
fn source(id: &str) -> String {
    format!("stripe:{id}")
}

/// What is left of `one` without `other`; nothing where that is more.
fn minus(one: Credits, other: Credits) -> Credits {
    one.checked_sub(other).unwrap_or_default()
}
