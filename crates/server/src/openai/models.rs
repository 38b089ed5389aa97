//! `GET /v1/models` and `GET /v1/models/{id}`: the names that requests may use as `model`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use retouch_core::Kind;
use retouch_core::catalogue::Model;

use super::errors::failed;
use super::schema::{ModelListOpenai, ModelOpenai};
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};

/// List the names of models that calls to `/v1` can use.
///
/// Models that clients of OpenAI know by its names are listed under each of them.
#[utoipa::path(
    get,
    path = "/v1/models",
    operation_id = "list_models_openai",
    tag = "OpenAI",
    responses((status = 200, description = "The models", body = ModelListOpenai)),
    security(("api_key" = []), ("session" = []))
)]
pub async fn list_models_openai(State(app): State<Arc<App>>, parts: Parts) -> Response {
    list(&app, &parts).await.unwrap_or_else(|error| failed(&error))
}

async fn list(app: &App, parts: &Parts) -> ApiResult<Response> {
    auth::caller(app, parts).await?;
    let data = app.catalogue.models.iter().filter(|model| makes_images(model)).flat_map(|model| {
        let aliases = model.aliases.iter().chain(&model.aliases_openai);
        std::iter::once(&model.id).chain(aliases).map(|name| ModelOpenai::named(name))
    });
    Ok(Json(ModelListOpenai { object: "list".into(), data: data.collect() }).into_response())
}

/// Find one of these names.
#[utoipa::path(
    get,
    path = "/v1/models/{id}",
    operation_id = "find_model_openai",
    tag = "OpenAI",
    params(("id" = String, Path, description = "The name of a model")),
    responses(
        (status = 200, description = "The model", body = ModelOpenai),
        (status = 404, description = "There is no such model", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn find_model_openai(
    State(app): State<Arc<App>>,
    Named(name): Named,
    parts: Parts,
) -> Response {
    find(&app, &name, &parts).await.unwrap_or_else(|error| failed(&error))
}

async fn find(app: &App, name: &str, parts: &Parts) -> ApiResult<Response> {
    auth::caller(app, parts).await?;
    let model = app.catalogue.find_model_openai(name).filter(|model| makes_images(model));
    if model.is_none() {
        let shown = crate::http::shown(name);
        let message = format!("There is no model {shown:?}. GET /v1/models lists all of them.");
        return Err(ApiError::about(Code::NotFound, "model", message));
    }
    Ok(Json(ModelOpenai::named(name)).into_response())
}

fn makes_images(model: &Model) -> bool {
    !model.does(Kind::Video)
}
