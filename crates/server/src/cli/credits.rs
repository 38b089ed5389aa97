//! `retouch credits`: grants credits, shows balances and verifies the ledger.

use retouch_core::credits::{BucketKind, Grant};
use retouch_store::{BalanceView, BucketView, Granted, VerifyReport};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::{GrantArguments, ShowArguments};
use super::progress::Progress;
use super::session;
use super::table::table;
use crate::config::Sources;
use crate::words::{counted, ledger};

/// Maximum length of a reason, in characters.
const REASON_CHARS_MAX: usize = 200;

/// Grants credits to an account.
pub(super) fn grant(sources: &Sources, asked: &GrantArguments) -> Result<Answer, Failure> {
    let description = checked_reason(&asked.reason)?;
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let grant = Grant {
            kind: BucketKind::Operator,
            credits: asked.credits,
            source_key: format!("operator:{}", session.ids.edit()),
            expires_at: None,
            priority: None,
            description,
        };
        let deed = session::deed(grant.description.clone());
        let granted = session.store.grant_as(&account.id, grant, deed).await?;
        let Granted::New(balance) = granted else {
            return Err(Failure::Failed("these credits were already granted".to_owned()));
        };
        let (granted, available) = (asked.credits.get(), balance.available.get());
        let email = account.email;
        let text = format!("Granted {granted} credits to {email}; {available} available.\n");
        let json = json!({
            "account": account.id, "granted": granted,
            "credits": { "available": available, "held": balance.held },
        });
        Ok(Answer::new(text, json))
    })
}

/// Shows an account's balance.
pub(super) fn show(sources: &Sources, asked: &ShowArguments) -> Result<Answer, Failure> {
    session::with(sources, async |session| {
        let account = session.account(&asked.account).await?;
        let balance = session.store.balance(&account.id).await?;
        let json = json!({
            "account": account.id, "available": balance.available, "held": balance.held,
            "buckets": balance.buckets.iter().map(bucket_json).collect::<Vec<Value>>(),
        });
        Ok(Answer::new(balance_text(&balance), json))
    })
}

/// Verifies the ledger of every account.
pub(super) fn verify(sources: &Sources) -> Result<Answer, Failure> {
    let report = session::with(sources, async |session| {
        let _progress = Progress::start("Verifying the ledger");
        Ok(session.store.verify().await?)
    })?;
    let disagreements: Vec<Value> = report
        .disagreements
        .iter()
        .map(|one| json!({ "account": one.account, "what": one.what }))
        .collect();
    let json = json!({
        "accounts": report.accounts, "entries": report.entries, "found": report.found,
        "disagreements": disagreements,
    });
    Ok(Answer::new(verify_text(&report), json).failing_when(report.found > 0))
}

fn verify_text(report: &VerifyReport) -> String {
    let VerifyReport { found, disagreements, .. } = report;
    if *found == 0 {
        return format!("The ledger is correct: {}.\n", ledger(report));
    }
    let mut text = format!("{} in {}:\n", counted(*found, "error"), ledger(report));
    for one in disagreements {
        text.push_str(&format!("  {}: {}\n", one.account, one.what));
    }
    let listed = disagreements.len() as u64;
    if listed < *found {
        text.push_str(&format!("  and {} more\n", found - listed));
    }
    text
}

fn balance_text(balance: &BalanceView) -> String {
    let row = |bucket: &BucketView| {
        let expires = bucket.expires_at.map_or("never".to_owned(), |moment| moment.to_string());
        [bucket.kind.as_str().to_owned(), bucket.remaining.get().to_string(), expires]
    };
    let rows: Vec<[String; 3]> = balance.buckets.iter().map(row).collect();
    let (available, held) = (balance.available.get(), balance.held.get());
    let buckets = table(["SOURCE", "CREDITS", "EXPIRES"], &rows);
    format!("{available} credits available, {held} held.\n{buckets}")
}

fn bucket_json(bucket: &BucketView) -> Value {
    json!({
        "kind": bucket.kind.as_str(), "remaining": bucket.remaining,
        "expires_at": bucket.expires_at,
    })
}

pub(super) fn checked_reason(reason: &str) -> Result<String, Failure> {
    let reason = reason.trim();
    match reason.chars().count() {
        1..=REASON_CHARS_MAX if !reason.contains(char::is_control) => Ok(reason.to_owned()),
        length => Err(Failure::Usage(format!(
            "--reason has {length} characters; it must be one line of 1 to {REASON_CHARS_MAX}"
        ))),
    }
}
