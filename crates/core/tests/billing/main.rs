//! Tests what adds credits every month: the calendar, assigned plans and paid plans.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod assigned;
mod months;
mod paid;
mod sequences;

use retouch_core::catalogue::{Plan, UnusedCredits};
use retouch_core::credits::{Book, Command, Refused, decide};
use retouch_core::{Credits, Timestamp};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

/// The plans of the shipped catalogue.
fn plans(unused_credits: UnusedCredits) -> Vec<Plan> {
    let plan = |id: &str, credits: u32, price: &str| Plan {
        id: id.into(),
        name: id.into(),
        credits_per_month: Credits::from(credits),
        price_usd: price.into(),
        unused_credits,
        results_kept_days: None,
        calls_per_minute: None,
        failures_per_minute: None,
        reads_per_minute: None,
        edits_at_once_max: None,
        videos_at_once_max: None,
    };
    vec![plan("basic", 600, "9.90"), plan("pro", 1_300, "19.90"), plan("max", 2_100, "29.90")]
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// Books a command. Returns how many credits it took back or turned into a debt. A command whose
/// credits have expired books nothing.
fn book(book: &mut Book, command: &Command, now: Timestamp) -> Credits {
    let back = |book: &Book| book.balance.taken_back.checked_add(book.balance.debt).unwrap();
    let before = back(book);
    match decide(book, command, now) {
        Ok(entries) => entries.iter().for_each(|entry| book.apply(entry).unwrap()),
        Err(Refused::ExpiresInThePast) => {}
        Err(refused) => panic!("{refused}"),
    }
    book.check().unwrap();
    back(book).checked_sub(before).unwrap_or_default()
}
