//! `/admin/emails`: what each email says, and a way to send one to oneself.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_store::{AuditAct, EmailKind};

use super::{Tab, deed};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::mail::{self, Preview};
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, status_of_mistake};
use crate::web::shell::{Here, Shell};

const PATH: &str = "/admin/emails";

#[derive(Template)]
#[template(path = "web/admin/emails.html")]
struct EmailsPage {
    shell: Shell,
    tab: Tab,
    /// Whether email is configured.
    is_configured: bool,
    /// The kinds: name, subject, and whether it is shown.
    kinds: Vec<(&'static str, String, bool)>,
    shown: Preview,
    /// The name of the shown kind.
    kind: &'static str,
    /// The administrator's own address.
    own: String,
    is_sent: bool,
    waiting: u64,
    mistake: Mistake,
}

pub(super) async fn emails(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let kind = form::choice(&parts, "kind", EmailKind::find)?.unwrap_or(EmailKind::SignUp);
    let is_sent = form::query(&parts, "done").as_deref() == Some("sent");
    let page = page(&app, shell, kind).await?;
    Ok(html::page(&EmailsPage { is_sent, ..page })?)
}

/// Sends the email to the administrator.
pub(super) async fn send(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let unknown = || ApiError::new(Code::InvalidValue, "Choose an email.");
    let kind = EmailKind::find(form.text("kind")).ok_or_else(unknown)?;
    app.store.note_act(AuditAct::TestEmail, deed(&own, kind.as_str().to_owned())).await?;
    match mail::send_test(&app, kind, &own.email).await {
        Ok(()) => {
            let fields = [("kind", kind.as_str()), ("done", "sent")];
            Ok(html::see_other(&form::address(PATH, &fields))?)
        }
        Err(error) => {
            let status = status_of_mistake(&error)?;
            let page = page(&app, shell, kind).await?;
            Ok(html::page_with(status, &EmailsPage { mistake: Mistake::of(&error), ..page })?)
        }
    }
}

async fn page(app: &App, shell: Shell, kind: EmailKind) -> ApiResult<EmailsPage> {
    let kinds = EmailKind::ALL.into_iter();
    let kinds = kinds.map(|one| (one.as_str(), mail::subject(app, one), one == kind));
    let member = shell.member.as_ref();
    Ok(EmailsPage {
        own: member.map_or_else(String::new, |member| member.account.email.to_string()),
        shell,
        tab: Tab::Emails,
        is_configured: app.sends_mail(),
        kinds: kinds.collect(),
        shown: mail::preview(app, kind)?,
        kind: kind.as_str(),
        is_sent: false,
        waiting: app.store.count_waiting_emails().await?,
        mistake: Mistake::default(),
    })
}
