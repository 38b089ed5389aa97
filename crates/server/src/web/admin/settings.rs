//! `/admin/settings`: the value and source of every setting. Secrets are hidden by their type.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;

use super::Tab;
use crate::app::App;
use crate::config::ShownSetting;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

#[derive(Template)]
#[template(path = "web/admin/settings.html")]
struct SettingsPage {
    shell: Shell,
    tab: Tab,
    settings: Vec<ShownSetting>,
}

pub(super) async fn settings(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let settings = app.settings.show();
    Ok(html::page(&SettingsPage { shell, tab: Tab::Settings, settings })?)
}
