//! Validation of what administrators enter.

use retouch_core::{AccountId, Credits, EditId};

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

/// The key that makes this form take effect once: a second click sends the same key again.
pub(super) fn source_key(form: &Form, account: &AccountId) -> ApiResult<String> {
    let token = form.text("form").parse::<EditId>();
    let token = token.map_err(|_| {
        ApiError::new(Code::InvalidValue, "The form is incomplete. Reload the page.")
    })?;
    Ok(format!("operator:{account}:{token}"))
}
