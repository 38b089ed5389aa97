//! Passwords, hashed with Argon2id, with a limit on how many are hashed at a time.

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
/// The maximum length of a password, in bytes, because hashing reads all of them.
pub const PASSWORD_BYTES_MAX: usize = 1024;

/// Memory in KiB, passes and lanes of Argon2id, as OWASP's Password Storage Cheat Sheet recommended
/// in 2023.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Bytes of salt (RFC 9106, 3.1).
const SALT_BYTES: usize = 16;
/// A hash that no password matches, with the parameters above. Checking it takes as long as
/// checking a real one, so that response times do not reveal which addresses have an account.
const NOBODYS_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGhlcmUhIQ$\
                            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The most common leaked passwords among those that are long enough: lower case, sorted, one per
/// line. They come from the lists of zxcvbn (MIT) and Django (BSD, by Royce Williams).
const COMMON: &str = include_str!("../../assets/auth/common_passwords.txt");

/// Why a password was not hashed or checked.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PasswordError {
    /// The password is too short.
    #[error("the password has {chars} characters; at least {PASSWORD_CHARS_MIN} are needed")]
    TooShort {
        /// Its length in characters.
        chars: usize,
    },
    /// The password is too long.
    #[error("the password has {bytes} bytes; at most {PASSWORD_BYTES_MAX} are allowed")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The password is among the most common ones.
    #[error("this is one of the most common passwords, which attackers try first; choose another")]
    Common,
    /// The password is the account's email address.
    #[error("the password is your email address; choose another")]
    IsEmail,
    /// The queue of passwords to check is full.
    #[error("{waiting} passwords are already waiting to be checked")]
    Busy {
        /// How many wait.
        waiting: usize,
    },
    /// The hash function failed, or the stored hash is invalid.
    #[error("the password could not be hashed: {0}")]
    Failed(String),
}

/// Limits how many passwords are hashed at a time. Each takes 19 MiB and a core, so without a limit
/// a few hundred callers could exhaust the machine.
#[derive(Clone, Debug)]
pub struct PasswordPool {
    hashers: Arc<Semaphore>,
    queue: Queue,
}

impl PasswordPool {
    /// A pool that hashes `hashers_max` passwords at a time and lets `queue_max` more wait.
    pub fn new(hashers_max: usize, queue_max: usize) -> Self {
        let hashers = Arc::new(Semaphore::new(hashers_max));
        Self { hashers, queue: Queue::new(queue_max) }
    }

    /// Checks a new password for `email` as [`Self::check_rules`] does, and that it is not the
    /// address itself.
    ///
    /// # Errors
    /// If it breaks a rule.
    pub fn check_new(&self, password: &str, email: &str) -> Result<(), PasswordError> {
        self.check_rules(password)?;
        let is_email = password.trim().eq_ignore_ascii_case(email.trim());
        if is_email { Err(PasswordError::IsEmail) } else { Ok(()) }
    }

    /// Checks that a new password is long enough, not too long and not common.
    ///
    /// # Errors
    /// If it breaks a rule.
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

    /// Hashes a new password with a new salt, as a PHC string.
    ///
    /// # Errors
    /// If the password breaks a rule or the queue is full.
    pub async fn hash(&self, password: String, ids: &Ids) -> Result<String, PasswordError> {
        self.check_rules(&password)?;
        let salt: [u8; SALT_BYTES] = ids.secret();
        self.run(move || hash(&password, &salt)).await?
    }

    /// Whether `password` matches `hash`. Without a hash, because there is no account or it has no
    /// password, the result is false but takes as long.
    ///
    /// # Errors
    /// If the queue is full or `hash` is invalid.
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
            // Keep the slot until the work is done, even if the caller has disconnected.
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

/// Whether a password is in the list of common ones, ignoring case.
fn is_common(password: &str) -> bool {
    let sought = password.trim().to_ascii_lowercase();
    let mut rest = COMMON;
    // Binary search over the lines of the text.
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
