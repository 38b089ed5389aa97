//! `/admin/invitations`: the list of invitations, and a form to create more.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::{Email, InvitationId, Timestamp};
use retouch_store::{Account, Error, Invitation, PageRequest};

use super::{Tab, deed};
use crate::api::path::Named;
use crate::app::App;
use crate::auth::admission::Ticket;
use crate::auth::invitation::{self, DAYS_MAX, InvitationRequest, Invited};
use crate::error::{ApiError, ApiResult, Code};
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, status_of_mistake};
use crate::web::shell::{Here, Shell};

/// Invitations per page.
const ROWS_MAX: u32 = 50;
const PATH: &str = "/admin/invitations";

/// An invitation as the page shows it.
struct Row {
    invitation: Invitation,
    state: &'static str,
    is_open: bool,
}

#[derive(Template)]
#[template(path = "web/admin/invitations.html")]
struct InvitationsPage {
    shell: Shell,
    tab: Tab,
    /// A sentence about who can sign up.
    rule: String,
    /// Whether invitations for an address are emailed.
    sends_mail: bool,
    days_max: u8,
    /// The invitation that was just created. Its link is shown only now.
    made: Option<Invited>,
    rows: Vec<Row>,
    email: String,
    days: String,
    mistake: Mistake,
    is_first: bool,
    older: Option<String>,
}

pub(super) async fn invitations(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    Ok(html::page(&page(&app, shell, cursor).await?)?)
}

/// Creates an invitation and shows its link.
pub(super) async fn invite(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let made = match asked(&form, &own) {
        Ok(asked) => {
            let made = invitation::invite(&app.store, &app.ids, &app.public_url, asked).await;
            made.map_err(|error| match error {
                Error::EmailTaken => {
                    let message = "An account with this address already exists.";
                    ApiError::about(Code::EmailTaken, "email", message)
                }
                other => other.into(),
            })
        }
        Err(error) => Err(error),
    };
    let mut page = page(&app, shell, None).await?;
    match made {
        Ok(made) => {
            app.emails_queued();
            page.made = Some(made);
            Ok(html::page(&page)?)
        }
        Err(error) => {
            let status: StatusCode = status_of_mistake(&error)?;
            page.email = form.text("email").to_owned();
            page.days = form.text("days").to_owned();
            page.mistake = Mistake::of(&error);
            Ok(html::page_with(status, &page)?)
        }
    }
}

/// Withdraws an unused invitation.
pub(super) async fn withdraw(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let id: InvitationId = id.parse().map_err(|_| ApiError::not_found("invitation"))?;
    let deed = deed(&own, "On the invitations page".to_owned());
    app.store.withdraw_invitation(&id, deed).await?;
    Ok(html::see_other(PATH)?)
}

/// The requested invitation, which `own` creates.
fn asked(form: &Form, own: &Account) -> ApiResult<InvitationRequest> {
    let email = form.filled("email").map(|text| text.parse::<Email>()).transpose();
    let email = email.map_err(|error| {
        ApiError::about(Code::InvalidEmail, "email", format!("This is {error}."))
    })?;
    let days = form.text("days").trim().parse().ok().filter(|days| (1..=DAYS_MAX).contains(days));
    let days = days.ok_or_else(|| {
        let message = format!("Enter a number of days from 1 to {DAYS_MAX}.");
        ApiError::about(Code::InvalidValue, "days", message)
    })?;
    let deed = deed(own, "On the invitations page".to_owned());
    Ok(InvitationRequest { email, days, deed })
}

async fn page(app: &App, shell: Shell, cursor: Option<String>) -> ApiResult<InvitationsPage> {
    let is_first = cursor.is_none();
    let page = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_invitations(&page).await?;
    let older = found.next_cursor.map(|cursor| form::address(PATH, &[("cursor", &cursor)]));
    let (now, anyone) = (app.clock.now(), "Anyone can sign up.".to_owned());
    Ok(InvitationsPage {
        shell,
        tab: Tab::Invitations,
        rule: Ticket::None.words(&app.live().settings).unwrap_or(anyone),
        sends_mail: app.sends_mail(),
        days_max: DAYS_MAX,
        made: None,
        rows: found.data.into_iter().map(|it| row(it, now)).collect(),
        email: String::new(),
        days: "7".to_owned(),
        mistake: Mistake::default(),
        is_first,
        older,
    })
}

fn row(invitation: Invitation, now: Timestamp) -> Row {
    let is_open = invitation.is_open(now);
    let state = match (invitation.used_at, is_open) {
        (Some(_), _) => "Used",
        (None, true) => "Open",
        (None, false) => "Expired",
    };
    Row { invitation, state, is_open }
}
