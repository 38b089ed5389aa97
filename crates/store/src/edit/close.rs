//! Closing an edit: its credits are captured or released, exactly once.

use bytes::Bytes;
use retouch_core::catalogue::MicroDollars;
use retouch_core::credits::Command;
use retouch_core::{AccountId, Credits, EditId};
use thiserror::Error;

use super::{EditRecord, EditStatus, Failure, day, events, lease, row};
use crate::blobs::small;
use crate::mail::{self, Notice};
use crate::queue::Touches;
use crate::refusal::{self, Patience};
use crate::rows::{Row, Rows, one, params};
use crate::transaction::Transaction;
use crate::webhook::IS_LISTENING;
use crate::{Error, Store};

/// The outcome of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result is durably stored, or becomes so together with this. The edit is charged, no
    /// matter which process stored it.
    Succeeded {
        /// How many credits to charge; at most what is held.
        cost: Credits,
        /// What the provider charges, for the statistics. `None` if that is not known.
        provider_cost: Option<MicroDollars>,
        /// The provider's usage figures, as JSON.
        usage: Option<String>,
        /// All warnings, as JSON.
        warnings: String,
        /// The final plan, as JSON. `None` keeps the plan that the edit was opened with.
        plan: Option<String>,
        /// The stored results, as callers see them. The first one is the edit's blob.
        stored: Vec<String>,
        /// The content of the first of them, if it [is small](crate::Blobs::is_small) and therefore
        /// not stored yet.
        file: Option<Bytes>,
        /// Width and height of the result in pixels, if it is an image and they are known.
        size: Option<(u32, u32)>,
        /// What [`Store::original`] says of its first input, if that is known. `None` keeps the
        /// root that the edit was opened with.
        original: Option<String>,
    },
    /// Nothing is charged.
    Failed {
        /// Identifies the process that performs the edit. Only this process can know that no result
        /// will come.
        owner: String,
        /// The reason, for the caller.
        failure: Failure,
    },
}

/// An edit that has just been closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// The edit.
    pub edit: EditRecord,
    /// The credits that its account has left, available for other edits.
    pub available: Credits,
}

