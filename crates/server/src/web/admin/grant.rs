//! Asks again before many credits are granted, with the number and the account in words.

use askama::Template;
use axum::response::Response;

use super::user::{Acting, unknown_or};
use super::{Tab, asked};
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::web::html;
use crate::web::shell::{Here, Shell};

#[derive(Template)]
#[template(path = "web/admin/grant.html")]
struct GrantPage {
    shell: Shell,
    tab: Tab,
    /// The account's id and its email.
    account: [String; 2],
    credits: i64,
    reason: String,
    form: String,
}

/// The question, if the form grants more credits than the operator allows without one and it was
/// not asked yet.
///
/// # Errors
/// 404 if there is no such account.
pub(super) async fn question(app: &App, acting: &Acting) -> ApiResult<Option<Response>> {
    let form = &acting.form;
    let Ok(credits) = asked::credits(form) else { return Ok(None) };
    let is_asked = form.text("confirmed") == credits.to_string();
    let is_small = credits <= app.settings.billing.grant_asks_above;
    let is_right = asked::reason(form, "reason").is_ok();
    if is_asked || is_small || !is_right || form.text("act") != "grant" {
        return Ok(None);
    }
    app.store.balance(&acting.subject).await.map_err(unknown_or)?;
    let found = app.store.find_user(&acting.subject).await?;
    let user = found.ok_or_else(|| ApiError::not_found("user"))?.user;
    let page = GrantPage {
        shell: Shell::of(app, &form.parts, Here::Administration).await?,
        tab: Tab::Users,
        account: [user.account.id.to_string(), user.account.email.to_string()],
        credits: credits.get(),
        reason: form.text("reason").to_owned(),
        form: form.text("form").to_owned(),
    };
    html::page(&page).map(Some)
}
