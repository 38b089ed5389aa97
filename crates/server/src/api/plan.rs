//! `POST /api/plan`: what the built-in editor would do, without running it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use bytes::Bytes;
use retouch_core::edit::{Body, Draft, Rewording, Task};
use retouch_engine::video::VideoContext;
use retouch_engine::{Context, Refusal, RefusalKind};
use retouch_language::read_video;
use retouch_providers::built_in::plan;
use retouch_providers::reader::{self, Asked};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};
use crate::previews::Viewer;

/// What the built-in editor would do, or why it refuses.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditPlanView {
    /// The plan: its steps, the words they come from, and assumptions. If a language model has
    /// read the instruction, `reader` has the `model`, the `instruction` in the words of the
    /// built-in editor, and what was `ignored`. Null if the instruction is refused.
    #[schema(value_type = Option<Object>)]
    pub(crate) plan: Option<Value>,
    /// Why the instruction is refused, or null.
    pub(crate) refusal: Option<RefusalView>,
}

/// Why an instruction is refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusalView {
    /// `needs_generative_model`, `missing_detail`, `out_of_range`, `not_understood`,
    /// `other_language`, `asks_for_nothing` or `contradiction`.
    #[schema(value_type = String)]
    kind: RefusalKind,
    /// The words that stopped the editor.
    words: String,
    /// Where they are in the instruction: start and end, in Unicode scalar values.
    span: [usize; 2],
    /// What is wrong and what to do, for people.
    pub(crate) message: String,
    /// The nearest instruction that works, or null.
    nearest: Option<String>,
}

impl From<Refusal> for RefusalView {
    fn from(refusal: Refusal) -> Self {
        let Refusal { kind, words, span, message, nearest, .. } = refusal;
        Self { kind, words, span, message, nearest }
    }
}

/// Preview what the built-in editor would do.
///
/// Nothing is run, stored or charged. Calls without an account are allowed if the operator has
/// enabled them.
#[utoipa::path(
    post,
    path = "/api/plan",
    operation_id = "plan_edit",
    tag = "Editing",
    request_body = super::schema::PlanRequest,
    responses(
        (status = 200, description = "What the built-in editor would do, or why it refuses", body = EditPlanView),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
    ),
    security((), ("api_key" = []), ("session" = []))
)]
pub async fn plan_edit(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Json<EditPlanView>> {
    let received = intake::receive(&app, request, Who::Visitor, SMALL_BODY_BYTES_MAX).await?;
    let viewer = received.viewer(&app);
    plan(&app, &viewer, received.body).await.map(Json)
}

/// What would be done with the request in `body`. A language model may read the instruction too, if
/// one is configured; for visitors without an account, only if it has read the same words before.
///
/// # Errors
/// 400 as for an edit.
pub(crate) async fn plan(app: &Arc<App>, viewer: &Viewer, body: Bytes) -> ApiResult<EditPlanView> {
    let reading = app.reading(&viewer.whose, body.len(), move |app| {
        let draft = draft(&body)?;
        let asked = app.reader.as_ref().and_then(|_| asked(&draft));
        Ok((strict(&draft)?, draft, asked))
    });
    let (view, draft, asked) = reading.await?;
    let Some(asked) = asked else { return Ok(view) };
    let read = match &viewer.account {
        Some(account) => app.read_again(account, asked).await,
        None => app.recall_reading(&asked),
    };
    match read {
        None => Ok(view),
        Some(Err(refusal)) => Ok(EditPlanView { plan: None, refusal: Some(refusal.into()) }),
        Some(Ok(rewording)) => {
            app.reading(&viewer.whose, 0, move |_| reworded(&draft, &rewording)).await
        }
    }
}

/// What the built-in editor would do with the request in `body`.
///
/// # Errors
/// 400 as for an edit.
pub(crate) fn read(body: &[u8]) -> ApiResult<EditPlanView> {
    strict(&draft(body)?)
}

fn draft(body: &[u8]) -> ApiResult<Draft> {
    Ok(Draft::accept(&Body::parse(body)?)?)
}

fn context(draft: &Draft) -> Context {
    plan::context(draft.pictures as usize, draft.aspect_ratio, draft.size)
}

/// What to ask a language model about `draft`, if it may be asked.
fn asked(draft: &Draft) -> Option<Asked> {
    match &draft.task {
        Task::Words(words) if !draft.is_read_strictly => Asked::about(words, context(draft)),
        _ => None,
    }
}

/// The plan for `draft`, whose instruction a language model has reworded.
fn reworded(draft: &Draft, rewording: &Rewording) -> ApiResult<EditPlanView> {
    let Task::Words(words) = &draft.task else { return strict(draft) };
    let shown = reader::plan(words, rewording, &context(draft))
        .map(|plan| plan::shown_reworded(&plan, rewording));
    view(shown)
}

/// What the built-in editor itself would do with `draft`.
fn strict(draft: &Draft) -> ApiResult<EditPlanView> {
    let context = context(draft);
    let shown = match &draft.task {
        Task::Words(words) if draft.is_video => {
            let video = VideoContext {
                inputs: context.inputs,
                aspect: context.aspect,
                size: context.size,
                duration_seconds: draft.duration_seconds,
                durations_seconds: Vec::new(),
            };
            read_video(words, &video).map(|plan| plan::shown_video(&plan))
        }
        Task::Words(words) => {
            retouch_language::read(words, &context).map(|plan| plan::shown(&plan))
        }
        Task::Plan(plan) => {
            let plan = plan::replayed(plan, &context).map_err(|message| {
                ApiError::about(Code::InstructionNotSupported, "plan", message)
            })?;
            Ok(plan::shown(&plan))
        }
    };
    view(shown)
}

fn view(shown: Result<serde_json::Result<Value>, Refusal>) -> ApiResult<EditPlanView> {
    Ok(match shown {
        Ok(shown) => EditPlanView { plan: Some(shown.map_err(ApiError::internal)?), refusal: None },
        Err(refusal) => EditPlanView { plan: None, refusal: Some(refusal.into()) },
    })
}
