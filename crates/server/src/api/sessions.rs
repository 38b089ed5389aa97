//! `GET` and `DELETE /api/sessions`: the browsers that are signed in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::Timestamp;
use retouch_store::{Account, Page, Session};
use serde::Serialize;
use utoipa::ToSchema;

use super::page::{ListView, PageQuery};
use super::path::Named;
use crate::app::App;
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult, ErrorBody};

/// A browser that is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionView {
    /// The session's id.
    pub id: String,
    /// Whether it is the session that makes this call.
    pub current: bool,
    /// The browser's `User-Agent`, or null.
    pub user_agent: Option<String>,
    /// When it signed in.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last used, accurate to ten minutes.
    #[schema(value_type = String, format = DateTime)]
    pub last_seen_at: Timestamp,
    /// When it ends, even if it is in use.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// List the sessions used most recently, newest first. There are at most 100.
#[utoipa::path(
    get,
    path = "/api/sessions",
    operation_id = "list_sessions",
    tag = "Account",
    params(PageQuery),
    responses((status = 200, description = "A page of sessions", body = ListView<SessionView>)),
    security(("session" = []))
)]
pub async fn list_sessions(
    State(app): State<Arc<App>>,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<SessionView>>> {
    let caller = auth::session(&app, &parts).await?;
    let sessions = list(&app, &caller).await?;
    let page = Page::of_all("sessions", sessions, &page?.request(), position)?;
    Ok(Json(ListView::of(page, |view| view)))
}

/// A text that sorts like the list, in which the session used last comes first.
fn position(session: &SessionView) -> String {
    let before = |at: Timestamp| i64::MAX - at.0;
    format!(
        "{:019} {:019} {}",
        before(session.last_seen_at),
        before(session.created_at),
        session.id
    )
}

/// End a session immediately.
#[utoipa::path(
    delete,
    path = "/api/sessions/{id}",
    operation_id = "end_session",
    tag = "Account",
    params(("id" = String, Path, description = "The session's id")),
    responses(
        (status = 204, description = "The session has ended"),
        (status = 404, description = "There is no such session", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn end_session(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::session(&app, &parts).await?;
    end(&app, &caller.account, &id).await.map(|()| StatusCode::NO_CONTENT)
}

/// End all sessions except the one that makes this call.
#[utoipa::path(
    delete,
    path = "/api/sessions",
    operation_id = "end_other_sessions",
    tag = "Account",
    responses((status = 204, description = "The other sessions have ended")),
    security(("session" = []))
)]
pub async fn end_other_sessions(
    State(app): State<Arc<App>>,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::session(&app, &parts).await?;
    end_others(&app, &caller).await.map(|()| StatusCode::NO_CONTENT)
}

/// The sessions of the account of `caller`.
pub(crate) async fn list(app: &App, caller: &Caller) -> ApiResult<Vec<SessionView>> {
    let own = caller.session_hash().map(|hash| Session::id_of(&hash));
    let view = |session: Session| SessionView {
        current: own.as_ref() == Some(&session.id),
        id: session.id,
        user_agent: session.user_agent,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        expires_at: session.expires_at,
    };
    let sessions = app.store.list_sessions(&caller.account.id).await?;
    Ok(sessions.into_iter().map(view).collect())
}

/// Ends the session of `account` that `id` names.
pub(crate) async fn end(app: &App, account: &Account, id: &str) -> ApiResult<()> {
    let ended = app.store.end_session(&account.id, id).await?;
    if ended { Ok(()) } else { Err(ApiError::not_found("session")) }
}

/// Ends all sessions of the account of `caller` except the one that this call uses.
pub(crate) async fn end_others(app: &App, caller: &Caller) -> ApiResult<()> {
    app.store.end_sessions(&caller.account.id, caller.session_hash()).await?;
    Ok(())
}
