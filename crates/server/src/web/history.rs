//! `/history`: the searchable list of generations, and the page of one generation.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_core::Kind;
use retouch_store::{EditFilter, EditRecord, EditStatus, PageRequest};

use super::form::{self, Form};
use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use super::tile::Tile;
use crate::api::generations;
use crate::api::path::Named;
use crate::app::App;
use crate::edits::{GenerationView, view};
use crate::error::ApiError;

/// Generations per page.
const TILES_MAX: u32 = 24;
/// The maximum length of the search text, as in the input field.
const WORDS_CHARS_MAX: usize = 200;

#[derive(Template)]
#[template(path = "web/history.html")]
struct HistoryPage {
    shell: Shell,
    words: String,
    kind: String,
    status: String,
    tiles: Vec<Tile>,
    is_first: bool,
    /// The URL of the next page.
    older: Option<String>,
}

impl HistoryPage {
    fn is_searched(&self) -> bool {
        !(self.words.is_empty() && self.kind.is_empty() && self.status.is_empty())
    }
}

#[derive(Template)]
#[template(path = "web/generation.html")]
struct GenerationPage {
    shell: Shell,
    tile: Tile,
    view: GenerationView,
    /// Whether the request had uploads, which are not stored.
    has_uploads: bool,
    steps: Vec<String>,
    family: Vec<Tile>,
}

pub(super) async fn history(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::History).await?;
    let asked = |name| form::query(&parts, name).unwrap_or_default();
    let (words, kind, status) = (asked("q"), asked("kind"), asked("status"));
    let words: String = words.chars().take(WORDS_CHARS_MAX).collect();
    let filter = EditFilter {
        words: Some(words.clone()),
        kind: form::choice(&parts, "kind", Kind::parse)?,
        status: form::choice(&parts, "status", EditStatus::parse)?,
        made_by: None,
    };
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let is_first = cursor.is_none();
    let page = PageRequest { limit: TILES_MAX, cursor };
    let edits = app.store.list_edits(&account.id, &filter, &page).await?;
    let older = edits.next_cursor.map(|cursor| {
        let fields = [("q", &words), ("kind", &kind), ("status", &status), ("cursor", &cursor)];
        form::address("/history", &fields.map(|(name, value)| (name, value.as_str())))
    });
    let tiles = edits.data.iter().map(Tile::of).collect();
    Ok(html::page(&HistoryPage { shell, words, kind, status, tiles, is_first, older })?)
}

pub(super) async fn generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::History).await?;
    let edit = generations::find(&app, &account, None, &uuid).await?;
    let family = app.store.list_family(&account.id, &edit.id).await?;
    let tile = Tile::of(&edit);
    let steps = steps(&edit)?;
    let family = family.iter().map(Tile::of).collect();
    let view = view(&app, edit)?;
    let pictures = view.request.as_ref().and_then(|request| request["pictures"].as_array());
    let is_gone =
        |one: &serde_json::Value| one.as_str().is_none_or(|address| address.ends_with('…'));
    let has_uploads = pictures.is_some_and(|all| all.iter().any(is_gone));
    Ok(html::page(&GenerationPage { shell, tile, view, has_uploads, steps, family })?)
}

pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, account) = Shell::for_member(&app, &form.parts, Here::History).await?;
    generations::delete(&app, &account, None, &uuid).await?;
    Ok(html::see_other("/history")?)
}

/// What the built-in editor did, as sentences from the plan.
fn steps(edit: &EditRecord) -> Result<Vec<String>, ApiError> {
    let Some(plan) = &edit.plan else { return Ok(Vec::new()) };
    let plan: serde_json::Value = serde_json::from_str(plan).map_err(ApiError::internal)?;
    let words = plan["words"].as_array();
    let texts = words.into_iter().flatten().filter_map(|words| words.as_str());
    Ok(texts.map(ToOwned::to_owned).collect())
}
