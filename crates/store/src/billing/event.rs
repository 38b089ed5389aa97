//! The inbox of events from the payment provider. Each is stored once, with its outcome.

use retouch_core::{AccountId, Timestamp};

use crate::admin::{self, AuditAct, Deed};
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, one, params};
use crate::{Error, Page, PageRequest, Store};

/// The maximum number of events to settle per batch.
const OPEN_ROWS_MAX: i64 = 50;

/// An event from the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The provider's id, which makes it unique.
    pub id: String,
    /// Its type, such as `invoice.paid`.
    pub kind: String,
    /// The provider's id of the object that it is about.
    pub object: String,
    /// When it happened, according to the provider.
    pub created_at: Timestamp,
}

/// Whether an event is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// It was added to the inbox.
    New,
    /// It was already there, and nothing changed.
    Known,
}

/// An event in the inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// The event.
    pub event: NewEvent,
    /// When it was received.
    pub received_at: Timestamp,
    /// How many attempts to settle it have failed.
    pub attempts: u32,
    /// When to try next, if it is not settled.
    pub due_at: Timestamp,
    /// When it was settled. `None`: not yet.
    pub settled_at: Option<Timestamp>,
    /// The account that it turned out to be about.
    pub account: Option<AccountId>,
    /// The outcome, or why it is not settled yet. For the operator.
    pub outcome: Option<String>,
}

/// The events that are waiting in the inbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenEvents {
    /// How many events.
    pub count: i64,
    /// When the oldest of them was received.
    pub oldest: Option<Timestamp>,
}

/// Selects the columns that [`from_row`] reads by name.
macro_rules! select {
    () => {
        "SELECT id, kind, object, created_at, received_at, attempts, due_at, settled_at, account_id,
             outcome
         FROM payment_event"
    };
}

impl Store {
    /// Adds an event to the inbox, durably.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn receive_event(&self, event: NewEvent) -> Result<Received, Error> {
        self.write(Touches::Rows, move |tx| {
            let sql = "INSERT INTO payment_event
                           (id, kind, object, created_at, received_at, attempts, due_at)
                       VALUES (?1, ?2, ?3, ?4, ?5, 0, ?5) ON CONFLICT (id) DO NOTHING";
            let now = tx.now().0;
            let values = params![event.id, event.kind, event.object, event.created_at.0, now];
            let new = tx.rows().execute(sql, values)? > 0;
            Ok(if new { Received::New } else { Received::Known })
        })
        .await
    }

    /// The events that are due now, oldest first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_open_events(&self) -> Result<Vec<EventRecord>, Error> {
        let now = self.clock.now();
        let sql = concat!(
            select!(),
            " WHERE settled_at IS NULL AND due_at <= ?1 ORDER BY received_at, id LIMIT ?2"
        );
        self.read(move |rows| all(rows, sql, params![now.0, OPEN_ROWS_MAX], from_row)).await
    }

    /// Postpones an event until `until`, because settling it failed for the reason `why`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn postpone_event(
        &self,
        id: &str,
        why: String,
        until: Timestamp,
    ) -> Result<(), Error> {
        let id = id.to_owned();
        let sql = "UPDATE payment_event SET attempts = attempts + 1, due_at = ?2, outcome = ?3
                   WHERE id = ?1 AND settled_at IS NULL";
        self.write(Touches::Rows, move |tx| {
            tx.rows().execute(sql, params![id, until.0, why])?;
            Ok(())
        })
        .await
    }

    /// Makes an unsettled event due now, and logs it. Returns whether there is such an event.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn retry_event(&self, id: &str, deed: Deed) -> Result<bool, Error> {
        let id = id.to_owned();
        let sql = "UPDATE payment_event SET due_at = ?2 WHERE id = ?1 AND settled_at IS NULL";
        self.write(Touches::Global(None), move |tx| {
            admin::must_administer(tx, &deed)?;
            let waits = tx.rows().execute(sql, params![id, tx.now().0])? > 0;
            if waits {
                admin::note(tx, &deed, AuditAct::RetryEvent, None)?;
            }
            Ok(waits)
        })
        .await
    }

    /// Counts the unsettled events, and says when the oldest was received.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count_open_events(&self) -> Result<OpenEvents, Error> {
        let sql = "SELECT COUNT(*) AS count, MIN(received_at) AS oldest FROM payment_event
                   WHERE settled_at IS NULL";
        let read = |row: &Row<'_>| {
            let oldest: Option<i64> = row.get("oldest")?;
            Ok(OpenEvents { count: row.get("count")?, oldest: oldest.map(Timestamp) })
        };
        Ok(self.read(move |rows| one(rows, sql, params![], read)).await?.unwrap_or_default())
    }

    /// Lists the inbox, newest first, optionally only unsettled events (`open`). For the operator.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_events(
        &self,
        open: bool,
        page: &PageRequest,
    ) -> Result<Page<EventRecord>, Error> {
        let place = Place::read("payment_events", page)?;
        let (at, id) = place.after.as_deref().map(position).transpose()?.unwrap_or(LAST);
        let (at, id) = (at, id.to_owned());
        let sql = concat!(
            select!(),
            " WHERE (received_at < ?1 OR (received_at = ?1 AND id < ?2))
                  AND (NOT ?4 OR settled_at IS NULL)
              ORDER BY received_at DESC, id DESC LIMIT ?3"
        );
        self.read(move |rows| {
            let found = all(rows, sql, params![at, id, place.rows(), open], from_row)?;
            Ok(place.page(found, |row| format!("{} {}", row.received_at.0, row.event.id)))
        })
        .await
    }

    /// When the newest event happened, according to the provider, whether the provider sent it or
    /// we fetched it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn newest_event(&self) -> Result<Option<Timestamp>, Error> {
        let sql = "SELECT MAX(created_at) FROM payment_event";
        let newest = self.read(move |rows| {
            one(rows, sql, params![], |row| Ok(row.get::<_, Option<i64>>(0)?.map(Timestamp)))
        });
        Ok(newest.await?.flatten())
    }
}

/// The position of a list that starts with the newest event.
const LAST: (i64, &str) = (i64::MAX, "");

/// When an event was received, and its id.
fn position(text: &str) -> Result<(i64, &str), Error> {
    let (at, id) = text.split_once(' ').ok_or(Error::BadCursor)?;
    Ok((at.parse().map_err(|_| Error::BadCursor)?, id))
}

/// Whether an event is in the inbox and unsettled.
pub(super) fn is_open(rows: &Rows, id: &str) -> Result<bool, Error> {
    let sql = "SELECT settled_at IS NULL FROM payment_event WHERE id = ?1";
    Ok(one(rows, sql, [id], |row| row.get(0))?.unwrap_or(false))
}

fn from_row(row: &Row<'_>) -> Result<EventRecord, Error> {
    let account: Option<String> = row.get("account_id")?;
    let corrupt =
        |_| Error::Corrupt { what: "the account of an event is not the id of an account".into() };
    Ok(EventRecord {
        event: NewEvent {
            id: row.get("id")?,
            kind: row.get("kind")?,
            object: row.get("object")?,
            created_at: Timestamp(row.get("created_at")?),
        },
        received_at: Timestamp(row.get("received_at")?),
        attempts: row.get("attempts")?,
        due_at: Timestamp(row.get("due_at")?),
        settled_at: row.get::<_, Option<i64>>("settled_at")?.map(Timestamp),
        account: account.map(|text| text.parse().map_err(corrupt)).transpose()?,
        outcome: row.get("outcome")?,
    })
}
