//! Limits on wrong passwords and codes. Strangers share one limit per account. Browsers that the
//! account knows and open sessions have their own, so that strangers cannot lock the owner out.

use std::net::IpAddr;
use std::num::NonZeroU32;

use retouch_core::{AccountId, Email, Rate};
use retouch_store::{Limit, Whose};
use sha2::{Digest, Sha256};

use super::at_least_one;
use super::whose::{address_key, half_hash};
use crate::config::AuthSettings;

/// Seconds in a day.
const DAY_S: u32 = 86_400;

/// Who is guessing a password.
#[derive(Clone, Copy, Debug)]
pub enum Guesser {
    /// A browser that has signed in to the account before, or a session of the account, identified
    /// by the hash of its token.
    Known([u8; 32]),
    /// Anyone else, identified by the network that the call comes from.
    Stranger(Option<IpAddr>),
}

/// A counted guess: the limits it counts toward.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Guess(pub(super) Vec<(Limit, Whose)>);

/// The limits.
pub(super) struct Guesses {
    known_minute: Limit,
    known_day: Limit,
    network_minute: Limit,
    network_day: Limit,
    strangers_day: Limit,
    code_minute: Limit,
    code_day: Limit,
}

impl Guesses {
    pub(super) fn new(set: &AuthSettings) -> Self {
        let minute = at_least_one(set.sign_in_attempts_per_minute_per_account);
        let network = at_least_one(set.wrong_passwords_per_day_per_network);
        let account = at_least_one(set.wrong_passwords_per_day_per_account);
        let day =
            |name, times_max: NonZeroU32| Limit { name, rate: Rate { times_max, window_s: DAY_S } };
        let minute = |name| Limit { name, rate: Rate::per_minute(minute) };
        Self {
            known_minute: minute("password_known"),
            known_day: day("password_known_day", account),
            network_minute: minute("password_network"),
            network_day: day("password_network_day", network),
            strangers_day: day("password_strangers_day", account),
            code_minute: minute("second_factor"),
            code_day: day("second_factor_day", account),
        }
    }

    /// The limits that a guess at the password of `email` counts toward.
    pub(super) fn of(&self, email: &Email, guesser: Guesser) -> Vec<(Limit, Whose)> {
        match guesser {
            Guesser::Known(token_hash) => {
                let whose = pair(email, &token_hash);
                vec![(self.known_minute, whose), (self.known_day, whose)]
            }
            Guesser::Stranger(address) => {
                let whose = pair(email, &address_key(address));
                let all = half_hash(email.key());
                vec![
                    (self.network_minute, whose),
                    (self.network_day, whose),
                    (self.strangers_day, all),
                ]
            }
        }
    }

    /// The limits that a guess at a second-factor code of `account` counts toward. Such guesses
    /// require the password or a session.
    pub(super) fn of_code(&self, account: &AccountId) -> Vec<(Limit, Whose)> {
        let whose = half_hash(account.as_str());
        vec![(self.code_minute, whose), (self.code_day, whose)]
    }
}

/// The key of an account combined with the guesser.
fn pair(email: &Email, guesser: &[u8]) -> Whose {
    let hash: [u8; 32] =
        Sha256::new().chain_update(guesser).chain_update(email.key()).finalize().into();
    *hash.first_chunk().unwrap_or(&[0; 16])
}
