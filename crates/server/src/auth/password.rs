//! Passwords: hashed with Argon2id, a bounded number of them at a time.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use retouch_core::Ids;
use retouch_core::queue::Queue;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The minimum length of a password, in characters.
pub const PASSWORD_CHARS_MIN: usize = 8;
/// Longest password, in bytes; hashing reads each of them.
pub const PASSWORD_BYTES_MAX: usize = 1024;

/// Memory, passes and lanes of Argon2id: OWASP's recommendation of 2023 for a server
/// (Password Storage Cheat Sheet). Memory in KiB.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Bytes of salt (RFC 9106, 3.1).
const SALT_BYTES: usize = 16;
/// The hash of a password that nobody has, with the parameters above: to check it takes as long
/// as to check a real one, so that the time does not tell which addresses have an account.
const NOBODYS_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGhlcmUhIQ$\
                            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The commonest passwords of leaked lists that are long enough to be allowed otherwise: in lower case,
/// sorted, one a line. From the lists of zxcvbn (MIT) and of Django (BSD, by Royce Williams).
const COMMON: &str = include_str!("../../assets/auth/common_passwords.txt");

/// Why a password was not hashed or checked.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PasswordError {
    /// It is too short.
    #[error("the password has {chars} characters; at least {PASSWORD_CHARS_MIN} are needed")]
    TooShort {
        /// Its characters.
        chars: usize,
    },
    /// It is too long.
    #[error("the password has {bytes} bytes; at most {PASSWORD_BYTES_MAX} are allowed")]
    TooLong {
        /// Its bytes.
        bytes: usize,
    },
    /// It is one of the commonest.
    #[error("this is one of the most common passwords, which attackers try first; choose another")]
    Common,
    /// It is the account's address.
    #[error("the password is your email address; choose another")]
    IsEmail,
    /// As many passwords wait as may wait.
    #[error("{waiting} passwords are already waiting to be checked")]
    Busy {
        /// How many wait.
        waiting: usize,
    },
    /// The hash function failed, or what is stored is not a hash.
    #[error("the password could not be hashed: {0}")]
    Failed(String),
}

/// How many passwords are worked on. Each takes 19 MiB and a core, so without a bound a few
/// hundred callers would take the machine.
#[derive(Clone, Debug)]
pub struct PasswordPool {
    hashers: Arc<Semaphore>,
    queue: Queue,
}

impl PasswordPool {
    /// A pool that works on `hashers_max` passwords at the same time and lets `queue_max` wait.
    pub fn new(hashers_max: usize, queue_max: usize) -> Self {
        let hashers = Arc::new(Semaphore::new(hashers_max));
        Self { hashers, queue: Queue::new(queue_max) }
    }

    /// Whether `email` may have a new password: what [`Self::check_rules`] asks, and that it is not
    /// the address itself.
    ///
    /// # Errors
    /// When it may not.
    pub fn check_new(&self, password: &str, email: &str) -> Result<(), PasswordError> {
        self.check_rules(password)?;
        let is_email = password.trim().eq_ignore_ascii_case(email.trim());
        if is_email { Err(PasswordError::IsEmail) } else { Ok(()) }
    }

    /// Whether a new password may be as it is: long enough, not too long and not common.
    ///
    /// # Errors
    /// When it may not.
    pub fn check_rules(&self, password: &str) -> Result<(), PasswordError> {
        let (chars, bytes) = (password.chars().count(), password.len());
        if chars < PASSWORD_CHARS_MIN {
            return Err(PasswordError::TooShort { chars });
        }
        if bytes > PASSWORD_BYTES_MAX {
            return Err(PasswordError::TooLong { bytes });
        }
        if is_common(password) { Err(PasswordError::Common) } else { Ok(()) }
    }

    /// The hash of a new password, with a salt of its own, as a PHC string.
    ///
    /// # Errors
    /// When the password breaks the rules or too many wait.
    pub async fn hash(&self, password: String, ids: &Ids) -> Result<String, PasswordError> {
        self.check_rules(&password)?;
        let salt: [u8; SALT_BYTES] = ids.secret();
        self.run(move || hash(&password, &salt)).await?
    }

    /// Whether `password` is the one of `hash`. Without a hash (nobody has the address, or no
    /// password) the answer is no, and takes as long.
    ///
    /// # Errors
    /// When too many wait, or `hash` is not one.
    pub async fn verify(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, PasswordError> {
        if password.len() > PASSWORD_BYTES_MAX {
            return Ok(false);
        }
        self.run(move || verify(&password, hash.as_deref())).await?
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PasswordError> {
        let hasher = self.take_hasher().await?;
        let task = tokio::task::spawn_blocking(move || {
            let result = work();
            // The place is held until the work is done, even when the caller has hung up.
            drop(hasher);
            result
        });
        task.await.map_err(|error| PasswordError::Failed(error.to_string()))
    }

    async fn take_hasher(&self) -> Result<OwnedSemaphorePermit, PasswordError> {
        if let Ok(hasher) = Arc::clone(&self.hashers).try_acquire_owned() {
            return Ok(hasher);
        }
        let _place =
            self.queue.enter().map_err(|full| PasswordError::Busy { waiting: full.waiting })?;
        let hasher = Arc::clone(&self.hashers).acquire_owned().await;
        hasher.map_err(|error| PasswordError::Failed(error.to_string()))
    }
}

/// Whether a password is in the list of common ones, in whatever case.
fn is_common(password: &str) -> bool {
    let sought = password.trim().to_ascii_lowercase();
    let mut rest = COMMON;
    // Halves what is left at a line's beginning until the line is found or nothing is left.
    while !rest.is_empty() {
        let middle = rest.len() / 2;
        let start = rest.get(..middle).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
        let line = rest.get(start..).and_then(|tail| tail.lines().next()).unwrap_or_default();
        match sought.as_str().cmp(line) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => rest = rest.get(..start).unwrap_or_default(),
            std::cmp::Ordering::Greater => {
                rest = rest.get(start + line.len() + 1..).unwrap_or_default();
            }
        }
    }
    false
}

fn argon2() -> Result<Argon2<'static>, PasswordError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| failed(&error))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str, salt: &[u8]) -> Result<String, PasswordError> {
    let hash: PasswordHash = argon2()?
        .hash_password_with_salt(password.as_bytes(), salt)
        .map_err(|error| failed(&error))?;
    Ok(hash.to_string())
}

fn verify(password: &str, hash: Option<&str>) -> Result<bool, PasswordError> {
    let parsed = PasswordHash::new(hash.unwrap_or(NOBODYS_HASH)).map_err(|error| failed(&error))?;
    match argon2()?.verify_password(password.as_bytes(), &parsed) {
        Ok(()) => Ok(hash.is_some()),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(failed(&error)),
    }
}

fn failed(error: &impl ToString) -> PasswordError {
    PasswordError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{COMMON, is_common};

    #[test]
    fn every_password_of_the_list_is_found_and_others_are_not() {
        assert!(COMMON.lines().count() > 10_000);
        assert!(COMMON.lines().all(is_common));
        assert!(is_common("PassWord1"));
        assert!(["correct horse", "", "zzzzzzzzzzzzzzzzz", "!"].iter().all(|one| !is_common(one)));
    }
}