/// Why an edit was not closed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CloseError {
    /// The account has no such edit.
    #[error("the account has no such edit")]
    Unknown,
    /// Another process performs the edit, and only that process may report a failure.
    #[error("another process is performing the edit")]
    Taken,
    /// The edit has already ended, like this.
    #[error("the edit has already ended: it {}", .0.status.as_str())]
    Ended(Box<EditRecord>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Store {
    /// Closes an edit in one transaction: captures or releases its hold, and completes its record.
    /// An edit ends once: a second close changes nothing and reports how the edit ended.
    ///
    /// # Errors
    /// [`CloseError`]; then nothing has changed.
    pub async fn close_edit(
        &self,
        account: &AccountId,
        edit: &EditId,
        outcome: Outcome,
    ) -> Result<Closed, CloseError> {
        let closing = Closing {
            account: account.clone(),
            edit: *edit,
            outcome,
            patience: Patience::of(&self.settings),
            notice: self.notice(),
            low_credits: self.settings.low_credits,
        };
        let closed = self.write(Touches::account(account), move |tx| match close(tx, &closing) {
            Err(CloseError::Store(error)) => Err(error),
            closed => Ok(closed),
        });
        let (closed, is_listening) = closed.await??;
        if is_listening {
            self.deliveries_queued();
        }
        Ok(closed)
    }
}

/// An edit that ends.
struct Closing {
    account: AccountId,
    edit: EditId,
    outcome: Outcome,
    patience: Patience,
    notice: Option<Notice>,
    /// Below how many credits the owner is warned.
    low_credits: Credits,
}

/// Closes an edit. Also returns whether a webhook may have an event of it.
fn close(tx: &mut Transaction<'_>, closing: &Closing) -> Result<(Closed, bool), CloseError> {
    let Closing { account, edit, outcome, patience, .. } = closing;
    let edit = *edit;
    let (record, is_listening) = find(tx.rows(), account, edit)?.ok_or(CloseError::Unknown)?;
    if record.status != EditStatus::Processing {
        return Err(CloseError::Ended(Box::new(record)));
    }
    if let Outcome::Failed { owner, .. } = outcome
        && lease::owner_of(tx.rows(), account, edit)?.as_ref() != Some(owner)
    {
        return Err(CloseError::Taken);
    }
    let command = match outcome {
        Outcome::Succeeded { cost, .. } => Command::Capture { hold: edit, credits: *cost },
        Outcome::Failed { .. } => Command::Release { hold: edit },
    };
    let after = tx.command(account, &command)?;
    if let Outcome::Succeeded { cost, .. } = outcome
        && let Some(left) = mail::just_low(&after, *cost, closing.low_credits)
    {
        mail::warn_of_low_credits(tx, closing.notice.as_ref(), account, left)?;
        if is_listening {
            events::emit_low_credits(tx, account, (edit, left, closing.low_credits))?;
        }
    }
    let blob = record.blob.clone();
    let ended = EditRecord { completed_at: Some(tx.now()), ..ended(record, outcome) };
    update(tx, &ended)?;
    if ended.blob != blob {
        set_blob(tx, &ended)?;
    }
    if let Outcome::Succeeded { file: Some(file), .. } = outcome {
        small::insert(tx, &ended.blob, file)?;
    }
    day::count(tx, &ended, outcome);
    if let Some(failure) = &ended.failure {
        refusal::count(tx, account, &failure.code, *patience)?;
    }
    if is_listening {
        events::emit_ended(tx, &ended)?;
    }
    Ok((Closed { edit: ended, available: after.available }, is_listening))
}

/// Finds an account's edit, and whether the account has a webhook that is on. One query, because
/// most accounts have none.
fn find(
    rows: &Rows,
    account: &AccountId,
    edit: EditId,
) -> Result<Option<(EditRecord, bool)>, Error> {
    let sql = format!(
        "SELECT {}, {IS_LISTENING} FROM edit WHERE account_id = ?1 AND id = ?2",
        row::COLUMNS
    );
    let read = |it: &Row<'_>| Ok((row::from_row(it)?, it.get("is_listening")?));
    one(rows, &sql, params![account.as_str(), edit.to_string()], read)
}

fn ended(record: EditRecord, outcome: &Outcome) -> EditRecord {
    match outcome.clone() {
        Outcome::Succeeded { cost, usage, warnings, plan, stored, size, original, .. } => {
            EditRecord {
                // What was made from a result goes back to the same image as the result.
                root: original.filter(|_| record.parent.is_none()).unwrap_or(record.root),
                status: EditStatus::Succeeded,
                cost,
                usage,
                warnings,
                plan: plan.or(record.plan),
                blob: stored.first().cloned().unwrap_or(record.blob),
                stored,
                size,
                ..record
            }
        }
        Outcome::Failed { failure, .. } => EditRecord {
            status: EditStatus::Failed,
            cost: Credits::ZERO,
            failure: Some(failure),
            ..record
        },
    }
}

fn update(tx: &Transaction<'_>, ended: &EditRecord) -> Result<(), Error> {
    let sql = "UPDATE edit SET status = ?3, cost = ?4, usage = ?5, warnings = ?6, plan = ?7,
                   stored = ?8, failure_code = ?9, failure_message = ?10, completed_at = ?11,
                   in_doubt = ?12, root = ?13, width = ?14, height = ?15
               WHERE account_id = ?1 AND id = ?2";
    let failure = ended.failure.as_ref();
    tx.rows().put(
        sql,
        params![
            ended.account.as_str(),
            ended.id.to_string(),
            ended.status.as_str(),
            ended.cost.get(),
            ended.usage,
            ended.warnings,
            ended.plan,
            serde_json::to_string(&ended.stored)?,
            failure.map(|failure| &failure.code),
            failure.map(|failure| &failure.message),
            ended.completed_at.map(|moment| moment.0),
            failure.is_some_and(|failure| failure.in_doubt),
            ended.root,
            ended.size.map(|(width, _)| i64::from(width)),
            ended.size.map(|(_, height)| i64::from(height)),
        ],
    )
}

/// Records the name of a result that another process has stored. A statement of its own, because SQLite
/// rewrites the index of a column that is set, even to the same value.
fn set_blob(tx: &Transaction<'_>, ended: &EditRecord) -> Result<(), Error> {
    let sql = "UPDATE edit SET blob = ?3 WHERE account_id = ?1 AND id = ?2";
    let values = params![ended.account.as_str(), ended.id.to_string(), ended.blob];
    tx.rows().put(sql, values)
}
