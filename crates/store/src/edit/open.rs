//! Opening an edit: the idempotency key, the hold and the record, in one transaction.

use retouch_core::credits::{Command, KeyAllowance, NewHold, Refused};
use retouch_core::{AccountId, Credits, EditId, KeyId, Kind, Timestamp};
use thiserror::Error;

use super::standing::{self, Standing};
use super::{EditRecord, EditStatus, events, row};
use crate::billing::PauseReason;
use crate::queue::{Durability, Touches};
use crate::refusal::Patience;
use crate::rows::{Row, Rows, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// An edit to open.
#[derive(Clone, Debug)]
pub struct OpenEdit {
    /// Its id, which is also the hold's.
    pub id: EditId,
    /// What it produces.
    pub kind: Kind,
    /// The model that the caller asked for.
    pub model: String,
    /// The provider that will perform it.
    pub provider: String,
    /// What the caller asked for.
    pub instruction: String,
    /// How many credits to hold.
    pub price: Credits,
    /// The API key of the call, if it was made with one.
    pub key: Option<KeyId>,
    /// What identifies a repeated call.
    pub idempotency: Option<IdempotencyKey>,
    /// The name of the result's blob, which cannot be guessed.
    pub blob: String,
    /// The rest of the request, without the instruction, as JSON.
    pub request: Option<String>,
    /// If the first input is the result of another edit: that result's blob.
    pub input_blob: Option<String>,
    /// The file name of the first input, as the caller gave it.
    pub input_name: Option<String>,
    /// How the instruction was understood, as JSON.
    pub plan: Option<String>,
    /// The warnings so far, as JSON.
    pub warnings: String,
    /// Identifies the process that performs it.
    pub owner: String,
    /// When other processes may take over, unless the owner renews the lease.
    pub lease_until: Timestamp,
    /// Whether it is performed without its caller, from a stored request, and every attempt at a
    /// provider is recorded before it is sent.
    pub is_background: bool,
    /// Whether a power failure must not undo this before it ends, because something that outlives
    /// the failure depends on it: a stored request, or an idempotency key whose provider may have
    /// been asked. Only the embedded database makes a difference.
    pub is_kept: bool,
    /// How many edits of this kind (videos, or images) the account may have in progress, on all
    /// nodes together.
    pub at_once_max: usize,
    /// Whether it may use a provider that costs the operator money.
    pub is_paid: bool,
}

/// A name that the caller chose for a call. It is unique within the account and the kind of call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The kind of call.
    pub call: &'static str,
    /// The name.
    pub key: String,
    /// SHA-256 of the request. The same key with a different request is an error.
    pub fingerprint: [u8; 32],
}

/// The result of opening an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// The edit is open and its credits are held.
    New,
    /// The same call was charged before. This is its record, which its owner may have deleted.
    Replay(Box<EditRecord>),
}

/// Why an edit was not opened. Nothing is held.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpenError {
    /// The ledger refused to hold the price: too few credits are available, for example.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The API key has been revoked, or has expired.
    #[error("the key is revoked or has expired")]
    KeyUnusable,
    /// The account has too many edits of this kind in progress.
    #[error("the account already has {under_way} edits in progress")]
    Full {
        /// How many are in progress.
        under_way: usize,
    },
    /// Providers have refused too many of the account's requests today.
    #[error("the account must wait {wait_s} s before its next call to a provider")]
    RefusedTooOften {
        /// How long to wait, in seconds; at least 1.
        wait_s: u64,
    },
    /// Paid providers are paused for the account until an administrator resumes them.
    #[error("paid providers are paused for the account")]
    Paused,
    /// Paid providers are paused for the account until an administrator resumes them, because they
    /// refused too many of its requests.
    #[error("paid providers are paused for the account: they refused too many of its requests")]
    PausedForRefusals,
    /// A call with this idempotency key is still running.
    #[error("a call with this idempotency key is still running")]
    IdempotencyRunning {
        /// The edit of that call.
        edit: EditId,
    },
    /// The idempotency key belongs to a different call.
    #[error("this idempotency key was used for a different call")]
    IdempotencyMismatch,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Store {
    /// Opens an edit in one transaction: looks up its idempotency key, holds its price and writes
    /// its record.
    ///
    /// # Errors
    /// [`OpenError`]; then nothing has changed.
    pub async fn open_edit(
        &self,
        account: &AccountId,
        edit: OpenEdit,
    ) -> Result<Opened, OpenError> {
        let account = account.clone();
        let patience = Patience::of(&self.settings);
        let durability = if edit.is_kept { Durability::Synced } else { Durability::Unsynced };
        let touches = Touches::account(&account);
        let opened = self.write_with((touches, durability), move |tx| {
            match open(tx, &account, (&edit, patience)) {
                Err(OpenError::Store(error)) => Err(error),
                outcome => Ok(outcome),
            }
        });
        let opened = opened.await;
        // A refusal or a repeated answer tells of earlier commands.
        if !matches!(opened, Ok(Ok(Opened::New))) {
            self.backend().settled().await?;
        }
        opened?
    }
}

impl Store {
    /// The newest idempotency key of `call` that begins with `prefix` and was used since this moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn find_newest_key(
        &self,
        account: &AccountId,
        call: &'static str,
        (prefix, since): (&str, Timestamp),
    ) -> Result<Option<String>, Error> {
        let (account, prefix) = (account.clone(), prefix.to_owned());
        self.read(move |rows| {
            // Keys are ASCII, so all with this prefix come before the prefix with DEL.
            let sql = "SELECT key FROM idempotency
                       WHERE account_id = ?1 AND call = ?2 AND key >= ?3 AND key < ?4
                           AND created_at >= ?5
                       ORDER BY created_at DESC, key DESC LIMIT 1";
            let end = format!("{prefix}\u{7f}");
            let values = params![account.as_str(), call, prefix, end, since.0];
            one(rows, sql, values, |row| row.get(0))
        })
        .await
    }

    /// Finds the edit that was charged for an earlier call with this idempotency key. `None` if the
    /// key is unused. Opens nothing.
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

