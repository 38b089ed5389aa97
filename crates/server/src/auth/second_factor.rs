//! The second step of signing in: a code from an authenticator app, or a recovery code.

use retouch_core::AccountId;
use retouch_store::SecondFactor;

use super::{Caller, totp};
use crate::app::App;
use crate::config::AdminSecondFactor;
use crate::error::{ApiError, ApiResult, Code};

/// The page where users set up or enter a second factor.
pub(crate) const PATH: &str = "/second-factor";

/// The account's authenticator app, if one is set up and confirmed.
pub(crate) async fn app_of(app: &App, account: &AccountId) -> ApiResult<Option<SecondFactor>> {
    let found = app.store.find_second_factor(account).await?;
    Ok(found.filter(|factor| factor.is_confirmed))
}

/// Checks the second factor after a correct password. Returns false if the account has none.
///
/// # Errors
/// 401 if it has one and `typed` is missing or wrong; 429 after too many wrong codes.
pub(crate) async fn passed(app: &App, account: &AccountId, typed: Option<&str>) -> ApiResult<bool> {
    let Some(factor) = app_of(app, account).await? else { return Ok(false) };
    let Some(typed) = typed else {
        let message = "This account uses two-step sign-in. Send the code from your authenticator \
                       app, or a recovery code, as `code`.";
        return Err(ApiError::about(Code::SecondFactorRequired, "code", message));
    };
    check(app, account, &factor, typed).await.map(|()| true)
}

/// Checks a code from the account's app or one of its recovery codes, and marks it as used.
///
/// # Errors
/// 401 if it is wrong or was used before; 429 after too many wrong codes.
pub(crate) async fn check(
    app: &App,
    account: &AccountId,
    factor: &SecondFactor,
    typed: &str,
) -> ApiResult<()> {
    let guess = app.throttles.code(account).await?;
    let is_right = match totp::step(&factor.secret, typed, app.clock.now()) {
        Some(step) => app.store.use_code(account, step).await?,
        None => app.store.use_recovery_code(account, totp::recovery_hash(typed)).await?,
    };
    if is_right {
        app.throttles.forgive(guess).await?;
        return Ok(());
    }
    let message = "This code is wrong or has already been used. Wait for the next code in your \
                   app, or use a recovery code.";
    Err(ApiError::about(Code::InvalidCode, "code", message))
}

/// Whether the caller's session may be used for administration.
pub(crate) fn may_administer(app: &App, caller: &Caller) -> bool {
    caller.is_strong || app.settings.auth.admin_second_factor == AdminSecondFactor::Off
}
