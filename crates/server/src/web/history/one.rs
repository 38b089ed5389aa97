//! `/history/{uuid}`: the page of one generation, and the forms on it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_core::Warning;
use retouch_providers::Media;
use retouch_store::{EditChange, EditRecord, PageRequest, TreeRequest};

use crate::api::generations::{self, change, file_name, share};
use crate::api::path::Named;
use crate::app::App;
use crate::edits::{GenerationView, view};
use crate::error::ApiError;
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};
use crate::web::tile::Tile;

/// The most tiles of related generations, the oldest of them.
const FAMILY_MAX: u32 = 100;

/// A link to the result in a format.
struct Download {
    label: &'static str,
    path: String,
    file_name: String,
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
    downloads: Vec<Download>,
    family: Vec<Tile>,
}

impl GenerationPage {
    /// A warning in the words of this page, where images have numbers.
    fn note(warning: &Warning) -> String {
        let param = warning.param.as_deref().filter(|_| warning.code == "input_not_used");
        let index = param.and_then(|it| it.strip_prefix("imageUrls[")?.strip_suffix(']'));
        match index.and_then(|index| index.parse::<usize>().ok()) {
            Some(index) => format!("The prompt doesn’t use image {}.", index + 1),
            None => warning.message.clone(),
        }
    }
}

pub(in crate::web) async fn generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::History).await?;
    let edit = generations::find(&app, &account, None, &uuid).await?;
    let page = PageRequest { limit: FAMILY_MAX, cursor: None };
    let asked = TreeRequest { edit: edit.id, page };
    let family = app.store.list_tree(&account.id, None, asked).await?;
    let family = family.map(|page| page.data).unwrap_or_default();
    let (tile, steps, downloads) = (Tile::of(&edit), steps(&edit)?, downloads(&edit));
    let family = family.iter().map(Tile::of).collect();
    let view = view(&app, edit)?;
    let pictures = view.request.as_ref().and_then(|request| request["pictures"].as_array());
    let is_gone =
        |one: &serde_json::Value| one.as_str().is_none_or(|address| address.ends_with('…'));
    let has_uploads = pictures.is_some_and(|all| all.iter().any(is_gone));
    let page = GenerationPage { shell, tile, view, has_uploads, steps, downloads, family };
    Ok(html::page(&page)?)
}

/// Names, stars or shares a generation: whatever the form has fields for.
pub(in crate::web) async fn change(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, account) = Shell::for_member(&app, &form.parts, Here::History).await?;
    let id = generations::id(&uuid)?;
    match form.filled("shared").as_deref() {
        Some("true") => drop(share::share(&app, &account, None, &uuid).await?),
        Some(_) => share::unshare(&app, &account, None, &uuid).await?,
        None => {}
    }
    let change = EditChange {
        edits: vec![id],
        name: form.sent("name").map(change::checked).transpose()?,
        is_starred: form.filled("starred").map(|starred| starred == "true"),
    };
    let changed = app.store.change_edits(&account.id, None, change).await?;
    if changed.is_empty() {
        return Err(ApiError::not_found("generation").into());
    }
    Ok(html::see_other(&format!("/history/{id}"))?)
}

pub(in crate::web) async fn delete(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, account) = Shell::for_member(&app, &form.parts, Here::History).await?;
    generations::delete(&app, &account, None, &uuid).await?;
    Ok(html::see_other(&form::address("/history", &[("deleted", "1")]))?)
}

/// What the built-in editor did, as sentences from the plan.
fn steps(edit: &EditRecord) -> Result<Vec<String>, ApiError> {
    let Some(plan) = &edit.plan else { return Ok(Vec::new()) };
    let plan: serde_json::Value = serde_json::from_str(plan).map_err(ApiError::internal)?;
    let words = plan["words"].as_array();
    let texts = words.into_iter().flatten().filter_map(|words| words.as_str());
    Ok(texts.map(ToOwned::to_owned).collect())
}

/// The result in each format that it can be downloaded in.
fn downloads(edit: &EditRecord) -> Vec<Download> {
    let Some(name) = edit.stored.first() else { return Vec::new() };
    let (stem, file) = (file_name::stem(edit), format!("/files/{name}"));
    if Media::of(edit.kind) == Media::Mp4 {
        let file_name = format!("{stem}{}", file_name::extension(name));
        return vec![Download { label: "MP4", path: file, file_name }];
    }
    let formats = [("PNG", "png", "png"), ("JPEG", "jpeg", "jpg"), ("WebP", "webp", "webp")];
    let download = |(label, format, extension): (&'static str, &str, &str)| {
        let file_name = format!("{stem}.{extension}");
        let fields = [("format", format), ("download", file_name.as_str())];
        Download { label, path: form::address(&file, &fields), file_name }
    };
    formats.map(download).into()
}
