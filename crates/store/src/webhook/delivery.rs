//! The deliveries of a webhook, for its owner.

use retouch_core::{AccountId, EventId, Timestamp, WebhookId};

use super::emit::{self, EventKind};
use super::{deliver, find};
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store};

/// The maximum number of failed deliveries that one call queues again.
const AGAIN_MAX: i64 = 1_000;

/// The columns that [`from_row`] reads.
const COLUMNS: &str = "id, event, created_at, status, attempts, due_at, tried_at, took_ms,
    response_status, problem";

/// How far a delivery is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// It is due now or later.
    Waiting,
    /// It was accepted.
    Delivered,
    /// The last attempt has failed.
    Failed,
}

impl DeliveryStatus {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Waiting, Self::Delivered, Self::Failed];

    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    /// The status with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// What a webhook is to receive or has received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The event.
    pub id: EventId,
    /// Its kind.
    pub event: EventKind,
    /// When it happened.
    pub created_at: Timestamp,
    /// How far it is.
    pub status: DeliveryStatus,
    /// How many attempts there were since it was queued, or queued again.
    pub attempts: i64,
    /// When the next attempt is due.
    pub due_at: Option<Timestamp>,
    /// When the last attempt began.
    pub tried_at: Option<Timestamp>,
    /// How long it took, in milliseconds.
    pub took_ms: Option<i64>,
    /// The status of its response.
    pub response_status: Option<i64>,
    /// What went wrong.
    pub problem: Option<String>,
}

impl Store {
    /// Lists the deliveries of a webhook, newest first; all of them, or those with one status.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_deliveries(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
        (status, page): (Option<DeliveryStatus>, &PageRequest),
    ) -> Result<Page<Delivery>, Error> {
        let (account, webhook) = (account.clone(), webhook.clone());
        let place = Place::read("deliveries", page)?;
        self.read(move |rows| {
            let filter = if status.is_some() { "AND status = ?5" } else { "AND ?5 IS NULL" };
            let sql = format!(
                "SELECT {COLUMNS} FROM webhook_delivery
                 WHERE webhook_id = ?1 AND account_id = ?2 AND id < ?3 {filter}
                 ORDER BY id DESC LIMIT ?4"
            );
            let values = params![
                webhook.as_str(),
                account.as_str(),
                place.before(),
                place.rows(),
                status.map(DeliveryStatus::as_str),
            ];
            Ok(place.page(all(rows, &sql, values, from_row)?, |it| it.id.to_string()))
        })
        .await
    }

    /// Queues a delivery again, now and with all its attempts. `None` if there is no such delivery.
    ///
    /// # Errors
    /// [`Error::DeliveriesFull`].
    pub async fn redeliver(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
        delivery: &EventId,
    ) -> Result<Option<Delivery>, Error> {
        let (account, webhook, id) = (account.clone(), webhook.clone(), delivery.clone());
        let queueing = self.write(Touches::account(&account), move |tx| {
            let Some(_) = find_delivery(tx.rows(), &account, (&webhook, &id))? else {
                return Ok(None);
            };
            again(tx, &webhook, ("id = ?3", &id.as_str()))?;
            find_delivery(tx.rows(), &account, (&webhook, &id))
        });
        let found = queueing.await?;
        self.deliveries_queued();
        Ok(found)
    }

    /// Queues failed deliveries again, oldest first. Returns how many; `None` if there is no such
    /// webhook. More may be left if it is a thousand.
    ///
    /// # Errors
    /// [`Error::DeliveriesFull`].
    pub async fn redeliver_failed(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
    ) -> Result<Option<usize>, Error> {
        let (account, webhook) = (account.clone(), webhook.clone());
        let queueing = self.write(Touches::account(&account), move |tx| {
            let Some(_) = find(tx.rows(), &account, &webhook)? else { return Ok(None) };
            let failed = "id IN (SELECT id FROM webhook_delivery
                WHERE webhook_id = ?1 AND status = 'failed' ORDER BY id LIMIT ?3)";
            again(tx, &webhook, (failed, &AGAIN_MAX)).map(Some)
        });
        let count = queueing.await?;
        self.deliveries_queued();
        Ok(count)
    }

    /// Queues a test event. `None` if there is no such webhook.
    ///
    /// # Errors
    /// [`Error::DeliveriesFull`].
    pub async fn test_webhook(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
    ) -> Result<Option<Delivery>, Error> {
        let (account, webhook) = (account.clone(), webhook.clone());
        let queueing = self.write(Touches::account(&account), move |tx| {
            let rows = tx.rows();
            let Some(_) = find(rows, &account, &webhook)? else { return Ok(None) };
            emit::check_room(rows, webhook.as_str())?;
            let id = emit::emit_test(tx, &account, webhook.as_str())?;
            deliver::set_due(tx, &webhook, None)?;
            find_delivery(rows, &account, (&webhook, &id))
        });
        let queued = queueing.await?;
        self.deliveries_queued();
        Ok(queued)
    }
}

/// Queues the deliveries that match `which`, in which `value` is `?3`. Returns how many.
fn again(
    tx: &Transaction<'_>,
    webhook: &WebhookId,
    (which, value): (&str, &dyn crate::rows::ToValue),
) -> Result<usize, Error> {
    let (rows, now) = (tx.rows(), tx.now().0);
    emit::check_room(rows, webhook.as_str())?;
    let sql = format!(
        "UPDATE webhook_delivery SET status = 'waiting', attempts = 0, due_at = ?2
         WHERE webhook_id = ?1 AND {which}"
    );
    let webhook_id = webhook.as_str();
    let count = rows.execute(&sql, &[&webhook_id as _, &now as _, value] as &[_])?;
    deliver::set_due(tx, webhook, None)?;
    Ok(count)
}

fn find_delivery(
    rows: &Rows,
    account: &AccountId,
    (webhook, id): (&WebhookId, &EventId),
) -> Result<Option<Delivery>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM webhook_delivery WHERE webhook_id = ?1 AND account_id = ?2 AND id = ?3"
    );
    one(rows, &sql, params![webhook.as_str(), account.as_str(), id.as_str()], from_row)
}

fn from_row(row: &Row<'_>) -> Result<Delivery, Error> {
    let moment = |name| Ok::<_, Error>(row.get::<_, Option<i64>>(name)?.map(Timestamp));
    let status: String = row.get("status")?;
    let unknown = || Error::Corrupt { what: format!("unknown status of a delivery {status:?}") };
    Ok(Delivery {
        id: column(row, "id")?,
        event: EventKind::of_name(&row.get::<_, String>("event")?)?,
        created_at: Timestamp(row.get("created_at")?),
        status: DeliveryStatus::find(&status).ok_or_else(unknown)?,
        attempts: row.get("attempts")?,
        due_at: moment("due_at")?,
        tried_at: moment("tried_at")?,
        took_ms: row.get("took_ms")?,
        response_status: row.get("response_status")?,
        problem: row.get("problem")?,
    })
}
