//! Who may sign up, by the operator's rule or by invitation.

use retouch_core::Email;

use super::secret::SessionToken;
use crate::app::App;
use crate::config::{LiveSettings, SignUpRule};
use crate::error::{ApiError, ApiResult, Code};

/// What entitles a person to sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// The sign-up rule, or the link for the first administrator.
    Free,
    /// An invitation, identified by the hash of its secret. Signing up uses it up.
    Invited([u8; 32]),
}

impl Admission {
    /// The hash of the secret of the invitation to use up, if there is one.
    pub(crate) fn invitation(self) -> Option<[u8; 32]> {
        match self {
            Self::Free => None,
            Self::Invited(hash) => Some(hash),
        }
    }
}

/// The error for an invitation that cannot be used.
pub(crate) fn unusable() -> ApiError {
    let message = "This invitation has been used, has expired, or is for another email address. \
                   Ask the person who invited you for a new one.";
    ApiError::about(Code::InvalidInvitation, "invitation", message)
}

/// The hash of `token`, the secret of an invitation link.
///
/// # Errors
/// 400 if `token` does not have the right form.
pub(crate) fn hash(token: &str) -> ApiResult<[u8; 32]> {
    SessionToken::check(token).ok_or_else(unusable)
}

/// What the link to the sign-up page contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ticket {
    /// Nothing.
    None,
    /// An invitation that is invalid, used or expired.
    Stale,
    /// An invitation; if it names an address, it is only for that address.
    Invitation(Option<Email>),
    /// The operator's link for the first administrator.
    FirstAdministrator,
}

impl Ticket {
    /// Whether its holder may sign up under `rule`. The email address is checked later.
    pub(crate) fn may_sign_up(&self, rule: SignUpRule) -> bool {
        match (self, rule) {
            (Self::FirstAdministrator, _) | (_, SignUpRule::Open | SignUpRule::Domains) => true,
            (_, SignUpRule::Closed) => false,
            (_, SignUpRule::Invited) => matches!(self, Self::Invitation(_)),
        }
    }

    /// The message on the sign-up page; none if anyone may sign up.
    pub(crate) fn words(&self, settings: &LiveSettings) -> Option<String> {
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

/// Looks up `token` for the sign-up page.
///
/// # Errors
/// Errors of the store.
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

/// Checks that `email` may sign up, with the link whose hash is `invitation` if there is one.
///
/// # Errors
/// 403 if the rule does not allow it, 400 if the invitation does not.
pub(crate) async fn admit(
    app: &App,
    email: &Email,
    invitation: Option<[u8; 32]>,
) -> ApiResult<Admission> {
    let live = app.live();
    let settings = &live.settings;
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
