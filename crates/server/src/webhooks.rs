//! Webhooks: events of an account, sent to addresses that its owner chose, as
//! [Standard Webhooks](https://www.standardwebhooks.com) 1.0 describes.
//!
//! The store writes events in the transactions that they report (`retouch_store::webhook`). Here,
//! owners manage addresses, and [`deliver`] sends what is due.

pub mod deliver;
pub(crate) mod payload;
pub mod schedule;
pub mod signature;

use retouch_core::{AccountId, EventId, WebhookId};
use retouch_store::{Delivery, EventKind, NewWebhook, Off, SealedSecrets, Webhook, WebhookChange};
use url::Url;

use crate::app::App;
use crate::auth::sealing::SecretKey;
use crate::config::Secret;
use crate::error::{ApiError, ApiResult, Code};
use signature::Secrets;

/// How long the secrets before a rotation also sign, in milliseconds: a day.
pub const ROTATION_MS: i64 = 24 * 3_600_000;

/// The maximum length of an address in bytes.
const URL_BYTES_MAX: usize = 2_000;

/// A webhook with its secret, which is shown only once.
pub(crate) struct Shown {
    pub(crate) webhook: Webhook,
    pub(crate) secret: String,
}

/// Creates a webhook of `account`.
///
/// # Errors
/// 400 if the address or the events can't be used, 409 if the account has too many webhooks, 503 if
/// this server has no key to encrypt secrets with.
pub(crate) async fn create(
    app: &App,
    account: &AccountId,
    (url, events): (&str, &[EventKind]),
) -> ApiResult<Shown> {
    let url = checked_url(app, url)?;
    let id = app.ids.webhook();
    let (secrets, sealed) = new_secrets(app, &id)?;
    let webhooks_max = app.settings.webhooks.per_account_max;
    let new = NewWebhook { id, url, events: events.to_vec(), secrets: sealed, webhooks_max };
    let webhook = app.store.create_webhook(account, new).await?;
    Ok(Shown { webhook, secret: secrets.shared_text() })
}

/// Changes a webhook of `account`.
///
/// # Errors
/// 400 if the address can't be used, 404 if there is no such webhook.
pub(crate) async fn change(
    app: &App,
    (account, id): (&AccountId, &str),
    change: WebhookChange,
) -> ApiResult<Webhook> {
    let url = change.url.as_deref().map(|url| checked_url(app, url)).transpose()?;
    let change = WebhookChange { url, ..change };
    app.store.change_webhook(account, &parsed(id)?, change).await?.ok_or_else(missing)
}

/// Gives a webhook of `account` new secrets. The ones before also sign for a day.
///
/// # Errors
/// 404 if there is no such webhook, 503 as for [`create`].
pub(crate) async fn rotate(app: &App, account: &AccountId, id: &str) -> ApiResult<Shown> {
    let id = parsed(id)?;
    let (secrets, sealed) = new_secrets(app, &id)?;
    let earlier_until = app.clock.now().plus_ms(ROTATION_MS);
    let rotated = app.store.rotate_webhook(account, &id, (sealed, earlier_until)).await?;
    Ok(Shown { webhook: rotated.ok_or_else(missing)?, secret: secrets.shared_text() })
}

/// Deletes a webhook of `account`, and what waits for it.
///
/// # Errors
/// 404 if there is no such webhook.
pub(crate) async fn delete(app: &App, account: &AccountId, id: &str) -> ApiResult<()> {
    let deleted = app.store.delete_webhook(account, &parsed(id)?).await?;
    if deleted { Ok(()) } else { Err(missing()) }
}

/// Finds a webhook of `account`.
///
/// # Errors
/// 404 if there is no such webhook.
pub(crate) async fn find(app: &App, account: &AccountId, id: &str) -> ApiResult<Webhook> {
    app.store.find_webhook(account, &parsed(id)?).await?.ok_or_else(missing)
}

/// Sends a test event to a webhook of `account`, soon.
///
/// # Errors
/// 404 if there is no such webhook, 409 if it is off or too much waits for it.
pub(crate) async fn test(app: &App, account: &AccountId, id: &str) -> ApiResult<Delivery> {
    let webhook = find_on(app, account, id).await?;
    app.store.test_webhook(account, &webhook.id).await?.ok_or_else(missing)
}

/// Sends an event to a webhook of `account` again, soon.
///
/// # Errors
/// 404 if there is no such webhook or delivery, 409 if it is off or too much waits for it.
pub(crate) async fn redeliver(
    app: &App,
    account: &AccountId,
    (id, delivery): (&str, &str),
) -> ApiResult<Delivery> {
    let missing = || ApiError::not_found("delivery");
    let webhook = find_on(app, account, id).await?;
    let delivery: EventId = delivery.parse().map_err(|_| missing())?;
    app.store.redeliver(account, &webhook.id, &delivery).await?.ok_or_else(missing)
}

