//! `POST /api/plan`: what the built-in editor would do, without doing it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use retouch_core::edit::TEXT_CHARS_MAX;
use retouch_core::image::{AspectRatio, Size};
use retouch_engine::{Context, Refusal, RefusalKind};
use retouch_providers::built_in::plan;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// Most pictures of one edit (image-editing-api.md, 2.1, rule 2).
const PICTURES_MAX: usize = 4;

/// What a plan is wanted for. One of `instruction` and `plan`.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PlanRequest {
    /// What to do, at most 800 characters.
    #[schema(max_length = 800, example = "brighten the top half, then crop to 16:9")]
    instruction: Option<String>,
    /// An earlier plan, to be looked through.
    #[schema(value_type = Option<Object>)]
    plan: Option<Value>,
    /// How many pictures there will be; without any, the words say which picture is made.
    #[schema(minimum = 0, maximum = 4, default = 1)]
    pictures: Option<usize>,
    /// The shape that the result must have.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    aspect_ratio: Option<String>,
    /// `WIDTHxHEIGHT`: the size that the result must have.
    #[schema(example = "1024x768")]
    size: Option<String>,
}

/// What would be done, or why nothing would.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanView {
    /// The plan: its steps, the words they come from, and what was supposed. Null where the words
    /// cannot be done.
    #[schema(value_type = Option<Object>)]
    plan: Option<Value>,
    /// Why the words cannot be done, or null.
    refusal: Option<RefusalView>,
}

/// Why words cannot be done.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusalView {
    /// `needs_generative_model`, `missing_detail`, `out_of_range`, `not_understood`,
    /// `asks_for_nothing` or `contradiction`.
    #[schema(value_type = String)]
    kind: RefusalKind,
    /// The words that stopped it.
    words: String,
    /// Where they stand: start and end, in Unicode scalar values.
    span: [usize; 2],
    /// What is wrong and what to do, for a person.
    message: String,
    /// The nearest instruction that can be done, or null.
    nearest: Option<String>,
}

impl From<Refusal> for RefusalView {
    fn from(refusal: Refusal) -> Self {
        let Refusal { kind, words, span, message, nearest } = refusal;
        Self { kind, words, span, message, nearest }
    }
}

/// Show what the built-in editor would do. Nothing is done, stored or charged.
#[utoipa::path(
    post,
    path = "/api/plan",
    operation_id = "plan_edit",
    tag = "Editing",
    request_body = PlanRequest,
    responses(
        (status = 200, description = "What would be done, or why nothing would", body = PlanView),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 403, description = "A cookie from another site's page", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn plan_edit(State(app): State<Arc<App>>, request: Request) -> ApiResult<Json<PlanView>> {
    let received = intake::receive(&app, request, Who::Payer, SMALL_BODY_BYTES_MAX).await?;
    let asked: PlanRequest = received.json()?;
    let context = context(&asked)?;
    let plan = match (&asked.instruction, &asked.plan) {
        (Some(words), None) => {
            checked_length(words)?;
            retouch_engine::read(words, &context)
        }
        (None, Some(plan)) => Ok(plan::replayed(plan, &context)
            .map_err(|message| ApiError::about(Code::InstructionNotSupported, "plan", message))?),
        (Some(_), Some(_)) => {
            let message = "`plan` stands in place of `instruction`; send one of them.";
            return Err(ApiError::about(Code::ConflictingFields, "plan", message));
        }
        (None, None) => {
            let message = "`instruction` is missing; say in a sentence what to do.";
            return Err(ApiError::about(Code::MissingField, "instruction", message));
        }
    };
    Ok(Json(match plan {
        Ok(plan) => {
            let shown = plan::shown(&plan).map_err(ApiError::internal)?;
            PlanView { plan: Some(shown), refusal: None }
        }
        Err(refusal) => PlanView { plan: None, refusal: Some(refusal.into()) },
    }))
}

fn checked_length(words: &str) -> ApiResult<()> {
    let length = words.chars().count();
    if length <= TEXT_CHARS_MAX {
        return Ok(());
    }
    let message =
        format!("`instruction` has {length} characters; at most {TEXT_CHARS_MAX} are allowed.");
    Err(ApiError::about(Code::TooLong, "instruction", message))
}

fn context(asked: &PlanRequest) -> ApiResult<Context> {
    let wrong = |param: &str, message: String| ApiError::about(Code::InvalidValue, param, message);
    let inputs = asked.pictures.unwrap_or(1);
    if inputs > PICTURES_MAX {
        let message = format!("`pictures` is {inputs}; it can be from 0 to {PICTURES_MAX}.");
        return Err(wrong("pictures", message));
    }
    let aspect = asked.aspect_ratio.as_deref().map(str::parse::<AspectRatio>).transpose();
    let aspect =
        aspect.map_err(|error| wrong("aspectRatio", format!("`aspectRatio` is {error}.")))?;
    let size = asked.size.as_deref().filter(|size| *size != "auto").map(str::parse::<Size>);
    let size = size.transpose().map_err(|error| wrong("size", format!("`size` is {error}.")))?;
    Ok(Context {
        inputs,
        aspect: aspect.and_then(|aspect| match aspect {
            AspectRatio::Auto => None,
            AspectRatio::Ratio(width, height) => {
                Some(retouch_engine::AspectRatio::Ratio { width, height })
            }
        }),
        size: size.map(|size| (size.width(), size.height())),
    })
}
