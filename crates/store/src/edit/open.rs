//! The beginning of an edit: idempotency key, hold and record in one transaction.

use retouch_core::credits::{Command, KeyAllowance, NewHold, Refused};
use retouch_core::{AccountId, Credits, EditId, KeyId, Kind, Timestamp};
use thiserror::Error;

use super::{EditRecord, EditStatus, row};
use crate::billing::PauseReason;
use crate::refusal::{self, Patience};
use crate::rows::{Row, Rows, column, one, params};
use crate::unit::Unit;
use crate::work::Touches;
use crate::{Error, Store, account, api_key, billing};

/// An edit to open.
#[derive(Clone, Debug)]
pub struct OpenEdit {
    /// Its name; it names the hold too.
    pub id: EditId,
    /// What it makes.
    pub kind: Kind,
    /// The model that was asked for.
    pub model: String,
    /// Who is to perform it.
    pub provider: String,
    /// What was asked.
    pub instruction: String,
    /// What is held for it.
    pub price: Credits,
    /// The API key that asks, where one does.
    pub key: Option<KeyId>,
    /// What makes a repeated call find this one.
    pub idempotency: Option<IdempotencyKey>,
    /// The name that the result's blob will get; unguessable.
    pub blob: String,
    /// What was asked beside the words, as JSON.
    pub request: Option<String>,
    /// The blob of an edit whose result is the first input, where it is one.
    pub input_blob: Option<String>,
    /// What was understood, as JSON.
    pub plan: Option<String>,
    /// The warnings so far, as JSON.
    pub warnings: String,
    /// Names the process that performs it.
    pub owner: String,
    /// Until when that process is believed to be at it, unless it says so again.
    pub lease_until: Timestamp,
    /// How many edits the account may have under way, on all nodes together: videos, or pictures.
    pub at_once_max: usize,
    /// Whether a provider may perform it that the operator pays.
    pub is_paid: bool,
}

/// A caller's own name for a call, within its account and kind of call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The kind of call.
    pub call: &'static str,
    /// The caller's name for it.
    pub key: String,
    /// SHA-256 of what the call means: the same key with another meaning is a mistake.
    pub fingerprint: [u8; 32],
}

/// What opening an edit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// It is open and its credits are held.
    New,
    /// The same call was charged before: this is its record (deleted by its owner, perhaps).
    Replay(Box<EditRecord>),
}

/// Why an edit was not opened; nothing is held.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpenError {
    /// Fewer credits are available than the edit costs.
    #[error("{needed} credits are needed and {available} are available")]
    Insufficient {
        /// What it costs.
        needed: Credits,
        /// What is available.
        available: Credits,
    },
    /// The API key would go over its own limit.
    #[error("the key may use {limit} credits, has used {used}, and {needed} are needed")]
    KeyLimit {
        /// What the key may use over its life.
        limit: Credits,
        /// What it has used or holds.
        used: Credits,
        /// What the edit costs.
        needed: Credits,
    },
    /// The API key has been revoked or has expired meanwhile.
    #[error("the key cannot be used any more")]
    KeyUnusable,
    /// The account has as many edits of the kind under way as it may have.
    #[error("{under_way} edits of the account are under way")]
    Full {
        /// How many it has.
        under_way: usize,
    },
    /// Providers have refused much of what the account asked for today.
    #[error("the account has to wait {wait_s} s before it asks a provider")]
    RefusedTooOften {
        /// How long it has to wait, in seconds, at least 1.
        wait_s: u64,
    },
    /// Paid providers are paused for the account until an administrator has looked.
    #[error("paid providers are paused for the account")]
    Paused,
    /// Paid providers are paused for the account, which they refused too often, until an administrator
    /// has looked.
    #[error("paid providers are paused for the account, which they refused too often")]
    PausedForRefusals,
    /// A call of this idempotency key still runs.
    #[error("a call with this idempotency key still runs")]
    IdempotencyRunning {
        /// That call's edit.
        edit: EditId,
    },
    /// The idempotency key belongs to another call.
    #[error("this idempotency key was used for a different call")]
    IdempotencyMismatch,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Store {
    /// Opens an edit in one transaction: looks its idempotency key up, holds its price, writes
    /// its record.
    ///
    /// # Errors
    /// [`OpenError`]; nothing has changed then.
    pub async fn open_edit(
        &self,
        account: &AccountId,
        edit: OpenEdit,
    ) -> Result<Opened, OpenError> {
        let account = account.clone();
        let patience = Patience::of(&self.settings);
        let opened = self.write(Touches::account(&account), move |unit| {
            match open(unit, &account, (&edit, patience)) {
                Err(OpenError::Store(error)) => Err(error),
                outcome => Ok(outcome),
            }
        });
        opened.await?
    }
}

