//! Asking the administrators for credits, where none are sold or in addition.

use std::sync::Arc;

use axum::extract::{Request, State};
use retouch_core::{AccountId, Timestamp};

use super::form::Form;
use super::html;
use super::problem::{PageResult, Problem};
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code};

/// Characters of the message to the administrators.
pub(super) const WORDS_CHARS_MAX: usize = 500;
/// The page with the form.
const PATH: &str = "/plans";

/// Whether the reader can ask for credits, and has.
pub(super) struct Asking {
    /// When the reader asked, if the request is still open.
    pub(super) asked_at: Option<Timestamp>,
    pub(super) chars_max: usize,
}

impl Asking {
    /// What a member can ask. `None` for visitors, and where credits are sold.
    pub(super) async fn of(app: &App, account: Option<&AccountId>) -> ApiResult<Option<Self>> {
        let Some(account) = account.filter(|_| !sells(app)) else { return Ok(None) };
        let open = app.store.find_credit_request(account).await?;
        let asked_at = open.map(|request| request.created_at);
        Ok(Some(Self { asked_at, chars_max: WORDS_CHARS_MAX }))
    }
}

/// Whether plans or packs can be bought here.
pub(super) fn sells(app: &App) -> bool {
    let payments = app.payments.as_ref();
    payments.is_some_and(|it| it.stripe.prices().next().is_some())
        || !crate::billing::packs(app).is_empty()
}

/// Sends the request.
pub(super) async fn ask(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = auth::by_session(&app, &form.parts).await?;
    let caller = caller.ok_or_else(|| Problem::SignIn(PATH.to_owned()))?;
    let words = form.text("words").trim().replace("\r\n", "\n");
    if words.chars().count() > WORDS_CHARS_MAX {
        let message =
            format!("The message is too long; the limit is {WORDS_CHARS_MAX} characters.");
        return Err(ApiError::about(Code::InvalidValue, "words", message).into());
    }
    if sells(&app) {
        let message = "Credits are sold on this server. Choose a plan or a pack.";
        return Err(ApiError::new(Code::InvalidValue, message).into());
    }
    app.throttles.credit_request(&caller.account.id).await?;
    app.store.ask_for_credits(&caller.account.id, words).await?;
    app.emails_queued();
    Ok(html::see_other("/plans?asked")?)
}

/// Takes the request back.
pub(super) async fn withdraw(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = auth::by_session(&app, &form.parts).await?;
    let caller = caller.ok_or_else(|| Problem::SignIn(PATH.to_owned()))?;
    app.store.withdraw_credit_request(&caller.account.id).await?;
    Ok(html::see_other(PATH)?)
}
