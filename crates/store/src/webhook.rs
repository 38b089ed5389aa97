//! Webhooks: addresses that receive the events of an account, and what is delivered to them.
//!
//! An event is written in the transaction of the change that it reports (`emit`), one row for each
//! webhook that receives it. So a crash never loses one of the two. Any node takes what is due
//! (`deliver`), sends it outside any transaction, and notes the outcome. A node that stops in
//! between leaves a claim that ends after a minute, and then another one sends the same again.

mod deliver;
mod delivery;
mod emit;

use retouch_core::{AccountId, Timestamp, WebhookId};

use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store, account};

pub use self::deliver::{Attempt, AttemptEnd, Claim, ClaimEnd, Due};
pub use self::delivery::{Delivery, DeliveryStatus};
pub use self::emit::EventKind;
pub(crate) use self::emit::{Event, IS_LISTENING, emit, listens};

/// How long deliveries are kept, in milliseconds: 14 days after their event.
pub(crate) const KEPT_MS: i64 = 14 * 24 * 3_600_000;

/// The columns that [`from_row`] reads.
const COLUMNS: &str = "id, url, events, public_key, earlier_until, created_at, off_reason, off_at,
    failing_since";

/// An address that receives events, without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The address.
    pub url: String,
    /// The events that it receives.
    pub events: Vec<EventKind>,
    /// The public key that verifies its signatures.
    pub public_key: String,
    /// Until when the secrets before the last rotation also sign.
    pub earlier_until: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Why it receives nothing, and since when.
    pub off: Option<(Off, Timestamp)>,
    /// Since when every attempt has failed.
    pub failing_since: Option<Timestamp>,
}

/// Why a webhook receives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// Its owner turned it off.
    Paused,
    /// It answered that it is gone.
    Gone,
    /// Every attempt has failed for days.
    Failing,
}

impl Off {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Paused => "paused",
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        [Self::Paused, Self::Gone, Self::Failing].into_iter().find(|it| it.as_str() == name)
    }
}

/// The secrets of a webhook, encrypted by the caller.
#[derive(Clone, Debug)]
pub struct SealedSecrets {
    /// The encrypted secrets.
    pub sealed: Vec<u8>,
    /// The public key that belongs to them.
    pub public_key: String,
}

/// A webhook to create.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Its id, under which its secrets are encrypted.
    pub id: WebhookId,
    /// The address.
    pub url: String,
    /// The events that it receives.
    pub events: Vec<EventKind>,
    /// Its secrets.
    pub secrets: SealedSecrets,
    /// How many webhooks the account may have.
    pub webhooks_max: usize,
}

/// What to change about a webhook. `None` leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct WebhookChange {
    /// The address.
    pub url: Option<String>,
    /// The events that it receives.
    pub events: Option<Vec<EventKind>>,
    /// Whether it receives events. Turning it on again forgets earlier failures.
    pub is_on: Option<bool>,
}

impl Store {
    /// Creates a webhook.
    ///
    /// # Errors
    /// [`Error::TooMany`], [`Error::AccountUnknown`].
    pub async fn create_webhook(
        &self,
        account: &AccountId,
        new: NewWebhook,
    ) -> Result<Webhook, Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| insert(tx, &account, &new)).await
    }

    /// Lists an account's webhooks, newest first.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_webhooks(
        &self,
        account: &AccountId,
        page: &PageRequest,
    ) -> Result<Page<Webhook>, Error> {
        let (account, place) = (account.clone(), Place::read("webhooks", page)?);
        self.read(move |rows| {
            let sql = format!(
                "SELECT {COLUMNS} FROM webhook
                 WHERE account_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3"
            );
            let values = params![account.as_str(), place.before(), place.rows()];
            Ok(place.page(all(rows, &sql, values, from_row)?, |webhook| webhook.id.to_string()))
        })
        .await
    }

    /// Finds a webhook of an account.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_webhook(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
    ) -> Result<Option<Webhook>, Error> {
        let (account, webhook) = (account.clone(), webhook.clone());
        self.read(move |rows| find(rows, &account, &webhook)).await
    }

    /// Changes a webhook of an account. `None` if there is no such webhook.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn change_webhook(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
        change: WebhookChange,
    ) -> Result<Option<Webhook>, Error> {
        let (account, id) = (account.clone(), webhook.clone());
        let changing = self.write(Touches::account(&account), move |tx| {
            let Some(found) = find(tx.rows(), &account, &id)? else { return Ok(None) };
            let changed = changed(found, &change, tx.now());
            update(tx.rows(), &account, &changed)?;
            deliver::set_due(tx, &id, None)?;
            Ok(Some(changed))
        });
        let changed = changing.await?;
        self.deliveries_queued();
        Ok(changed)
    }

    /// Gives a webhook new secrets. The ones before also sign until `earlier_until`. `None` if there
    /// is no such webhook.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn rotate_webhook(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
        (secrets, earlier_until): (SealedSecrets, Timestamp),
    ) -> Result<Option<Webhook>, Error> {
        let (account, id) = (account.clone(), webhook.clone());
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE webhook SET earlier_secrets = sealed_secrets, earlier_until = ?3,
                           sealed_secrets = ?4, public_key = ?5
                       WHERE account_id = ?1 AND id = ?2";
            let SealedSecrets { sealed, public_key } = &secrets;
            let values =
                params![account.as_str(), id.as_str(), earlier_until.0, *sealed, *public_key];
            tx.rows().execute(sql, values)?;
            find(tx.rows(), &account, &id)
        })
        .await
    }

    /// Deletes a webhook of an account and its deliveries. `false` if there is no such webhook.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_webhook(
        &self,
        account: &AccountId,
        webhook: &WebhookId,
    ) -> Result<bool, Error> {
        let (account, id) = (account.clone(), webhook.clone());
        self.write(Touches::account(&account), move |tx| {
            let values = params![account.as_str(), id.as_str()];
            let sql = "DELETE FROM webhook_delivery WHERE account_id = ?1 AND webhook_id = ?2";
            tx.rows().execute(sql, values)?;
            let sql = "DELETE FROM webhook WHERE account_id = ?1 AND id = ?2";
            Ok(tx.rows().execute(sql, values)? > 0)
        })
        .await
    }
}

