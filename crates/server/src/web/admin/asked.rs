//! Validation of what administrators enter.

use retouch_core::{AccountId, Credits, EditId};

use crate::api::authentication::{self, PasswordField};
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code};
use crate::web::form::Form;
use crate::web::number;

/// The maximum length of a reason, as on the command line.
const REASON_CHARS_MAX: usize = 200;

/// The reason in the field `name`.
pub(super) fn reason(form: &Form, name: &str) -> ApiResult<String> {
    let reason = form.text(name).trim();
    match reason.chars().count() {
        1..=REASON_CHARS_MAX if !reason.contains(char::is_control) => Ok(reason.to_owned()),
        0 => Err(ApiError::about(Code::InvalidValue, name, "Enter a reason.")),
        length => {
            let message = format!("Too long: {length} of {REASON_CHARS_MAX} characters.");
            Err(ApiError::about(Code::InvalidValue, name, message))
        }
    }
}

/// The number of credits, at least one.
pub(super) fn credits(form: &Form) -> ApiResult<Credits> {
    let credits = form.text("credits").trim().parse().ok().and_then(Credits::new);
    credits.filter(|credits| !credits.is_zero()).ok_or_else(|| {
        let most = Credits::MAX.get();
        let most = number(most);
        let message = format!("Enter a whole number of credits from 1 to {most}.");
        ApiError::about(Code::InvalidValue, "credits", message)
    })
}

/// Checks the administrator's own password in the field `param`, so that a page left open is not
/// enough.
pub(super) async fn proof(app: &App, form: &Form, param: &str) -> ApiResult<()> {
    let caller = auth::session(app, &form.parts).await?;
    let password = Some(form.text(param).to_owned()).filter(|typed| !typed.is_empty());
    let typed = PasswordField { param, password };
    authentication::confirm(app, &form.parts, &caller, typed).await
}

/// A limit in the field `name`, at least `least`; `None` if it is empty.
pub(super) fn limit(form: &Form, name: &str, least: u32) -> ApiResult<Option<u32>> {
    /// More than any service handles.
    const MOST: u32 = 1_000_000;
    let Some(text) = form.filled(name) else { return Ok(None) };
    let limit = text.trim().parse().ok().filter(|limit| (least..=MOST).contains(limit));
    limit.map(Some).ok_or_else(|| {
        let message = format!("Enter a whole number from {least} to {}.", number(MOST));
        ApiError::about(Code::InvalidValue, name, message)
    })
}

/// The key that makes this form take effect once: a second click sends the same key again.
pub(super) fn source_key(form: &Form, account: &AccountId) -> ApiResult<String> {
    let token = form.text("form").parse::<EditId>();
    let token = token.map_err(|_| {
        ApiError::new(Code::InvalidValue, "The form is incomplete. Reload the page.")
    })?;
    Ok(format!("operator:{account}:{token}"))
}
