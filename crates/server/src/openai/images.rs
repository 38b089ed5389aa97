//! `POST /v1/images/generations` and `POST /v1/images/edits`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::errors::failed;
use super::request::Ask;
use super::run::Run;
use super::schema::{
    EditFormOpenai, EditRequestOpenai, EventOpenai, GenerationRequestOpenai, ImagesOpenai,
    RetryHeader,
};
use super::{answer, events, request, retries};
use crate::api::schema::{ChargingHeaders, PreferHeader};
use crate::api::submission;
use crate::app::App;
use crate::edits::{AcceptedResponse, ReadOnce};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, Received, Who};
use crate::http::rates;
use crate::http::receipt::{self, Receipt};

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
    params(ChargingHeaders, PreferHeader, RetryHeader),
    responses(
        (status = 200, description = "The images; a stream of events if `stream` is true", content((ImagesOpenai = "application/json"), (EventOpenai = "text/event-stream"))),
        (status = 202, description = "With `Prefer: respond-async`, which needs `n` to be 1 and no `stream`: the image is being made", body = AcceptedResponse),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn generate_images(State(app): State<Arc<App>>, request: Request) -> Response {
    respond(&app, request, Kind::TextToImage).await.unwrap_or_else(|error| failed(&error))
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
    params(ChargingHeaders, PreferHeader, RetryHeader),
    responses(
        (status = 200, description = "The images; a stream of events if `stream` is true", content((ImagesOpenai = "application/json"), (EventOpenai = "text/event-stream"))),
        (status = 202, description = "With `Prefer: respond-async`, which needs `n` to be 1 and no `stream`: the image is being made", body = AcceptedResponse),
        (status = 415, description = "The body is neither a form nor JSON", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn edit_images(State(app): State<Arc<App>>, request: Request) -> Response {
    respond(&app, request, Kind::ImageEdit).await.unwrap_or_else(|error| failed(&error))
}

/// The response, with headers that say what the call cost. A stream begins before that is known.
async fn respond(app: &Arc<App>, request: Request, kind: Kind) -> ApiResult<Response> {
    let bytes_max = app.settings.server.body_bytes_max;
    let received = match kind {
        Kind::ImageEdit => intake::receive_json_or_form(app, request, Who::Payer, bytes_max).await,
        Kind::TextToImage | Kind::Video => {
            intake::receive(app, request, Who::Payer, bytes_max).await
        }
    }?;
    let account = received.caller()?.account.id.clone();
    let (mut response, receipt) = match make(app, received, kind).await {
        Ok(Answered::Stream(response)) => return Ok(response),
        Ok(Answered::Whole(response, receipt)) => (response, receipt),
        Err(error) => (failed(&error), receipt::of_failure(&error)),
    };
    receipt::add(app, &account, receipt, &mut response).await;
    Ok(response)
}

/// A response.
enum Answered {
    /// With what its images cost and what is left.
    Whole(Response, Receipt),
    Stream(Response),
}

async fn make(app: &Arc<App>, received: Received, kind: Kind) -> ApiResult<Answered> {
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
        let accepted = (run.submission(0)?, true);
        let (response, receipt) = submission::accepted(&run.app, &run.caller, accepted).await?;
        return Ok(Answered::Whole(response, receipt));
    }
    if is_stream {
        return events::respond(run).await.map(Answered::Stream);
    }
    let made = run.make().await?;
    let receipt = made.receipt();
    Ok(Answered::Whole(answer::respond(form, made)?, receipt))
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
