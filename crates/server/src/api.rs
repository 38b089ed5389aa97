//! The HTTP API: every route, grouped by who may call it.

pub mod account;
mod around;
pub mod authentication;
pub mod billing;
pub mod catalogue;
pub mod credits;
pub mod edit_response;
pub mod estimate;
pub mod files;
pub mod generations;
pub mod image_edit;
pub mod keys;
pub mod openapi;
pub mod operation;
pub mod page;
pub mod passkeys;
pub mod path;
pub mod plan;
pub mod preview;
pub mod schema;
pub mod sessions;
pub(crate) mod submission;
pub mod text_to_image;
pub mod uploads;
pub mod video_generation;
pub mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::Response;

use self::authentication::email_links;
use crate::app::App;
use crate::error::{ApiError, Code};
use crate::http::rates;
use crate::http::route::{delete, get, patch, post};

pub use openapi::document as openapi_document;

/// All routes: the API, the pages and what the operator needs.
pub fn router(app: Arc<App>) -> Router {
    let router = Router::new()
        // Anyone: signing up and in, the catalogue and the documentation.
        .route("/api/auth/sign-up", post(authentication::sign_up))
        .route("/api/auth/sign-in", post(authentication::sign_in))
        .route("/api/auth/verify", post(email_links::verify))
        .route("/api/auth/request-password-reset", post(email_links::request_password_reset))
        .route("/api/auth/reset-password", post(email_links::reset_password))
        .route("/api/auth/passkey", post(passkeys::sign_in::sign_in_by_passkey))
        .route("/api/auth/passkey/options", post(passkeys::sign_in::begin_passkey_sign_in))
        .route("/api/models", get(catalogue::list_models))
        .route("/api/plans", get(catalogue::list_plans))
        .route("/api/packs", get(catalogue::list_packs))
        .route("/openapi.json", get(openapi::openapi))
        // Anyone who has the unguessable address.
        .route("/files/{name}", get(files::file))
        // Sessions only; an API key may not do this.
        .route("/api/auth/sign-out", post(authentication::sign_out))
        .route(
            "/api/sessions",
            get(sessions::list_sessions).merge(delete(sessions::end_other_sessions)),
        )
        .route("/api/sessions/{id}", delete(sessions::end_session))
        .route("/api/passkeys", get(passkeys::list_passkeys).merge(post(passkeys::create_passkey)))
        .route("/api/passkeys/options", post(passkeys::begin_passkey))
        .route("/api/passkeys/{id}", delete(passkeys::remove_passkey))
        .route("/api/keys", get(keys::list_keys).merge(post(keys::create_key)))
        .route("/api/keys/{id}", delete(keys::revoke_key))
        .route("/api/billing/checkout", post(billing::check_out))
        .route("/api/billing/portal", post(billing::open_portal))
        .route("/api/billing/return", get(billing::come_back))
        // Stripe, proved by its signature.
        .route("/api/billing/stripe/webhook", post(billing::hear))
        // A session or an API key.
        .route(
            "/api/account",
            get(account::find_account)
                .merge(patch(account::change::change_account))
                .merge(delete(account::change::delete_account)),
        )
        .route("/api/credits", get(credits::find_credits))
        .route("/api/credits/entries", get(credits::list_entries))
        // The operator.
        .route("/healthz", get(operation::healthz))
        .route("/readyz", get(operation::readyz))
        .route("/metrics", get(operation::metrics));
    router
        .merge(editing_routes(&app))
        .merge(result_routes())
        .merge(crate::openai::routes(&app))
        .merge(crate::oauth::routes())
        .merge(webhook_routes())
        .merge(crate::web::routes())
        .merge(crate::web::admin_routes(&app))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&app), around::call))
        .with_state(app)
}

/// What a session or an API key may do to edit images.
fn editing_routes(app: &Arc<App>) -> Router<Arc<App>> {
    let charging = from_fn_with_state(Arc::clone(app), rates::layer);
    Router::new()
        .route("/api/image-edit", post(image_edit::edit_image).layer(charging.clone()))
        .route("/api/estimate", post(estimate::estimate_cost))
        .route("/api/plan", post(plan::plan_edit))
        .route("/api/preview", post(preview::preview_edit))
        .route("/api/text-to-image", post(text_to_image::make_image).layer(charging.clone()))
        .route("/api/video-generation", post(video_generation::make_video).layer(charging))
        .route("/mcp", post(crate::mcp::http::answer))
        .route("/api/uploads", post(uploads::upload_image))
        .route("/api/uploads/{id}", get(uploads::find_upload).merge(delete(uploads::delete_upload)))
}

/// What a session or an API key may do with its results.
fn result_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/generations", get(generations::list_generations))
        .route("/api/generations/zip", post(generations::zip::zip_generations))
        .route(
            "/api/generations/{uuid}",
            get(generations::find_generation)
                .merge(patch(generations::change::change_generation))
                .merge(delete(generations::delete_generation)),
        )
        .route("/api/generations/{uuid}/cancel", post(generations::cancel::cancel_generation))
        .route("/api/generations/{uuid}/events", get(generations::events::watch_generation))
        .route("/api/generations/{uuid}/tree", get(generations::tree::list_tree))
        .route(
            "/api/generations/{uuid}/share",
            post(generations::share::share_generation)
                .merge(delete(generations::share::unshare_generation)),
        )
}

/// Sessions only; an API key may not do this.
fn webhook_routes() -> Router<Arc<App>> {
    use webhooks::deliveries;
    Router::new()
        .route("/api/webhooks", get(webhooks::list_webhooks).merge(post(webhooks::create_webhook)))
        .route(
            "/api/webhooks/{id}",
            patch(webhooks::change_webhook).merge(delete(webhooks::delete_webhook)),
        )
        .route("/api/webhooks/{id}/rotate", post(webhooks::rotate_webhook))
        .route("/api/webhooks/{id}/test", post(deliveries::test_webhook))
        .route("/api/webhooks/{id}/deliveries", get(deliveries::list_deliveries))
        .route("/api/webhooks/{id}/deliveries/redeliver", post(deliveries::redeliver_failed))
        .route("/api/webhooks/{id}/deliveries/{delivery}/redeliver", post(deliveries::redeliver))
}

async fn not_found(headers: HeaderMap) -> Response {
    let message = "There is nothing at this address. /docs/reference lists all addresses.";
    crate::web::for_reader(&headers, ApiError::new(Code::NotFound, message))
}

async fn method_not_allowed(method: Method, uri: Uri) -> ApiError {
    let path = crate::http::shown(uri.path());
    let message = format!("{path} does not support {}.", crate::http::shown(method.as_str()));
    ApiError::new(Code::MethodNotAllowed, message)
}
