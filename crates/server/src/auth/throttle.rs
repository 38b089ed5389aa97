//! Who has tried too often: wrong passwords are counted for each account and network and for each
//! browser that the account knows, sign-ups for each client address, letters for each recipient and
//! each client address, on all nodes together.

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
pub(crate) use self::whose::address_key;
use self::whose::half_hash;
use crate::config::Settings;

/// Why an attempt is not heard.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Throttled {
    /// There were too many before it.
    #[error("too many attempts; try again in {wait_s} s")]
    TooOften {
        /// When the next one will be heard, in seconds from now, at least 1.
        wait_s: u64,
    },
    /// It could not be counted.
    #[error(transparent)]
    Store(#[from] Error),
}

/// The limits on signing in, signing up, letters and their links, calls that charge and visits to
/// where plans are paid.
pub struct Throttles {
    store: Store,
    calls: Calls,
    guesses: Guesses,
    addresses: Limit,
    sign_ups: Limit,
    payments: Limit,
    letters_between: Limit,
    letters_to: Limit,
    letters_from: Limit,
    links: Limit,
}

impl Throttles {
    /// The limits that the operator has set, for everybody and for plans, counted in `store`.
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
            letters_between: hour(
                "letter_email_address",
                set.letters_per_hour_per_email_and_address,
            ),
            letters_to: hour("letter_email", set.letters_per_hour_per_email),
            letters_from: hour("letter_address", set.letters_per_hour_per_address),
            links: minute("link_address", set.links_per_minute_per_address),
        }
    }

    /// Counts a call that charges; what is left of each limit on them that is set.
    ///
    /// # Errors
    /// When the address, the key or the account has made as many as it may, or too many of the
    /// account have failed; faults of the database.
    pub async fn call(&self, calling: &Calling<'_>) -> Result<Vec<Allowance>, CallRefused> {
        self.calls.count(&self.store, calling).await
    }

    /// Counts a call of `account`, which has this plan, that has failed and was not charged; what
    /// is left of the limit, where there is one. Whether there were too many, the next call that
    /// charges is told.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn failed(
        &self,
        account: &AccountId,
        plan: Option<&str>,
    ) -> Result<Option<Allowance>, Error> {
        self.calls.failed(&self.store, (account, plan)).await
    }

    /// Counts a call that reads, on this node alone; what is left of the limit, where there is one.
    ///
    /// # Errors
    /// When the account, or the address of a call without one, has made as many as it may.
    pub fn read(&self, reading: &Reading<'_>) -> Result<Option<Allowance>, TooManyCalls> {
        self.calls.read(&self.store, reading)
    }

    /// Counts a visit of `account` to the vendor of payments, who is called for it several times.
    ///
    /// # Errors
    /// When the account has made as many as it may; faults of the database, as of each of these.
    pub async fn payment(&self, account: &AccountId) -> Result<(), Throttled> {
        self.check(self.payments, half_hash(account.as_str())).await
    }

    /// Counts a guess at the password of `email`, whether there is such an account or not. A guess
    /// that turns out right is to be [forgiven](Self::forgive), so that wrong ones alone count.
    ///
    /// # Errors
    /// When too many guesses were wrong, or the address of a stranger has had its attempts.
    pub async fn guess(&self, email: &Email, guesser: Guesser) -> Result<Guess, Throttled> {
        if let Guesser::Stranger(address) = guesser {
            self.sign_in_from(address).await?;
        }
        self.take(self.guesses.of(email, guesser)).await
    }

    /// Counts a guess at a code of the second factor of `account`.
    ///
    /// # Errors
    /// When too many guesses were wrong.
    pub async fn code(&self, account: &AccountId) -> Result<Guess, Throttled> {
        self.take(self.guesses.of_code(account)).await
    }

    /// Takes a guess back that was right, or that nobody has looked at.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn forgive(&self, guess: Guess) -> Result<(), Throttled> {
        for (limit, whose) in guess.0 {
            self.store.give_back(limit, whose).await?;
        }
        Ok(())
    }

    /// Counts an attempt to sign in from `address` of which nobody can tell yet whose account is
    /// meant.
    ///
    /// # Errors
    /// When the address has had its attempts.
    pub async fn sign_in_from(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.addresses, address_key(address)).await
    }

    /// Counts a sign-up from `address`.
    ///
    /// # Errors
    /// When the address has had its share.
    pub async fn sign_up(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.sign_ups, address_key(address)).await
    }

    /// Counts a letter to `email` that `address` asks for, whether anybody has the e-mail address
    /// or not.
    ///
    /// # Errors
    /// When the address has asked for as many as it may, for this recipient or in all, or when all
    /// clients together have. One client alone does not use up what the recipient can be sent.
    pub async fn letter(&self, email: &Email, address: Option<IpAddr>) -> Result<(), Throttled> {
        let from = address_key(address);
        self.check(self.letters_from, from).await?;
        let between = format!("{} {}", u128::from_be_bytes(from), email.key());
        self.check(self.letters_between, half_hash(&between)).await?;
        self.check(self.letters_to, half_hash(email.key())).await
    }

    /// Counts a link out of a letter that `address` tries.
    ///
    /// # Errors
    /// When the address has tried as many as it may.
    pub async fn link(&self, address: Option<IpAddr>) -> Result<(), Throttled> {
        self.check(self.links, address_key(address)).await
    }

    /// Takes one time of each limit, or of none.
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
