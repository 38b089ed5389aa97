//! `GET /openapi.json`: the OpenAPI document, generated from the code that serves the API.

mod messages;
mod rules;

use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{
    account, authentication, billing, catalogue, credits, estimate, files, generations, image_edit,
    keys, operation, passkeys, plan, preview, sessions, text_to_image, uploads, video_generation,
    webhooks,
};
use crate::app::App;
use crate::auth::cookie::CookieKind;
use crate::webhooks::payload;

/// The document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Retouch",
        description = "Edit and create images and videos from plain-English instructions. Calls \
                       are charged in credits. All errors have the same body; `/docs` lists the \
                       codes.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        image_edit::edit_image,
        text_to_image::make_image,
        video_generation::make_video,
        estimate::estimate_cost,
        plan::plan_edit,
        preview::preview_edit,
        uploads::upload_image,
        uploads::find_upload,
        uploads::delete_upload,
        generations::list_generations,
        generations::find_generation,
        generations::delete_generation,
        generations::change::change_generation,
        generations::cancel::cancel_generation,
        generations::events::watch_generation,
        generations::tree::list_tree,
        generations::share::share_generation,
        generations::share::unshare_generation,
        generations::zip::zip_generations,
        files::file,
        authentication::sign_up,
        authentication::sign_in,
        authentication::sign_out,
        authentication::email_links::verify,
        authentication::email_links::request_password_reset,
        authentication::email_links::reset_password,
        passkeys::sign_in::begin_passkey_sign_in,
        passkeys::sign_in::sign_in_by_passkey,
        account::find_account,
        account::change::change_account,
        account::change::delete_account,
        sessions::list_sessions,
        sessions::end_session,
        sessions::end_other_sessions,
        passkeys::list_passkeys,
        passkeys::begin_passkey,
        passkeys::create_passkey,
        passkeys::remove_passkey,
        credits::find_credits,
        credits::list_entries,
        keys::list_keys,
        keys::create_key,
        keys::revoke_key,
        webhooks::list_webhooks,
        webhooks::create_webhook,
        webhooks::change_webhook,
        webhooks::delete_webhook,
        webhooks::rotate_webhook,
        webhooks::deliveries::test_webhook,
        webhooks::deliveries::list_deliveries,
        webhooks::deliveries::redeliver,
        webhooks::deliveries::redeliver_failed,
        billing::check_out,
        billing::open_portal,
        billing::come_back,
        billing::hear,
        catalogue::list_models,
        catalogue::list_plans,
        catalogue::list_packs,
        crate::openai::images::generate_images,
        crate::openai::images::edit_images,
        crate::openai::models::list_models_openai,
        crate::openai::models::find_model_openai,
        openapi,
        crate::web::docs::docs,
        crate::mcp::http::answer,
        operation::healthz,
        operation::readyz,
        operation::metrics,
    ),
    // utoipa does not find the types of parameters and of messages to webhooks.
    components(schemas(
        super::schema::DeliveryStatusName,
        payload::GenerationEnded,
        payload::CreditsLow,
        payload::KeyLimitReached,
        payload::PlanChanged,
        payload::WebhookTest,
    )),
    modifiers(&Methods)
)]
struct Document;

/// Adds the two ways to authenticate: API keys and session cookies.
struct Methods;

impl Modify for Methods {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("api_key", SecurityScheme::Http(bearer));
        let cookie = ApiKey::Cookie(ApiKeyValue::new(CookieKind::Secure.name()));
        components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    }
}

/// The OpenAPI document, without the address of a server and with the name that the cookie has over
/// HTTPS.
pub fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        let mut document = serde_json::to_value(Document::openapi()).unwrap_or_default();
        document["webhooks"] = messages::all();
        rules::apply(&mut document);
        document
    });
    &DOCUMENT
}

/// Get this OpenAPI document.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "openapi",
    tag = "Documents",
    responses((status = 200, description = "OpenAPI 3.1", body = Object))
)]
pub async fn openapi(State(app): State<Arc<App>>) -> Json<Value> {
    let mut document = document().clone();
    let url = app.public_url.as_str().trim_end_matches('/');
    document["servers"] = json!([{ "url": url }]);
    if let Some(name) = document.pointer_mut("/components/securitySchemes/session/name") {
        *name = app.cookies().name().into();
    }
    Json(document)
}
