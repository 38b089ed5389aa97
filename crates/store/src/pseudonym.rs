//! Pseudonyms: hashes keyed with a secret of this service, which do not reveal what they stand for.

use std::fmt::Write as _;

use retouch_core::AccountId;
use ring::hmac;

use crate::queue::Touches;
use crate::rows::{one, params};
use crate::{Error, Store};

/// The name of the secret in the database.
const SECRET: &str = "pseudonym";
/// The length in bytes of an end user's pseudonym for providers, which accept up to 64 characters.
const END_USER_BYTES: usize = 16;

/// Creates pseudonyms. Clones share one secret.
#[derive(Clone, Debug)]
pub(crate) struct Pseudonyms(hmac::Key);

impl Pseudonyms {
    /// The hash of `text`. The same text has different hashes in different domains.
    pub(crate) fn hash(&self, domain: &str, text: &str) -> [u8; 32] {
        self.hash_parts(domain, &[text.as_bytes()])
    }

    /// The hash of several parts, of which only the last may contain zeros.
    pub(crate) fn hash_parts(&self, domain: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(domain.as_bytes());
        for part in parts {
            context.update(&[0]);
            context.update(part);
        }
        let mut hash = [0; 32];
        hash.copy_from_slice(context.sign().as_ref());
        hash
    }
}

impl Store {
    /// The pseudonym of `account` for providers. It never changes, and is meaningless without this
    /// service's secret.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_user(&self, account: &AccountId) -> Result<String, Error> {
        let hash = self.pseudonyms().await?.hash("end_user", account.as_str());
        Ok(hex(hash.get(..END_USER_BYTES).unwrap_or_default()))
    }

    /// Creates pseudonyms. The first process that needs the secret generates it, and all processes
    /// share it.
    pub(crate) async fn pseudonyms(&self) -> Result<Pseudonyms, Error> {
        let pseudonyms = self.pseudonyms.get_or_try_init(async || {
            let secret = match self.find_secret().await? {
                Some(secret) => secret,
                None => self.keep_secret(self.ids.secret()).await?,
            };
            Ok::<_, Error>(Pseudonyms(hmac::Key::new(hmac::HMAC_SHA256, &secret)))
        });
        pseudonyms.await.cloned()
    }

    async fn find_secret(&self) -> Result<Option<[u8; 32]>, Error> {
        let sql = "SELECT value FROM own_secret WHERE name = ?1";
        self.read(move |rows| one(rows, sql, [SECRET], |row| row.get(0))).await
    }

    /// Stores `new`, unless another process was faster. Returns the stored secret.
    async fn keep_secret(&self, new: [u8; 32]) -> Result<[u8; 32], Error> {
        self.write(Touches::Global(None), move |tx| {
            let sql = "INSERT INTO own_secret (name, value) VALUES (?1, ?2)
                       ON CONFLICT (name) DO NOTHING";
            tx.rows().execute(sql, params![SECRET, new])?;
            let sql = "SELECT value FROM own_secret WHERE name = ?1";
            let missing = || Error::Corrupt { what: "the secret for pseudonyms is missing".into() };
            one(tx.rows(), sql, [SECRET], |row| row.get(0))?.ok_or_else(missing)
        })
        .await
    }
}

/// `bytes` in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
