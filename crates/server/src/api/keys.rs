//! `GET`, `POST` and `DELETE /api/keys`: lists, creates and revokes API keys.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::credits::{KeyLimits, KeyPeriod};
use retouch_core::{Credits, KeyId, Timestamp};
use retouch_store::{Account, ApiKey, NewKey, Scope, Scopes};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use utoipa::ToSchema;

use super::authentication::{self, PasswordField};
use super::page::{ListView, PageQuery};
use super::path::Named;
use super::schema::ScopeName;
use crate::app::App;
use crate::auth::secret::ApiKeySecret;
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// Most characters of a name.
const NAME_CHARS_MAX: usize = 100;

/// A new key.
#[derive(Debug, Deserialize, ToSchema)]
pub struct KeyRequest {
    /// Its name.
    #[schema(example = "laptop", min_length = 1, max_length = 100)]
    pub(crate) name: String,
    /// When it expires. By default, never.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) expires_at: Option<Timestamp>,
    /// Most credits it can ever spend. By default, there is no limit.
    #[schema(minimum = 1, maximum = 9007199254740991_i64)]
    #[serde(default, deserialize_with = "whole")]
    pub(crate) credit_limit: Option<i64>,
    /// Most credits it can spend in a day (UTC). By default, there is no limit.
    #[schema(minimum = 1, maximum = 9007199254740991_i64)]
    #[serde(default, deserialize_with = "whole")]
    pub(crate) credit_limit_per_day: Option<i64>,
    /// Most credits it can spend in a calendar month (UTC). By default, there is no limit.
    #[schema(minimum = 1, maximum = 9007199254740991_i64)]
    #[serde(default, deserialize_with = "whole")]
    pub(crate) credit_limit_per_month: Option<i64>,
    /// What it may do, `["edit"]` by default.
    #[schema(value_type = Option<Vec<ScopeName>>, min_items = 1)]
    pub(crate) scopes: Option<Vec<String>>,
    /// Your password. It is required if you signed in more than ten minutes ago.
    #[schema(format = Password)]
    pub(crate) current_password: Option<String>,
}

/// A whole number as JSON has it: `5`, `5.0` and `5e0` are equal.
fn whole<'de, D: Deserializer<'de>>(field: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(field)? else { return Ok(None) };
    let float = number.as_f64().unwrap_or(f64::NAN);
    #[expect(clippy::cast_possible_truncation, reason = "too large ones are out of range anyway")]
    let rounded = (float.fract() == 0.0).then_some(float as i64);
    let refused = || D::Error::invalid_type(Unexpected::Float(float), &"a whole number");
    number.as_i64().or(rounded).map(Some).ok_or_else(refused)
}

/// A key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyView {
    /// The key's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The first characters of its secret, to tell keys apart. Empty for an assistant that was
    /// connected through OAuth.
    pub start: String,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it expires, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// Most credits it can ever spend, or null.
    pub credit_limit: Option<i64>,
    /// Most credits it can spend in a day (UTC), or null.
    pub credit_limit_per_day: Option<i64>,
    /// Most credits it can spend in a calendar month (UTC), or null.
    pub credit_limit_per_month: Option<i64>,
    /// What it may do: `edit`, `read`, `delete`.
    #[schema(example = json!(["edit"]))]
    pub scopes: Vec<&'static str>,
    /// Credits it has spent, including credits held for running calls.
    pub credits_used: i64,
    /// The same for calls made today (UTC).
    pub credits_used_today: i64,
    /// The same for calls made in this calendar month (UTC).
    pub credits_used_this_month: i64,
    /// When it was last used, accurate to a minute, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
}

/// A key that has just been created.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewKeyView {
    /// The secret. It is typed only once.
    #[schema(example = "retouch_…")]
    pub key: String,
    /// The key without its secret.
    #[serde(flatten)]
    pub view: KeyView,
}

