//! The body of an event, which is the same at every attempt.

use retouch_core::Timestamp;
use retouch_store::{Due, EventKind};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::app::App;

#[derive(Serialize)]
struct Payload {
    r#type: &'static str,
    timestamp: Timestamp,
    data: Map<String, Json>,
}

/// The body of an event. It names a generation by its ID and its address, and has no image.
///
/// # Errors
/// If the data in the database is not JSON.
pub(super) fn body(app: &App, due: &Due) -> serde_json::Result<String> {
    let data: Option<Map<String, Json>> = serde_json::from_str(&due.data)?;
    let mut data = data.unwrap_or_default();
    let is_generation =
        matches!(due.kind, EventKind::GenerationSucceeded | EventKind::GenerationFailed);
    if let Some(id) = data.get("id").and_then(Json::as_str).filter(|_| is_generation) {
        let url = app.url_of(&format!("/api/generations/{id}"));
        data.insert("url".to_owned(), url.into());
    }
    serde_json::to_string(&Payload { r#type: due.kind.as_str(), timestamp: due.created_at, data })
}
