//! The input images of an edit. They are read before the edit waits for its turn, so that a slow
//! image server delays only the callers that use it.

use std::sync::Arc;
use std::time::Duration;

use retouch_core::edit::Edit;
use retouch_providers::inputs::Source;
use tracing::{Instrument, info_span};

use super::{Held, perform};
use crate::app::App;
use crate::error::{ApiResult, overloaded};
use crate::http::bodies::BodyMemory;

/// Reads the images of `edit`. Images at URLs are fetched into the memory of the call; accounts
/// take turns, and each runs at most `at_once_max` fetches at a time.
pub(super) async fn read(
    app: &App,
    held: &Held,
    (edit, memory, at_once_max): (&Edit, &BodyMemory, usize),
) -> ApiResult<Arc<[Source]>> {
    let _turn = if app.inputs.fetches(edit) {
        let turn = app.fetches.turn(&held.account, at_once_max).instrument(info_span!("wait"));
        let time_left = Duration::from_millis(held.time_left_ms(app));
        let turn = tokio::time::timeout(time_left, turn).await;
        Some(turn.map_err(|_elapsed| overloaded())?)
    } else {
        None
    };
    let reading = app.inputs.read(edit, memory).instrument(info_span!("inputs"));
    let read = perform::within(app, held, reading).await;
    read.map_err(|error| memory.refused().map_or_else(|| error.into(), Into::into))
}
