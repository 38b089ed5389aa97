//! `retouch key`: creates and revokes API keys.

use retouch_core::credits::KeyLimits;
use retouch_core::{Clock, SystemClock};
use retouch_store::{NewKey, Scope};
use serde_json::json;

use super::answer::{Answer, Failure};
use super::command::{KeyArguments, RevokeArguments};
use super::session;
use crate::auth::secret::ApiKeySecret;
use crate::config::Sources;

/// Maximum length of a key's name in characters, as in `POST /api/keys`.
const NAME_CHARS_MAX: usize = 100;

/// Creates a key. Only the secret goes to standard output, so that scripts can capture it.
pub(super) fn create(sources: &Sources, asked: &KeyArguments) -> Result<Answer, Failure> {
    let name = checked_name(&asked.name)?;
    if asked.expires_at.is_some_and(|moment| moment <= SystemClock.now()) {
        return Err(Failure::Usage("--expires-at is in the past".to_owned()));
    }
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let secret = ApiKeySecret::new(&session.ids);
        let new = NewKey {
            name,
            hash: secret.hash(),
            start: secret.start().to_owned(),
            expires_at: asked.expires_at,
            limits: KeyLimits {
                life: asked.credit_limit,
                day: asked.credit_limit_per_day,
                month: asked.credit_limit_per_month,
            },
            scopes: asked.scopes,
        };
        let deed = session::deed("`retouch key create`");
        let key = session.store.create_key_as(&account.id, new, deed).await?;
        let json = json!({
            "id": key.id, "key": secret.reveal(), "name": key.name, "start": key.start,
            "created_at": key.created_at, "expires_at": key.expires_at,
            "credit_limit": key.limits.life,
            "credit_limit_per_day": key.limits.day,
            "credit_limit_per_month": key.limits.month,
            "scopes": key.scopes.iter().map(Scope::as_str).collect::<Vec<_>>(),
        });
        let note = format!(
            "Created {} for {}. Copy the key now; it cannot be shown again:",
            key.id, account.email
        );
        Ok(Answer::new(format!("{}\n", secret.reveal()), json).note(note))
    })
}

/// Revokes a key of any account.
pub(super) fn revoke(sources: &Sources, asked: &RevokeArguments) -> Result<Answer, Failure> {
    let id = &asked.id;
    session::with(sources, async |session| {
        let deed = session::deed(format!("`retouch key revoke`: {id}"));
        if !session.store.revoke_key_as(id, deed).await? {
            return Err(Failure::Failed(format!("there is no key {id}")));
        }
        Ok(Answer::new(format!("Revoked {id}.\n"), json!({ "id": id, "revoked": true })))
    })
}

fn checked_name(name: &str) -> Result<String, Failure> {
    let name = name.trim();
    match name.chars().count() {
        1..=NAME_CHARS_MAX if !name.contains(char::is_control) => Ok(name.to_owned()),
        length => Err(Failure::Usage(format!(
            "--name has {length} characters; it must be one line of 1 to {NAME_CHARS_MAX}"
        ))),
    }
}
