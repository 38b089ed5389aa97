//! `/admin`: for administrators only. For everyone else, these URLs return 404.

mod account;
mod asked;
mod audit;
mod books;
mod chart;
mod concerns;
mod dashboard;
mod days;
mod emails;
mod export;
mod generations;
mod grant;
mod invitations;
mod logo;
mod models;
mod payments;
mod plan;
mod providers;
mod requests;
mod role;
mod settings;
mod user;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use retouch_store::Deed;

use super::html;
use super::problem::Problem;
use super::second_factor;
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::request_id;
use crate::http::route::{get, post};

/// The routes of the admin pages, all behind `door`.
pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/admin", get(dashboard::dashboard))
        .route("/admin/", get(start))
        .route("/admin/users", get(users::users).merge(post(users::create)))
        .route("/admin/lists/{name}", get(export::csv))
        .route("/admin/users/{id}", get(user::user))
        .route("/admin/users/{id}/credits", post(user::credits))
        .route("/admin/users/{id}/suspension", post(user::suspension))
        .route("/admin/users/{id}/resume", post(user::resume))
        .route("/admin/users/{id}/sign-out", post(user::sign_out))
        .route("/admin/users/{id}/role", post(role::role))
        .route("/admin/users/{id}/plan", post(plan::plan))
        .route("/admin/users/{id}/password", post(account::password))
        .route("/admin/users/{id}/terms", post(account::terms))
        .route("/admin/users/{id}/delete", post(account::delete))
        .route("/admin/invitations", get(invitations::invitations).merge(post(invitations::invite)))
        .route("/admin/invitations/{id}/withdraw", post(invitations::withdraw))
        .route("/admin/requests", get(requests::requests))
        .route("/admin/requests/{id}/dismiss", post(requests::dismiss))
        .route("/admin/payments", get(payments::payments))
        .route("/admin/payments/{id}/retry", post(payments::retry))
        .route("/admin/generations", get(generations::generations))
        .route("/admin/models", get(models::models))
        .route("/admin/books", get(books::books).merge(post(books::prove)))
        .route("/admin/log", get(audit::log))
        .route("/admin/emails", get(emails::emails).merge(post(emails::send)))
        .route("/admin/providers", get(providers::providers).merge(post(providers::put)))
        .route("/admin/providers/{name}", get(providers::one))
        .route("/admin/providers/{name}/test", post(providers::test))
        .route("/admin/providers/{name}/switch", post(providers::switch))
        .route("/admin/providers/{name}/remove", post(providers::remove))
        .route("/admin/settings", get(settings::settings).merge(post(settings::change)))
        .route("/admin/settings/logo", post(logo::put))
        .route("/admin/settings/logo/remove", post(logo::remove))
        .route_layer(from_fn_with_state(Arc::clone(app), door))
}

/// A tab of the admin pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tab {
    Dashboard,
    Users,
    Requests,
    Invitations,
    Generations,
    Models,
    Providers,
    Payments,
    Books,
    Emails,
    Log,
    Settings,
}

impl Tab {
    /// All tabs: path, name and the value of `aria-current`.
    fn all(self) -> Vec<(&'static str, &'static str, &'static str)> {
        let all = [
            (Self::Dashboard, "/admin", "Dashboard"),
            (Self::Users, users::PATH, "Users"),
            (Self::Requests, "/admin/requests", "Requests"),
            (Self::Invitations, "/admin/invitations", "Invitations"),
            (Self::Generations, "/admin/generations", "Generations"),
            (Self::Models, "/admin/models", "Models"),
            (Self::Providers, "/admin/providers", "Providers"),
            (Self::Payments, "/admin/payments", "Payments"),
            (Self::Books, "/admin/books", "Ledger"),
            (Self::Emails, "/admin/emails", "Emails"),
            (Self::Log, "/admin/log", "Audit log"),
            (Self::Settings, "/admin/settings", "Settings"),
        ];
        let shown = |tab| if tab == self { "page" } else { "false" };
        all.into_iter().map(|(tab, path, name)| (path, name, shown(tab))).collect()
    }
}

/// The start page under its other URL.
async fn start() -> ApiResult<Response> {
    html::see_other("/admin")
}

/// Admits administrators only.
async fn door(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match administrator(&app, &parts).await {
        Ok(false) => {
            // A submitted form is lost, so return to the start page of administration instead.
            let is_page = parts.method == Method::GET;
            let path = parts.uri.path_and_query().map_or("/admin", |path| path.as_str());
            let path = if is_page { path } else { "/admin" };
            second_factor::detour(path).map_err(Problem::from).into_response()
        }
        Ok(true) => next.run(Request::from_parts(parts, body)).await,
        Err(error) => Problem::from(error).into_response(),
    }
}

/// Whether an administrator's session has shown a second factor; if not, it has to do so first.
///
/// # Errors
/// 404 for everyone else.
async fn administrator(app: &App, parts: &axum::http::request::Parts) -> ApiResult<bool> {
    let nothing = || ApiError::new(Code::NotFound, "We couldn’t find that page.");
    let caller = auth::by_session(app, parts).await?.ok_or_else(nothing)?;
    let may = app.store.is_administrator(&caller.account.id).await?;
    if may { Ok(auth::second_factor::may_administer(app, &caller)) } else { Err(nothing()) }
}

/// The audit record of an action of `by` in this request.
fn deed(by: &retouch_store::Account, reason: String) -> Deed {
    Deed { by: Some(by.id.clone()), reason, request_id: request_id::current() }
}
