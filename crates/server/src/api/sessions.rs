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

use super::page::ListView;
use super::path::Named;
use crate::app::App;
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult, ErrorBody};

/// A browser that is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionView {
    /// The session's id.
    pub id: String,
    /// Whether it is the session that asks.
    pub current: bool,
    /// What the browser calls itself, or null.
    pub user_agent: Option<String>,
    /// When it signed in.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last seen, to ten minutes.
    #[schema(value_type = String, format = DateTime)]
    pub last_seen_at: Timestamp,
    /// When it ends, however much it is used.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// List the sessions, the one seen last first; a hundred at most.
#[utoipa::path(
    get,
    path = "/api/sessions",
    operation_id = "list_sessions",
    tag = "Account",
    responses(
        (status = 200, description = "All of them", body = ListView<SessionView>),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 403, description = "A session is needed", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn list_sessions(
    State(app): State<Arc<App>>,
    parts: Parts,
) -> ApiResult<Json<ListView<SessionView>>> {
    let caller = auth::session(&app, &parts).await?;
    let page = Page { data: list(&app, &caller).await?, next_cursor: None };
    Ok(Json(ListView::of(page, |view| view)))
}

/// End a session, with effect at once.
#[utoipa::path(
    delete,
    path = "/api/sessions/{id}",
    operation_id = "end_session",
    tag = "Account",
    params(("id" = String, Path, description = "The session's id")),
    responses(
        (status = 204, description = "It has ended"),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 403, description = "A session is needed, from a page of our own", body = ErrorBody),
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

/// End all sessions but the one that asks.
#[utoipa::path(
    delete,
    path = "/api/sessions",
    operation_id = "end_other_sessions",
    tag = "Account",
    responses(
        (status = 204, description = "They have ended"),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 403, description = "A session is needed, from a page of our own", body = ErrorBody),
    ),
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

/// Ends all sessions of the account of `caller` but the one that was shown.
pub(crate) async fn end_others(app: &App, caller: &Caller) -> ApiResult<()> {
    app.store.end_sessions(&caller.account.id, caller.session_hash()).await?;
    Ok(())
}
