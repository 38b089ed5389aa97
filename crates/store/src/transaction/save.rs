//! Writes what a transaction has changed in the books.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use retouch_core::credits::{Balance, Book, Bucket, Entry, Hold, KeyUse, Leg};
use retouch_core::{AccountId, EditId, KeyId};

use super::books::{Books, Changed, Count, DayOfEnd};
use crate::Error;
use crate::rows::{Insert, Insertion, Rows, params};

/// Writes everything that is unwritten, each changed row once.
pub(super) fn save(rows: &Rows, books: &Books) -> Result<(), Error> {
    let unwritten = &books.unwritten;
    let mut entries = rows.insert(ENTRY);
    for (account, entry) in &unwritten.entries {
        save_entry(&mut entries, account, entry)?;
    }
    entries.end()?;
    let mut tables = Tables::begin(rows, &unwritten.made_holds);
    for (account, changed) in &unwritten.accounts {
        let kept = books.kept.get(account).ok_or(Error::AccountUnknown)?;
        tables.save(account, &kept.book, changed)?;
    }
    tables.end()?;
    // Last, because other transactions may change the same rows and wait until this one commits.
    unwritten.days.iter().try_for_each(|(route, count)| save_day(rows, route, count, books.share))
}

const ENTRY: Insert = Insert {
    head: "INSERT INTO entry (account_id, seq, kind, at, granted, available, held, spent, expired,
               taken_back, legs, available_after, held_after, hold_id, key_id, source_key,
               description, debt)",
    columns: 18,
    tail: "",
};

const BALANCE: Insert = Insert {
    head: "INSERT INTO balance (account_id, granted, available, held, spent, expired, taken_back,
               seq, buckets, last_at, debt)",
    columns: 11,
    tail: "ON CONFLICT (account_id) DO UPDATE SET granted = excluded.granted,
               available = excluded.available, held = excluded.held, spent = excluded.spent,
               expired = excluded.expired, taken_back = excluded.taken_back,
               seq = excluded.seq, buckets = excluded.buckets, last_at = excluded.last_at,
               debt = excluded.debt",
};

const BUCKET: Insert = Insert {
    head: "INSERT INTO bucket (account_id, number, kind, priority, expires_at, source_key, granted,
               remaining, held, spent, expired, taken_back)",
    columns: 12,
    tail: "ON CONFLICT (account_id, number) DO UPDATE SET granted = excluded.granted,
               remaining = excluded.remaining, held = excluded.held, spent = excluded.spent,
               expired = excluded.expired, taken_back = excluded.taken_back",
};

/// A new hold, whose ID must be unused in all accounts.
const NEW_HOLD: Insert = Insert {
    head: "INSERT INTO hold (id, account_id, amount, captured, state, key_id, allocation, at)",
    columns: 8,
    tail: "",
};

/// An existing hold of the same account.
const ENDED_HOLD: Insert = Insert {
    head: "INSERT INTO hold (id, account_id, amount, captured, state, key_id, allocation, at)",
    columns: 8,
    tail: "ON CONFLICT (id) DO UPDATE SET captured = excluded.captured, state = excluded.state",
};

const KEY_USE: Insert = Insert {
    head: "INSERT INTO key_use (account_id, key_id, credits, day, day_credits, month, month_credits)",
    columns: 7,
    tail: "ON CONFLICT (account_id, key_id) DO UPDATE SET credits = excluded.credits,
               day = excluded.day, day_credits = excluded.day_credits,
               month = excluded.month, month_credits = excluded.month_credits",
};

/// The tables with the state that results from the entries.
struct Tables<'a> {
    balances: Insertion<'a>,
    buckets: Insertion<'a>,
    new_holds: Insertion<'a>,
    ended_holds: Insertion<'a>,
    key_uses: Insertion<'a>,
    /// The holds that are new.
    made_holds: &'a BTreeSet<EditId>,
}

impl<'a> Tables<'a> {
    fn begin(rows: &'a Rows, made_holds: &'a BTreeSet<EditId>) -> Self {
        Self {
            balances: rows.insert(BALANCE),
            buckets: rows.insert(BUCKET),
            new_holds: rows.insert(NEW_HOLD),
            ended_holds: rows.insert(ENDED_HOLD),
            key_uses: rows.insert(KEY_USE),
            made_holds,
        }
    }

    fn save(&mut self, account: &AccountId, book: &Book, changed: &Changed) -> Result<(), Error> {
        save_balance(&mut self.balances, account, &book.balance)?;
        for bucket in changed.buckets.iter().filter_map(|number| book.buckets.get(number)) {
            save_bucket(&mut self.buckets, account, bucket)?;
        }
        for (id, hold) in changed.holds.iter().filter_map(|id| book.holds.get_key_value(id)) {
            let is_new = self.made_holds.contains(id);
            let table = if is_new { &mut self.new_holds } else { &mut self.ended_holds };
            save_hold(table, account, *id, hold)?;
        }
        for (key, used) in changed.keys.iter().filter_map(|key| book.keys.get_key_value(key)) {
            save_key_use(&mut self.key_uses, account, key, used)?;
        }
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        let Self { balances, buckets, new_holds, ended_holds, key_uses, .. } = self;
        let all = [balances, buckets, new_holds, ended_holds, key_uses];
        all.into_iter().try_for_each(Insertion::end)
    }
}

