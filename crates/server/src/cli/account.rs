//! `retouch account`: creating, inviting and listing accounts, and setting passwords.

use std::io::{self, Read};

use retouch_store::{Account, NewAccount, PageRequest};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::{AccountArguments, InviteArguments};
use super::session::{self, Session};
use super::table::table;
use crate::auth::invitation::{self, InvitationRequest, Invited};
use crate::auth::password::{PASSWORD_BYTES_MAX, PasswordPool};
use crate::config::Sources;

/// Accounts read per query.
const PAGE_ROWS: u32 = 100;

/// Creates an account with a password from standard input and the sign-up credits.
pub(super) fn create(sources: &Sources, asked: AccountArguments) -> Result<Answer, Failure> {
    let password = password_line(io::stdin().lock())?;
    session::with(sources, async |session| {
        let catalogue = session.settings.catalogue.load().map_err(Failure::failed)?;
        let password_hash = PasswordPool::new(1, 1).hash(password, &session.ids).await;
        let stored = session.store.service_state().await?.settings;
        let live = session.settings.live(&stored);
        let live = live.unwrap_or_else(|_| session.settings.live_of_file());
        let new = NewAccount {
            email: asked.email,
            password_hash: Some(password_hash.map_err(Failure::failed)?),
            sign_up_credits: live.sign_up_credits.unwrap_or(catalogue.sign_up_credits),
            invitation: None,
        };
        let account =
            session.store.create_account_as(new, session::deed("`retouch account create`")).await?;
        // Someone who has had free credits before gets none.
        let credits = session.store.balance(&account.id).await?.available.get();
        let text =
            format!("Created {} for {} with {credits} credits.\n", account.id, account.email);
        let mut value = account_json(&account);
        value["credits"] = json!({ "available": credits, "held": 0 });
        Ok(Answer::new(text, value))
    })
}

/// Prints a link that lets one person sign up.
pub(super) fn invite(sources: &Sources, asked: InviteArguments) -> Result<Answer, Failure> {
    session::with(sources, async |session| {
        let base = session.public_url()?;
        let deed = session::deed("`retouch account invite`");
        let asked = InvitationRequest { email: asked.email, days: asked.days, deed };
        let made = invitation::invite(&session.store, &session.ids, &base, asked).await?;
        let Invited { link, expires_at, is_mailed } = made;
        let value = json!({ "link": link, "expires_at": expires_at, "is_mailed": is_mailed });
        let answer = Answer::new(format!("{link}\n"), value);
        let note = format!("The link works once, until {expires_at}.");
        let mailed = "The running server also emails this address its own link.";
        Ok(if is_mailed { answer.note(note).note(mailed) } else { answer.note(note) })
    })
}

/// Replaces a password with one from standard input.
pub(super) fn set_password(sources: &Sources, asked: &AccountArguments) -> Result<Answer, Failure> {
    let password = password_line(io::stdin().lock())?;
    session::with(sources, async |session| {
        let account = session.account(&asked.email).await?;
        let hash = PasswordPool::new(1, 1).hash(password, &session.ids).await;
        let hash = hash.map_err(Failure::failed)?;
        let deed = session::deed("`retouch account set-password`");
        session.store.set_password_as(&account.id, hash, deed).await?;
        let text = format!("Changed the password of {}.\n", account.email);
        Ok(Answer::new(text, account_json(&account)))
    })
}

/// Lists all accounts.
pub(super) fn list(sources: &Sources) -> Result<Answer, Failure> {
    let accounts = session::with(sources, all)?;
    let row = |account: &Account| {
        [account.id.to_string(), account.created_at.to_string(), account.email.to_string()]
    };
    let rows: Vec<[String; 3]> = accounts.iter().map(row).collect();
    let values: Vec<Value> = accounts.iter().map(account_json).collect();
    Ok(Answer::new(table(["ID", "CREATED", "EMAIL"], &rows), json!({ "data": values })))
}

async fn all(session: &Session) -> Result<Vec<Account>, Failure> {
    let mut page = PageRequest { limit: PAGE_ROWS, cursor: None };
    let mut accounts = Vec::new();
    loop {
        let found = session.store.list_accounts(&page).await?;
        accounts.extend(found.data);
        page.cursor = found.next_cursor;
        if page.cursor.is_none() {
            return Ok(accounts);
        }
    }
}

fn account_json(account: &Account) -> Value {
    json!({ "id": account.id, "email": account.email, "created_at": account.created_at })
}

/// The first line of `input`, without its line ending.
fn password_line(input: impl Read) -> Result<String, Failure> {
    // One byte more than allowed, so that a longer password is detected, plus the line ending.
    let most = PASSWORD_BYTES_MAX as u64 + 3;
    let mut text = String::new();
    let read = input.take(most).read_to_string(&mut text);
    read.map_err(|error| Failure::Failed(format!("cannot read the password: {error}")))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