/// List the keys, newest first, including revoked ones.
#[utoipa::path(
    get,
    path = "/api/keys",
    operation_id = "list_keys",
    tag = "API keys",
    params(PageQuery),
    responses((status = 200, description = "A page of keys", body = ListView<KeyView>)),
    security(("session" = []))
)]
pub async fn list_keys(
    State(app): State<Arc<App>>,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<KeyView>>> {
    let caller = auth::session(&app, &parts).await?;
    let keys = app.store.list_keys(&caller.account.id, &page?.request()).await?;
    let now = app.clock.now();
    Ok(Json(ListView::of(keys, |key| key_view(key, now))))
}

/// Create a key.
///
/// Its secret is typed only in this response. You must have signed in within the last ten minutes
/// or send your password. We send an email about the new key to the account's address.
#[utoipa::path(
    post,
    path = "/api/keys",
    operation_id = "create_key",
    tag = "API keys",
    request_body = KeyRequest,
    responses(
        (status = 201, description = "The key with its secret", body = NewKeyView),
        (status = 401, description = "Unauthenticated, or the password is wrong", body = ErrorBody),
        (status = 403, description = "A session with a sign-in in the last ten minutes is required, and the call must come from this server's own pages", body = ErrorBody),
        (status = 409, description = "The account has as many keys as it may have", body = ErrorBody),
        (status = 429, description = "Too many wrong passwords", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn create_key(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<(StatusCode, Json<NewKeyView>)> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let made = create(&app, &received.parts, received.caller()?, received.json()?).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Creates a key, after the caller has confirmed who they are.
pub(crate) async fn create(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    asked: KeyRequest,
) -> ApiResult<NewKeyView> {
    let secret = ApiKeySecret::new(&app.ids);
    let new = checked(app, &asked, &secret)?;
    let typed = PasswordField::current(asked.current_password);
    authentication::confirm_lately(app, parts, caller, typed).await?;
    let key = app.store.create_key(&caller.account.id, new).await?;
    app.emails_queued();
    Ok(NewKeyView { key: secret.reveal().to_owned(), view: key_view(key, app.clock.now()) })
}

/// Revoke a key immediately.
#[utoipa::path(
    delete,
    path = "/api/keys/{id}",
    operation_id = "revoke_key",
    tag = "API keys",
    params(("id" = String, Path, description = "The key's id")),
    responses(
        (status = 204, description = "The key has been revoked"),
        (status = 404, description = "There is no such key", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn revoke_key(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> ApiResult<StatusCode> {
    let caller = auth::session(&app, &parts).await?;
    revoke(&app, &caller.account, &id).await.map(|()| StatusCode::NO_CONTENT)
}

/// Revokes a key of `account`.
pub(crate) async fn revoke(app: &App, account: &Account, id: &str) -> ApiResult<()> {
    let id: KeyId = id.parse().map_err(|_| ApiError::not_found("key"))?;
    let revoked = app.store.revoke_key(&account.id, &id).await?;
    if revoked { Ok(()) } else { Err(ApiError::not_found("key")) }
}

/// Checks a name that a user gives to a key or a passkey, from the field `name`.
pub(crate) fn named(text: &str) -> ApiResult<String> {
    let name = text.trim();
    let length = name.chars().count();
    if length == 0 || length > NAME_CHARS_MAX || name.contains(char::is_control) {
        let message = format!(
            "`name` must be one line of 1 to {NAME_CHARS_MAX} characters; this one has {length}."
        );
        return Err(ApiError::about(Code::InvalidValue, "name", message));
    }
    Ok(name.to_owned())
}

fn checked(app: &App, asked: &KeyRequest, secret: &ApiKeySecret) -> ApiResult<NewKey> {
    let name = named(&asked.name)?;
    if asked.expires_at.is_some_and(|moment| moment <= app.clock.now()) {
        let message = "`expires_at` is in the past.";
        return Err(ApiError::about(Code::InvalidValue, "expires_at", message));
    }
    let limits = KeyLimits {
        life: limit("credit_limit", asked.credit_limit)?,
        day: limit("credit_limit_per_day", asked.credit_limit_per_day)?,
        month: limit("credit_limit_per_month", asked.credit_limit_per_month)?,
    };
    Ok(NewKey {
        name,
        hash: secret.hash(),
        start: secret.start().to_owned(),
        expires_at: asked.expires_at,
        limits,
        scopes: scopes(asked)?,
    })
}

fn limit(field: &str, asked: Option<i64>) -> ApiResult<Option<Credits>> {
    let checked = |limit: i64| {
        Credits::new(limit).filter(|limit| limit.get() > 0).ok_or_else(|| {
            let message = format!("`{field}` must be 1 to {}, not {limit}.", Credits::MAX);
            ApiError::about(Code::InvalidValue, field, message)
        })
    };
    asked.map(checked).transpose()
}

fn scopes(asked: &KeyRequest) -> ApiResult<Scopes> {
    let Some(names) = &asked.scopes else { return Ok(Scopes::DEFAULT) };
    Scopes::named(names.iter().map(String::as_str)).map_err(|error| {
        ApiError::about(Code::InvalidValue, "scopes", format!("`scopes`: {error}."))
    })
}

/// A key as its owner sees it at `now`.
pub(crate) fn key_view(key: ApiKey, now: Timestamp) -> KeyView {
    let used = |period| key.used.counted(period, now).get();
    let KeyLimits { life, day, month } = key.limits;
    KeyView {
        id: key.id.to_string(),
        name: key.name,
        start: key.start,
        created_at: key.created_at,
        expires_at: key.expires_at,
        credit_limit: life.map(Credits::get),
        credit_limit_per_day: day.map(Credits::get),
        credit_limit_per_month: month.map(Credits::get),
        scopes: key.scopes.iter().map(Scope::as_str).collect(),
        credits_used: used(KeyPeriod::Life),
        credits_used_today: used(KeyPeriod::Day),
        credits_used_this_month: used(KeyPeriod::Month),
        last_used_at: key.last_used_at,
        revoked_at: key.revoked_at,
    }
}
