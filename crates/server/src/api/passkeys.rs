//! `/api/passkeys`: adds, lists and removes passkeys.

pub mod sign_in;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use base64_simd::URL_SAFE_NO_PAD;
use retouch_core::{AccountId, Timestamp};
use retouch_store::{Account, NewChallenge, NewPasskey, Page, Passkey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::authentication::{self, PasswordField};
use super::keys::named;
use super::page::{ListView, PageQuery};
use super::path::Named;
use crate::app::App;
use crate::auth::passkey::{ALGORITHMS, Ceremony, Distrust, RelyingParty};
use crate::auth::secret::SessionToken;
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// How long a browser may take to answer, in milliseconds: five minutes.
const ANSWER_MS_MAX: i64 = 5 * 60_000;
/// What the store calls challenges for creating a passkey.
const KIND: &str = "passkey_create";

/// The confirmation that a passkey may be added.
#[derive(Deserialize, ToSchema)]
pub struct PasskeyWish {
    /// The account's password. An account without a password needs a sign-in in the last ten
    /// minutes instead.
    #[schema(format = Password)]
    pub(crate) current_password: Option<String>,
}

/// A passkey that the browser has created.
#[derive(Deserialize, ToSchema)]
pub struct PasskeyRequest {
    /// Its name.
    #[schema(example = "phone")]
    pub(crate) name: String,
    /// `response.clientDataJSON`, in base64url.
    pub(crate) client_data: String,
    /// `response.attestationObject`, in base64url.
    pub(crate) attestation: String,
}

/// A passkey. Only its owner's devices have the private key.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasskeyView {
    /// Its id, in base64url.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is backed up or synced to other devices.
    pub backed_up: bool,
    /// When it was added.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last used to sign in, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// Since when it is disabled because it seems to have been cloned, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub doubted_at: Option<Timestamp>,
}