fn save_entry(table: &mut Insertion<'_>, account: &AccountId, entry: &Entry) -> Result<(), Error> {
    let delta = &entry.delta;
    table.row(params![
        account.as_str(),
        entry.seq,
        entry.kind.as_str(),
        entry.at.0,
        delta.granted,
        delta.available,
        delta.held,
        delta.spent,
        delta.expired,
        delta.taken_back,
        legs_to_text(&entry.legs),
        entry.available_after.get(),
        entry.held_after.get(),
        entry.hold.map(|hold| hold.to_string()),
        entry.key.as_ref().map(KeyId::as_str),
        entry.source_key,
        entry.description,
        delta.debt,
    ])
}

fn save_balance(
    table: &mut Insertion<'_>,
    account: &AccountId,
    balance: &Balance,
) -> Result<(), Error> {
    table.row(params![
        account.as_str(),
        balance.granted.get(),
        balance.available.get(),
        balance.held.get(),
        balance.spent.get(),
        balance.expired.get(),
        balance.taken_back.get(),
        balance.seq,
        balance.buckets,
        balance.last_at.0,
        balance.debt.get(),
    ])
}

fn save_bucket(
    table: &mut Insertion<'_>,
    account: &AccountId,
    bucket: &Bucket,
) -> Result<(), Error> {
    table.row(params![
        account.as_str(),
        bucket.number,
        bucket.kind.as_str(),
        bucket.priority,
        bucket.expires_at.map(|moment| moment.0),
        bucket.source_key,
        bucket.granted.get(),
        bucket.remaining.get(),
        bucket.held.get(),
        bucket.spent.get(),
        bucket.expired.get(),
        bucket.taken_back.get(),
    ])
}

fn save_hold(
    table: &mut Insertion<'_>,
    account: &AccountId,
    id: EditId,
    hold: &Hold,
) -> Result<(), Error> {
    table.row(params![
        id.to_string(),
        account.as_str(),
        hold.amount.get(),
        hold.captured.get(),
        hold.state.as_str(),
        hold.key.as_ref().map(KeyId::as_str),
        allocation_to_text(hold),
        hold.at.0,
    ])
}

fn save_key_use(
    table: &mut Insertion<'_>,
    account: &AccountId,
    key: &KeyId,
    used: &KeyUse,
) -> Result<(), Error> {
    table.row(params![
        account.as_str(),
        key.as_str(),
        used.life.get(),
        used.day.number,
        used.day.credits.get(),
        used.month.number,
        used.month.credits.get(),
    ])
}

const DAY: &str =
    "INSERT INTO edit_day (day, model, provider, outcome, share, edits, credits, took_ms,
        cost_micros, unpriced)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (day, model, provider, outcome, share) DO UPDATE SET
        edits = edit_day.edits + excluded.edits,
        credits = edit_day.credits + excluded.credits,
        took_ms = edit_day.took_ms + excluded.took_ms,
        cost_micros = edit_day.cost_micros + excluded.cost_micros,
        unpriced = edit_day.unpriced + excluded.unpriced";

fn save_day(rows: &Rows, route: &DayOfEnd, count: &Count, share: i64) -> Result<(), Error> {
    let DayOfEnd { day, model, provider, outcome } = route;
    let Count { edits, credits, took_ms, cost_micros, unpriced } = count;
    let counts = params![
        *day,
        model,
        provider,
        outcome,
        share,
        *edits,
        *credits,
        *took_ms,
        *cost_micros,
        *unpriced,
    ];
    rows.put(DAY, counts)
}

/// Formats legs in the form that `load` parses. This is done by hand because almost every command
/// writes some.
fn legs_to_text(legs: &[Leg]) -> String {
    let texts = legs.iter().map(|leg| {
        let it = &leg.delta;
        let [a, b, c, d, e, f] =
            [it.granted, it.available, it.held, it.spent, it.expired, it.taken_back];
        let opening = leg.opening.map_or_else(
            || "null".to_owned(),
            |opening| {
                let expires_at =
                    opening.expires_at.map_or_else(|| "null".into(), |moment| moment.0.to_string());
                format!("[\"{}\",{},{expires_at}]", opening.kind.as_str(), opening.priority)
            },
        );
        format!("[{},[{a},{b},{c},{d},{e},{f}],{opening}]", leg.bucket)
    });
    listed(texts)
}

fn allocation_to_text(hold: &Hold) -> String {
    listed(hold.allocation.iter().map(|part| format!("[{},{}]", part.bucket, part.credits)))
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    for (place, item) in items.enumerate() {
        let separator = if place == 0 { "" } else { "," };
        // Writing into a string cannot fail.
        let _ = write!(text, "{separator}{item}");
    }
    text.push(']');
    text
}
