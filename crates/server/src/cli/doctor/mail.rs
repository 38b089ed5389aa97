//! Whether the SMTP server is reachable and accepts the user, and whether links in emails work.

use super::{Finding, doubt, finding};
use crate::config::{MailSettings, Settings};
use crate::mail;

/// Connects to the SMTP server, if one is configured.
pub(super) fn ask(settings: &Settings) -> Vec<Finding> {
    let Some(mail) = &settings.mail else { return Vec::new() };
    let mut findings = vec![finding("mail", greet(mail))];
    if settings.server.public_url.is_none() {
        let links = "links in emails use the listen address; set RETOUCH_SERVER__PUBLIC_URL";
        findings.push(doubt("links in mail", links.to_owned()));
    }
    findings
}

fn greet(settings: &MailSettings) -> Result<String, String> {
    let smtp = mail::smtp(settings).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let answer = runtime.block_on(smtp.probe());
    // A DNS server that never responds must not keep the command running.
    runtime.shutdown_background();
    let place = &settings.smtp;
    answer.map_err(|error| {
        format!("{error} ({}:{}); see RETOUCH_MAIL__SMTP_URL", place.host, place.port)
    })
}
