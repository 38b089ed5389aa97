//! Lets a language model read an instruction that the built-in editor refuses, before anything is
//! reserved.

use std::sync::Arc;

use retouch_core::AccountId;
use retouch_core::edit::Edit;
use retouch_providers::reader::Asked;
use retouch_providers::{Reading, built_in};
use retouch_store::{IdempotencyKey, OpenError};

use super::accept::{Assignment, assign, encode, is_built_in};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};

/// An edit after the first reading of its instruction.
pub(super) enum First {
    /// Its instruction was understood.
    Assigned(Assignment),
    /// It was refused, and a language model may read it.
    Refused(Box<Refused>),
}

/// An edit whose instruction the built-in editor refuses.
pub(super) struct Refused {
    edit: Edit,
    asked: Asked,
    error: ApiError,
}

/// Assigns `edit`, unless a language model may read its instruction first.
pub(super) fn first(app: &App, edit: Edit) -> ApiResult<First> {
    if app.reader.is_none() {
        return assign(app, edit).map(First::Assigned);
    }
    match assign(app, edit.clone()) {
        Err(error) if error.code == Code::InstructionNotSupported => {
            let routes = app.providers.serving(&edit.model, edit.kind, app.clock.now());
            let asked = Some(&edit).filter(|_| is_built_in(&routes)).and_then(built_in::asked);
            let asked = asked.ok_or_else(|| error.clone())?;
            Ok(First::Refused(Box::new(Refused { edit, asked, error })))
        }
        assigned => assigned.map(First::Assigned),
    }
}

/// Assigns an edit after its second reading. A call with the `key` of an earlier one is read like
/// that, whatever the model would say now, so that a repeated call always finds its first result.
///
/// # Errors
/// The refusal.
pub(super) async fn second(
    app: &Arc<App>,
    account: &AccountId,
    first: First,
    key: Option<IdempotencyKey>,
) -> ApiResult<Assignment> {
    let Refused { mut edit, asked, error } = match first {
        First::Assigned(assignment) => return Ok(assignment),
        First::Refused(refused) => *refused,
    };
    if let Some(reading) = earlier(app, account, key).await? {
        let routes = app.providers.serving(&edit.model, edit.kind, app.clock.now());
        encode(&mut edit, &reading)?;
        return Ok(Assignment { edit: Arc::new(edit), routes, reading: Arc::new(reading) });
    }
    match app.read_again(account, asked).await {
        None => Err(error),
        Some(Err(refusal)) => Err(ApiError { message: refusal.message, ..error }),
        Some(Ok(rewording)) => {
            edit.rewording = Some(Arc::new(rewording));
            app.reading(account, 0, move |app| assign(app, edit)).await
        }
    }
}

/// What was understood of the earlier call with this key, if there is one.
async fn earlier(
    app: &App,
    account: &AccountId,
    key: Option<IdempotencyKey>,
) -> ApiResult<Option<Reading>> {
    let Some(key) = key else { return Ok(None) };
    let record = match app.store.find_replay(account, key).await {
        Ok(record) => record,
        Err(OpenError::IdempotencyRunning { edit }) => app.store.find_edit(account, &edit).await?,
        // It is reported when the edit is opened.
        Err(OpenError::IdempotencyMismatch) => None,
        Err(OpenError::Store(error)) => return Err(error.into()),
        Err(other) => return Err(ApiError::internal(other)),
    };
    let plan = record.and_then(|record| record.plan);
    let plan = plan.and_then(|plan| serde_json::from_str(&plan).ok());
    Ok(plan.map(|plan| Reading { plan: Some(plan), warnings: Vec::new() }))
}
