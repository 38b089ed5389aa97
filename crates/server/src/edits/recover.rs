//! Settles edits that a crash or a failing disk has left open.
//!
//! If the result is completely stored, it is captured. Work that a provider has named is fetched,
//! not repeated. Background work of which nothing was sent starts again from its stored request.
//! Everything else is released, with a record of what is known.

use std::sync::Arc;

use retouch_core::catalogue::MicroDollars;
use retouch_providers::{Provider, Task, built_in};
use retouch_store::{CloseError, OpenEditRow, Outcome};
use tokio::time::Instant;
use tracing::Instrument;

use super::run::EditRun;
use super::{background, lease, perform, settle, store_result, stored_request};
use crate::app::App;
use crate::error::{ApiError, Code};
use crate::metrics::Recovery;

/// Settles or resumes every open edit. Call this at startup, when this process is known to be the
/// only one that uses its database.
///
/// # Errors
/// If the store cannot be read.
pub async fn recover(app: &Arc<App>) -> Result<usize, retouch_store::Error> {
    let mut settled = 0;
    loop {
        // The list is limited, so repeat until nothing is left.
        match settle_all(app, app.store.list_open_edits().await?).await {
            0 => break,
            more => settled += more,
        }
    }
    Ok(settled)
}

/// Settles or resumes the open edits of earlier processes of this node, and edits that their
/// process has handed over. Call this at startup, when other nodes may be working on the other
/// edits.
///
/// # Errors
/// If the store cannot be read.
pub async fn resume_own(app: &Arc<App>) -> Result<usize, retouch_store::Error> {
    let mut rows = app.store.list_open_edits().await?;
    rows.retain(|row| row.is_left() || app.is_of_this_node(&row.owner));
    Ok(settle_all(app, rows).await)
}

/// Settles or resumes open edits that this process is not working on: its own, those that their
/// process has handed over, and those whose lease has not been renewed for long enough, according
/// to this sweep at `at` and earlier ones.
///
/// # Errors
/// If the store cannot be read.
pub async fn sweep(app: &Arc<App>, at: Instant) -> Result<usize, retouch_store::Error> {
    let now = app.clock.now();
    let due = app.store.list_due_edits(&app.owner, now, app.settings.edits.lease_ms).await;
    let mut rows = due.inspect_err(|_| app.lease_observations.forget())?;
    let silent = app.lease_observations.see(&rows, at, lease::wait(app, now));
    rows.retain(|row| row.owner == app.owner || row.is_left() || silent.contains(&row.id));
    Ok(settle_all(app, rows).await)
}

async fn settle_all(app: &Arc<App>, mut rows: Vec<OpenEditRow>) -> usize {
    let mut settled = 0;
    // Filter now: edits that are running may end while this waits, but `rows` would still list
    // them.
    rows.retain(|row| !app.running.contains(&row.id));
    for row in rows {
        let Some(guard) = app.running.begin_once(&row.account, row.id) else { continue };
        let run = EditRun::of_row(app, &row, guard).map_err(|error| error.to_string());
        let done = match run {
            Ok(run) => settle_one(run, &row).await,
            Err(error) => Err(error),
        };
        match done {
            Ok(was_open) => settled += usize::from(was_open),
            Err(error) => {
                tracing::error!(edit = %row.id, error, "could not settle an open edit");
            }
        }
    }
    settled
}

/// What can be done with an edit whose result is not stored.
enum Rest {
    /// The provider has named the work: ask it for the result.
    Resume(Arc<dyn Provider>, Task),
    /// Nothing was sent to a provider, and the request is stored: start the work.
    Begin,
    /// Nothing; this is why.
    Release(ApiError),
}

/// Settles or resumes the edit in `row`, and returns whether it was still open.
async fn settle_one(mut run: EditRun, row: &OpenEditRow) -> Result<bool, String> {
    let text = |error: retouch_store::Error| error.to_string();
    if run.app.store.blobs().confirm(&run.blob).await.map_err(text)? {
        let outcome = found(&run, row).map_err(|error| error.to_string())?;
        return end(&run, outcome).await;
    }
    // This process has already reported how its own edit ended; only the record is missing.
    if run.owner == run.app.owner {
        return end(&run, settle::failed(&run, &unrecorded(row))).await;
    }
    let rest = rest(&run, row).await.map_err(text)?;
    if !run.take_over(row).await.map_err(text)? {
        return Ok(false);
    }
    let (app, span) = (Arc::clone(&run.app), run.span_apart());
    if !matches!(rest, Rest::Release(_)) {
        run.recall().await.map_err(text)?;
    }
    match rest {
        Rest::Release(error) => return end(&run, settle::failed(&run, &error)).await,
        Rest::Resume(provider, task) => {
            app.tasks.spawn(resume(run, provider, task).instrument(span));
        }
        Rest::Begin => {
            app.tasks.spawn(background::make(run).instrument(span));
        }
    }
    app.metrics.recovered(Recovery::TakenOver);
    tracing::warn!(edit = %row.id, "resuming an edit that was left open");
    Ok(true)
}

