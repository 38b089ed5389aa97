//! Headers, and values of fields that are one of a few words.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Headers of calls that charge.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
pub struct ChargingHeaders {
    /// 1 to 255 visible ASCII characters. A repeated call with the same key and body gets the first
    /// result again, with `idempotent-replayed: true`, and is not charged again.
    #[param(rename = "Idempotency-Key", pattern = "^[!-~]{1,255}$")]
    pub idempotency_key: Option<String>,
    /// Echoed in the response.
    #[param(rename = "x-client-request-id")]
    pub client_request_id: Option<String>,
}

/// The header of calls whose result can be made afterwards.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
pub struct PreferHeader {
    /// `respond-async`: respond with a 202 as soon as the request has been checked, and do the work
    /// afterwards.
    #[param(rename = "Prefer")]
    pub prefer: Option<String>,
}

/// A file, as it is.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct FileContent(pub Vec<u8>);

/// A kind of call that charges.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CallKind)]
pub enum CallKind {
    /// Edit images.
    ImageEdit,
    /// Create an image from text.
    TextToImage,
    /// Create a video.
    Video,
}

/// Who may read an instruction.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InstructionReader)]
pub enum InstructionReaderName {
    /// The built-in editor, and the language model if the operator has configured one.
    Auto,
    /// Only the built-in editor.
    Strict,
}

/// A quality. `auto` is `medium`. Not every model offers each of them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Quality)]
pub enum QualityName {
    /// Fewest details.
    Low,
    /// The default.
    Medium,
    /// Most details.
    High,
    /// The default.
    Auto,
}

/// A file format. PNG and WebP are saved without loss. JPEG has no transparency, so transparent parts
/// become white.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OutputFormat)]
pub enum OutputFormatName {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
}

/// A background. `transparent` is refused if no provider of the model makes it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Background)]
pub enum BackgroundName {
    /// Transparent.
    Transparent,
    /// Opaque.
    Opaque,
    /// As the instruction says.
    Auto,
}

/// What an API key may do.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Scope)]
pub enum ScopeName {
    /// Make images and videos, read the generations of this key, and read the balance.
    Edit,
    /// Read everything in the account.
    Read,
    /// Delete the generations that the key may read.
    Delete,
}

/// An event that webhooks receive.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Event)]
pub enum EventName {
    /// A generation has succeeded.
    #[serde(rename = "generation.succeeded")]
    GenerationSucceeded,
    /// A generation has failed.
    #[serde(rename = "generation.failed")]
    GenerationFailed,
    /// Few credits are left.
    #[serde(rename = "credits.low")]
    CreditsLow,
    /// An API key has reached a limit.
    #[serde(rename = "key.limit_reached")]
    KeyLimitReached,
    /// The plan has changed.
    #[serde(rename = "plan.changed")]
    PlanChanged,
}

/// The state of a delivery.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DeliveryStatus)]
pub enum DeliveryStatusName {
    /// It waits for its next attempt.
    Waiting,
    /// It has been delivered.
    Delivered,
    /// Its last attempt failed.
    Failed,
}
