//! `retouch admin`: administrators, including the first one.

use retouch_store::Account;
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::RoleArguments;
use super::credits::checked_reason;
use super::session;
use super::table::table;
use crate::auth::link;
use crate::config::Sources;

/// Prints a new one-time link. Earlier links stop working.
pub(super) fn link(sources: &Sources) -> Result<Answer, Failure> {
    session::with(sources, async |session| {
        let base = session.running_url()?;
        match link::create(&session.store, &session.ids, &base).await? {
            Some(address) => Ok(Answer::new(format!("{address}\n"), json!({ "link": address }))
                .note("Open this link within 30 minutes to become administrator. It works once.")),
            None => Err(Failure::failed(
                "this server already has an administrator; to add another, use `retouch admin add`",
            )),
        }
    })
}

/// Makes an account an administrator.
pub(super) fn add(sources: &Sources, asked: &RoleArguments) -> Result<Answer, Failure> {
    let deed = session::deed(checked_reason(&asked.reason)?);
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let changed = session.store.appoint_administrator(&account.id, deed).await?;
        let text = if changed { "is now an administrator" } else { "was already an administrator" };
        Ok(role_changed(&account, true, text))
    })
}

/// Removes an account's administrator role.
pub(super) fn remove(sources: &Sources, asked: &RoleArguments) -> Result<Answer, Failure> {
    let deed = session::deed(checked_reason(&asked.reason)?);
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let changed = session.store.dismiss_administrator(&account.id, deed).await?;
        let text =
            if changed { "is no longer an administrator" } else { "was not an administrator" };
        Ok(role_changed(&account, false, text))
    })
}

/// Removes the second factor of an account.
pub(super) fn reset_second_factor(
    sources: &Sources,
    asked: &RoleArguments,
) -> Result<Answer, Failure> {
    let deed = session::deed(checked_reason(&asked.reason)?);
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let removed = session.store.reset_second_factor_as(&account.id, deed).await?;
        let text = if removed { "no longer has a second factor" } else { "had no second factor" };
        let json = json!({ "account": account.id, "removed": removed });
        Ok(Answer::new(format!("{} {text}.\n", account.email), json))
    })
}

/// Lists the administrators.
pub(super) fn list(sources: &Sources) -> Result<Answer, Failure> {
    let found =
        session::with(sources, async |session| Ok(session.store.list_administrators().await?))?;
    let row = |account: &Account| [account.id.to_string(), account.email.to_string()];
    let rows: Vec<[String; 2]> = found.iter().map(row).collect();
    let value = |account: &Account| json!({ "id": account.id, "email": account.email });
    let values: Vec<Value> = found.iter().map(value).collect();
    Ok(Answer::new(table(["ID", "EMAIL"], &rows), json!({ "data": values })))
}

fn role_changed(account: &Account, administers: bool, text: &str) -> Answer {
    let json = json!({ "account": account.id, "administers": administers });
    Answer::new(format!("{} {text}.\n", account.email), json)
}
