//! Sign-in and sign-up: sessions, limits on attempts, and who may sign up.

use retouch_core::{Credits, Email};

use super::duration::{self, CENTURY_MS, SECOND_MS};
use super::edits::or_cores;
use super::reader::Reader;

/// Who may sign up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignUpRule {
    /// Everyone.
    #[default]
    Open,
    /// People with an invitation.
    Invited,
    /// People with an address in an allowed domain, and people with an invitation.
    Domains,
    /// No one: only the operator creates accounts.
    Closed,
}

/// Whether administrators need a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminSecondFactor {
    /// `/admin` is open only to sessions that have used one.
    Required,
    /// A password is enough.
    Off,
}

/// The section `[auth]`.
#[derive(Clone, Debug)]
pub struct AuthSettings {
    /// A session expires after this long without use, in milliseconds.
    pub session_idle_ms_max: i64,
    /// Maximum lifetime of a session, in milliseconds.
    pub session_age_ms_max: i64,
    /// Passwords hashed at the same time.
    pub password_hashers_max: usize,
    /// Passwords that may wait to be hashed.
    pub password_queue_max: usize,
    /// Wrong passwords per minute for one account, from one network, known browser or session.
    pub sign_in_attempts_per_minute_per_account: u32,
    /// Sign-in attempts per minute from one client address.
    pub sign_in_attempts_per_minute_per_address: u32,
    /// Wrong passwords per day for one account, from one network.
    pub wrong_passwords_per_day_per_network: u32,
    /// Wrong passwords per day for one account, from all networks together.
    pub wrong_passwords_per_day_per_account: u32,
    /// Whether administrators need a second factor.
    pub admin_second_factor: AdminSecondFactor,
    /// New accounts per hour from one client address.
    pub sign_up_per_hour_per_address: u32,
    /// Who may sign up.
    pub sign_up: SignUpRule,
    /// The domains for [`SignUpRule::Domains`], in lower case.
    pub sign_up_domains: Vec<String>,
    /// Free credits of a new account, if not the catalogue's.
    pub sign_up_credits: Option<Credits>,
    /// Free credits per day (UTC) for all new accounts together.
    pub free_credits_per_day_max: Credits,
    /// Emails per hour to one address, requested from one client address.
    pub emails_per_hour_per_recipient_and_address: u32,
    /// Emails per hour to one address, requested by all clients together.
    pub emails_per_hour_per_recipient: u32,
    /// Emails per hour requested from one client address.
    pub emails_per_hour_per_address: u32,
    /// Links from emails that one client address may try per minute.
    pub links_per_minute_per_address: u32,
}

impl AuthSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let attempts = 1..=1_000_000;
        let auth = Self {
            session_idle_ms_max: reader.duration("auth.session_idle_max", SECOND_MS..=CENTURY_MS),
            session_age_ms_max: reader.duration("auth.session_age_max", SECOND_MS..=CENTURY_MS),
            password_hashers_max: or_cores(reader.number("auth.password_hashers_max", 0..=1024)),
            password_queue_max: reader.number("auth.password_queue_max", 1..=100_000),
            sign_in_attempts_per_minute_per_account: reader
                .number("auth.sign_in_attempts_per_minute_per_account", attempts.clone()),
            sign_in_attempts_per_minute_per_address: reader
                .number("auth.sign_in_attempts_per_minute_per_address", attempts.clone()),
            wrong_passwords_per_day_per_network: reader
                .number("auth.wrong_passwords_per_day_per_network", attempts.clone()),
            wrong_passwords_per_day_per_account: reader
                .number("auth.wrong_passwords_per_day_per_account", attempts.clone()),
            admin_second_factor: second_factor(reader),
            sign_up_per_hour_per_address: reader
                .number("auth.sign_up_per_hour_per_address", attempts.clone()),
            sign_up: reader.required("auth.sign_up", rule).unwrap_or_default(),
            sign_up_domains: reader.list("auth.sign_up_domains", domain),
            sign_up_credits: reader.optional("auth.sign_up_credits", sign_up_credits),
            free_credits_per_day_max: Credits::new(
                reader.number("auth.free_credits_per_day_max", 0..=Credits::MAX.get()),
            )
            .unwrap_or(Credits::MAX),
            emails_per_hour_per_recipient_and_address: reader
                .number("auth.emails_per_hour_per_recipient_and_address", attempts.clone()),
            emails_per_hour_per_recipient: reader
                .number("auth.emails_per_hour_per_recipient", attempts.clone()),
            emails_per_hour_per_address: reader
                .number("auth.emails_per_hour_per_address", attempts.clone()),
            links_per_minute_per_address: reader
                .number("auth.links_per_minute_per_address", attempts),
        };
        if auth.sign_up == SignUpRule::Domains && auth.sign_up_domains.is_empty() {
            let missing = "missing: list the domains whose addresses can sign up";
            reader.refuse_because("auth.sign_up_domains", missing, "auth.sign_up");
        }
        if auth.session_idle_ms_max > auth.session_age_ms_max {
            let [idle, age] = [auth.session_idle_ms_max, auth.session_age_ms_max]
                .map(|ms| duration::show(ms.unsigned_abs()));
            let message = format!("{idle} is more than auth.session_age_max ({age})");
            reader.refuse_pair("auth.session_idle_max", "auth.session_age_max", message);
        }
        auth
    }
}

fn rule(text: &str) -> Result<SignUpRule, String> {
    match text {
        "open" => Ok(SignUpRule::Open),
        "invited" => Ok(SignUpRule::Invited),
        "domains" => Ok(SignUpRule::Domains),
        "closed" => Ok(SignUpRule::Closed),
        _ => Err("expected open, invited, domains or closed".to_owned()),
    }
}

/// Reads how many credits a new account gets.
fn sign_up_credits(text: &str) -> Result<Credits, String> {
    let credits = text.trim().replace('_', "").parse().ok().and_then(Credits::new);
    credits.ok_or_else(|| "expected a whole number of credits".to_owned())
}

/// Reads a domain, the part of an email address after the `@`.
fn domain(text: &str) -> Result<String, String> {
    let found = format!("name@{text}").parse::<Email>().ok();
    let found = found.filter(|email| email.domain() == text.to_lowercase());
    let found = found.map(|email| email.domain().to_owned());
    found.ok_or_else(|| "expected a domain such as example.com".to_owned())
}

fn second_factor(reader: &mut Reader<'_>) -> AdminSecondFactor {
    let key = "auth.admin_second_factor";
    match reader.text(key) {
        "required" => AdminSecondFactor::Required,
        "off" => AdminSecondFactor::Off,
        other => {
            reader.refuse(key, format!("{other:?}: expected required or off"));
            AdminSecondFactor::Required
        }
    }
}
