//! Names that lead nobody back to what they stand for: hashes keyed with a secret of this service.

use std::fmt::Write as _;

use retouch_core::AccountId;
use ring::hmac;

use crate::rows::{one, params};
use crate::work::Touches;
use crate::{Error, Store};

/// What the secret is called in the database.
const SECRET: &str = "pseudonym";
/// Bytes of an end user's name at a provider; providers take up to 64 characters.
const END_USER_BYTES: usize = 16;

/// Makes pseudonyms; clones share one secret.
#[derive(Clone, Debug)]
pub(crate) struct Pseudonyms(hmac::Key);

impl Pseudonyms {
    /// The hash of `text`, which differs from that of the same text in another `domain`.
    pub(crate) fn hash(&self, domain: &str, text: &str) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(domain.as_bytes());
        context.update(&[0]);
        context.update(text.as_bytes());
        let mut hash = [0; 32];
        hash.copy_from_slice(context.sign().as_ref());
        hash
    }
}

impl Store {
    /// What `account` is called at providers: the same each time, and of no use to anybody who does
    /// not have this service's secret.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_user(&self, account: &AccountId) -> Result<String, Error> {
        let hash = self.pseudonyms().await?.hash("end_user", account.as_str());
        Ok(hex(hash.get(..END_USER_BYTES).unwrap_or_default()))
    }

    /// What makes pseudonyms. Its secret is made by whichever process asks first, and is the same for
    /// all of them from then on.
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

    /// Keeps `new`, unless another process was faster; the secret that is kept.
    async fn keep_secret(&self, new: [u8; 32]) -> Result<[u8; 32], Error> {
        self.write(Touches::House(None), move |unit| {
            let sql = "INSERT INTO own_secret (name, value) VALUES (?1, ?2)
                       ON CONFLICT (name) DO NOTHING";
            unit.rows().execute(sql, params![SECRET, new])?;
            let sql = "SELECT value FROM own_secret WHERE name = ?1";
            let missing = || Error::Corrupt { what: "the secret for pseudonyms is missing".into() };
            one(unit.rows(), sql, [SECRET], |row| row.get(0))?.ok_or_else(missing)
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
