//! `/history`: the searchable list of generations.

pub(super) mod one;
pub(super) mod selected;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::{AccountId, Kind, Timestamp};
use retouch_store::{EditFilter, EditStatus, PageRequest};

use super::form;
use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use super::tile::Tile;
use crate::app::App;
use crate::error::ApiResult;

/// Generations per page.
const TILES_MAX: u32 = 48;
/// The maximum length of the search text, as in the input field.
const WORDS_CHARS_MAX: usize = 200;
/// A day in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;
/// The status that a search for all of them names. Without one, those that failed are left out.
const ANY: &str = "any";

/// What was searched for, as in the form.
struct Asked {
    words: String,
    kind: String,
    status: String,
    model: String,
    from: String,
    to: String,
    is_starred: bool,
}

impl Asked {
    fn of(parts: &Parts) -> Self {
        let asked = |name| form::query(parts, name).unwrap_or_default();
        Self {
            words: asked("q").chars().take(WORDS_CHARS_MAX).collect(),
            kind: asked("kind"),
            status: asked("status"),
            model: asked("model"),
            from: asked("from"),
            to: asked("to"),
            is_starred: asked("starred") == "true",
        }
    }

    /// Whether fields besides the words are set, so that the page shows them.
    fn is_filtered(&self) -> bool {
        let fields = [&self.kind, &self.status, &self.model, &self.from, &self.to];
        self.is_starred || fields.iter().any(|field| !field.is_empty())
    }

    fn is_any(&self) -> bool {
        self.words.is_empty() && !self.is_filtered()
    }

    fn filter(&self, parts: &Parts) -> ApiResult<EditFilter> {
        let known = |name: &str| match name {
            ANY => Some(None),
            name => EditStatus::parse(name).map(Some),
        };
        let status = form::choice(parts, "status", known)?;
        let to = form::choice(parts, "to", day)?;
        Ok(EditFilter {
            words: Some(self.words.clone()),
            kind: form::choice(parts, "kind", Kind::parse)?,
            hides_failed: status.is_none(),
            status: status.flatten(),
            model: Some(self.model.clone()).filter(|model| !model.is_empty()),
            is_starred: self.is_starred,
            from: form::choice(parts, "from", day)?,
            until: to.map(|day| day.plus_ms(DAY_MS)),
            made_by: None,
        })
    }

    /// The path of this search, at `cursor` if one is given.
    fn path(&self, cursor: Option<&str>) -> String {
        let fields = [
            ("q", self.words.as_str()),
            ("kind", &self.kind),
            ("status", &self.status),
            ("model", &self.model),
            ("from", &self.from),
            ("to", &self.to),
            ("starred", if self.is_starred { "true" } else { "" }),
            ("cursor", cursor.unwrap_or_default()),
        ];
        form::address("/history", &fields)
    }
}

/// The start of a day in UTC that is written as `2026-11-20`.
fn day(text: &str) -> Option<Timestamp> {
    Timestamp::parse(&format!("{text}T00:00:00Z"))
}

#[derive(Template)]
#[template(path = "web/history.html")]
struct HistoryPage {
    shell: Shell,
    asked: Asked,
    /// The models that can be searched for.
    models: Vec<String>,
    tiles: Vec<Tile>,
    is_first: bool,
    /// The path of this page, to return to.
    here: String,
    /// The path of the first page of this search.
    newest: String,
    /// The path of the next page.
    older: Option<String>,
    /// How many were just deleted.
    deleted: Option<u32>,
    /// Whether to offer the failed ones, which this search may leave out.
    has_failed: bool,
}

pub(super) async fn history(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::History).await?;
    let asked = Asked::of(&parts);
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let here = asked.path(cursor.as_deref());
    let is_first = cursor.is_none();
    let page = PageRequest { limit: TILES_MAX, cursor };
    let edits = app.store.list_edits(&account.id, &asked.filter(&parts)?, &page).await?;
    let has_failed =
        !edits.data.is_empty() || (asked.is_any() && has_any_failed(&app, &account.id).await?);
    let mut models: Vec<String> = app.catalogue.models.iter().map(|it| it.id.clone()).collect();
    if !asked.model.is_empty() && !models.contains(&asked.model) {
        models.push(asked.model.clone());
    }
    let page = HistoryPage {
        shell,
        models,
        tiles: edits.data.iter().map(Tile::of).collect(),
        is_first,
        here,
        newest: asked.path(None),
        older: edits.next_cursor.map(|cursor| asked.path(Some(&cursor))),
        deleted: form::query(&parts, "deleted").and_then(|count| count.parse().ok()),
        has_failed,
        asked,
    };
    Ok(html::page(&page)?)
}

/// Whether any generation of an account has failed.
async fn has_any_failed(app: &App, account: &AccountId) -> ApiResult<bool> {
    let filter = EditFilter { status: Some(EditStatus::Failed), ..EditFilter::default() };
    let first = PageRequest { limit: 1, cursor: None };
    Ok(!app.store.list_edits(account, &filter, &first).await?.data.is_empty())
}