impl Store {
    /// The edit that a call with this idempotency key was charged for before; none where the key is
    /// free. Nothing is opened.
    ///
    /// # Errors
    /// [`OpenError::IdempotencyRunning`], [`OpenError::IdempotencyMismatch`], [`OpenError::Store`].
    pub async fn find_replay(
        &self,
        account: &AccountId,
        key: IdempotencyKey,
    ) -> Result<Option<EditRecord>, OpenError> {
        let account = account.clone();
        let found = self.read(move |rows| match known(rows, &account, &key) {
            Err(OpenError::Store(error)) => Err(error),
            outcome => Ok(outcome),
        });
        Ok(match found.await?? {
            Known::Charged(record) => Some(*record),
            Known::Free | Known::InDoubt(_) => None,
        })
    }
}

impl From<Refused> for OpenError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Insufficient { needed, available } => Self::Insufficient { needed, available },
            Refused::KeyLimit { limit, used, needed } => Self::KeyLimit { limit, used, needed },
            refused => Self::Store(refused.into()),
        }
    }
}

fn open(
    unit: &mut Unit<'_>,
    account: &AccountId,
    (edit, patience): (&OpenEdit, Patience),
) -> Result<Opened, OpenError> {
    // It may have been deleted or suspended after the call had been let in.
    let under_way = account::acting(unit.rows(), account, edit.kind)?;
    let key = edit.key.as_ref().map(|key| allowance(unit, account, key)).transpose()?;
    let known = edit.idempotency.as_ref().map(|key| known(unit.rows(), account, key));
    let repeats = match known.transpose()? {
        Some(Known::Charged(record)) => return Ok(Opened::Replay(record)),
        Some(Known::InDoubt(earlier)) => Some(earlier),
        Some(Known::Free) | None => None,
    };
    if edit.is_paid {
        may_ask(unit, account, patience)?;
    }
    if under_way >= edit.at_once_max {
        return Err(OpenError::Full { under_way });
    }
    let hold = NewHold { id: edit.id, credits: edit.price, key, description: description(edit) };
    match unit.command(account, &Command::Hold(hold)) {
        Ok(_) => {}
        Err(Error::Refused(refused)) => return Err(refused.into()),
        Err(error) => return Err(error.into()),
    }
    insert(unit, account, (edit, repeats))?;
    if let Some(idempotency) = &edit.idempotency {
        bind(unit, account, (idempotency, edit.id))?;
    }
    Ok(Opened::New)
}

/// Whether the account may ask a paid provider now.
fn may_ask(unit: &Unit<'_>, account: &AccountId, patience: Patience) -> Result<(), OpenError> {
    match billing::paused_for(unit.rows(), account)? {
        Some(PauseReason::Refusals) => return Err(OpenError::PausedForRefusals),
        Some(_) => return Err(OpenError::Paused),
        None => {}
    }
    let wait_s = refusal::wait_s(unit, account, patience)?;
    wait_s.map_or(Ok(()), |wait_s| Err(OpenError::RefusedTooOften { wait_s }))
}

/// What the entry of the hold says.
fn description(edit: &OpenEdit) -> String {
    let what = match edit.kind {
        Kind::ImageEdit => "Edit",
        Kind::TextToImage => "Picture",
        Kind::Video => "Video",
    };
    format!("{what} with {}", edit.model)
}

fn allowance(unit: &Unit<'_>, account: &AccountId, key: &KeyId) -> Result<KeyAllowance, OpenError> {
    let found = api_key::find(unit.rows(), account, key)?;
    let key = found.filter(|key| key.is_usable(unit.now())).ok_or(OpenError::KeyUnusable)?;
    Ok(KeyAllowance { id: key.id, limit: key.credit_limit })
}

