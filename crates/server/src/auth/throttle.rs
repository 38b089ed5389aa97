//! Limits on attempts, counted across all nodes: wrong passwords by account and network and by
//! browser that the account knows, sign-ups and OAuth by client address, and emails by recipient and
//! client address.

mod calls;
mod guesses;
mod whose;

use std::net::IpAddr;
use std::num::NonZeroU32;

use retouch_core::catalogue::Plan;
use retouch_core::{AccountId, Email, Rate};
pub use retouch_store::Whose as AddressKey;
use retouch_store::{Error, Limit, Store, Whose};
use thiserror::Error;

use self::calls::Calls;
pub use self::calls::{Allowance, CallRefused, Calling, Counts, Reading, TooManyCalls};
use self::guesses::Guesses;
pub use self::guesses::{Guess, Guesser};
use self::whose::half_hash;
pub(crate) use self::whose::{address_account, address_key};
use crate::config::Settings;

/// Why an attempt is refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Throttled {
    /// There were too many attempts.
    #[error("too many attempts; try again in {wait_s} s")]
    TooOften {
        /// When the next one will be accepted, in seconds from now, at least 1.
        wait_s: u64,
    },
    /// The attempt could not be counted.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Requests for credits per hour and account, so that withdrawing one and asking again does not send
/// emails without end.
const CREDIT_REQUESTS_PER_HOUR: u32 = 3;

/// Calls by programs that want tokens and visits to the page that asks for consent, per minute and
/// client address. Web assistants call for all of their users from a few addresses.
const OAUTH_PER_MINUTE: u32 = 120;

/// The limits on signing in, signing up, emails and their links, API calls, uploads, and visits to
/// the payment provider.
pub struct Throttles {
    store: Store,
    calls: Calls,
    guesses: Guesses,
    addresses: Limit,
    sign_ups: Limit,
    payments: Limit,
    uploads: Limit,
    visits: Limit,
    credit_requests: Limit,
    emails_between: Limit,
    emails_to: Limit,
    emails_from: Limit,
    links: Limit,
    oauth: Limit,
}

impl Throttles {
    /// The limits from the settings and the plans, counted in `store`.
    pub fn new(settings: &Settings, plans: &[Plan], store: &Store) -> Self {
        let minute = |name, times| Limit { name, rate: Rate::per_minute(at_least_one(times)) };
        let hour = |name, times| Limit { name, rate: Rate::per_hour(at_least_one(times)) };
        let visits = settings.billing.visits_per_minute_per_account;
        let calls = Calls::new(settings, plans);
        let set = &settings.auth;
        Self {
            store: store.clone(),
            calls,
            guesses: Guesses::new(set),
            addresses: minute("sign_in_address", set.sign_in_attempts_per_minute_per_address),
            sign_ups: hour("sign_up_address", set.sign_up_per_hour_per_address),
            payments: minute("payment_account", visits),
            visits: minute(
                "visitor_address",
                settings.studio.visitor_previews_per_minute_per_address,
            ),
            uploads: minute("upload_account", settings.uploads.per_minute_per_account),
            credit_requests: hour("credit_request", CREDIT_REQUESTS_PER_HOUR),
            emails_between: hour(
                "email_recipient_address",
                set.emails_per_hour_per_recipient_and_address,
            ),
            emails_to: hour("email_recipient", set.emails_per_hour_per_recipient),
            emails_from: hour("email_address", set.emails_per_hour_per_address),
            links: minute("link_address", set.links_per_minute_per_address),
            oauth: minute("oauth_address", OAUTH_PER_MINUTE),
        }
    }

    /// Counts a call that charges and returns what is left of each limit.
    ///
    /// # Errors
    /// If the address, key or account has reached its limit, or too many calls of the account have
    /// failed; errors of the database.
    pub async fn call(&self, calling: &Calling<'_>) -> Result<Vec<Allowance>, CallRefused> {
        self.calls.count(&self.store, calling).await
    }

