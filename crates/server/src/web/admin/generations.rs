//! `/admin/generations`: the status of the edits of all accounts, without prompts and images.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Kind;
use retouch_providers::built_in;
use retouch_store::{AnyEdit, AnyEditFilter, EditStatus, PageRequest};

use super::{Tab, deed};
use crate::app::App;
use crate::error::ApiResult;
use crate::web::form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// Generations per page.
const ROWS_MAX: u32 = 50;

/// The filters, as they are in the URL.
struct Asked {
    account: String,
    status: String,
    model: String,
    provider: String,
}

#[derive(Template)]
#[template(path = "web/admin/generations.html")]
struct GenerationsPage {
    shell: Shell,
    tab: Tab,
    asked: Asked,
    models: Vec<String>,
    providers: Vec<String>,
    edits: Vec<AnyEdit>,
    is_first: bool,
    older: Option<String>,
}

impl GenerationsPage {
    fn made(edit: &AnyEdit) -> &'static str {
        match edit.kind {
            Kind::ImageEdit => "Edit",
            Kind::TextToImage => "Image",
            Kind::Video => "Video",
        }
    }

    fn ended(edit: &AnyEdit) -> &'static str {
        match edit.status {
            EditStatus::Processing => "In progress",
            EditStatus::Succeeded => "Completed",
            EditStatus::Failed => "Failed",
        }
    }

    /// How long it took.
    fn took(edit: &AnyEdit) -> String {
        let took_ms = edit.completed_at.map(|at| at.0.saturating_sub(edit.created_at.0));
        took_ms.map_or_else(String::new, html::duration)
    }
}

impl Asked {
    fn of(parts: &Parts) -> Self {
        let field = |name| form::query(parts, name).unwrap_or_default();
        Self {
            account: field("account"),
            status: field("status"),
            model: field("model"),
            provider: field("provider"),
        }
    }

    /// The filter for the store.
    fn filter(&self, parts: &Parts) -> ApiResult<AnyEditFilter> {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Ok(AnyEditFilter {
            account: form::choice(parts, "account", |text| text.parse().ok())?,
            status: form::choice(parts, "status", EditStatus::parse)?,
            model: some(&self.model),
            provider: some(&self.provider),
        })
    }

    fn older(&self, cursor: &str) -> String {
        let fields = [
            ("account", self.account.as_str()),
            ("status", &self.status),
            ("model", &self.model),
            ("provider", &self.provider),
            ("cursor", cursor),
        ];
        form::address("/admin/generations", &fields)
    }
}

pub(super) async fn generations(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, own) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let asked = Asked::of(&parts);
    let filter = asked.filter(&parts)?;
    let look = deed(&own, "On the generations page".to_owned());
    app.store.note_look(filter.account.as_ref(), look).await?;
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let is_first = cursor.is_none();
    let page = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_all_edits(&filter, &page).await?;
    let models = app.catalogue.models.iter().map(|model| model.id.clone());
    let live = app.live();
    let providers = live.providers.keys().cloned().chain([built_in::NAME.to_owned()]);
    let page = GenerationsPage {
        shell,
        tab: Tab::Generations,
        models: with(models, &asked.model),
        providers: with(providers, &asked.provider),
        edits: found.data,
        is_first,
        older: found.next_cursor.map(|cursor| asked.older(&cursor)),
        asked,
    };
    Ok(html::page(&page)?)
}

/// The options, including the chosen one, which may no longer exist.
fn with(names: impl Iterator<Item = String>, chosen: &str) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    if !chosen.is_empty() && !names.iter().any(|name| name == chosen) {
        names.push(chosen.to_owned());
    }
    names
}
