//! The subjects and bodies of emails. They contain no text that a stranger could have chosen, so
//! nobody can use the service to send messages of their own.

use askama::Template;
use retouch_store::{EmailKind, EmailMessage};

use crate::app::App;
use crate::auth::secret::SessionToken;
use crate::words::counted;

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
    /// The name of the service.
    site: String,
    base: String,
    link: String,
    lasting: String,
    credits: i64,
    /// What the email is about: a browser, the start of an API key, a plan, a number of credits, or the
    /// host of a webhook.
    about: String,
}

impl EmailText {
    /// The credits that the email is about.
    fn credits_left(&self) -> String {
        counted(self.about.parse::<i64>().unwrap_or(0), "credit")
    }
}

/// The subject of an email from the service called `site`.
pub(super) fn subject(kind: EmailKind, site: &str) -> String {
    let text = match kind {
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
        EmailKind::AssistantConnected => "An assistant was connected to your Retouch account",
        EmailKind::NewBrowser => "New sign-in to your Retouch account",
        EmailKind::SecondFactorOn => "Two-step sign-in is on for your Retouch account",
        EmailKind::SecondFactorOff => "Two-step sign-in is off for your Retouch account",
        EmailKind::LowCredits => "Your Retouch credits are running low",
        EmailKind::PlanRenewed => "Your Retouch plan was renewed",
        EmailKind::PaymentFailed => "The payment for your Retouch plan failed",
        EmailKind::CreditsAsked => "Someone asked for credits on Retouch",
        EmailKind::CreditsGranted => "You have new Retouch credits",
        EmailKind::WebhookOff => "A webhook of your Retouch account was turned off",
    };
    text.replace("Retouch", site)
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
    let link = link(app, message.kind, token.reveal());
    render(app, message.kind, link, about(app, message))
}

/// The link in an email of this kind, with `token`.
pub(super) fn link(app: &App, kind: EmailKind, token: &str) -> String {
    let (path, name) = match kind {
        EmailKind::Reset => (RESET_PATH, "token"),
        EmailKind::Invitation => (SIGN_UP_PATH, "invitation"),
        _ => (CONFIRM_PATH, "token"),
    };
    format!("{}{path}?{name}={token}", base(app))
}

/// The text of an email of this kind, about a browser or a key.
///
/// # Errors
/// None in practice: writing to a string doesn't fail.
pub(super) fn render(
    app: &App,
    kind: EmailKind,
    link: String,
    about: String,
) -> Result<String, askama::Error> {
    let ages = app.settings.email_links;
    let lasting_ms = if kind == EmailKind::Reset { ages.reset_ms } else { ages.confirm_ms };
    let text = EmailText {
        kind,
        link,
        site: app.live().site().name.clone(),
        base: base(app),
        lasting: lasting(lasting_ms),
        credits: app.sign_up_credits().get(),
        about,
    };
    text.render()
}

fn base(app: &App) -> String {
    app.public_url.as_str().trim_end_matches('/').to_owned()
}

/// What a message is about. The store knows plans by their IDs, and people by their names.
fn about(app: &App, message: &EmailMessage) -> String {
    let about = message.about.clone().unwrap_or_default();
    let plan = app.catalogue.plans.iter().find(|plan| plan.id == about);
    match plan.filter(|_| message.kind == EmailKind::PaymentFailed) {
        Some(plan) => plan.name.clone(),
        None => about,
    }
}

/// A duration in words, such as "24 hours".
pub(crate) fn lasting(ms: i64) -> String {
    let is_hours = ms >= HOUR_MS && ms % HOUR_MS == 0;
    let (count, unit) = if is_hours { (ms / HOUR_MS, "hour") } else { (ms / MINUTE_MS, "minute") };
    counted(count, unit)
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