async fn end(run: &EditRun, outcome: Outcome) -> Result<bool, String> {
    let captured = matches!(outcome, Outcome::Succeeded { .. });
    match settle::close(run, outcome).await {
        Ok(_) => {
            let recovery = if captured { Recovery::Charged } else { Recovery::Released };
            run.app.metrics.recovered(recovery);
            tracing::warn!(edit = %run.id, captured, "settled an edit that was left open");
            Ok(true)
        }
        // It has ended in the meantime, or another process has taken it over and will settle it.
        Err(CloseError::Ended(_) | CloseError::Taken) => Ok(false),
        Err(error) => Err(error.to_string()),
    }
}

async fn rest(run: &EditRun, row: &OpenEditRow) -> Result<Rest, retouch_store::Error> {
    Ok(match recorded(row) {
        Some(task) if task.ticket.is_some() => match run.app.providers.find(&task.provider) {
            Some(provider) => Rest::Resume(provider, task),
            None => Rest::Release(unknown(&task.provider)),
        },
        Some(task) => Rest::Release(unknown(&task.provider)),
        None if row.task.is_some() => Rest::Release(unknown(&row.provider)),
        // To save a disk sync, attempts are not recorded before they are sent while the caller
        // waits. The provider in the record may therefore have received the request.
        None if !row.is_background && row.provider != built_in::NAME => {
            Rest::Release(unknown(&row.provider))
        }
        None if !row.is_background || run.is_late() => Rest::Release(stopped()),
        None if stored_request::confirm(run).await? => Rest::Begin,
        None => Rest::Release(stopped()),
    })
}

/// Waits for work that the provider has named, and settles it.
async fn resume(run: EditRun, provider: Arc<dyn Provider>, task: Task) {
    tokio::select! {
        biased;
        performed = perform::resume(&run, provider.as_ref(), &task) => {
            let stored = store_result(&run, performed.map_err(Into::into)).await;
            // No caller waits for the outcome; the record shows it.
            drop(settle::capture_or_release(&run, stored).await);
        }
        () = run.app.ending.cancelled() => run.leave(),
    }
}

/// The last recorded attempt, if there is one that can be parsed.
fn recorded(row: &OpenEditRow) -> Option<Task> {
    row.task.as_deref().and_then(|text| serde_json::from_str(text).ok())
}

/// The outcome of an edit whose result is stored. Its token usage is no longer known.
fn found(run: &EditRun, row: &OpenEditRow) -> Result<Outcome, serde_json::Error> {
    let mut warnings = run.warnings.clone();
    let task = recorded(row);
    let provider_cost = match &task {
        Some(task) => task.cost,
        None => (row.provider == built_in::NAME).then_some(MicroDollars(0)),
    };
    warnings.extend(task.into_iter().flat_map(|task| task.warnings));
    Ok(Outcome::Succeeded {
        cost: run.price,
        provider_cost,
        usage: None,
        warnings: serde_json::to_string(&warnings)?,
        plan: None,
        stored: vec![run.blob.clone()],
        file: None,
        // Neither its size nor the inputs are known any more.
        size: None,
        original: None,
    })
}

fn stopped() -> ApiError {
    let message = "The server stopped while the edit was running. Nothing was charged.";
    ApiError::new(Code::ServerError, message)
}

/// The work has ended in this process without a result, but the database refused to record how.
fn unrecorded(row: &OpenEditRow) -> ApiError {
    let message = "The edit failed, and the reason could not be recorded. Nothing was charged.";
    let error = ApiError::new(Code::ServerError, message);
    if row.provider == built_in::NAME { error } else { error.in_doubt() }
}

/// A provider may have received the work, and its outcome will stay unknown.
fn unknown(provider: &str) -> ApiError {
    let message = format!(
        "The server stopped while {provider} may have been working on the request, so its outcome \
         is unknown. Nothing was charged. If you repeat the call, {provider} may do the work twice."
    );
    ApiError::new(Code::UpstreamError, message).in_doubt()
}
