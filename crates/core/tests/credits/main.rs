//! Tests that the books stay consistent under any commands.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod examples;
mod properties;

use retouch_core::credits::{Book, BucketKind, Command, Entry, Grant, NewHold, Refused, decide};
use retouch_core::{Credits, EditId, Ids, KeyId, SeededEntropy, TestClock, Timestamp};
use uuid::Uuid;

const HOUR_MS: i64 = 3_600_000;

fn credits(number: u32) -> Credits {
    Credits::from(number)
}

fn edit(number: u128) -> EditId {
    EditId(Uuid::from_u128(number))
}

fn key(seed: u64) -> KeyId {
    Ids::new(
        std::sync::Arc::new(TestClock::new(Timestamp(0))),
        std::sync::Arc::new(SeededEntropy::new(seed)),
    )
    .key()
}

fn grant(number: u32, source_key: &str) -> Grant {
    Grant {
        kind: BucketKind::Operator,
        credits: credits(number),
        source_key: source_key.into(),
        expires_at: None,
        priority: None,
        description: String::new(),
    }
}

fn hold(id: u128, number: u32) -> Command {
    Command::Hold(NewHold {
        id: edit(id),
        credits: credits(number),
        key: None,
        description: String::new(),
    })
}

/// Decides and books a command. Returns the booked entries.
fn run(book: &mut Book, command: &Command, now: i64) -> Result<Vec<Entry>, Refused> {
    let entries = decide(book, command, Timestamp(now))?;
    for entry in &entries {
        book.apply(entry).unwrap();
    }
    book.check().unwrap();
    Ok(entries)
}

/// A book with buckets of these credits, kinds and expiry times.
fn book(buckets: &[(u32, BucketKind, Option<i64>)]) -> Book {
    let mut book = Book::default();
    for (number, (amount, kind, expires_at)) in buckets.iter().enumerate() {
        let grant = Grant {
            kind: *kind,
            expires_at: expires_at.map(Timestamp),
            ..grant(*amount, &number.to_string())
        };
        run(&mut book, &Command::Grant(grant), 0).unwrap();
    }
    book
}

fn remaining(book: &Book) -> Vec<i64> {
    book.buckets.values().map(|bucket| bucket.remaining.get()).collect()
}
