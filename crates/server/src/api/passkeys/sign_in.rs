//! `POST /api/auth/passkey`: signs in with a passkey.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use retouch_store::{Account, PasskeyReport, PasskeyUse};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{ANSWER_MS_MAX, ask, decoded, distrusted, relying_party, unasked};
use crate::api::account::AccountView;
use crate::api::authentication::{self, Entered, How};
use crate::app::App;
use crate::auth::passkey::{Ceremony, Signed};
use crate::auth::secret::SessionToken;
use crate::auth::{self, client};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// What the store calls challenges for signing in with a passkey.
const KIND: &str = "passkey_get";

/// What the device has signed. All fields are in base64url.
#[derive(Deserialize, ToSchema)]
pub struct PasskeyProof {
    /// `rawId`.
    pub(crate) id: String,
    /// `response.clientDataJSON`.
    pub(crate) client_data: String,
    /// `response.authenticatorData`.
    pub(crate) authenticator_data: String,
    /// `response.signature`.
    pub(crate) signature: String,
    /// `response.userHandle`.
    pub(crate) user_handle: String,
}

/// Get the options to sign in with a passkey in the browser.
///
/// Pass them to `navigator.credentials.get`. They work once, within five minutes.
#[utoipa::path(
    post,
    path = "/api/auth/passkey/options",
    operation_id = "begin_passkey_sign_in",
    tag = "Account",
    responses(
        (status = 200, description = "PublicKeyCredentialRequestOptionsJSON", body = Object),
        (status = 403, description = "The call has a session cookie but came from another site's page", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
        (status = 503, description = "Passkeys do not work at this server's address", body = ErrorBody),
    )
)]
pub async fn begin_passkey_sign_in(
    State(app): State<Arc<App>>,
    parts: Parts,
) -> ApiResult<Json<Value>> {
    auth::by_session(&app, &parts).await?;
    let party = relying_party(&app)?;
    app.throttles.sign_in_from(client::of_call(&app, &parts)).await?;
    let challenge = ask(&app, KIND, None).await?;
    Ok(Json(json!({
        "challenge": challenge,
        "timeout": ANSWER_MS_MAX,
        "rpId": party.id,
        "allowCredentials": [],
        "userVerification": "required",
    })))
}

/// Sign in with a passkey.
#[utoipa::path(
    post,
    path = "/api/auth/passkey",
    operation_id = "sign_in_by_passkey",
    tag = "Account",
    request_body = PasskeyProof,
    responses(
        (status = 200, description = "The account, and a session cookie", body = AccountView),
        (status = 401, description = "The passkey is unknown or disabled, or its signature was not accepted", body = ErrorBody),
        (status = 403, description = "The call has a session cookie but came from another site's page", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
        (status = 503, description = "Passkeys do not work at this server's address", body = ErrorBody),
    )
)]
pub async fn sign_in_by_passkey(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let entered = enter(&app, &received.parts, received.json()?).await?;
    authentication::answer(&app, entered, StatusCode::OK).await
}

async fn enter(app: &App, parts: &Parts, proof: PasskeyProof) -> ApiResult<Entered> {
    let old = auth::by_session(app, parts).await?;
    app.throttles.sign_in_from(client::of_call(app, parts)).await?;
    let account = proven(app, &proof).await?;
    authentication::leave(app, old).await?;
    // A passkey counts as two factors: the device, and the PIN or fingerprint that unlocks it.
    let how = How { is_strong: true, ..How::now(app) };
    authentication::begin(app, parts, account, how).await
}

/// The account whose passkey has signed.
async fn proven(app: &App, proof: &PasskeyProof) -> ApiResult<Account> {
    let party = relying_party(app)?;
    let id = decoded("id", &proof.id)?;
    let client_data = decoded("client_data", &proof.client_data)?;
    let authenticator_data = decoded("authenticator_data", &proof.authenticator_data)?;
    let signature = decoded("signature", &proof.signature)?;
    let user_handle = decoded("user_handle", &proof.user_handle)?;
    let challenge = party.challenge(&client_data, Ceremony::Get).map_err(distrusted)?;
    let hash = SessionToken::check(&challenge).ok_or_else(unasked)?;
    app.store.take_challenge(&hash, KIND).await?.ok_or_else(unasked)?;
    let known = app.store.find_passkey(&id).await?;
    let known = known.filter(|known| known.account.id.as_str().as_bytes() == user_handle);
    let known = known.ok_or_else(|| {
        let message = "This passkey is not known here; it may have been removed. Sign in another \
                       way.";
        ApiError::new(Code::PasskeyRefused, message)
    })?;
    let signed = Signed {
        client_data: &client_data,
        authenticator_data: &authenticator_data,
        signature: &signature,
    };
    let said = party.said(&signed, &known.public_key, known.may_back_up).map_err(distrusted)?;
    let report = PasskeyReport { sign_count: said.sign_count, is_backed_up: said.is_backed_up };
    match app.store.use_passkey(&known.account.id, &id, report).await? {
        PasskeyUse::Noted => Ok(known.account),
        PasskeyUse::Doubted => {
            let message = "This passkey may have been cloned and is disabled. Sign in another way, \
                           and remove the passkey on your account page.";
            Err(ApiError::new(Code::PasskeyRefused, message))
        }
    }
}
