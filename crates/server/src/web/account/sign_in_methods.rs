//! The sign-in methods on `/account`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use retouch_core::Timestamp;
use retouch_store::{Identity, Subject};

use super::{Refusal, Sheet, member, refused};
use crate::api::authentication::{self, PasswordField};
use crate::api::passkeys::{self, PasskeyView};
use crate::app::App;
use crate::auth::passkey::RelyingParty;
use crate::auth::provider::{self, SignInPurpose};
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult};
use crate::web::form::Form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::redirect::RedirectPage;

/// The sign-in methods of an account.
pub(super) struct SignInMethods {
    pub(super) has_password: bool,
    /// Whether an authenticator app is set up.
    pub(super) has_app: bool,
    /// Whether the last sign-in is too long ago to change sign-in methods.
    pub(super) needs_proof: bool,
    /// The name of the configured identity provider.
    pub(super) provider: Option<String>,
    pub(super) identities: Vec<Linked>,
    pub(super) passkeys: Vec<PasskeyView>,
    /// Whether passkeys work at this service's URL.
    pub(super) takes_passkeys: bool,
}

/// A linked identity.
pub(super) struct Linked {
    pub(super) issuer: String,
    pub(super) subject: String,
    /// The name of the provider.
    pub(super) provider: String,
    /// Whether its provider is still configured.
    pub(super) is_live: bool,
    pub(super) email: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) last_used_at: Option<Timestamp>,
}

impl SignInMethods {
    /// The identity provider, unless it is already linked.
    pub(super) fn linkable(&self) -> Option<&str> {
        let is_linked = self.identities.iter().any(|one| one.is_live);
        self.provider.as_deref().filter(|_| !is_linked)
    }
}

/// The sign-in methods of the account of `caller`.
pub(super) async fn of(app: &App, caller: &Caller) -> ApiResult<SignInMethods> {
    let account = &caller.account.id;
    let has_password = app.store.find_password_hash(account).await?.is_some();
    let identities = app.store.list_identities(account).await?;
    Ok(SignInMethods {
        has_password,
        has_app: auth::second_factor::app_of(app, account).await?.is_some(),
        needs_proof: !auth::is_proven(app, caller),
        provider: app.identity_provider.as_ref().map(|it| it.name.clone()),
        passkeys: passkeys::list(app, account).await?,
        takes_passkeys: RelyingParty::of(&app.public_url).is_some(),
        identities: identities.into_iter().map(|identity| linked(app, identity)).collect(),
    })
}

/// Sends the user to the provider; the identity is linked when they return.
pub(in crate::web) async fn link(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let member = member(&app, &form.parts).await?;
    let name = provider::configured(&app)?.name.clone();
    let typed = PasswordField { param: "password", password: form.filled("password") };
    if let Err(error) = authentication::confirm(&app, &form.parts, &member.caller, typed).await {
        return refused(&app, member, &form, link_refused(error)).await;
    }
    let link = Some(member.caller.account.id);
    let purpose =
        SignInPurpose { next: "/account".to_owned(), link, anew: false, invitation: None };
    let authorization = provider::depart(&app, purpose).await?;
    let shell = member.shell;
    let lead = "Sign in there, and you’ll return here.";
    let back = ("/account", "Back to your account");
    let mut page =
        RedirectPage { shell, name, lead, address: authorization.address, back }.page()?;
    page.headers_mut().append(header::SET_COOKIE, authorization.cookie);
    Ok(page)
}

pub(in crate::web) async fn unlink(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let member = member(&app, &form.parts).await?;
    let typed = PasswordField { param: "password", password: None };
    if let Err(error) =
        authentication::confirm_lately(&app, &form.parts, &member.caller, typed).await
    {
        return refused(&app, member, &form, link_refused(error)).await;
    }
    let (issuer, subject) = (form.text("issuer").to_owned(), form.text("subject").to_owned());
    let named = Subject { issuer, subject, email: None };
    let live = app.identity_provider.as_ref().map(|it| it.oidc.issuer());
    match app.store.unlink_identity(&member.caller.account.id, named, live).await {
        Ok(true) => {
            app.emails_queued();
            Ok(html::see_other("/account?done=unlinked")?)
        }
        Ok(false) => Err(ApiError::not_found("identity").into()),
        Err(error) => refused(&app, member, &form, link_refused(error.into())).await,
    }
}

pub(in crate::web) async fn remove_passkey(
    State(app): State<Arc<App>>,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let member = member(&app, &form.parts).await?;
    match passkeys::remove(&app, &form.parts, &member.caller, form.text("id")).await {
        Ok(()) => Ok(html::see_other("/account?done=passkey-removed")?),
        Err(error) => refused(&app, member, &form, link_refused(error)).await,
    }
}

/// Confirms the password, so that sign-in methods can be changed for ten minutes.
pub(in crate::web) async fn confirm(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let member = member(&app, &form.parts).await?;
    let typed = PasswordField { param: "confirmed", password: form.filled("confirmed") };
    match authentication::confirm(&app, &form.parts, &member.caller, typed).await {
        Ok(()) => Ok(html::see_other("/account?done=proven#ways")?),
        Err(error) => refused(&app, member, &form, link_refused(error)).await,
    }
}

fn link_refused(error: ApiError) -> Refusal {
    Refusal { sheet: Sheet::Link, error }
}

fn linked(app: &App, identity: Identity) -> Linked {
    let subject = identity.subject;
    let live = app.identity_provider.as_ref().filter(|it| it.oidc.issuer() == subject.issuer);
    Linked {
        provider: live.map_or_else(|| subject.issuer.clone(), |it| it.name.clone()),
        is_live: live.is_some(),
        issuer: subject.issuer,
        subject: subject.subject,
        email: subject.email,
        created_at: identity.created_at,
        last_used_at: identity.last_used_at,
    }
}