/// Deletes all webhooks of an account and their deliveries.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    let sql = "DELETE FROM webhook_delivery WHERE webhook_id IN (
                   SELECT id FROM webhook WHERE account_id = ?1)";
    rows.execute(sql, [account.as_str()])?;
    rows.execute("DELETE FROM webhook WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}

fn insert(tx: &Transaction<'_>, account: &AccountId, new: &NewWebhook) -> Result<Webhook, Error> {
    let rows = tx.rows();
    account::find(rows, account)?.ok_or(Error::AccountUnknown)?;
    let sql = "SELECT COUNT(*) FROM webhook WHERE account_id = ?1";
    let count: i64 = one(rows, sql, [account.as_str()], |row| row.get(0))?.unwrap_or(0);
    if usize::try_from(count).is_ok_and(|count| count >= new.webhooks_max) {
        return Err(Error::TooMany { what: "webhooks", most: new.webhooks_max });
    }
    let sql = "INSERT INTO webhook (id, account_id, url, events, public_key, sealed_secrets,
                   created_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let (events, secrets) = (emit::names(&new.events), &new.secrets);
    rows.execute(
        sql,
        params![
            new.id.as_str(),
            account.as_str(),
            new.url,
            events,
            secrets.public_key,
            secrets.sealed,
            tx.now().0,
        ],
    )?;
    find(rows, account, &new.id)?.ok_or(Error::AccountUnknown)
}

fn changed(found: Webhook, change: &WebhookChange, now: Timestamp) -> Webhook {
    let is_turned_on = change.is_on == Some(true) && found.off.is_some();
    Webhook {
        url: change.url.clone().unwrap_or(found.url),
        events: change.events.clone().unwrap_or(found.events),
        off: match change.is_on {
            None => found.off,
            Some(true) => None,
            Some(false) => found.off.or(Some((Off::Paused, now))),
        },
        failing_since: found.failing_since.filter(|_| !is_turned_on),
        ..found
    }
}

fn update(rows: &Rows, account: &AccountId, it: &Webhook) -> Result<(), Error> {
    let sql = "UPDATE webhook SET url = ?3, events = ?4, off_reason = ?5, off_at = ?6,
                   failing_since = ?7
               WHERE account_id = ?1 AND id = ?2";
    let (reason, at) = it.off.unzip();
    let values = params![
        account.as_str(),
        it.id.as_str(),
        it.url,
        emit::names(&it.events),
        reason.map(Off::as_str),
        at.map(|moment| moment.0),
        it.failing_since.map(|moment| moment.0),
    ];
    rows.execute(sql, values).map(drop)
}

/// Finds a webhook by its id, if the account owns it.
fn find(rows: &Rows, account: &AccountId, webhook: &WebhookId) -> Result<Option<Webhook>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM webhook WHERE account_id = ?1 AND id = ?2");
    one(rows, &sql, params![account.as_str(), webhook.as_str()], from_row)
}

fn from_row(row: &Row<'_>) -> Result<Webhook, Error> {
    let moment = |name| Ok::<_, Error>(row.get::<_, Option<i64>>(name)?.map(Timestamp));
    let reason: Option<String> = row.get("off_reason")?;
    let unknown = |name: &str| Error::Corrupt { what: format!("a webhook is off: {name}") };
    let reason = reason.map(|name| Off::of_name(&name).ok_or_else(|| unknown(&name)));
    Ok(Webhook {
        id: column(row, "id")?,
        url: row.get("url")?,
        events: emit::kinds(&row.get::<_, String>("events")?)?,
        public_key: row.get("public_key")?,
        earlier_until: moment("earlier_until")?,
        created_at: Timestamp(row.get("created_at")?),
        off: reason.transpose()?.zip(moment("off_at")?),
        failing_since: moment("failing_since")?,
    })
}
