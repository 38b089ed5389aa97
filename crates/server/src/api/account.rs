//! `GET /api/account`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_store::Account;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth;
use crate::error::{ApiResult, ErrorBody};

/// An account as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountView {
    /// The account's id.
    pub id: String,
    /// Its e-mail address.
    pub email: String,
    /// The plan that adds credits each month, or null.
    pub plan: Option<String>,
    /// Its balance.
    pub credits: AccountCredits,
}

/// A balance in two numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountCredits {
    /// Credits that can be spent.
    pub available: i64,
    /// Credits that running calls hold.
    pub held: i64,
}

/// Find the caller's account.
#[utoipa::path(
    get,
    path = "/api/account",
    operation_id = "find_account",
    tag = "Account",
    responses(
        (status = 200, description = "The account", body = AccountView),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn find_account(
    State(app): State<Arc<App>>,
    parts: Parts,
) -> ApiResult<Json<AccountView>> {
    let caller = auth::caller(&app, &parts).await?;
    view(&app, caller.account).await.map(Json)
}

/// The account with its balance at this moment.
pub(crate) async fn view(app: &App, account: Account) -> ApiResult<AccountView> {
    let balance = app.store.balance(&account.id).await?;
    Ok(AccountView {
        id: account.id.to_string(),
        email: account.email.to_string(),
        plan: None,
        credits: AccountCredits { available: balance.available.get(), held: balance.held.get() },
    })
}
