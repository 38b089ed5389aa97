//! The web application: pages on the same origin as the API, built on the same functions.
//!
//! Pages are compiled templates in `templates/web`; style sheets and scripts are in `assets/web`.
//! Forms post to URLs of this module and work without JavaScript. Only the studio needs scripts: it
//! is an API client in the browser.

mod account;
mod admin;
mod assets;
mod brand;
mod consent;
mod credit_request;
mod credits;
pub(crate) mod docs;
mod first;
mod form;
mod history;
mod html;
mod keys;
mod landing;
mod ledger;
mod local;
mod password;
mod plans;
mod problem;
mod provider;
mod redirect;
mod second_factor;
mod shared;
mod shell;
mod sign;
mod studio;
mod theme;
mod thumbnail;
mod tile;
mod usage;
mod verify;
mod webhooks;

use std::sync::Arc;

use axum::Router;

use crate::app::App;
use crate::auth::link;
use crate::auth::provider::RETURN_PATH;
use crate::http::route::{get, post};
use crate::mail::email_text;
use crate::oauth::AUTHORIZE_PATH;

pub(crate) use crate::words::{counted, number};
pub(crate) use admin::routes as admin_routes;
pub(crate) use html::moment;
pub(crate) use problem::{for_reader, problem_for, reader};
pub(crate) use shared::shared_path;
pub(crate) use thumbnail::thumbnail_path;

/// The address of the studio for everyone. Members also find it at `/`.
const STUDIO_PATH: &str = "/studio";

/// The price of an edit with the default model, in credits; at least one.
fn edit_credits(app: &App) -> i64 {
    let catalogue = &app.catalogue;
    let default = catalogue.models.iter().find(|model| model.id == catalogue.default_model);
    default.map_or(1, |model| model.credits.get().max(1))
}

/// The routes of the pages.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(landing::home))
        .route(STUDIO_PATH, get(studio::studio))
        .route("/docs", get(docs::docs))
        .route("/docs/operations", get(docs::operations))
        .route("/docs/reference", get(docs::reference))
        .route(assets::SAMPLE_PATH, get(assets::sample))
        .route("/robots.txt", get(assets::robots))
        .route(email_text::SIGN_UP_PATH, get(sign::sign_up_page).merge(post(sign::sign_up)))
        .route("/sign-in", get(sign::sign_in_page).merge(post(sign::sign_in)))
        .route("/sign-in/code", post(sign::sign_in_by_code))
        .route("/sign-in/provider", get(provider::depart))
        .route(RETURN_PATH, get(provider::come_back))
        .route("/sign-out", post(sign::sign_out))
        .route("/check-mail", get(verify::check_mail))
        .route(email_text::CONFIRM_PATH, get(verify::look).merge(post(verify::confirm)))
        .route("/forgot-password", get(password::forgotten).merge(post(password::ask)))
        .route(email_text::RESET_PATH, get(password::look).merge(post(password::reset)))
        .route("/history", get(history::history))
        .route("/history/{uuid}", get(history::one::generation))
        .route("/history/selected", post(history::selected::act))
        .route("/history/{uuid}/change", post(history::one::change))
        .route("/history/{uuid}/delete", post(history::one::delete))
        .route("/s/{token}", get(shared::page))
        .route("/s/{token}/file", get(shared::file))
        .route("/credits", get(credits::credits))
        .route("/credits.csv", get(ledger::csv))
        .route("/keys", get(keys::keys).merge(post(keys::create)))
        .route("/keys/{id}/revoke", post(keys::revoke))
        .merge(webhook_routes())
        .route("/plans", get(plans::plans))
        .route("/credits/request", post(credit_request::ask))
        .route("/credits/request/withdraw", post(credit_request::withdraw))
        .route("/packs/{id}/checkout", post(plans::check_out_pack))
        .route("/plans/manage", post(plans::manage))
        .route("/plans/{id}/checkout", post(plans::check_out))
        .route("/account", get(account::account))
        .route("/account/password", post(account::change_password))
        .route("/account/email", post(account::change_email))
        .route("/account/emails", post(account::change_emails))
        .route("/account/delete", post(account::delete))
        .route("/account/identities", post(account::sign_in_methods::link))
        .route("/account/identities/unlink", post(account::sign_in_methods::unlink))
        .route("/account/confirm", post(account::sign_in_methods::confirm))
        .route("/account/passkeys/remove", post(account::sign_in_methods::remove_passkey))
        .route("/account/sessions/end-others", post(account::end_other_sessions))
        .route("/account/sessions/{id}/end", post(account::end_session))
        .route(AUTHORIZE_PATH, get(consent::ask).merge(post(consent::decide)))
        .route(second_factor::PATH, get(second_factor::show).merge(post(second_factor::enter)))
        .route("/second-factor/begin", post(second_factor::begin))
        .route("/second-factor/confirm", post(second_factor::confirm))
        .route("/second-factor/remove", post(second_factor::remove))
        .route("/thumbnails/{name}", get(thumbnail::thumbnail))
        .route(link::PATH, get(first::invited).merge(post(first::claim)))
        .route("/theme", post(theme::choose))
        .route("/site/{number}/style.css", get(brand::style))
        .route("/site/{number}/logo", get(brand::logo))
        .route("/assets/{version}/{name}", get(assets::asset))
}

fn webhook_routes() -> Router<Arc<App>> {
    use webhooks::one;
    Router::new()
        .route("/webhooks", get(webhooks::webhooks).merge(post(webhooks::create)))
        .route("/webhooks/{id}", get(one::webhook).merge(post(one::change)))
        .route("/webhooks/{id}/turn", post(one::turn))
        .route("/webhooks/{id}/rotate", post(one::rotate))
        .route("/webhooks/{id}/delete", post(one::delete))
        .route("/webhooks/{id}/test", post(one::test))
        .route("/webhooks/{id}/redeliver", post(one::redeliver_failed))
        .route("/webhooks/{id}/deliveries/{delivery}/redeliver", post(one::redeliver))
}
