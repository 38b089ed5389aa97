//! What responses are made from: the result, and the record of the generation.

use bytes::Bytes;
use retouch_core::{Credits, Kind, Timestamp, Warning};
use retouch_outbound::stock::Allowance;
use retouch_providers::{Media, Usage};
use retouch_store::EditRecord;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::bodies::{ANSWER_BYTES, BodyMemory};
use crate::http::pieces::{Piece, StoredFile};
use crate::http::receipt::Receipt;
use crate::web::{shared_path, thumbnail_path};

/// An edit that has succeeded. Each protocol writes its own response from it.
pub struct Finished {
    /// The result.
    pub image: Piece,
    /// The type of the result.
    pub media: Media,
    /// The record of the generation.
    pub generation: GenerationView,
    /// The credits available after it was charged, if that was just now.
    pub balance: Option<Credits>,
    /// Memory for the response, to be held until it has been sent.
    pub memory: BodyMemory,
}

impl Finished {
    /// What it cost, and what is left.
    pub fn receipt(&self) -> Receipt {
        Receipt { cost: Credits::new(self.generation.cost), balance: self.balance }
    }
}

/// The body of the response to a call whose result is made later.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcceptedResponse {
    /// Credits held for the call; charged when the result is stored.
    #[schema(value_type = i64, example = 21)]
    pub cost: i64,
    /// Warnings; empty when there are none. The generation also has those of the provider, once
    /// it has succeeded.
    #[schema(value_type = Vec<crate::api::schema::WarningSchema>)]
    pub warnings: Vec<Warning>,
    /// Record of the generation. Request it again until its `status` is no longer `processing`.
    pub generation: GenerationView,
    /// The model used.
    pub model: String,
}

/// The record of a generation.
#[derive(Debug, Serialize, ToSchema)]
pub struct GenerationView {
    /// Identifier of the generation.
    pub uuid: String,
    /// `image_edit`, `text_to_image` or `video`.
    pub kind: String,
    /// `processing`, `succeeded` or `failed`.
    pub status: String,
    /// The model used.
    pub model: String,
    /// The provider that performed it.
    pub provider: String,
    /// The instruction, as sent.
    pub instruction: String,
    /// Credits charged; while it is processing, the credits held for it; 0 if it failed.
    pub cost: i64,
    /// URLs of the stored results if they are images.
    pub stored_images: Vec<String>,
    /// URLs of the stored results if they are videos.
    pub stored_videos: Vec<String>,
    /// Width of the stored image in pixels, or null if it is not known.
    pub width: Option<u32>,
    /// Height of the stored image in pixels, or null if it is not known.
    pub height: Option<u32>,
    /// Warnings; empty when there are none.
    #[schema(value_type = Vec<crate::api::schema::WarningSchema>)]
    pub warnings: Vec<Warning>,
    /// Token counts, once it has succeeded.
    #[schema(value_type = Option<crate::api::schema::UsageSchema>)]
    pub usage: Option<Usage>,
    /// The steps that the built-in editor understood and performed, in order. If a language model has
    /// read the instruction, `reader` says what it made of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub plan: Option<serde_json::Value>,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<GenerationError>,
    /// The fields of the request that were set, besides the instruction. `pictures` has the URL of
    /// each input image without its query, or null for an image that was sent in the request.
    #[schema(value_type = Option<Object>)]
    pub request: Option<serde_json::Value>,
    /// The generation whose result was the first input of this one, or null.
    pub parent: Option<String>,
    /// The file name of the first input, or null.
    pub input_name: Option<String>,
    /// The name that you gave it, or null.
    pub name: Option<String>,
    /// Whether you starred it.
    pub starred: bool,
    /// The page that shows the result to anyone who has this URL, or null if it is not shared.
    pub share_url: Option<String>,
    /// The URL of a small version of the stored image, or null.
    pub thumbnail_url: Option<String>,
    /// When it was accepted.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it succeeded or failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub completed_at: Option<Timestamp>,
    /// When its stored results were removed because of their age, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expired_at: Option<Timestamp>,
}

/// Why a generation failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct GenerationError {
    /// An error code.
    pub code: String,
    /// A description for people.
    pub message: String,
    /// Whether the provider may have done the work anyway. If so, repeating the call may make the
    /// provider do it twice.
    pub outcome_unknown: bool,
}

/// What a response is made from: an edit that has succeeded, and its result.
pub(super) struct Made {
    /// The edit, which has succeeded.
    pub(super) edit: EditRecord,
    /// Its result if it has just been made; otherwise it is read from the store.
    pub(super) file: Option<Bytes>,
    /// The credits available after it was charged, if that was just now.
    pub(super) balance: Option<Credits>,
}

