//! `/admin/log`: the audit log.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::{Credits, Timestamp};
use retouch_store::{AuditAct, AuditEntry, PageRequest};

use super::Tab;
use crate::app::App;
use crate::web::form;
use crate::web::html;
use crate::web::number;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// Entries per page.
const ROWS_MAX: u32 = 50;

/// An entry of the log as the page shows it.
pub(super) struct Line {
    pub(super) at: Timestamp,
    pub(super) who: String,
    pub(super) what: String,
    /// The affected account: its ID, and its email or, without one, the ID again.
    pub(super) whom: Option<(String, String)>,
    pub(super) reason: String,
    pub(super) request_id: String,
}

impl Line {
    pub(super) fn of(entry: AuditEntry) -> Self {
        let what = what(entry.act, entry.credits);
        let whom = entry.subject.map(|id| (id.clone(), entry.subject_email.unwrap_or(id)));
        Self {
            at: entry.at,
            who: entry.actor.unwrap_or_else(|| "Command line".to_owned()),
            what,
            whom,
            reason: entry.reason,
            request_id: entry.request_id.unwrap_or_default(),
        }
    }
}

pub(super) fn what(act: AuditAct, credits: Option<Credits>) -> String {
    let credits = credits.map_or(0, Credits::get);
    match act {
        AuditAct::Claim => "Became administrator".to_owned(),
        AuditAct::Grant => format!("Granted {} credits", number(credits)),
        AuditAct::TakeBack => format!("Removed {} credits", number(credits)),
        AuditAct::Suspend => "Suspended".to_owned(),
        AuditAct::LiftPause => "Allowed paid providers again".to_owned(),
        AuditAct::Lift => "Reinstated".to_owned(),
        AuditAct::SignOut => "Signed out everywhere".to_owned(),
        AuditAct::ProveBooks => "Verified the ledger".to_owned(),
        AuditAct::Appoint => "Made administrator".to_owned(),
        AuditAct::Dismiss => "Removed administrator rights".to_owned(),
        AuditAct::Look => "Viewed generations".to_owned(),
        AuditAct::CreateAccount => "Created the account".to_owned(),
        AuditAct::SetPassword => "Reset the password".to_owned(),
        AuditAct::CreateKey => "Created an API key".to_owned(),
        AuditAct::RevokeKey => "Revoked an API key".to_owned(),
        AuditAct::AssignPlan => "Assigned a plan".to_owned(),
        AuditAct::CancelPlan => "Canceled an assigned plan".to_owned(),
        AuditAct::EndPaidPlan => "Canceled a paid plan".to_owned(),
        AuditAct::Invite => "Invited someone".to_owned(),
        AuditAct::Uninvite => "Withdrew an invitation".to_owned(),
        AuditAct::ResetSecondFactor => "Removed the second factor".to_owned(),
        AuditAct::SendReset => "Sent a password reset link".to_owned(),
        AuditAct::DeleteAccount => "Deleted the account".to_owned(),
        AuditAct::SetTerms => "Changed limits or notes".to_owned(),
        AuditAct::Export => "Downloaded a list".to_owned(),
        AuditAct::TestEmail => "Sent a test email".to_owned(),
        AuditAct::ChangeSetting => "Changed a setting".to_owned(),
        AuditAct::ChangeProvider => "Changed a provider".to_owned(),
        AuditAct::DismissRequest => "Dismissed a request for credits".to_owned(),
        AuditAct::RetryEvent => "Retried a payment event".to_owned(),
    }
}

#[derive(Template)]
#[template(path = "web/admin/log.html")]
struct LogPage {
    shell: Shell,
    tab: Tab,
    log: Vec<Line>,
    is_first: bool,
    older: Option<String>,
}

pub(super) async fn log(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let is_first = cursor.is_none();
    let page = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_audit(None, &page).await?;
    let older = found.next_cursor.map(|cursor| form::address("/admin/log", &[("cursor", &cursor)]));
    let log = found.data.into_iter().map(Line::of).collect();
    Ok(html::page(&LogPage { shell, tab: Tab::Log, log, is_first, older })?)
}
