//! Who may sign up: as the operator's rule says, and who has been invited.

use retouch_core::Email;

use super::secret::SessionToken;
use crate::app::App;
use crate::config::{AuthSettings, SignUpRule};
use crate::error::{ApiError, ApiResult, Code};

/// What lets somebody sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// The rule, or the link of the first administrator.
    Free,
    /// An invitation, by the hash of its secret: it is used up.
    Invited([u8; 32]),
}

impl Admission {
    /// The hash of the secret of the invitation that is used up.
    pub(crate) fn invitation(self) -> Option<[u8; 32]> {
        match self {
            Self::Free => None,
            Self::Invited(hash) => Some(hash),
        }
    }
}

/// Why the secret of a link lets nobody in.
pub(crate) fn unusable() -> ApiError {
    let message = "This invitation has been used, has expired, or is for another email address. \
                   Ask the person who invited you for a new one.";
    ApiError::about(Code::InvalidInvitation, "invitation", message)
}

/// The hash of the secret of an invitation's link.
///
/// # Errors
/// 400 where `token` is none.
pub(crate) fn hash(token: &str) -> ApiResult<[u8; 32]> {
    SessionToken::check(token).ok_or_else(unusable)
}

/// What somebody who opens the page to sign up has brought along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ticket {
    /// Nothing.
    None,
    /// An invitation that cannot be used, or not any more.
    Stale,
    /// An invitation, for this address only where it names one.
    Invitation(Option<Email>),
    /// The operator's link by which the first administrator comes to be.
    FirstAdministrator,
}

impl Ticket {
    /// Whether somebody who has it may sign up where `rule` holds; which address may is seen later.
    pub(crate) fn may_sign_up(&self, rule: SignUpRule) -> bool {
        match (self, rule) {
            (Self::FirstAdministrator, _) | (_, SignUpRule::Open | SignUpRule::Domains) => true,
            (_, SignUpRule::Closed) => false,
            (_, SignUpRule::Invited) => matches!(self, Self::Invitation(_)),
        }
    }

    /// What the page says of it and of the rule; none: everybody may sign up.
    pub(crate) fn words(&self, settings: &AuthSettings) -> Option<String> {
        let domains = || settings.sign_up_domains.join(", ");
        let words = match (self, settings.sign_up) {
            (Self::FirstAdministrator, _) => {
                "Create the account that will administer this service.".to_owned()
            }
            (_, SignUpRule::Closed) => {
                "Sign-up is closed. Ask the operator of this service for an account.".to_owned()
            }
            (Self::Invitation(Some(email)), _) => format!("You are invited. Sign up as {email}."),
            (Self::Invitation(None), _) => "You are invited.".to_owned(),
            (Self::Stale, SignUpRule::Open) => {
                "This invitation has been used or has expired. You can sign up without one."
                    .to_owned()
            }
            (Self::Stale, SignUpRule::Domains) => format!(
                "This invitation has been used or has expired. You can sign up with an email \
                 address at {}.",
                domains()
            ),
            (Self::Stale, SignUpRule::Invited) => unusable().message,
            (Self::None, SignUpRule::Invited) => {
                "You need an invitation to sign up. Open the link in your invitation, or ask the \
                 operator of this service for one."
                    .to_owned()
            }
            (Self::None, SignUpRule::Domains) => {
                format!("You can sign up with an email address at {}.", domains())
            }
            (Self::None, SignUpRule::Open) => return None,
        };
        Some(words)
    }
}

/// What `token` is, for the page to sign up.
///
/// # Errors
/// Faults of the store.
pub(crate) async fn look(app: &App, token: &str) -> ApiResult<Ticket> {
    if token.is_empty() {
        return Ok(Ticket::None);
    }
    let Some(hash) = SessionToken::check(token) else { return Ok(Ticket::Stale) };
    if app.store.admin_link_is_open(&hash).await? {
        return Ok(Ticket::FirstAdministrator);
    }
    let found = app.store.find_invitation(&hash).await?;
    Ok(found.map_or(Ticket::Stale, |invitation| Ticket::Invitation(invitation.email)))
}

/// Whether `email` may sign up, with the link of this hash where there is one.
///
/// # Errors
/// 403 where the rule does not allow it, 400 where the invitation does not.
pub(crate) async fn admit(
    app: &App,
    email: &Email,
    invitation: Option<[u8; 32]>,
) -> ApiResult<Admission> {
    let settings = &app.settings.auth;
    if let Some(hash) = invitation
        && app.store.admin_link_is_open(&hash).await?
    {
        return Ok(Admission::Free);
    }
    if settings.sign_up == SignUpRule::Closed {
        let message = "Sign-up is closed. Ask the operator of this service for an account.";
        return Err(ApiError::new(Code::SignUpClosed, message));
    }
    if let Some(hash) = invitation {
        let found = app.store.find_invitation(&hash).await?;
        let usable = found.is_some_and(|invitation| invitation.is_for(email));
        return if usable { Ok(Admission::Invited(hash)) } else { Err(unusable()) };
    }
    let is_of_domain = || settings.sign_up_domains.iter().any(|domain| domain == email.domain());
    match settings.sign_up {
        SignUpRule::Open => Ok(Admission::Free),
        SignUpRule::Domains if is_of_domain() => Ok(Admission::Free),
        SignUpRule::Domains => {
            let message = format!(
                "You can sign up with an email address at {}, or with an invitation.",
                settings.sign_up_domains.join(", ")
            );
            Err(ApiError::about(Code::EmailDomainNotAllowed, "email", message))
        }
        SignUpRule::Invited | SignUpRule::Closed => {
            let message = "You need an invitation to sign up. Ask the operator of this service \
                           for one.";
            Err(ApiError::new(Code::InvitationRequired, message))
        }
    }
}
