//! How people prove who they are, and how often they may try.

use super::edits::or_cores;
use super::reader::Reader;

/// One hundred years, in milliseconds: longer than any session lasts.
const CENTURY_MS: i64 = 100 * 365 * 24 * 60 * 60 * 1000;

/// The section `[auth]`.
#[derive(Clone, Debug)]
pub struct AuthSettings {
    /// A session ends when it has not been used for so long, in milliseconds.
    pub session_idle_ms: i64,
    /// A session ends so long after it began, in milliseconds.
    pub session_absolute_ms: i64,
    /// Passwords that are hashed at the same time.
    pub password_hashers_max: usize,
    /// Passwords that may wait to be hashed.
    pub password_queue_max: usize,
    /// Attempts to sign in that one account allows in a minute.
    pub sign_in_attempts_per_minute_per_account: u32,
    /// Attempts to sign in that one client address may make in a minute.
    pub sign_in_attempts_per_minute_per_address: u32,
    /// Accounts that one client address may make in an hour.
    pub sign_up_per_hour_per_address: u32,
    /// Letters to one e-mail address that can be asked for in an hour.
    pub letters_per_hour_per_email: u32,
    /// Letters that one client address may ask for in an hour.
    pub letters_per_hour_per_address: u32,
    /// Links out of letters that one client address may try in a minute.
    pub links_per_minute_per_address: u32,
}

impl AuthSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let attempts = 1..=1_000_000;
        let auth = Self {
            session_idle_ms: reader.number("auth.session_idle_ms", 1000..=CENTURY_MS),
            session_absolute_ms: reader.number("auth.session_absolute_ms", 1000..=CENTURY_MS),
            password_hashers_max: or_cores(reader.number("auth.password_hashers_max", 0..=1024)),
            password_queue_max: reader.number("auth.password_queue_max", 1..=100_000),
            sign_in_attempts_per_minute_per_account: reader
                .number("auth.sign_in_attempts_per_minute_per_account", attempts.clone()),
            sign_in_attempts_per_minute_per_address: reader
                .number("auth.sign_in_attempts_per_minute_per_address", attempts.clone()),
            sign_up_per_hour_per_address: reader
                .number("auth.sign_up_per_hour_per_address", attempts.clone()),
            letters_per_hour_per_email: reader
                .number("auth.letters_per_hour_per_email", attempts.clone()),
            letters_per_hour_per_address: reader
                .number("auth.letters_per_hour_per_address", attempts.clone()),
            links_per_minute_per_address: reader
                .number("auth.links_per_minute_per_address", attempts),
        };
        if auth.session_idle_ms > auth.session_absolute_ms {
            let (idle, absolute) = (auth.session_idle_ms, auth.session_absolute_ms);
            reader.refuse(
                "auth.session_idle_ms",
                format!("{idle} is more than auth.session_absolute_ms, {absolute}"),
            );
        }
        auth
    }
}
