//! Letters by mail: what they say, and how they come to the server that takes them.
//!
//! A letter is a row, written with what it tells of (`retouch_store::letter`). No call waits for a
//! letter to be sent, and none fails because of it.

pub(crate) mod words;

use std::path::PathBuf;

use futures_util::future::{join_all, try_join_all};
use retouch_core::LetterId;
use retouch_providers::mail::{Message, SendError, Smtp, SmtpParts, SmtpUnusable};
use retouch_providers::upstream::Key;
use retouch_store::{Error, Letter};
use thiserror::Error as ThisError;
use tokio::sync::Notify;

use crate::app::App;
use crate::auth::secret::SessionToken;
use crate::config::MailSettings;

/// Letters that are sent at the same time; each on a connection of its own.
const SENDING_MAX: usize = 4;

/// Who takes letters.
pub struct Mail {
    smtp: Smtp,
    news: Notify,
}

/// Why no mail can be sent.
#[derive(Debug, ThisError)]
pub enum MailUnusable {
    /// The file with certificates cannot be read.
    #[error("mail.smtp_ca_file: cannot read {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// What is in it cannot be used.
    #[error(transparent)]
    Smtp(#[from] SmtpUnusable),
}

impl Mail {
    /// Mail as the operator wants it sent.
    ///
    /// # Errors
    /// [`MailUnusable`].
    pub fn new(settings: &MailSettings) -> Result<Self, MailUnusable> {
        Ok(Self { smtp: smtp(settings)?, news: Notify::new() })
    }

    /// Says that a letter has been written.
    pub fn written(&self) {
        self.news.notify_one();
    }

    /// Waits until a letter has been written.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

/// The server of mail that the operator names.
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

/// Sends the letters that are due; how many were taken.
///
/// # Errors
/// Faults of the store; what the server of mail does not take now is due again later.
pub async fn send_due(app: &App) -> Result<usize, Error> {
    let Some(mail) = &app.mail else { return Ok(0) };
    let mut sent = 0;
    while !app.ending.is_cancelled() {
        let taken = try_join_all((0..SENDING_MAX).map(|_| take(app))).await?;
        let letters: Vec<_> = taken.into_iter().flatten().collect();
        if letters.is_empty() {
            break;
        }
        let each = letters.iter().map(|(letter, token)| deliver(app, mail, (letter, token)));
        for outcome in join_all(each).await {
            sent += usize::from(outcome?);
        }
    }
    app.metrics.letters_wait(app.store.count_waiting_letters().await?);
    Ok(sent)
}

/// A letter that is due, with the secret of its link: made here, and nowhere but in the letter.
async fn take(app: &App) -> Result<Option<(Letter, SessionToken)>, Error> {
    let token = SessionToken::new(&app.ids);
    let letter = app.store.take_letter(token.hash()).await?;
    Ok(letter.map(|letter| (letter, token)))
}

/// Hands a letter over; whether it was taken.
async fn deliver(
    app: &App,
    mail: &Mail,
    (letter, token): (&Letter, &SessionToken),
) -> Result<bool, Error> {
    let answer = hand_over(app, mail, (letter, token)).await;
    app.metrics.letter_tried(letter.kind.as_str(), outcome(&answer));
    match answer {
        Ok(()) => app.store.letter_sent(&letter.id).await.map(|()| true),
        Err(SendError::Later(why)) => {
            log(&letter.id, &why, "could not send an email; will retry");
            Ok(false)
        }
        Err(SendError::Never(why)) => {
            log(&letter.id, &why, "an email was rejected; will not retry");
            app.store.letter_refused(&letter.id).await.map(|()| false)
        }
    }
}

async fn hand_over(
    app: &App,
    mail: &Mail,
    (letter, token): (&Letter, &SessionToken),
) -> Result<(), SendError> {
    let text = words::text(app, letter, token);
    let text = text.map_err(|error| SendError::Later(error.to_string()))?;
    let message = Message {
        id: letter.id.as_str(),
        to: &letter.to,
        subject: words::subject(letter.kind),
        text: &text,
        at: app.clock.now(),
    };
    mail.smtp.send(&message).await
}

/// The address stays out of the log.
fn log(letter: &LetterId, why: &str, what: &str) {
    tracing::warn!(%letter, why, "{what}");
}

fn outcome(answer: &Result<(), SendError>) -> &'static str {
    match answer {
        Ok(()) => "sent",
        Err(SendError::Later(_)) => "postponed",
        Err(SendError::Never(_)) => "refused",
    }
}
