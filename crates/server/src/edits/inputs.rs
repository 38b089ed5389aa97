//! The input images of an edit. They are read before the edit waits for its turn, so that a slow
//! image server delays only the callers that use it.

use std::sync::Arc;
use std::time::Duration;

use retouch_providers::inputs::Source;
use tracing::{Instrument, info_span};

use super::accept::Call;
use super::perform;
use crate::error::{ApiError, ApiResult, overloaded};

/// Reads the images of `call`. Images at URLs are fetched into the memory of the call; accounts
/// take turns, and each runs only as many fetches at a time as its plan allows.
pub(super) async fn read(call: &Call) -> ApiResult<Arc<[Source]>> {
    let Call { run, assignment, memory, .. } = call;
    let (app, edit) = (&run.app, &assignment.edit);
    let _turn = if app.inputs.fetches(edit) {
        let at_once_max = call.limits().fetches_at_once_max;
        let turn = app.fetches.turn(&run.account, at_once_max).instrument(info_span!("wait"));
        let time_left = Duration::from_millis(run.time_left_ms());
        let turn = tokio::time::timeout(time_left, turn).await;
        Some(turn.map_err(|_elapsed| overloaded())?)
    } else {
        None
    };
    let reading = app.inputs.read(&run.account, edit, memory).instrument(info_span!("inputs"));
    let read = perform::within(run, reading).await;
    read.map_err(|error| memory.refused().map_or_else(|| ApiError::from(error), Into::into))
}
