//! What letters say: plain, short, and nothing that a stranger could have written into them.

use askama::Template;
use retouch_store::{Letter, LetterKind};

use crate::app::App;
use crate::auth::secret::SessionToken;

/// Where the link leads that confirms an address.
pub(crate) const CONFIRM_PATH: &str = "/verify";
/// Where the link leads by which another password is chosen.
pub(crate) const RESET_PATH: &str = "/reset-password";

/// Where somebody signs up, with an invitation perhaps.
pub(crate) const SIGN_UP_PATH: &str = "/sign-up";

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

#[derive(Template)]
#[template(path = "mail/letter.txt", escape = "none")]
struct LetterText {
    kind: LetterKind,
    base: String,
    link: String,
    lasting: String,
    credits: i64,
    /// The browser or the key that it is about.
    about: String,
}

/// What stands above a letter.
pub(super) fn subject(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::SignUp => "Confirm your address for Retouch",
        LetterKind::Taken => "You have an account with Retouch already",
        LetterKind::Reset => "Choose another password for Retouch",
        LetterKind::Change => "Confirm your new address for Retouch",
        LetterKind::Invitation => "You are invited to Retouch",
        LetterKind::PasswordChanged => "Your password for Retouch was changed",
        LetterKind::EmailChanged => "Your account with Retouch has another address",
        LetterKind::Deleted => "Your account with Retouch was deleted",
        LetterKind::PasskeyAdded => "A passkey was added to your Retouch account",
        LetterKind::PasskeyRemoved => "A passkey was removed from your Retouch account",
        LetterKind::IdentityLinked => "A sign-in was linked to your Retouch account",
        LetterKind::IdentityUnlinked => "A sign-in was unlinked from your Retouch account",
        LetterKind::KeyCreated => "An API key was created for your Retouch account",
        LetterKind::NewBrowser => "New sign-in to your Retouch account",
        LetterKind::SecondFactorOn => "Two-step sign-in is on for your Retouch account",
        LetterKind::SecondFactorOff => "Two-step sign-in is off for your Retouch account",
    }
}

/// The words of `letter`, with the secret of its link.
///
/// # Errors
/// Never in practice; writing to a string does not fail.
pub(super) fn text(
    app: &App,
    letter: &Letter,
    token: &SessionToken,
) -> Result<String, askama::Error> {
    let base = app.public_url.as_str().trim_end_matches('/').to_owned();
    let mail = app.settings.mail.as_ref();
    let (path, lasting_ms) = match letter.kind {
        LetterKind::Reset => (RESET_PATH, mail.map(|mail| mail.reset_link_ms)),
        LetterKind::Invitation => (SIGN_UP_PATH, None),
        _ => (CONFIRM_PATH, mail.map(|mail| mail.confirm_link_ms)),
    };
    let name = if letter.kind == LetterKind::Invitation { "invitation" } else { "token" };
    let text = LetterText {
        kind: letter.kind,
        link: format!("{base}{path}?{name}={}", token.reveal()),
        base,
        lasting: lasting(lasting_ms.unwrap_or(0)),
        credits: app.catalogue.sign_up_credits.get(),
        about: letter.about.clone().unwrap_or_default(),
    };
    text.render()
}

/// A time in words, such as "24 hours".
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
