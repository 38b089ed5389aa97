//! Email: what it says and how it reaches the SMTP server.
//!
//! An email is queued as a row in the transaction of the change that it reports
//! (`retouch_store::mail`). No call waits for an email to be sent or fails because of it.

pub(crate) mod email_text;

use std::path::PathBuf;

use futures_util::future::{join_all, try_join_all};
use retouch_core::{Email, EmailId};
use retouch_outbound::client::Key;
use retouch_outbound::mail::{Message, SendError, Smtp, SmtpParts, SmtpUnusable};
use retouch_store::{EmailKind, EmailMessage, Error};
use thiserror::Error as ThisError;
use tokio::sync::Notify;

use crate::app::App;
use crate::auth::secret::SessionToken;
use crate::config::MailSettings;
use crate::error::{ApiError, ApiResult, Code};

/// How many emails are sent at the same time, each on its own connection.
const SENDING_MAX: usize = 4;

/// The SMTP server, and a signal that an email was queued.
pub struct Mail {
    smtp: Smtp,
    news: Notify,
}

/// Why email can't be set up.
#[derive(Debug, ThisError)]
pub enum MailUnusable {
    /// The file with certificate authorities can't be read.
    #[error("mail.smtp_ca_file: cannot read {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error.
        cause: std::io::Error,
    },
    /// The settings or the contents of that file can't be used.
    #[error(transparent)]
    Smtp(#[from] SmtpUnusable),
}

impl Mail {
    /// Email with the operator's settings.
    ///
    /// # Errors
    /// [`MailUnusable`].
    pub fn new(settings: &MailSettings) -> Result<Self, MailUnusable> {
        Ok(Self { smtp: smtp(settings)?, news: Notify::new() })
    }

    /// Signals that an email was queued.
    pub fn written(&self) {
        self.news.notify_one();
    }

