//! `/studio`, and `/` for members: the studio, an API client in the browser. Visitors can open it too.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Kind;
use retouch_core::edit::TEXT_CHARS_MAX;
use retouch_engine::{Control, capabilities, makings};
use serde_json::json;

use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use crate::api::catalogue::model_view;
use crate::app::App;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "web/studio.html")]
struct StudioPage {
    shell: Shell,
    sign_up_credits: i64,
    chars_max: usize,
    /// The data for the studio's modules, as JSON that cannot close its `<script>` element.
    facts: String,
}

pub(super) async fn studio(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    show(&app, Shell::of(&app, &parts, Here::Studio).await?)
}

/// The studio for the reader of `shell`.
pub(super) fn show(app: &App, shell: Shell) -> PageResult {
    let facts = facts(app, &shell)?;
    let page = StudioPage {
        sign_up_credits: app.sign_up_credits().get(),
        chars_max: TEXT_CHARS_MAX,
        shell,
        facts,
    };
    Ok(html::page(&page)?)
}

fn facts(app: &App, shell: &Shell) -> Result<String, ApiError> {
    let models = |kind: Kind| {
        let of_kind = app.catalogue.models.iter().filter(move |model| model.does(kind));
        let views = of_kind.map(move |model| model_view(app, model, kind));
        views.collect::<Vec<_>>()
    };
    let facts = json!({
        "account": shell.member.as_ref().map(|member| member.account.id.as_str()),
        "available": shell.member.as_ref().map(|member| member.available),
        "is_administrator": shell.member.as_ref().is_some_and(|member| member.is_administrator),
        "can_pay": shell.sells,
        "base_url": app.public_url.as_str().trim_end_matches('/'),
        "image_bytes_max": app.settings.edits.image_bytes_max,
        "chars_max": TEXT_CHARS_MAX,
        "default_model": app.catalogue.default_model,
        "default_video_model": app.catalogue.default_video_model,
        "models": {
            "image_edit": models(Kind::ImageEdit),
            "text_to_image": models(Kind::TextToImage),
            "video": models(Kind::Video),
        },
        "operations": operations(),
    });
    let text = serde_json::to_string(&facts).map_err(ApiError::internal)?;
    Ok(text.replace('<', "\\u003c"))
}

/// The controls for the steps of a plan, by the name of the operation.
fn operations() -> BTreeMap<&'static str, &'static [Control]> {
    capabilities().iter().chain(makings()).map(|entry| (entry.name, entry.controls)).collect()
}
