//! Passkeys (Web Authentication, Level 3), verified as sections 7.1 and 7.2 of the specification
//! require. Attestation is neither requested nor checked, so the only cryptography is verifying one
//! signature, which ring does. Complete `WebAuthn` libraries would add certificates, clocks and a
//! second set of cryptography.
//!
//! Reading order: [`RelyingParty`] (the service that a passkey is for), `client_data` (what the
//! browser reports), `authenticator` (what the device reports), `public_key` (signatures).

mod authenticator;
mod cbor;
mod client_data;
mod public_key;

use ring::digest::{SHA256, digest};
use thiserror::Error;
use url::{Host, Url};

use authenticator::AuthenticatorData;
use client_data::ClientData;
use public_key::PublicKey;

pub use public_key::ALGORITHMS;

/// The maximum length of a credential ID, in bytes (7.1, step 25).
const ID_BYTES_MAX: usize = 1023;

/// The service that passkeys are for, at its public URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// The host that passkeys are bound to.
    pub id: String,
    /// The origin that browsers report for our pages.
    origin: String,
}

/// What a browser was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceremony {
    /// Create a passkey.
    Create,
    /// Sign with a passkey.
    Get,
}

/// A passkey that a device has created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its credential ID.
    pub id: Vec<u8>,
    /// Its public key, in COSE format.
    pub public_key: Vec<u8>,
    /// Its signature counter.
    pub sign_count: u32,
    /// Whether it can be backed up or synced to other devices.
    pub may_back_up: bool,
    /// Whether it is backed up or synced.
    pub is_backed_up: bool,
}

/// A signed response.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// What the browser reports.
    pub client_data: &'a [u8],
    /// What the device reports.
    pub authenticator_data: &'a [u8],
    /// The signature over both.
    pub signature: &'a [u8],
}

/// What a device reports about its passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// The signature counter.
    pub sign_count: u32,
    /// Whether the passkey is backed up or synced.
    pub is_backed_up: bool,
}

/// Why a passkey is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Distrust {
    /// Something does not have the form that the specification requires.
    #[error("the response is malformed")]
    Malformed,
    /// The browser was asked to do something else.
    #[error("the response belongs to a different kind of request")]
    Ceremony,
    /// The page has another origin, or is embedded in one of another origin.
    #[error("the request came from a page at a different address")]
    Origin,
    /// The passkey is for another host.
    #[error("the passkey is for another service")]
    RelyingParty,
    /// The device has not verified its user.
    #[error("the device has not verified its user")]
    Unverified,
    /// The backup flags contradict each other or an earlier response.
    #[error("the backup flags of the device are inconsistent")]
    Backup,
    /// The key uses an algorithm that was not requested.
    #[error("the key uses an algorithm that was not requested")]
    Algorithm,
    /// The signature is invalid.
    #[error("the signature is invalid")]
    Signature,
}

impl RelyingParty {
    /// The relying party for a service at `public_url`; none if browsers do not support passkeys
    /// there, that is, at IP addresses and, except on localhost, without https.
    pub fn of(public_url: &Url) -> Option<Self> {
        let Some(Host::Domain(id)) = public_url.host() else { return None };
        let is_here = id == "localhost" || id.ends_with(".localhost");
        let is_safe = public_url.scheme() == "https" || is_here;
        let origin = public_url.origin().ascii_serialization();
        is_safe.then(|| Self { id: id.to_owned(), origin })
    }

    /// The challenge in a browser's response, after checking that it comes from one of our pages.
    ///
    /// # Errors
    /// [`Distrust`].
    pub fn challenge(&self, client_data: &[u8], asked: Ceremony) -> Result<String, Distrust> {
        let said = ClientData::read(client_data)?;
        said.check(asked, &self.origin)?;
        Ok(said.challenge)
    }

    /// The passkey that a device has created.
    ///
    /// # Errors
    /// [`Distrust`].
    pub fn made(&self, attestation: &[u8]) -> Result<Made, Distrust> {
        let said = AuthenticatorData::read(authenticator::of_attestation(attestation)?)?;
        said.check(&self.id)?;
        let made = said.made.ok_or(Distrust::Malformed)?;
        if made.id.is_empty() || made.id.len() > ID_BYTES_MAX {
            return Err(Distrust::Malformed);
        }
        PublicKey::read(&made.public_key)?;
        Ok(Made {
            id: made.id,
            public_key: made.public_key,
            sign_count: said.sign_count,
            may_back_up: said.may_back_up,
            is_backed_up: said.is_backed_up,
        })
    }

    /// What a device reports about its passkey, after verifying the signature. `may_back_up` is the
    /// flag from when the passkey was created, which must never change.
    ///
    /// # Errors
    /// [`Distrust`].
    pub fn said(
        &self,
        signed: &Signed<'_>,
        public_key: &[u8],
        may_back_up: bool,
    ) -> Result<Said, Distrust> {
        // Verify the signature first: before that, nothing in the response can be trusted.
        let hash = digest(&SHA256, signed.client_data);
        let message = [signed.authenticator_data, hash.as_ref()].concat();
        PublicKey::read(public_key)?.check(&message, signed.signature)?;
        let said = AuthenticatorData::read(signed.authenticator_data)?;
        said.check(&self.id)?;
        if said.may_back_up != may_back_up {
            return Err(Distrust::Backup);
        }
        Ok(Said { sign_count: said.sign_count, is_backed_up: said.is_backed_up })
    }
}
