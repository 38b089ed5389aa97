//! `POST /v1/images/generations` and `POST /v1/images/edits`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::errors::answered;
use super::request::Ask;
use super::run::Run;
use super::schema::{EditFormOpenai, EditRequestOpenai, GenerationRequestOpenai, ImagesOpenai};
use super::{answer, events, request, retries};
use crate::api::submission;
use crate::app::App;
use crate::edits::{AcceptedResponse, ReadOnce};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, Who};
use crate::http::rates;

/// Create images from a prompt, as OpenAI's clients do.
///
/// Each image is charged when it has been stored. Images that could not be made are missing from
/// `data`, and a warning says so.
#[utoipa::path(
    post,
    path = "/v1/images/generations",
    operation_id = "generate_images_openai",
    tag = "OpenAI",
    request_body = GenerationRequestOpenai,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters. A repeated call with the same key and body gets the first response again, with `idempotent-replayed: true`, and is not charged again."),
        ("Prefer" = Option<String>, Header, description = "`respond-async`: respond with a 202 as soon as the request has been checked, and do the work afterwards. Not with `stream` or more than one image."),
        ("x-stainless-retry-count" = Option<String>, Header, description = "How many times the client has tried before. A repeated call gets the answer of the first one, within ten minutes."),
    ),
    responses(
        (status = 200, description = "The images; a stream of events if `stream` is true", content((ImagesOpenai = "application/json"), (String = "text/event-stream"))),
        (
            status = 202,
            description = "With `Prefer: respond-async`: the image is being made",
            body = AcceptedResponse,
            headers(
                ("Location" = String, description = "The URL of the generation"),
                ("Preference-Applied" = String, description = "`respond-async`"),
                ("Retry-After" = u64, description = "Seconds to wait before getting the generation"),
            )
        ),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 402, description = "Insufficient credits", body = ErrorBody),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "The generation of this Idempotency-Key was deleted", body = ErrorBody),
        (status = 409, description = "The first call with this Idempotency-Key is still running", body = ErrorBody),
        (status = 410, description = "The result of this Idempotency-Key has expired and was removed", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was already used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many edits running", body = ErrorBody),
        (status = 500, description = "Server error; the message says whether you were charged", body = ErrorBody),
        (status = 503, description = "The server is overloaded or not ready", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn generate_images(State(app): State<Arc<App>>, request: Request) -> Response {
    answered(respond(&app, request, Kind::TextToImage).await)
}

/// Edit images from a prompt, as OpenAI's clients do.
///
/// Each image is charged when it has been stored. Images that could not be made are missing from
/// `data`, and a warning says so.
#[utoipa::path(
    post,
    path = "/v1/images/edits",
    operation_id = "edit_images_openai",
    tag = "OpenAI",
    request_body(content((EditFormOpenai = "multipart/form-data"), (EditRequestOpenai = "application/json"))),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters. A repeated call with the same key and body gets the first response again, with `idempotent-replayed: true`, and is not charged again."),
        ("Prefer" = Option<String>, Header, description = "`respond-async`: respond with a 202 as soon as the request has been checked, and do the work afterwards. Not with `stream` or more than one image."),
        ("x-stainless-retry-count" = Option<String>, Header, description = "How many times the client has tried before. A repeated call gets the answer of the first one, within ten minutes."),
    ),
    responses(
        (status = 200, description = "The images; a stream of events if `stream` is true", content((ImagesOpenai = "application/json"), (String = "text/event-stream"))),
        (
            status = 202,
            description = "With `Prefer: respond-async`: the image is being made",
            body = AcceptedResponse,
            headers(
                ("Location" = String, description = "The URL of the generation"),
                ("Preference-Applied" = String, description = "`respond-async`"),
                ("Retry-After" = u64, description = "Seconds to wait before getting the generation"),
            )
        ),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 402, description = "Insufficient credits", body = ErrorBody),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "The generation of this Idempotency-Key was deleted", body = ErrorBody),
        (status = 409, description = "The first call with this Idempotency-Key is still running", body = ErrorBody),
        (status = 410, description = "The result of this Idempotency-Key has expired and was removed", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is neither a form nor JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was already used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many edits running", body = ErrorBody),
        (status = 500, description = "Server error; the message says whether you were charged", body = ErrorBody),
        (status = 503, description = "The server is overloaded or not ready", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn edit_images(State(app): State<Arc<App>>, request: Request) -> Response {
    answered(respond(&app, request, Kind::ImageEdit).await)
}

async fn respond(app: &Arc<App>, request: Request, kind: Kind) -> ApiResult<Response> {
    let bytes_max = app.settings.server.body_bytes_max;
    let received = match kind {
        Kind::ImageEdit => intake::receive_json_or_form(app, request, Who::Payer, bytes_max).await,
        Kind::TextToImage | Kind::Video => {
            intake::receive(app, request, Who::Payer, bytes_max).await
        }
    }?;
    let (caller, parts) = (received.caller()?.clone(), received.parts.clone());
    let ask = request::read(app, received, kind).await?;
    let is_async = submission::prefers_async(&parts.headers);
    if is_async {
        check_async(&ask)?;
    }
    // The first image has been counted.
    for _ in 1..ask.n {
        rates::count(app, &parts, &caller).await?;
    }
    let repeats = retries::of(app, &caller, (&parts.headers, &ask)).await?;
    let (form, is_stream) = (ask.form, ask.is_stream);
    let (app, ask, read_once) = (Arc::clone(app), Arc::new(ask), ReadOnce::default());
    let run = Run { app, caller, ask, repeats, read_once };
    if is_async {
        let submission = run.submission(0)?;
        return Ok(submission::accepted(&run.app, &run.caller, (submission, true)).await?.0);
    }
    if is_stream { events::respond(run).await } else { answer::respond(form, run.make().await?) }
}

/// Checks that a 202, which names one generation, can answer the call.
fn check_async(ask: &Ask) -> ApiResult<()> {
    let (param, message) = if ask.is_stream {
        let message = "`stream` can't be combined with `Prefer: respond-async`. Leave out one of \
                       them.";
        ("stream", message)
    } else if ask.n > 1 {
        ("n", "`n` must be 1 with `Prefer: respond-async`. Make one call for each image.")
    } else {
        return Ok(());
    };
    Err(ApiError::about(Code::InvalidValue, param, message))
}
