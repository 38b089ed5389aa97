//! One edit, from the request to the answer. A newcomer starts reading here.
//!
//! ```text
//! HTTP -> Body -> Catalogue::accept -> Edit -> price -> provider.read
//!      -> store.open_edit      one transaction: idempotency key, hold, record
//!      -> provider.edit        outside any transaction, in a task that outlives the connection
//!      -> blobs.put            durable before anything is charged
//!      -> store.close_edit     one transaction: capture or release, record, entry
//!      -> answer
//! ```
//!
//! The handler waits, the task does the work: a caller who hangs up changes nothing.

mod answer;
mod perform;
mod recover;
mod running;
mod settle;

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::edit::{Body, Edit, RequestLimits};
use retouch_core::{EditId, Kind, Warning};
use retouch_providers::{Reading, Serving};
use retouch_store::{IdempotencyKey, OpenEdit, Opened};
use tracing::Instrument;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake::BodyMemory;

pub(crate) use answer::view;
pub use answer::{EditResponse, GenerationView, ImageData};
pub(crate) use recover::remove;
pub use recover::{recover, sweep};
pub use running::Running;

/// The name of the call in the scope of an `Idempotency-Key`.
const CALL: &str = "image-edit";

/// What a caller sent: the body, and the key under which a repetition is recognised.
pub struct Submission {
    /// The body of the request.
    pub body: Bytes,
    /// The `Idempotency-Key`, if one was sent.
    pub idempotency_key: Option<String>,
    /// Memory for what the body carries, kept until the edit has ended.
    pub memory: BodyMemory,
}

/// An edit that was paid for, or one whose first answer is given again.
pub struct Answer {
    /// The body of the response.
    pub response: EditResponse,
    /// Whether this is the first answer, repeated for its `Idempotency-Key`.
    pub replayed: bool,
}

/// An accepted edit on its way through the work.
pub(crate) struct Accepted {
    id: EditId,
    blob: String,
    edit: Arc<Edit>,
    routes: Vec<Serving>,
    reading: Arc<Reading>,
    fingerprint: Option<[u8; 32]>,
}

/// Takes a request through the whole flow.
///
/// # Errors
/// Whatever is wrong, in the order of the requirement; nothing is charged unless a result is
/// stored.
pub async fn submit(app: &Arc<App>, caller: &Caller, submission: Submission) -> ApiResult<Answer> {
    let Submission { body, idempotency_key, memory } = submission;
    let accepted = accept(app, body, idempotency_key.is_some()).await?;
    // A repeated call may only want its first answer, which takes no room.
    if idempotency_key.is_none() && app.workshop.is_full() {
        return Err(crate::error::overloaded());
    }
    let (task_app, caller) = (Arc::clone(app), caller.clone());
    let work = async move {
        // Until the task ends the edit counts as running, so that no sweep takes it for one that
        // a crash has left behind.
        let _running = task_app.running.begin(&caller.account.id, accepted.id);
        let answer = carry_out(&task_app, &caller, &accepted, idempotency_key).await;
        drop(memory);
        answer
    };
    // In the call's span, so that what the task logs names its request.
    app.tasks.spawn(work.in_current_span()).await.map_err(ApiError::internal)?
}

/// What happens whether or not the caller waits for it.
async fn carry_out(
    app: &App,
    caller: &Caller,
    accepted: &Accepted,
    idempotency_key: Option<String>,
) -> ApiResult<Answer> {
    match open(app, caller, accepted, idempotency_key).await? {
        Opened::New => {
            let response = settle::settle(app, &caller.account.id, accepted).await?;
            Ok(Answer { response, replayed: false })
        }
        Opened::Replay(edit) => {
            let response = answer::replay(app, *edit).await?;
            Ok(Answer { response, replayed: true })
        }
    }
}

/// Reads the request and the instruction; everything that its text alone can show.
async fn accept(app: &Arc<App>, body: Bytes, keyed: bool) -> ApiResult<Accepted> {
    /// Bodies above this are read on a thread of their own, so that no other call waits.
    const READ_IN_PLACE_BYTES_MAX: usize = 64 * 1024;
    let (edit, fingerprint) = if body.len() <= READ_IN_PLACE_BYTES_MAX {
        read(app, &body, keyed)?
    } else {
        let app = Arc::clone(app);
        let read = tokio::task::spawn_blocking(move || read(&app, &body, keyed));
        read.await.map_err(ApiError::internal)??
    };
    let routes = app.providers.serving(&edit.model, edit.kind);
    let first = routes.first().ok_or_else(|| ApiError::internal("a model without a route"))?;
    let reading = Arc::new(first.provider.read(&edit, &first.model)?);
    let (id, blob) = (app.ids.edit(), app.blob_name());
    Ok(Accepted { id, blob, edit: Arc::new(edit), routes, reading, fingerprint })
}

fn read(app: &App, body: &[u8], keyed: bool) -> ApiResult<(Edit, Option<[u8; 32]>)> {
    let limits = RequestLimits { picture_bytes_max: app.settings.edits.picture_bytes_max };
    let body = Body::parse(body)?;
    let edit = app.catalogue.accept(Kind::ImageEdit, &body, limits)?;
    Ok((edit, keyed.then(|| body.fingerprint())))
}

/// Makes the hold: from here on the edit ends captured or released, whatever happens.
async fn open(
    app: &App,
    caller: &Caller,
    accepted: &Accepted,
    idempotency_key: Option<String>,
) -> ApiResult<Opened> {
    let idempotency = idempotency_key.zip(accepted.fingerprint);
    let idempotency =
        idempotency.map(|(key, fingerprint)| IdempotencyKey { call: CALL, key, fingerprint });
    let edit = &accepted.edit;
    let opening = OpenEdit {
        id: accepted.id,
        kind: Kind::ImageEdit,
        model: edit.model.id.clone(),
        provider: accepted.first_provider().to_owned(),
        instruction: edit.instruction.clone(),
        price: edit.price,
        key: caller.key_id().cloned(),
        idempotency,
        blob: accepted.blob.clone(),
        plan: accepted.reading.plan.as_ref().map(ToString::to_string),
        warnings: warnings_text(&accepted.warnings())?,
        owner: app.owner.clone(),
        lease_until: app.clock.now().plus_ms(app.settings.edits.lease_ms),
    };
    let opened = app.store.open_edit(&caller.account.id, opening).await;
    opened.map_err(|error| settle::not_opened(error, edit.price))
}

impl Accepted {
    /// Who is asked first.
    fn first_provider(&self) -> &str {
        self.routes.first().map_or("", |route| route.provider.name())
    }

    /// What is known before the work begins: how the request was read, and what the provider
    /// will do otherwise.
    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.edit.warnings.clone();
        warnings.extend(self.reading.warnings.iter().cloned());
        warnings
    }
}

fn warnings_text(warnings: &[Warning]) -> ApiResult<String> {
    serde_json::to_string(warnings).map_err(ApiError::internal)
}

/// Reads an `Idempotency-Key`.
///
/// # Errors
/// When it is not 1 to 255 visible ASCII characters.
pub fn idempotency_key(value: &[u8]) -> ApiResult<String> {
    const CHARS_MAX: usize = 255;
    let visible = value.iter().all(u8::is_ascii_graphic);
    let key = std::str::from_utf8(value).ok().filter(|_| visible);
    key.filter(|key| (1..=CHARS_MAX).contains(&key.len())).map(ToOwned::to_owned).ok_or_else(|| {
        let message =
            "`Idempotency-Key` must be 1 to 255 visible ASCII characters, without spaces.";
        ApiError::new(Code::InvalidIdempotencyKey, message)
    })
}