fn open(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    (edit, patience): (&OpenEdit, Patience),
) -> Result<Opened, OpenError> {
    // The account may have been deleted or suspended since the call was authenticated.
    let standing = standing::read(tx, account, (edit.kind, edit.key.as_ref()))?;
    let key = match (&edit.key, standing.key) {
        (Some(id), Some(limits)) => Some(KeyAllowance { id: id.clone(), limits }),
        (Some(_), None) => return Err(OpenError::KeyUnusable),
        (None, _) => None,
    };
    let known = edit.idempotency.as_ref().map(|key| known(tx.rows(), account, key));
    let repeats = match known.transpose()? {
        Some(Known::Charged(record)) => return Ok(Opened::Replay(record)),
        Some(Known::InDoubt(earlier)) => Some(earlier),
        Some(Known::Free) | None => None,
    };
    if edit.is_paid {
        may_ask(&standing, (tx.now(), patience))?;
    }
    if standing.under_way >= edit.at_once_max {
        return Err(OpenError::Full { under_way: standing.under_way });
    }
    let hold = NewHold { id: edit.id, credits: edit.price, key, description: description(edit) };
    match tx.command(account, &Command::Hold(hold)) {
        Ok(_) => {}
        Err(Error::Refused(refused)) => {
            if let (Refused::KeyLimit { limit, used, .. }, Some(key)) = (&refused, &edit.key) {
                events::emit_key_limit(tx, account, (key, *limit, *used))?;
            }
            return Err(refused.into());
        }
        Err(error) => return Err(error.into()),
    }
    insert(tx, account, (edit, repeats))?;
    if let Some(idempotency) = &edit.idempotency {
        bind(tx, account, (idempotency, edit.id))?;
    }
    Ok(Opened::New)
}

/// Checks whether the account may use a paid provider now.
fn may_ask(standing: &Standing, (now, patience): (Timestamp, Patience)) -> Result<(), OpenError> {
    match standing.paused.as_deref().map(PauseReason::of_row).transpose()? {
        Some(PauseReason::Refusals) => return Err(OpenError::PausedForRefusals),
        Some(_) => return Err(OpenError::Paused),
        None => {}
    }
    let wait_s = standing.refusals.wait_s(now, patience);
    wait_s.map_or(Ok(()), |wait_s| Err(OpenError::RefusedTooOften { wait_s }))
}

/// The description of the hold in the ledger.
fn description(edit: &OpenEdit) -> String {
    let what = match edit.kind {
        Kind::ImageEdit => "Edit",
        Kind::TextToImage => "Picture",
        Kind::Video => "Video",
    };
    format!("{what} with {}", edit.model)
}

/// What an idempotency key was used for before.
enum Known {
    /// Nothing, or only attempts that ended without a charge.
    Free,
    /// An uncharged attempt whose outcome at the provider is unknown.
    InDoubt(EditId),
    /// An edit that was charged.
    Charged(Box<EditRecord>),
}

/// Looks up an idempotency key.
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
    let missing =
        || Error::Corrupt { what: format!("an idempotency key refers to a missing edit: {edit}") };
    let record = row::find(rows, account, edit)?.ok_or_else(missing)?;
    match record.status {
        EditStatus::Failed => {
            let in_doubt = record.failure.is_some_and(|failure| failure.in_doubt);
            // If an earlier attempt is in doubt, a later one that certainly did nothing does not
            // change that.
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
    tx: &Transaction<'_>,
    account: &AccountId,
    (edit, repeats): (&OpenEdit, Option<EditId>),
) -> Result<(), Error> {
    let parent = edit.input_blob.as_ref().map(|blob| parent(tx.rows(), account, blob));
    let (parent, root) = parent.transpose()?.flatten().unzip();
    let sql = "INSERT INTO edit (account_id, id, kind, status, model, provider, instruction, cost,
                   key_id, blob, stored, warnings, plan, owner, lease_until, created_at, request,
                   parent, repeats, root, input_name, background)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '[]', ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19, ?20, ?21)";
    tx.rows().put(
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
            tx.now().0,
            edit.request,
            parent,
            repeats.map(|edit| edit.to_string()),
            // Until it is known from which image it starts, it is the only one that does.
            root.unwrap_or_else(|| edit.id.to_string()),
            edit.input_name,
            edit.is_background,
        ],
    )
}

/// The edit whose result this blob is, and its root, if the edit belongs to the account.
fn parent(rows: &Rows, account: &AccountId, blob: &str) -> Result<Option<(String, String)>, Error> {
    let sql =
        "SELECT id, root FROM edit WHERE account_id = ?1 AND blob = ?2 AND deleted_at IS NULL";
    one(rows, sql, params![account.as_str(), blob], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn bind(
    tx: &Transaction<'_>,
    account: &AccountId,
    (idempotency, edit): (&IdempotencyKey, EditId),
) -> Result<(), Error> {
    let sql = "INSERT INTO idempotency (account_id, call, key, fingerprint, edit_id, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (account_id, call, key) DO UPDATE SET
                   fingerprint = excluded.fingerprint, edit_id = excluded.edit_id,
                   created_at = excluded.created_at";
    tx.rows().put(
        sql,
        params![
            account.as_str(),
            idempotency.call,
            idempotency.key,
            idempotency.fingerprint,
            edit.to_string(),
            tx.now().0,
        ],
    )
}
