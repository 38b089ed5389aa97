//! `/studio`, and `/` for members: the studio, an API client in the browser. Visitors can open it too.

mod stage;

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Kind;
use retouch_core::edit::TEXT_CHARS_MAX;
use retouch_engine::{Control, capabilities, makings};
use retouch_store::EditRecord;
use serde_json::json;

use self::stage::Staged;
use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use crate::api::catalogue::model_view;
use crate::app::App;
use crate::edits::view;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "web/studio.html")]
struct StudioPage {
    shell: Shell,
    sign_up_credits: i64,
    chars_max: usize,
    /// The result that the stage shows first.
    staged: Option<Staged>,
    /// The data for the studio's modules, as JSON that cannot close its `<script>` element.
    facts: String,
}

impl StudioPage {
    /// Whether the result on the stage can be compared with what it was made from.
    fn is_compared(&self) -> bool {
        self.staged.as_ref().is_some_and(|staged| staged.has_original)
    }

    /// How many images the next edit starts with.
    fn inputs(&self) -> usize {
        self.staged.as_ref().map_or(0, |staged| staged.inputs)
    }
}

pub(super) async fn studio(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let shell = Shell::of(&app, &parts, Here::Studio).await?;
    show(&app, shell, &parts).await
}

/// The studio for the reader of `shell`.
pub(super) async fn show(app: &App, shell: Shell, parts: &Parts) -> PageResult {
    let shown = match &shell.member {
        Some(member) => stage::shown(app, &member.account.id, parts).await?,
        None => None,
    };
    let page = StudioPage {
        sign_up_credits: app.sign_up_credits().get(),
        chars_max: TEXT_CHARS_MAX,
        staged: shown.as_ref().and_then(Staged::of),
        facts: facts(app, &shell, shown)?,
        shell,
    };
    Ok(html::page(&page)?)
}

fn facts(app: &App, shell: &Shell, shown: Option<EditRecord>) -> Result<String, ApiError> {
    let models = |kind: Kind| {
        let of_kind = app.catalogue.models.iter().filter(move |model| model.does(kind));
        let views = of_kind.map(move |model| model_view(app, model, kind));
        views.collect::<Vec<_>>()
    };
    let shown = shown.map(|edit| view(app, edit)).transpose()?;
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
        "shown": shown,
    });
    let text = serde_json::to_string(&facts).map_err(ApiError::internal)?;
    Ok(text.replace('<', "\\u003c"))
}

/// The controls for the steps of a plan, by the name of the operation.
fn operations() -> BTreeMap<&'static str, &'static [Control]> {
    capabilities().iter().chain(makings()).map(|entry| (entry.name, entry.controls)).collect()
}