/// What an idempotency key has been used for.
enum Known {
    /// Nothing, or attempts that ended uncharged.
    Free,
    /// The same, but what became of this attempt at its provider is not known.
    InDoubt(EditId),
    /// An edit that was charged.
    Charged(Box<EditRecord>),
}

/// Looks an idempotency key up.
fn known(
    rows: &Rows,
    account: &AccountId,
    idempotency: &IdempotencyKey,
) -> Result<Known, OpenError> {
    let sql = "SELECT fingerprint, edit_id FROM idempotency
               WHERE account_id = ?1 AND call = ?2 AND key = ?3";
    let values = params![account.as_str(), idempotency.call, idempotency.key];
    let read = |row: &Row<'_>| Ok((row.get::<_, [u8; 32]>(0)?, column(row, "edit_id")?));
    let Some((fingerprint, edit)) = one(rows, sql, values, read)? else {
        return Ok(Known::Free);
    };
    let missing = || Error::Corrupt { what: format!("an idempotency key names no edit: {edit}") };
    let record = row::find(rows, account, edit)?.ok_or_else(missing)?;
    match record.status {
        EditStatus::Failed => {
            let in_doubt = record.failure.is_some_and(|failure| failure.in_doubt);
            // A later attempt that certainly did nothing does not settle an earlier one.
            let earlier = if in_doubt { Some(edit) } else { record.repeats };
            let earlier = earlier.filter(|_| fingerprint == idempotency.fingerprint);
            Ok(earlier.map_or(Known::Free, Known::InDoubt))
        }
        _ if fingerprint != idempotency.fingerprint => Err(OpenError::IdempotencyMismatch),
        EditStatus::Processing => Err(OpenError::IdempotencyRunning { edit }),
        EditStatus::Succeeded => Ok(Known::Charged(Box::new(record))),
    }
}

fn insert(
    unit: &Unit<'_>,
    account: &AccountId,
    (edit, repeats): (&OpenEdit, Option<EditId>),
) -> Result<(), Error> {
    let parent = edit.input_blob.as_ref().map(|blob| parent(unit.rows(), account, blob));
    let sql = "INSERT INTO edit (account_id, id, kind, status, model, provider, instruction, cost,
                   key_id, blob, stored, warnings, plan, owner, lease_until, created_at, request,
                   parent, repeats)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '[]', ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18)";
    unit.rows().put(
        sql,
        params![
            account.as_str(),
            edit.id.to_string(),
            edit.kind.as_str(),
            EditStatus::Processing.as_str(),
            edit.model,
            edit.provider,
            edit.instruction,
            edit.price.get(),
            edit.key.as_ref().map(KeyId::as_str),
            edit.blob,
            edit.warnings,
            edit.plan,
            edit.owner,
            edit.lease_until.0,
            unit.now().0,
            edit.request,
            parent.transpose()?.flatten(),
            repeats.map(|edit| edit.to_string()),
        ],
    )
}

/// The account's own edit whose result this blob is; somebody else's is no parent.
fn parent(rows: &Rows, account: &AccountId, blob: &str) -> Result<Option<String>, Error> {
    let sql = "SELECT id FROM edit WHERE account_id = ?1 AND blob = ?2 AND deleted_at IS NULL";
    one(rows, sql, params![account.as_str(), blob], |row| row.get(0))
}

fn bind(
    unit: &Unit<'_>,
    account: &AccountId,
    (idempotency, edit): (&IdempotencyKey, EditId),
) -> Result<(), Error> {
    let sql = "INSERT INTO idempotency (account_id, call, key, fingerprint, edit_id, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (account_id, call, key) DO UPDATE SET
                   fingerprint = excluded.fingerprint, edit_id = excluded.edit_id,
                   created_at = excluded.created_at";
    unit.rows().put(
        sql,
        params![
            account.as_str(),
            idempotency.call,
            idempotency.key,
            idempotency.fingerprint,
            edit.to_string(),
            unit.now().0,
        ],
    )
}
