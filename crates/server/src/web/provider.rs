//! `/sign-in/provider`: to the identity provider and back.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::{AccountId, Email};
use retouch_outbound::identity::VerifiedIdentity;
use retouch_store::{Account, NewAccount, Subject};

use super::problem::{PageResult, Problem};
use super::shell::{Here, Shell};
use super::{form, html, local, sign};
use crate::api::authentication::{self, How};
use crate::app::App;
use crate::auth::provider::{self, Arrival, SignInPurpose, VerifiedUser};
use crate::auth::{self, admission, client, cookie};
use crate::error::{ApiError, ApiResult, Code};

/// The header that says which kind of site a request comes from.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// For a user whose address already has an account that is not linked to the provider.
#[derive(Template)]
#[template(path = "web/account_exists.html")]
struct AccountExistsPage {
    shell: Shell,
    provider: String,
    email: String,
}

/// Redirects to the provider. Links on other sites only lead to the sign-in page, so that another
/// site cannot start a sign-in.
pub(super) async fn depart(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let next = local::path(&form::query(&parts, "next").unwrap_or_default());
    provider::configured(&app)?;
    let site = parts.headers.get(SEC_FETCH_SITE).and_then(|value| value.to_str().ok());
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Ok(html::see_other(&local::sign_in(&next))?);
    }
    app.throttles.sign_in_from(client::of_call(&app, &parts)).await?;
    let anew = form::query(&parts, "again").is_some();
    let invitation = form::query(&parts, "invitation").filter(|token| !token.is_empty());
    let invitation = invitation.as_deref().map(admission::hash).transpose()?;
    let purpose = SignInPurpose { next, link: None, anew, invitation };
    let authorization = provider::depart(&app, purpose).await?;
    let mut response = html::see_other(&authorization.address)?;
    response.headers_mut().append(header::SET_COOKIE, authorization.cookie);
    Ok(response)
}

/// The return from the provider.
pub(super) async fn come_back(State(app): State<Arc<App>>, parts: Parts) -> Response {
    let mut response = arrived(&app, &parts).await.into_response();
    // The cookie of this attempt is not needed any more, whatever the result.
    let clearing = cookie::away_clearing(app.cookies());
    response.headers_mut().append(header::SET_COOKIE, clearing);
    response
}

async fn arrived(app: &App, parts: &Parts) -> PageResult {
    app.throttles.sign_in_from(client::of_call(app, parts)).await?;
    let (purpose, arrival) = provider::arrive(app, parts).await?;
    match (arrival, purpose.link.clone()) {
        (Arrival::Declined, Some(_)) => Ok(html::see_other("/account?done=declined")?),
        (Arrival::Declined, None) => {
            Ok(html::see_other(&format!("{}&done=declined", local::sign_in(&purpose.next)))?)
        }
        (Arrival::Verified(user), Some(account)) => {
            link(app, parts, account, subject(app, &user.identity)?).await
        }
        (Arrival::Verified(user), None) => enter(app, parts, user, purpose).await,
    }
}

/// Links the identity to the account that requested it, if it is still signed in here.
async fn link(app: &App, parts: &Parts, account: AccountId, subject: Subject) -> PageResult {
    let caller = auth::by_session(app, parts).await?;
    if caller.is_none_or(|caller| caller.account.id != account) {
        return Err(Problem::SignIn("/account".to_owned()));
    }
    app.store.link_identity(&account, subject).await?;
    app.emails_queued();
    Ok(html::see_other("/account?done=linked")?)
}

async fn enter(app: &App, parts: &Parts, user: VerifiedUser, purpose: SignInPurpose) -> PageResult {
    let VerifiedUser { identity, proven_at } = user;
    let SignInPurpose { mut next, invitation, .. } = purpose;
    let old = auth::by_session(app, parts).await?;
    let subject = subject(app, &identity)?;
    let (account, is_new) = match app.store.use_identity(subject).await? {
        Some(account) => (account, false),
        None => match join(app, parts, &identity, invitation).await? {
            Ok(account) => {
                next = sign::first_page(app, &account.id, next).await?;
                (account, true)
            }
            Err(email) => return account_exists(app, parts, &email).await,
        },
    };
    authentication::leave(app, old).await?;
    // How the provider verified the user is not known, so it counts as one factor.
    let how = How { proven_at, is_strong: false, is_new };
    let entered = authentication::begin(app, parts, account, how).await?;
    let mut response = html::see_other(&next)?;
    entered.remember(response.headers_mut());
    Ok(response)
}

/// Creates an account, or returns the address if it already has one. A matching address alone never
/// signs in to that account, because it may belong to someone else.
async fn join(
    app: &App,
    parts: &Parts,
    identity: &VerifiedIdentity,
    invitation: Option<[u8; 32]>,
) -> ApiResult<Result<Account, Email>> {
    let email = verified_email(app, identity)?;
    let admission = admission::admit(app, &email, invitation).await?;
    app.throttles.sign_up(client::of_call(app, parts)).await?;
    let new = NewAccount {
        email: email.clone(),
        password_hash: None,
        sign_up_credits: app.sign_up_credits(),
        invitation: admission.invitation(),
    };
    match app.store.create_account_by_identity(new, subject(app, identity)?).await {
        Ok(account) => Ok(Ok(account)),
        Err(retouch_store::Error::EmailTaken) => Ok(Err(email)),
        Err(error) => Err(error.into()),
    }
}

fn verified_email(app: &App, identity: &VerifiedIdentity) -> ApiResult<Email> {
    let verified = identity.email.as_deref().filter(|_| identity.email_is_verified);
    verified.and_then(|email| email.parse().ok()).ok_or_else(|| {
        let name = provider::configured(app).map_or("The provider", |it| it.name.as_str());
        let message = format!(
            "{name} hasn’t verified your email address, so we can’t create an account with it. \
             Verify the address there, or sign up with a password here and link {name} on your \
             account page."
        );
        ApiError::new(Code::EmailNotVerified, message)
    })
}

async fn account_exists(app: &App, parts: &Parts, email: &Email) -> PageResult {
    let shell = Shell::of(app, parts, Here::Elsewhere).await?;
    let provider = provider::configured(app)?.name.clone();
    let page = AccountExistsPage { shell, provider, email: email.to_string() };
    Ok(html::page_with(StatusCode::CONFLICT, &page)?)
}

fn subject(app: &App, identity: &VerifiedIdentity) -> ApiResult<Subject> {
    Ok(Subject {
        issuer: provider::configured(app)?.oidc.issuer().to_owned(),
        subject: identity.subject.clone(),
        email: identity.email.clone(),
    })
}
