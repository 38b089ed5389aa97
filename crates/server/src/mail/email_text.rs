//! The subjects and bodies of emails. They contain no text that a stranger could have chosen, so
//! nobody can use the service to send messages of their own.

use askama::Template;
use retouch_store::{EmailKind, EmailMessage};

use crate::app::App;
use crate::auth::secret::SessionToken;

/// The path of links that confirm an email address.
pub(crate) const CONFIRM_PATH: &str = "/verify";
/// The path of links that reset a password.
pub(crate) const RESET_PATH: &str = "/reset-password";
/// The path of the sign-up page, which links of invitations lead to.
pub(crate) const SIGN_UP_PATH: &str = "/sign-up";

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

#[derive(Template)]
#[template(path = "mail/email.txt", escape = "none")]
struct EmailText {
    kind: EmailKind,
    base: String,
    link: String,
    lasting: String,
    credits: i64,
    /// The browser, or the start of the API key, that the email is about.
    about: String,
}

/// The subject of an email.
pub(super) fn subject(kind: EmailKind) -> &'static str {
    match kind {
        EmailKind::SignUp => "Confirm your email for Retouch",
        EmailKind::Taken => "You already have a Retouch account",
        EmailKind::Reset => "Reset your Retouch password",
        EmailKind::Change => "Confirm your new email for Retouch",
        EmailKind::Invitation => "You're invited to Retouch",
        EmailKind::PasswordChanged => "Your Retouch password was changed",
        EmailKind::EmailChanged => "The email of your Retouch account was changed",
        EmailKind::Deleted => "Your Retouch account was deleted",
        EmailKind::PasskeyAdded => "A passkey was added to your Retouch account",
        EmailKind::PasskeyRemoved => "A passkey was removed from your Retouch account",
        EmailKind::IdentityLinked => "A sign-in provider was linked to your Retouch account",
        EmailKind::IdentityUnlinked => "A sign-in provider was unlinked from your Retouch account",
        EmailKind::KeyCreated => "An API key was created for your Retouch account",
        EmailKind::NewBrowser => "New sign-in to your Retouch account",
        EmailKind::SecondFactorOn => "Two-step sign-in is on for your Retouch account",
        EmailKind::SecondFactorOff => "Two-step sign-in is off for your Retouch account",
    }
}

/// The text of `message`, with a link that contains `token`.
///
/// # Errors
/// None in practice: writing to a string doesn't fail.
pub(super) fn text(
    app: &App,
    message: &EmailMessage,
    token: &SessionToken,
) -> Result<String, askama::Error> {
    let base = app.public_url.as_str().trim_end_matches('/').to_owned();
    let mail = app.settings.mail.as_ref();
    let (path, lasting_ms) = match message.kind {
        EmailKind::Reset => (RESET_PATH, mail.map(|mail| mail.reset_link_ms)),
        EmailKind::Invitation => (SIGN_UP_PATH, None),
        _ => (CONFIRM_PATH, mail.map(|mail| mail.confirm_link_ms)),
    };
    let name = if message.kind == EmailKind::Invitation { "invitation" } else { "token" };
    let text = EmailText {
        kind: message.kind,
        link: format!("{base}{path}?{name}={}", token.reveal()),
        base,
        lasting: lasting(lasting_ms.unwrap_or(0)),
        credits: app.catalogue.sign_up_credits.get(),
        about: message.about.clone().unwrap_or_default(),
    };
    text.render()
}

/// A duration in words, such as "24 hours".
pub(crate) fn lasting(ms: i64) -> String {
    let is_hours = ms >= HOUR_MS && ms % HOUR_MS == 0;
    let (count, unit) = if is_hours { (ms / HOUR_MS, "hour") } else { (ms / MINUTE_MS, "minute") };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::lasting;

    #[test]
    fn times_are_told_in_hours_or_minutes() {
        let cases = [(86_400_000, "24 hours"), (3_600_000, "1 hour"), (5_400_000, "90 minutes")];
        for (ms, words) in cases {
            assert_eq!(lasting(ms), words);
        }
        assert_eq!(lasting(60_000), "1 minute");
    }
}
