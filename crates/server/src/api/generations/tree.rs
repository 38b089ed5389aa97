//! `GET /api/generations/{uuid}/tree`: everything that was made from the same image.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_store::{Page, PageRequest, TreeRequest};

use super::id;
use crate::api::page::{LIMIT_MAX, ListView, PageQuery};
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::edits::{GenerationView, view};
use crate::error::{ApiError, ApiResult, ErrorBody};

/// List everything that was made from the same image, oldest first.
///
/// These are the generations that go back to the same first image, whichever device it was sent
/// from, and those that were made from their results. `parent` says which. Failed generations are
/// left out. `limit` is 100 by default. An API key without the scope `read` gets only its own
/// generations.
#[utoipa::path(
    get,
    path = "/api/generations/{uuid}/tree",
    operation_id = "list_tree",
    tag = "Generations",
    params(("uuid" = String, Path, description = "The generation's uuid"), PageQuery),
    responses(
        (status = 200, description = "A page of generations", body = ListView<GenerationView>),
        (status = 403, description = "The API key does not have the scope", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn list_tree(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<GenerationView>>> {
    let caller = auth::caller(&app, &parts).await?;
    let (account, made_by, id) = (&caller.account.id, caller.sees_only()?, id(&uuid)?);
    let page = page?;
    let page = PageRequest { limit: page.limit.unwrap_or(LIMIT_MAX), cursor: page.cursor };
    let tree = app.store.list_tree(account, made_by, TreeRequest { edit: id, page }).await?;
    let tree = tree.ok_or_else(|| ApiError::not_found("generation"))?;
    let data: ApiResult<Vec<_>> = tree.data.into_iter().map(|edit| view(&app, edit)).collect();
    let page = Page { data: data?, next_cursor: tree.next_cursor };
    Ok(Json(ListView::of(page, |generation| generation)))
}