    /// Waits until an email is queued.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

/// The SMTP server of the operator's settings.
///
/// # Errors
/// [`MailUnusable`].
pub(crate) fn smtp(settings: &MailSettings) -> Result<Smtp, MailUnusable> {
    let read = |path: &PathBuf| {
        std::fs::read(path).map_err(|cause| MailUnusable::Unreadable { path: path.clone(), cause })
    };
    let place = &settings.smtp;
    let credentials = place.credentials.as_ref();
    let parts = SmtpParts {
        host: place.host.clone(),
        port: place.port,
        encryption: place.encryption,
        credentials: credentials.map(|(user, word)| (user.clone(), Key::new(word.reveal()))),
        authorities_pem: settings.ca_file.as_ref().map(read).transpose()?,
        from: settings.from.clone(),
        send_ms_max: settings.send_ms_max,
    };
    Ok(Smtp::new(parts)?)
}

/// Sends the emails that are due, and returns how many the SMTP server accepted.
///
/// # Errors
/// Errors of the store. Emails that the SMTP server doesn't accept yet are retried later.
pub async fn send_due(app: &App) -> Result<usize, Error> {
    let Some(mail) = &app.mail else { return Ok(0) };
    let mut sent = 0;
    while !app.ending.is_cancelled() {
        let taken = try_join_all((0..SENDING_MAX).map(|_| take(app))).await?;
        let emails: Vec<_> = taken.into_iter().flatten().collect();
        if emails.is_empty() {
            break;
        }
        let each = emails.iter().map(|(message, token)| deliver(app, mail, message, token));
        for outcome in join_all(each).await {
            sent += usize::from(outcome?);
        }
    }
    app.metrics.emails_wait(app.store.count_waiting_emails().await?);
    Ok(sent)
}

/// An email as it would be sent, with a made-up link.
pub(crate) struct Preview {
    /// The subject.
    pub(crate) subject: String,
    /// The text.
    pub(crate) text: String,
}

/// The subject of emails of this kind.
pub(crate) fn subject(app: &App, kind: EmailKind) -> String {
    email_text::subject(kind, &app.live().site().name)
}

/// What an email of this kind says. Its link leads nowhere.
///
/// # Errors
/// None in practice: writing to a string doesn't fail.
pub(crate) fn preview(app: &App, kind: EmailKind) -> ApiResult<Preview> {
    let link = email_text::link(app, kind, "EXAMPLE");
    let text = email_text::render(app, kind, link, about(kind)).map_err(ApiError::internal)?;
    Ok(Preview { subject: subject(app, kind), text })
}

/// Sends an email of this kind to `to`, now, with a link that leads nowhere.
///
/// # Errors
/// 400 with the answer of the SMTP server if it does not accept the email, or if email is not
/// configured.
pub(crate) async fn send_test(app: &App, kind: EmailKind, to: &Email) -> ApiResult<()> {
    let Some(mail) = &app.mail else {
        return Err(ApiError::new(Code::MailNotConfigured, "This server does not send email."));
    };
    let Preview { subject, text } = preview(app, kind)?;
    let (id, subject) = (app.ids.email(), format!("[Test] {subject}"));
    let message =
        Message { id: id.as_str(), to, subject: &subject, text: &text, at: app.clock.now() };
    let sent = mail.smtp.send(&message).await;
    sent.map_err(|error| {
        let (SendError::Later(why) | SendError::Never(why)) = error;
        let message = format!("The SMTP server did not accept the email: {why}");
        ApiError::new(Code::InvalidValue, message)
    })
}

/// What an example of this kind is about.
fn about(kind: EmailKind) -> String {
    match kind {
        EmailKind::KeyCreated => "retouch_Ab12Cd".to_owned(),
        EmailKind::NewBrowser => "Firefox on Linux".to_owned(),
        EmailKind::WebhookOff => "hooks.example.com".to_owned(),
        EmailKind::LowCredits => "5".to_owned(),
        EmailKind::CreditsGranted => "100".to_owned(),
        EmailKind::PlanRenewed => "Standard (300 credits)".to_owned(),
        EmailKind::PaymentFailed => "Standard".to_owned(),
        _ => String::new(),
    }
}

/// Takes an email that is due. The secret of its link is created here and appears only in the
/// email; the store keeps its hash.
async fn take(app: &App) -> Result<Option<(EmailMessage, SessionToken)>, Error> {
    let token = SessionToken::new(&app.ids);
    let message = app.store.take_email(token.hash()).await?;
    Ok(message.map(|message| (message, token)))
}

/// Sends an email, records the outcome, and returns whether the SMTP server accepted it.
async fn deliver(
    app: &App,
    mail: &Mail,
    message: &EmailMessage,
    token: &SessionToken,
) -> Result<bool, Error> {
    let answer = hand_over(app, mail, message, token).await;
    app.metrics.email_tried(message.kind.as_str(), outcome(&answer));
    match answer {
        Ok(()) => app.store.email_sent(&message.id).await.map(|()| true),
        Err(SendError::Later(why)) => {
            log(&message.id, &why, "could not send an email; will retry");
            Ok(false)
        }
        Err(SendError::Never(why)) => {
            log(&message.id, &why, "an email was rejected; will not retry");
            app.store.email_refused(&message.id).await.map(|()| false)
        }
    }
}

async fn hand_over(
    app: &App,
    mail: &Mail,
    message: &EmailMessage,
    token: &SessionToken,
) -> Result<(), SendError> {
    let text = email_text::text(app, message, token);
    let text = text.map_err(|error| SendError::Later(error.to_string()))?;
    let message = Message {
        id: message.id.as_str(),
        to: &message.to,
        subject: &subject(app, message.kind),
        text: &text,
        at: app.clock.now(),
    };
    mail.smtp.send(&message).await
}

/// Logs a failed attempt, without the recipient's address.
fn log(email: &EmailId, why: &str, what: &str) {
    tracing::warn!(%email, why, "{what}");
}

fn outcome(answer: &Result<(), SendError>) -> &'static str {
    match answer {
        Ok(()) => "sent",
        Err(SendError::Later(_)) => "postponed",
        Err(SendError::Never(_)) => "refused",
    }
}
