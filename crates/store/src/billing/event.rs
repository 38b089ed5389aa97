//! The inbox: what a vendor of payments has told, each thing once, kept with what came of it.

use retouch_core::{AccountId, Timestamp};

use crate::admin::{self, AuditAct, Deed};
use crate::page::Place;
use crate::rows::{Row, Rows, all, one, params};
use crate::work::Touches;
use crate::{Error, Page, PageRequest, Store};

/// Events that are handed out to be settled at a time.
const OPEN_ROWS_MAX: i64 = 50;

/// Something that the vendor has told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The vendor's name for it; it counts once.
    pub id: String,
    /// What it is about, such as `invoice.paid`.
    pub kind: String,
    /// The vendor's name for the thing to look at.
    pub object: String,
    /// When the vendor says that it happened.
    pub created_at: Timestamp,
}

/// Whether an event is news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// It is in the inbox now.
    New,
    /// It was there before; nothing has changed.
    Known,
}

/// An event in the inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// What was told.
    pub event: NewEvent,
    /// When it came.
    pub received_at: Timestamp,
    /// How often settling it has failed.
    pub attempts: u32,
    /// When settling it is tried next, while it is not settled.
    pub due_at: Timestamp,
    /// When it was settled; none: not yet.
    pub settled_at: Option<Timestamp>,
    /// Whose it turned out to be.
    pub account: Option<AccountId>,
    /// What came of it, or why it is not settled yet; for the operator.
    pub outcome: Option<String>,
}

/// What waits in the inbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenEvents {
    /// How many events.
    pub count: i64,
    /// When the oldest of them came.
    pub oldest: Option<Timestamp>,
}

/// What [`from_row`] reads, by name, so that further columns change nothing.
macro_rules! select {
    () => {
        "SELECT id, kind, object, created_at, received_at, attempts, due_at, settled_at, account_id,
             outcome
         FROM payment_event"
    };
}

impl Store {
    /// Puts an event into the inbox; it is on disk when this answers.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn receive_event(&self, event: NewEvent) -> Result<Received, Error> {
        self.write(Touches::Rows, move |unit| {
            let sql = "INSERT INTO payment_event
                           (id, kind, object, created_at, received_at, attempts, due_at)
                       VALUES (?1, ?2, ?3, ?4, ?5, 0, ?5) ON CONFLICT (id) DO NOTHING";
            let now = unit.now().0;
            let values = params![event.id, event.kind, event.object, event.created_at.0, now];
            let new = unit.rows().execute(sql, values)? > 0;
            Ok(if new { Received::New } else { Received::Known })
        })
        .await
    }

    /// The events that are to be settled now, those that came first first.
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

    /// Leaves an event for `until`, since settling it has failed for the reason `why`.
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
        self.write(Touches::Rows, move |unit| {
            unit.rows().execute(sql, params![id, until.0, why])?;
            Ok(())
        })
        .await
    }

    /// Has an event that waits tried again at once, and writes it down; whether there is one of
    /// this name that waits.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn retry_event(&self, id: &str, deed: Deed) -> Result<bool, Error> {
        let id = id.to_owned();
        let sql = "UPDATE payment_event SET due_at = ?2 WHERE id = ?1 AND settled_at IS NULL";
        self.write(Touches::House(None), move |unit| {
            admin::must_administer(unit, &deed)?;
            let waits = unit.rows().execute(sql, params![id, unit.now().0])? > 0;
            if waits {
                admin::note(unit, &deed, (AuditAct::RetryEvent, None, None))?;
            }
            Ok(waits)
        })
        .await
    }

    /// How many events wait to be settled, and since when the oldest of them does.
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

    /// The inbox, newest first; for the operator. Only what waits, where `open` says so.
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

    /// When the newest event came that the vendor told by itself or was asked for.
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

/// The position before the newest event.
const LAST: (i64, &str) = (i64::MAX, "");

/// When an event came, and its name.
fn position(text: &str) -> Result<(i64, &str), Error> {
    let (at, id) = text.split_once(' ').ok_or(Error::BadCursor)?;
    Ok((at.parse().map_err(|_| Error::BadCursor)?, id))
}

/// Whether an event is in the inbox and not settled.
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
