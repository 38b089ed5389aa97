//! Whether the server of mail is there and knows the user, and whether links lead anywhere.

use super::{Finding, doubt, finding};
use crate::config::{MailSettings, Settings};
use crate::mail;

/// Greets the server of mail; nothing where no mail is sent.
pub(super) fn ask(settings: &Settings) -> Vec<Finding> {
    let Some(mail) = &settings.mail else { return Vec::new() };
    let mut findings = vec![finding("mail", greet(mail))];
    if settings.server.public_url.is_none() {
        let links = "links in letters lead to the address that is listened on; set \
                     RETOUCH_SERVER__PUBLIC_URL";
        findings.push(doubt("links in mail", links.to_owned()));
    }
    findings
}

fn greet(settings: &MailSettings) -> Result<String, String> {
    let smtp = mail::smtp(settings).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let answer = runtime.block_on(smtp.greet());
    // A name server that never answers must not keep the command from its end.
    runtime.shutdown_background();
    let place = &settings.smtp;
    answer.map_err(|error| {
        format!("{error} ({}:{}); see RETOUCH_MAIL__SMTP_URL", place.host, place.port)
    })
}
