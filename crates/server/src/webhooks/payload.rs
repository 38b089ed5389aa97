//! The messages of events, which are the same at every attempt. `/openapi.json` describes these types.

use retouch_core::{Kind, Timestamp};
use retouch_store::{Due, EventKind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::schema::CallKind;
use crate::app::App;

/// A message to a webhook.
#[derive(Serialize, ToSchema)]
pub(crate) struct Payload<T> {
    /// What happened.
    r#type: &'static str,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Timestamp,
    /// More about it.
    data: T,
}

/// The generation that has ended. Its result is read from its URL.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GenerationEnded {
    /// Identifier of the generation.
    id: String,
    /// The URL of the generation in the API.
    #[serde(default)]
    #[schema(required = true)]
    url: String,
    /// The kind of result.
    #[schema(value_type = CallKind)]
    kind: Kind,
    /// `succeeded` or `failed`.
    status: String,
    /// The model used.
    model: String,
    /// Credits charged; 0 if it failed.
    cost: i64,
    /// When it was accepted.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it succeeded or failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    completed_at: Option<Timestamp>,
    /// Why it failed, or null.
    error: Option<GenerationFailure>,
}

/// Why a generation failed.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GenerationFailure {
    /// An error code.
    code: String,
    /// A description for people.
    message: String,
}

/// Few credits are left.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct CreditsLow {
    /// The credits that are available.
    credits_left: i64,
    /// The number of credits below which this is reported.
    threshold: i64,
}

/// A call was refused because its API key has reached a limit.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct KeyLimitReached {
    /// The key.
    key: LimitedKey,
    /// The limit.
    credit_limit: i64,
    /// The credits that count toward the limit.
    credits_used: i64,
}

/// An API key.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct LimitedKey {
    /// Its identifier.
    id: String,
    /// Its name.
    name: String,
    /// The beginning of its secret.
    start: String,
}

/// The account has another plan.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PlanChanged {
    /// The plan, or null for none.
    plan: Option<String>,
    /// The plan before, or null for none.
    previous_plan: Option<String>,
}

/// Nothing more is known about a test.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookTest {}

/// The message of an event. It names a generation by its ID and its address, and has no image.
///
/// # Errors
/// If the data in the database is not that of the event.
pub(super) fn body(app: &App, due: &Due) -> serde_json::Result<String> {
    match due.kind {
        EventKind::GenerationSucceeded | EventKind::GenerationFailed => {
            let mut ended: GenerationEnded = read(due)?;
            ended.url = app.url_of(&format!("/api/generations/{}", ended.id));
            write(due, ended)
        }
        EventKind::CreditsLow => write(due, read::<CreditsLow>(due)?),
        EventKind::KeyLimitReached => write(due, read::<KeyLimitReached>(due)?),
        EventKind::PlanChanged => write(due, read::<PlanChanged>(due)?),
        EventKind::Test => write(due, WebhookTest {}),
    }
}

fn read<T: DeserializeOwned>(due: &Due) -> serde_json::Result<T> {
    serde_json::from_str(&due.data)
}

fn write<T: Serialize>(due: &Due, data: T) -> serde_json::Result<String> {
    serde_json::to_string(&Payload { r#type: due.kind.as_str(), timestamp: due.created_at, data })
}
