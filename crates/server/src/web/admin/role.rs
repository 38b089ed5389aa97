//! `POST /admin/users/{id}/role`: grants or removes administrator rights. It asks for the password
//! again, so that a page left open is not enough.

use std::sync::Arc;

use axum::extract::{Request, State};

use super::user::{Acting, unknown_or};
use super::{asked, deed};
use crate::api::path::Named;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::web::html;
use crate::web::problem::PageResult;

pub(super) async fn role(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    match change(&app, &acting).await {
        // They can no longer open the page they came from.
        Ok("dismissed") if acting.is_own() => Ok(html::see_other("/")?),
        done => acting.answer(&app, done).await,
    }
}

async fn change(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let form = &acting.form;
    let deed = deed(&acting.own, asked::reason(form, "role_reason")?);
    asked::proof(app, form, "role_password").await?;
    let (subject, store) = (&acting.subject, &app.store);
    match form.text("act") {
        "appoint" => store.appoint_administrator(subject, deed).await.map(|_| "appointed"),
        "dismiss" => store.dismiss_administrator(subject, deed).await.map(|_| "dismissed"),
        _ => return Err(ApiError::new(Code::InvalidValue, "Choose what to do with the role.")),
    }
    .map_err(|error| match error {
        retouch_store::Error::Suspended => {
            let message = "This account is suspended. Reinstate it first.";
            ApiError::new(Code::NotAllowed, message)
        }
        other => unknown_or(other),
    })
}