/// Sends up to a thousand events again whose last attempt has failed, and returns how many.
///
/// # Errors
/// As [`test()`].
pub(crate) async fn redeliver_failed(app: &App, account: &AccountId, id: &str) -> ApiResult<usize> {
    let webhook = find_on(app, account, id).await?;
    app.store.redeliver_failed(account, &webhook.id).await?.ok_or_else(missing)
}

/// Whether webhooks can be created on this server.
pub(crate) fn are_available(app: &App) -> bool {
    app.settings.server.secret_key.is_some() && app.settings.webhooks.per_account_max > 0
}

/// The events with these names.
///
/// # Errors
/// 400 if one is unknown, or there is none.
pub(crate) fn checked_events<'a>(
    names: impl Iterator<Item = &'a str>,
) -> ApiResult<Vec<EventKind>> {
    let known = || EventKind::ALL.map(EventKind::as_str).join("`, `");
    let mut events = Vec::new();
    for name in names {
        let event = EventKind::find(name).ok_or_else(|| {
            let name = crate::http::shown(name);
            let message =
                format!("`events`: {name} is not an event. The events are `{}`.", known());
            ApiError::about(Code::InvalidValue, "events", message)
        })?;
        if !events.contains(&event) {
            events.push(event);
        }
    }
    if events.is_empty() {
        let message = format!("`events`: choose at least one of `{}`.", known());
        return Err(ApiError::about(Code::InvalidValue, "events", message));
    }
    Ok(events)
}

/// The secrets of a webhook, if `sealed` was encrypted for it with this server's key.
fn opened(key: &SecretKey, id: &WebhookId, sealed: &[u8]) -> Option<Secrets> {
    Secrets::of_text(key.open(id.as_str(), sealed)?.reveal())
}

fn new_secrets(app: &App, id: &WebhookId) -> ApiResult<(Secrets, SealedSecrets)> {
    let unavailable = || {
        let message = "Webhooks are not set up on this server. Ask the operator to set \
                       server.secret_key, which encrypts their secrets.";
        ApiError::new(Code::WebhooksNotAvailable, message)
    };
    if !are_available(app) {
        return Err(unavailable());
    }
    let key = app.settings.server.secret_key.as_ref().ok_or_else(unavailable)?;
    let broken = || ApiError::internal("the secrets of a webhook could not be made");
    let secrets = Secrets::new(&app.ids).ok_or_else(broken)?;
    let text = Secret::new(secrets.text());
    let sealed = key.seal(id.as_str(), &text, &*app.entropy).ok_or_else(broken)?;
    let public_key = secrets.public_text();
    Ok((secrets, SealedSecrets { sealed, public_key }))
}

/// An address that a webhook may have. Where it leads is checked whenever something is sent.
fn checked_url(app: &App, text: &str) -> ApiResult<String> {
    let refused = |why: &str| {
        let message = format!("`url`: {why}");
        ApiError::about(Code::InvalidValue, "url", message)
    };
    let text = text.trim();
    if text.len() > URL_BYTES_MAX {
        return Err(refused("the address is longer than 2,000 characters. Use a shorter one."));
    }
    let url = Url::parse(text).ok().filter(Url::has_host);
    let url = url.ok_or_else(|| refused("enter an address such as https://example.com/hook."))?;
    let may_be_plain = !app.settings.fetch.allowed_networks.is_empty();
    if url.scheme() != "https" && !(url.scheme() == "http" && may_be_plain) {
        return Err(refused("the address must start with https://."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("leave out the user name and password. Check the signature instead."));
    }
    Ok(url.into())
}

async fn find_on(app: &App, account: &AccountId, id: &str) -> ApiResult<Webhook> {
    let webhook = find(app, account, id).await?;
    match webhook.off {
        None => Ok(webhook),
        Some((Off::Paused, _)) => Err(is_off("It is paused.")),
        Some((Off::Gone, _)) => Err(is_off("Its address answered 410 Gone.")),
        Some((Off::Failing, _)) => Err(is_off("Its address had failed for days.")),
    }
}

fn is_off(why: &str) -> ApiError {
    ApiError::new(Code::WebhookOff, format!("The webhook is off. {why} Turn it on first."))
}

fn parsed(id: &str) -> ApiResult<WebhookId> {
    id.parse().map_err(|_| missing())
}

fn missing() -> ApiError {
    ApiError::not_found("webhook")
}
