//! The response to a successful edit: the result inline, the record of the generation, and the cost.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Warning;
use retouch_providers::{Media, Usage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edits::{Finished, GenerationView};
use crate::error::{ApiError, ApiResult};
use crate::http::bodies::BodyMemory;
use crate::http::pieces::{Piece, Pieces};

/// The body of a successful edit.
#[derive(ToSchema)]
pub struct EditResponse {
    /// Output images.
    pub data: Vec<ImageData>,
    /// Credits charged for the call.
    #[schema(value_type = i64, example = 6)]
    pub cost: i64,
    /// Warnings; empty when there are none.
    #[schema(value_type = Vec<crate::api::schema::WarningSchema>)]
    pub warnings: Vec<Warning>,
    /// Record of the generation.
    pub generation: GenerationView,
    /// Token counts.
    #[schema(value_type = crate::api::schema::UsageSchema)]
    pub usage: Usage,
    /// The model used.
    pub model: String,
    /// Memory for the response, held until it has been sent.
    #[schema(ignore)]
    memory: BodyMemory,
}

/// One output image.
#[derive(ToSchema)]
pub struct ImageData {
    /// The image, as a data URI.
    #[schema(rename = "url", value_type = String, example = "data:image/png;base64,iVBORw0KGgo…")]
    image: Piece,
    #[schema(ignore)]
    media: Media,
    /// Zero-based position of the image in `data`.
    pub index: u32,
}

/// An [`EditResponse`] without its images, which are many times larger.
#[derive(Serialize)]
struct Rest<'a> {
    cost: i64,
    warnings: &'a [Warning],
    generation: &'a GenerationView,
    usage: &'a Usage,
    model: &'a str,
}

impl From<Finished> for EditResponse {
    fn from(finished: Finished) -> Self {
        let Finished { image, media, generation, memory, .. } = finished;
        Self {
            data: vec![ImageData { image, media, index: 0 }],
            cost: generation.cost,
            warnings: generation.warnings.clone(),
            usage: generation.usage.unwrap_or_default(),
            model: generation.model.clone(),
            generation,
            memory,
        }
    }
}

impl EditResponse {
    /// The response to send. Images are encoded while it is sent.
    ///
    /// # Errors
    /// If the rest cannot be written as JSON.
    pub fn into_response(self) -> ApiResult<Response> {
        let Self { data, cost, warnings, generation, usage, model, memory } = self;
        let mut pieces = Vec::new();
        let mut text = String::from(r#"{"data":["#);
        for image in data {
            if !pieces.is_empty() {
                text.push(',');
            }
            let kind = image.media.content_type();
            text.push_str(&format!(r#"{{"url":"data:{kind};base64,"#));
            pieces.push(Piece::Text(std::mem::take(&mut text).into()));
            pieces.push(image.image);
            text.push_str(&format!(r#"","index":{}}}"#, image.index));
        }
        let rest = Rest {
            cost,
            warnings: &warnings,
            generation: &generation,
            usage: &usage,
            model: &model,
        };
        let rest = serde_json::to_string(&rest).map_err(ApiError::internal)?;
        text.push_str("],");
        text.push_str(rest.strip_prefix('{').unwrap_or_default());
        pieces.push(Piece::Text(text.into()));
        Ok(json(Pieces::new(pieces, [memory])))
    }
}

/// A response with a JSON body.
pub(crate) fn json(body: Pieces) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], axum::body::Body::new(body)).into_response()
}