    /// Counts a call of `account` that failed without a charge, and returns what is left of the
    /// limit if there is one. If there were too many, the next call that charges is refused.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn failed(
        &self,
        account: &AccountId,
        plan: Option<&str>,
    ) -> Result<Option<Allowance>, Error> {
        self.calls.failed(&self.store, account, plan).await
    }

    /// Counts a call that reads, on this node only, and returns what is left of the limit if there
    /// is one.
    ///
    /// # Errors
    /// If the account, or the address of a call without an account, has reached its limit.
    pub fn read(&self, reading: &Reading<'_>) -> Result<Option<Allowance>, TooManyCalls> {
        self.calls.read(&self.store, reading)
    }

    /// Counts a visit of `account` to the payment provider, each of which takes several calls to
    /// it.
    ///
    /// # Errors
    /// If the account has reached its limit; errors of the database, as for all of these methods.
    pub async fn payment(&self, account: &AccountId) -> Result<(), Throttled> {
        self.check(self.payments, half_hash(account.as_str())).await
    }

    /// Counts a preview or a plan for a visitor at `address`.
    ///
    /// # Errors
    /// If the address has reached its limit.
    pub async fn visit(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.visits, address_key(address)).await
    }

    /// Counts an upload of `account`.
    ///
    /// # Errors
    /// If the account has reached its limit.
    pub async fn upload(&self, account: &AccountId) -> Result<(), Throttled> {
        self.check(self.uploads, half_hash(account.as_str())).await
    }

    /// Counts a request of `account` for credits, which may send emails to the administrators.
    ///
    /// # Errors
    /// If the account has reached its limit; errors of the database.
    pub async fn credit_request(&self, account: &AccountId) -> Result<(), Throttled> {
        self.check(self.credit_requests, half_hash(account.as_str())).await
    }

    /// Counts a guess at the password of `email`, whether there is such an account or not. Callers
    /// must [forgive](Self::forgive) correct guesses, so that only wrong ones count.
    ///
    /// # Errors
    /// If too many guesses were wrong, or the address of a stranger has reached its limit.
    pub async fn guess(&self, email: &Email, guesser: Guesser) -> Result<Guess, Throttled> {
        if let Guesser::Stranger(address) = guesser {
            self.sign_in_from(address).await?;
        }
        self.take(self.guesses.of(email, guesser)).await
    }

    /// Counts a guess at a second-factor code of `account`.
    ///
    /// # Errors
    /// If too many guesses were wrong.
    pub async fn code(&self, account: &AccountId) -> Result<Guess, Throttled> {
        self.take(self.guesses.of_code(account)).await
    }

    /// Takes back a guess that was correct or was not checked.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn forgive(&self, guess: Guess) -> Result<(), Throttled> {
        for (limit, whose) in guess.0 {
            self.store.give_back(limit, whose).await?;
        }
        Ok(())
    }

    /// Counts an attempt to sign in from `address` whose account is not known yet.
    ///
    /// # Errors
    /// If the address has reached its limit.
    pub async fn sign_in_from(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.addresses, address_key(address)).await
    }

    /// Counts a sign-up from `address`.
    ///
    /// # Errors
    /// If the address has reached its limit.
    pub async fn sign_up(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.sign_ups, address_key(address)).await
    }

    /// Counts an email to `email` that a client at `address` requests, whether there is such an
    /// account or not.
    ///
    /// # Errors
    /// If the client has reached its limit for this recipient or in total, or all clients together
    /// have reached the limit for the recipient. One client alone cannot use up the recipient's
    /// limit.
    pub async fn email(&self, email: &Email, address: Option<IpAddr>) -> Result<(), Throttled> {
        let from = address_key(address);
        self.check(self.emails_from, from).await?;
        let between = format!("{} {}", u128::from_be_bytes(from), email.key());
        self.check(self.emails_between, half_hash(&between)).await?;
        self.check(self.emails_to, half_hash(email.key())).await
    }

    /// Counts a link from an email that a client at `address` opens.
    ///
    /// # Errors
    /// If the address has reached its limit.
    pub async fn link(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.links, address_key(address)).await
    }

    /// Counts a call from `address` on the way to tokens.
    ///
    /// # Errors
    /// If the address has reached its limit.
    pub async fn oauth(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.oauth, address_key(address)).await
    }

    /// Counts once for each limit, or for none if one is reached.
    async fn take(&self, limits: Vec<(Limit, Whose)>) -> Result<Guess, Throttled> {
        let mut guess = Guess::default();
        for (limit, whose) in limits {
            match self.check(limit, whose).await {
                Ok(()) => guess.0.push((limit, whose)),
                Err(refused) => {
                    self.forgive(guess).await?;
                    return Err(refused);
                }
            }
        }
        Ok(guess)
    }

    async fn check(&self, limit: Limit, whose: Whose) -> Result<(), Throttled> {
        let counted = self.store.count(limit, whose).await?;
        let wait_s = counted.wait_s;
        if counted.may_come { Ok(()) } else { Err(Throttled::TooOften { wait_s }) }
    }
}

fn at_least_one(attempts: u32) -> NonZeroU32 {
    NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN)
}
