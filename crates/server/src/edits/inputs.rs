//! The pictures of an edit, had before it takes its turn at whoever performs it: a server that is slow
//! to send a picture delays nobody but those who named it.

use std::sync::Arc;
use std::time::Duration;

use retouch_core::edit::Edit;
use retouch_providers::inputs::Source;
use tracing::{Instrument, info_span};

use super::{Held, perform};
use crate::app::App;
use crate::error::{ApiResult, overloaded};
use crate::http::bodies::BodyMemory;

/// The pictures of `edit`. Those at other addresses are fetched in turn by account, of which one has at
/// most so many fetches at once, into memory of the call.
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
