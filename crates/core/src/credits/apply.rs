//! Applies entries to a book, which is the only way to change one.

use super::{
    Allotment, Book, Broken, Bucket, Credits, Delta, Entry, EntryKind, Hold, HoldState, Leg,
    Opening,
};
use crate::EditId;

impl Book {
    /// Books an entry. This is the only way to change a book.
    ///
    /// # Errors
    /// [`Broken`] if the entry can't be the next one in this book. Discard the book then, because
    /// it may have changed in part.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Broken> {
        self.follow(entry)?;
        for leg in &entry.legs {
            self.change_bucket(leg, entry)?;
        }
        match entry.kind {
            EntryKind::Hold => self.open_hold(entry)?,
            EntryKind::Capture | EntryKind::Release => self.end_hold(entry)?,
            EntryKind::Grant | EntryKind::Expire | EntryKind::TakeBack => {}
        }
        self.sources.extend(entry.source_key.clone());
        Ok(())
    }

    /// Checks that the entry is the next one, and changes the balance by the sum of its legs.
    fn follow(&mut self, entry: &Entry) -> Result<(), Broken> {
        let expected = self.balance.seq + 1;
        if entry.seq != expected {
            return Err(Broken::Gap { expected, found: entry.seq });
        }
        if entry.at < self.balance.last_at {
            return Err(Broken::TimeGoesBack { seq: entry.seq });
        }
        let debt = Delta { debt: entry.delta.debt, ..Delta::default() };
        let legs = entry.legs.iter().fold(debt, |sum, leg| sum.plus(leg.delta));
        if legs != entry.delta || entry.legs.iter().any(|leg| leg.delta.debt != 0) {
            return Err(Broken::LegsDisagree { seq: entry.seq });
        }
        let mut after = self
            .balance
            .changed_by(&entry.delta)
            .ok_or(Broken::OutOfRange { seq: entry.seq, part: "balance".into() })?;
        if (after.available, after.held) != (entry.available_after, entry.held_after) {
            return Err(Broken::AfterDisagrees { seq: entry.seq });
        }
        after.seq = entry.seq;
        after.last_at = entry.at;
        self.balance = after;
        Ok(())
    }

    fn change_bucket(&mut self, leg: &Leg, entry: &Entry) -> Result<(), Broken> {
        if let Some(opening) = leg.opening {
            let number = self.balance.buckets.saturating_add(1);
            if leg.bucket != number {
                return Err(Broken::BucketOutOfOrder { seq: entry.seq, bucket: leg.bucket });
            }
            self.balance.buckets = number;
            self.buckets.insert(number, opened(number, opening, entry.source_key.clone()));
        }
        let bucket = self
            .buckets
            .get_mut(&leg.bucket)
            .ok_or(Broken::BucketUnknown { seq: entry.seq, bucket: leg.bucket })?;
        bucket.change(&leg.delta).ok_or_else(|| Broken::OutOfRange {
            seq: entry.seq,
            part: format!("bucket {}", leg.bucket),
        })
    }

    fn open_hold(&mut self, entry: &Entry) -> Result<(), Broken> {
        let seq = entry.seq;
        let id = hold_id(entry)?;
        let amount =
            Credits::new(entry.delta.held).ok_or(Broken::HoldDisagrees { seq, hold: id })?;
        let allocation =
            entry.legs.iter().map(|leg| allotment(leg, entry)).collect::<Result<_, _>>()?;
        let hold = Hold {
            amount,
            captured: Credits::ZERO,
            state: HoldState::Held,
            allocation,
            key: entry.key.clone(),
            at: entry.at,
        };
        if let Some(key) = &hold.key {
            let used = self.keys.entry(key.clone()).or_default();
            *used =
                used.reserve(amount, entry.at).ok_or(Broken::HoldDisagrees { seq, hold: id })?;
        }
        match self.holds.insert(id, hold) {
            None => Ok(()),
            Some(_) => Err(Broken::HoldDisagrees { seq, hold: id }),
        }
    }

    fn end_hold(&mut self, entry: &Entry) -> Result<(), Broken> {
        let id = hold_id(entry)?;
        let broken = Broken::HoldDisagrees { seq: entry.seq, hold: id };
        let Some(hold) = self.holds.get_mut(&id).filter(|hold| hold.state == HoldState::Held)
        else {
            return Err(broken);
        };
        let captured = Credits::new(entry.delta.spent).filter(|spent| *spent <= hold.amount);
        let (Some(captured), true) = (captured, entry.delta.held == -hold.amount.get()) else {
            return Err(broken);
        };
        hold.captured = captured;
        hold.state = match entry.kind {
            EntryKind::Capture => HoldState::Captured,
            _ => HoldState::Released,
        };
        if let Some(used) = hold.key.as_ref().and_then(|key| self.keys.get_mut(key)) {
            let back = hold.amount.checked_sub(captured).unwrap_or_default();
            *used = used.give_back(back, hold.at).ok_or(broken)?;
        }
        Ok(())
    }
}

impl Bucket {
    fn change(&mut self, delta: &Delta) -> Option<()> {
        self.granted = self.granted.changed_by(delta.granted)?;
        self.remaining = self.remaining.changed_by(delta.available)?;
        self.held = self.held.changed_by(delta.held)?;
        self.spent = self.spent.changed_by(delta.spent)?;
        self.expired = self.expired.changed_by(delta.expired)?;
        self.taken_back = self.taken_back.changed_by(delta.taken_back)?;
        Some(())
    }
}

fn opened(number: u32, opening: Opening, source_key: Option<String>) -> Bucket {
    Bucket {
        number,
        kind: opening.kind,
        priority: opening.priority,
        expires_at: opening.expires_at,
        source_key,
        granted: Credits::ZERO,
        remaining: Credits::ZERO,
        held: Credits::ZERO,
        spent: Credits::ZERO,
        expired: Credits::ZERO,
        taken_back: Credits::ZERO,
    }
}

fn hold_id(entry: &Entry) -> Result<EditId, Broken> {
    entry.hold.ok_or(Broken::HoldMissing { seq: entry.seq })
}

fn allotment(leg: &Leg, entry: &Entry) -> Result<Allotment, Broken> {
    let out_of_range =
        || Broken::OutOfRange { seq: entry.seq, part: format!("hold of bucket {}", leg.bucket) };
    let credits = Credits::new(leg.delta.held).ok_or_else(out_of_range)?;
    Ok(Allotment { bucket: leg.bucket, credits })
}
