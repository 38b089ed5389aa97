//! The web application: pages on the same origin as the API, built on the same functions.
//!
//! Pages are compiled templates in `templates/web`; style sheets and scripts are in `assets/web`.
//! Forms post to URLs of this module and work without JavaScript. Only the studio needs scripts: it
//! is an API client in the browser.

mod account;
mod admin;
mod assets;
mod credits;
mod first;
mod form;
mod history;
mod html;
mod keys;
mod ledger;
mod local;
mod password;
mod plans;
mod problem;
mod provider;
mod redirect;
mod second_factor;
mod shell;
mod sign;
mod studio;
mod theme;
mod thumbnail;
mod tile;
mod usage;
mod verify;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;
use crate::auth::link;
use crate::auth::provider::RETURN_PATH;
use crate::mail::email_text;

pub(crate) use admin::routes as admin_routes;
pub(crate) use html::{moment, number};
pub(crate) use problem::for_reader;

/// The routes of the pages.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(studio::studio))
        .route(email_text::SIGN_UP_PATH, get(sign::sign_up_page).post(sign::sign_up))
        .route("/sign-in", get(sign::sign_in_page).post(sign::sign_in))
        .route("/sign-in/code", post(sign::sign_in_by_code))
        .route("/sign-in/provider", get(provider::depart))
        .route(RETURN_PATH, get(provider::come_back))
        .route("/sign-out", post(sign::sign_out))
        .route("/check-mail", get(verify::check_mail))
        .route(email_text::CONFIRM_PATH, get(verify::look).post(verify::confirm))
        .route("/forgot-password", get(password::forgotten).post(password::ask))
        .route(email_text::RESET_PATH, get(password::look).post(password::reset))
        .route("/history", get(history::history))
        .route("/history/{uuid}", get(history::generation))
        .route("/history/{uuid}/delete", post(history::delete))
        .route("/credits", get(credits::credits))
        .route("/credits.csv", get(ledger::csv))
        .route("/keys", get(keys::keys).post(keys::create))
        .route("/keys/{id}/revoke", post(keys::revoke))
        .route("/plans", get(plans::plans))
        .route("/plans/manage", post(plans::manage))
        .route("/plans/{id}/checkout", post(plans::check_out))
        .route("/account", get(account::account))
        .route("/account/password", post(account::change_password))
        .route("/account/email", post(account::change_email))
        .route("/account/delete", post(account::delete))
        .route("/account/identities", post(account::sign_in_methods::link))
        .route("/account/identities/unlink", post(account::sign_in_methods::unlink))
        .route("/account/confirm", post(account::sign_in_methods::confirm))
        .route("/account/passkeys/remove", post(account::sign_in_methods::remove_passkey))
        .route("/account/sessions/end-others", post(account::end_other_sessions))
        .route("/account/sessions/{id}/end", post(account::end_session))
        .route(second_factor::PATH, get(second_factor::show).post(second_factor::enter))
        .route("/second-factor/begin", post(second_factor::begin))
        .route("/second-factor/confirm", post(second_factor::confirm))
        .route("/second-factor/remove", post(second_factor::remove))
        .route("/thumbnails/{name}", get(thumbnail::thumbnail))
        .route(link::PATH, get(first::invited).post(first::claim))
        .route("/theme", post(theme::choose))
        .route("/assets/{version}/{name}", get(assets::asset))
}