/// The response for an edit that has succeeded, now or earlier. The result is held in memory only
/// if `memory` has room for it. Otherwise it is read from the store while it is sent.
pub(super) async fn answer(app: &App, made: Made, memory: BodyMemory) -> ApiResult<Finished> {
    let Made { edit, file, balance } = made;
    memory.keep(ANSWER_BYTES);
    let file = file.filter(|file| memory.take(file.len() as u64));
    let image = match file {
        Some(file) => Piece::File(file),
        None => stored(app, &edit).await?,
    };
    let media = edit.stored.first().and_then(|name| Media::of_name(name)).unwrap_or(Media::Png);
    Ok(Finished { image, media, generation: view(app, edit)?, balance, memory })
}

/// The stored result of `edit`.
async fn stored(app: &App, edit: &EditRecord) -> ApiResult<Piece> {
    if let Some(at) = edit.expired_at {
        return Err(ApiError::expired(at));
    }
    let name = edit.stored.first().ok_or_else(gone)?;
    let blob = app.store.blobs().read(name).await?.ok_or_else(gone)?;
    let bytes = blob.bytes;
    match blob.into_pieces(0..bytes).await {
        Err(retouch_store::Error::FileGone) => Err(gone()),
        pieces => Ok(Piece::Stored(StoredFile::new(pieces?, bytes))),
    }
}

/// The response to background work, first or repeated, with its current state.
pub(super) fn accepted(app: &App, edit: EditRecord) -> ApiResult<AcceptedResponse> {
    if edit.deleted_at.is_some() {
        return Err(gone());
    }
    Ok(AcceptedResponse {
        cost: edit.cost.get(),
        warnings: warnings(&edit)?,
        model: edit.model.clone(),
        generation: view(app, edit)?,
    })
}

/// The warnings of an edit, including that the work may have been done before.
fn warnings(edit: &EditRecord) -> ApiResult<Vec<Warning>> {
    let mut warnings: Vec<Warning> = parse(&edit.warnings)?;
    if let Some(earlier) = edit.repeats {
        let message = format!(
            "An earlier call with this Idempotency-Key (generation {earlier}) failed with an \
             unknown outcome, so the provider may have done the work twice."
        );
        warnings.push(Warning { code: "repeated_after_unknown".into(), message, param: None });
    }
    Ok(warnings)
}

fn gone() -> ApiError {
    let message = "The generation of this Idempotency-Key has been deleted. Use a new key.";
    ApiError::new(Code::NotFound, message)
}

/// A generation as shown to its owner.
pub(crate) fn view(app: &App, edit: EditRecord) -> ApiResult<GenerationView> {
    let warnings = warnings(&edit)?;
    let addresses: Vec<String> = edit.stored.iter().map(|name| app.file_url(name)).collect();
    let share_url = edit.share_token.as_deref().map(|token| app.url_of(&shared_path(token)));
    let small = edit.stored.first().filter(|_| Media::of(edit.kind) == Media::Png);
    let thumbnail_url = small.map(|name| app.url_of(&thumbnail_path(name)));
    let (stored_images, stored_videos) = match edit.kind {
        Kind::ImageEdit | Kind::TextToImage => (addresses, Vec::new()),
        Kind::Video => (Vec::new(), addresses),
    };
    Ok(GenerationView {
        uuid: edit.id.to_string(),
        kind: edit.kind.as_str().to_owned(),
        status: edit.status.as_str().to_owned(),
        model: edit.model,
        provider: edit.provider,
        instruction: edit.instruction,
        cost: edit.cost.get(),
        stored_images,
        stored_videos,
        width: edit.size.map(|(width, _)| width),
        height: edit.size.map(|(_, height)| height),
        warnings,
        usage: edit.usage.as_deref().map(parse).transpose()?,
        plan: edit.plan.as_deref().map(parse).transpose()?,
        error: edit.failure.map(|failure| GenerationError {
            code: failure.code,
            message: failure.message,
            outcome_unknown: failure.in_doubt,
        }),
        request: edit.request.as_deref().map(parse).transpose()?,
        parent: edit.parent.map(|parent| parent.to_string()),
        input_name: edit.input_name,
        name: edit.name,
        starred: edit.is_starred,
        share_url,
        thumbnail_url,
        created_at: edit.created_at,
        completed_at: edit.completed_at,
        expired_at: edit.expired_at,
    })
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> ApiResult<T> {
    serde_json::from_str(text).map_err(ApiError::internal)
}