/// List the passkeys, oldest first. There are at most 20.
#[utoipa::path(
    get,
    path = "/api/passkeys",
    operation_id = "list_passkeys",
    tag = "Account",
    params(PageQuery),
    responses((status = 200, description = "A page of passkeys", body = ListView<PasskeyView>)),
    security(("session" = []))
)]
pub async fn list_passkeys(
    State(app): State<Arc<App>>,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<PasskeyView>>> {
    let caller = auth::session(&app, &parts).await?;
    let passkeys = list(&app, &caller.account.id).await?;
    let position = |passkey: &PasskeyView| format!("{:019} {}", passkey.created_at.0, passkey.id);
    let page = Page::of_all("passkeys", passkeys, &page?.request(), position)?;
    Ok(Json(ListView::of(page, |view| view)))
}

/// Get the options to create a passkey in the browser.
///
/// Pass them to `navigator.credentials.create`. They work once, within five minutes.
#[utoipa::path(
    post,
    path = "/api/passkeys/options",
    operation_id = "begin_passkey",
    tag = "Account",
    request_body = PasskeyWish,
    responses(
        (status = 200, description = "PublicKeyCredentialCreationOptionsJSON", body = Object),
        (status = 401, description = "Unauthenticated, or the password is wrong", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
        (status = 503, description = "Passkeys do not work at this server's address", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn begin_passkey(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Json<Value>> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let PasskeyWish { current_password } = received.json()?;
    let (party, caller) = (relying_party(&app)?, received.caller()?);
    let typed = PasswordField::current(current_password);
    authentication::confirm(&app, &received.parts, caller, typed).await?;
    let account = &caller.account;
    let challenge = ask(&app, KIND, Some(account.id.clone())).await?;
    let known = app.store.list_passkeys(&account.id).await?;
    Ok(Json(creation(&party, account, &challenge, &known)))
}

/// Add the passkey that the browser has created.
#[utoipa::path(
    post,
    path = "/api/passkeys",
    operation_id = "create_passkey",
    tag = "Account",
    request_body = PasskeyRequest,
    responses(
        (status = 201, description = "All passkeys", body = ListView<PasskeyView>),
        (status = 401, description = "Unauthenticated, or the passkey was not accepted", body = ErrorBody),
        (status = 409, description = "The account has too many passkeys, or the passkey is already linked to an account", body = ErrorBody),
        (status = 503, description = "Passkeys do not work at this server's address", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn create_passkey(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<(StatusCode, Json<ListView<PasskeyView>>)> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let caller = received.caller()?;
    create(&app, caller, &received.json()?).await?;
    let page = Page { data: list(&app, &caller.account.id).await?, next_cursor: None };
    Ok((StatusCode::CREATED, Json(ListView::of(page, |view| view))))
}

/// Remove a passkey immediately.
///
/// The last sign-in method cannot be removed. You must have signed in within the last ten minutes.
/// We send an email about the change to the account's address.
#[utoipa::path(
    delete,
    path = "/api/passkeys/{id}",
    operation_id = "remove_passkey",
    tag = "Account",
    params(("id" = String, Path, description = "The passkey's id")),
    responses(
        (status = 204, description = "The passkey has been removed"),
        (status = 403, description = "A session with a sign-in in the last ten minutes is required, and the call must come from this server's own pages", body = ErrorBody),
        (status = 404, description = "There is no such passkey", body = ErrorBody),
        (status = 409, description = "It is the last sign-in method", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn remove_passkey(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::session(&app, &parts).await?;
    remove(&app, &parts, &caller, &id).await.map(|()| StatusCode::NO_CONTENT)
}

/// The passkeys of an account.
pub(crate) async fn list(app: &App, account: &AccountId) -> ApiResult<Vec<PasskeyView>> {
    let view = |passkey: Passkey| PasskeyView {
        id: URL_SAFE_NO_PAD.encode_to_string(&passkey.id),
        name: passkey.name,
        backed_up: passkey.is_backed_up,
        created_at: passkey.created_at,
        last_used_at: passkey.last_used_at,
        doubted_at: passkey.doubted_at,
    };
    Ok(app.store.list_passkeys(account).await?.into_iter().map(view).collect())
}

/// Removes the passkey of the caller's account that `id` names.
pub(crate) async fn remove(app: &App, parts: &Parts, caller: &Caller, id: &str) -> ApiResult<()> {
    authentication::confirm_lately(app, parts, caller, PasswordField::current(None)).await?;
    let unknown = || ApiError::not_found("passkey");
    let id = URL_SAFE_NO_PAD.decode_to_vec(id).map_err(|_| unknown())?;
    let live = app.identity_provider.as_ref().map(|it| it.oidc.issuer());
    let removed = app.store.remove_passkey(&caller.account.id, &id, live).await?;
    app.emails_queued();
    if removed { Ok(()) } else { Err(unknown()) }
}

/// The service that passkeys are created for.
///
/// # Errors
/// 503 where browsers do not support passkeys.
fn relying_party(app: &App) -> ApiResult<RelyingParty> {
    RelyingParty::of(&app.public_url).ok_or_else(|| {
        let message = format!(
            "Passkeys do not work at {}. Browsers support them at HTTPS addresses with a host \
             name, and at http://localhost.",
            app.public_url
        );
        ApiError::new(Code::PasskeysNotAvailable, message)
    })
}

/// Stores a challenge of `kind` for a browser, and returns it.
async fn ask(app: &App, kind: &'static str, account: Option<AccountId>) -> ApiResult<String> {
    let token = SessionToken::new(&app.ids);
    let expires_at = app.clock.now().plus_ms(ANSWER_MS_MAX);
    let (token_hash, content) = (token.hash(), String::new());
    let new = NewChallenge { token_hash, kind, account, content, expires_at };
    app.store.create_challenge(new).await?;
    Ok(token.reveal().to_owned())
}

/// The options for `navigator.credentials.create`.
fn creation(party: &RelyingParty, account: &Account, challenge: &str, known: &[Passkey]) -> Value {
    let known = known.iter().map(|passkey| {
        json!({ "type": "public-key", "id": URL_SAFE_NO_PAD.encode_to_string(&passkey.id) })
    });
    let algorithms = ALGORITHMS.map(|alg| json!({ "type": "public-key", "alg": alg }));
    json!({
        "rp": { "id": party.id, "name": "Retouch" },
        "user": {
            "id": URL_SAFE_NO_PAD.encode_to_string(account.id.as_str()),
            "name": account.email,
            "displayName": account.email,
        },
        "challenge": challenge,
        "pubKeyCredParams": algorithms,
        "timeout": ANSWER_MS_MAX,
        "excludeCredentials": known.collect::<Vec<_>>(),
        "authenticatorSelection": {
            "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
        },
        "attestation": "none",
    })
}

async fn create(app: &App, caller: &Caller, asked: &PasskeyRequest) -> ApiResult<()> {
    let party = relying_party(app)?;
    let name = named(&asked.name)?;
    let client_data = decoded("client_data", &asked.client_data)?;
    let attestation = decoded("attestation", &asked.attestation)?;
    let challenge = party.challenge(&client_data, Ceremony::Create).map_err(distrusted)?;
    let hash = SessionToken::check(&challenge).ok_or_else(unasked)?;
    let question = app.store.take_challenge(&hash, KIND).await?.ok_or_else(unasked)?;
    if question.account.as_ref() != Some(&caller.account.id) {
        return Err(unasked());
    }
    let made = party.made(&attestation).map_err(distrusted)?;
    let new = NewPasskey {
        id: made.id,
        name,
        public_key: made.public_key,
        sign_count: made.sign_count,
        may_back_up: made.may_back_up,
        is_backed_up: made.is_backed_up,
    };
    app.store.create_passkey(&caller.account.id, new).await?;
    app.emails_queued();
    Ok(())
}

fn decoded(param: &str, text: &str) -> ApiResult<Vec<u8>> {
    URL_SAFE_NO_PAD.decode_to_vec(text).map_err(|_| {
        let message = format!("`{param}` is not base64url without padding.");
        ApiError::about(Code::InvalidValue, param, message)
    })
}

fn distrusted(distrust: Distrust) -> ApiError {
    ApiError::new(Code::PasskeyRefused, format!("The passkey was not accepted: {distrust}."))
}

fn unasked() -> ApiError {
    let message = "This request is unknown, was already answered, or took longer than five \
                   minutes. Try again.";
    ApiError::new(Code::PasskeyRefused, message)
}
