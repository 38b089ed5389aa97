//! What the stage of the studio shows first: the result that this browser showed last, or a newer one
//! from another device. The page contains it, so that it appears before any script has run.

use axum::http::request::Parts;
use retouch_core::{AccountId, EditId, Kind};
use retouch_providers::Media;
use retouch_store::{EditFilter, EditRecord, EditStatus, PageRequest};
use serde_json::Value;

use crate::app::App;
use crate::auth::cookie;
use crate::error::ApiResult;
use crate::web::form;

/// The cookie of `stage.js`.
const COOKIE: &str = "stage";
/// How many of the newest successful edits are searched for a result that has not expired.
const NEWEST: u32 = 10;

/// What the scripts stored in the cookie, as `1790000000000.UUID`.
struct Kept {
    /// Only a result that is newer than this is shown instead, in milliseconds since 1970.
    until_ms: i64,
    /// What was shown, unless it was something that only the browser has.
    shown: Option<EditId>,
}

impl Kept {
    fn read(text: &str) -> Option<Self> {
        let (until_ms, shown) = text.split_once('.')?;
        Some(Self { until_ms: until_ms.parse().ok()?, shown: shown.parse().ok() })
    }
}

/// The edit of `account` whose result a page with this request shows.
pub(super) async fn shown(
    app: &App,
    account: &AccountId,
    parts: &Parts,
) -> ApiResult<Option<EditRecord>> {
    // The URL names another one, and what to do with it.
    if form::query(parts, "from").is_some() {
        return Ok(None);
    }
    let has_result = |edit: &EditRecord| !edit.stored.is_empty();
    let filter = EditFilter { status: Some(EditStatus::Succeeded), ..EditFilter::default() };
    let page = PageRequest { limit: NEWEST, cursor: None };
    let edits = app.store.list_edits(account, &filter, &page).await?;
    let newest = edits.data.into_iter().find(has_result);
    let kept = cookie::values(&parts.headers, COOKIE).find_map(Kept::read);
    let is_newer = |kept: &Kept| newest.as_ref().is_some_and(|it| it.created_at.0 > kept.until_ms);
    let Some(kept) = kept.filter(|kept| !is_newer(kept)) else { return Ok(newest) };
    let Some(id) = kept.shown else { return Ok(None) };
    Ok(app.store.find_edit(account, &id).await?.filter(has_result).or(newest))
}

/// A result on the stage.
pub(super) struct Staged {
    /// The path of the image.
    pub(super) file: String,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The alternative text of the image.
    pub(super) words: String,
    /// Whether it can be compared with what it was made from.
    pub(super) has_original: bool,
    /// How many images the next edit starts with.
    pub(super) inputs: usize,
}

impl Staged {
    /// The result of `edit` for the stage, if it is an image of known size.
    pub(super) fn of(edit: &EditRecord) -> Option<Self> {
        let (width, height) = edit.size.filter(|_| Media::of(edit.kind).is_image())?;
        let request: Option<Value> =
            edit.request.as_deref().and_then(|it| serde_json::from_str(it).ok());
        let pictures = request.as_ref().and_then(|it| it["pictures"].as_array());
        let is_ours = |it: &Value| {
            it.as_str().is_some_and(|url| url.contains("/api/uploads/") || url.contains("/files/"))
        };
        let are_ours = pictures.filter(|all| all.iter().all(is_ours));
        Some(Self {
            file: format!("/files/{}", edit.stored.first()?),
            width,
            height,
            words: format!("Result of: {}", edit.name.as_ref().unwrap_or(&edit.instruction)),
            has_original: edit.parent.is_some() || are_ours.is_some_and(|all| !all.is_empty()),
            inputs: match are_ours {
                _ if edit.kind != Kind::ImageEdit => 0,
                Some(all) if edit.parent.is_none() => all.len(),
                _ => 1,
            },
        })
    }
}
