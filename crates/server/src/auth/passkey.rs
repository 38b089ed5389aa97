//! Passkeys (Web Authentication, Level 3): what a device has signed, seen as sections 7.1 and 7.2 of
//! the specification say. Attestation is neither asked for nor believed, so that nothing but a
//! signature has to be checked, which ring does; the libraries for the whole bring certificates,
//! clocks and a second set of cryptography.
//!
//! Reading order: [`RelyingParty`] (whom a passkey is for), `client_data` (what the browser says),
//! `authenticator` (what the device says), `public_key` (whether it has signed).

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

/// Longest name of a passkey, in bytes (7.1, step 25).
const ID_BYTES_MAX: usize = 1023;

/// Whom passkeys are for: this service, under its public address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// The host, which passkeys are bound to.
    pub id: String,
    /// What a browser says that it shows.
    origin: String,
}

/// What a browser was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceremony {
    /// To make a passkey.
    Create,
    /// To sign with one.
    Get,
}

/// A passkey that a device has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its name.
    pub id: Vec<u8>,
    /// Its public key, in COSE's form.
    pub public_key: Vec<u8>,
    /// How often it says to have signed.
    pub sign_count: u32,
    /// Whether it can be kept in more places than one device.
    pub may_back_up: bool,
    /// Whether it is.
    pub is_backed_up: bool,
}

/// What a device has signed.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// What the browser says.
    pub client_data: &'a [u8],
    /// What the device says.
    pub authenticator_data: &'a [u8],
    /// The signature over both.
    pub signature: &'a [u8],
}

/// What a device says of its passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// How often it has signed.
    pub sign_count: u32,
    /// Whether it is kept in more places than one device.
    pub is_backed_up: bool,
}

/// Why a passkey is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Distrust {
    /// Something has not the form that the specification gives it.
    #[error("the response is malformed")]
    Malformed,
    /// The browser was asked for something else.
    #[error("the response belongs to a different kind of request")]
    Ceremony,
    /// A page of another origin asked, or one within another's.
    #[error("the request came from a page at a different address")]
    Origin,
    /// The passkey is for another host.
    #[error("the passkey is for another service")]
    RelyingParty,
    /// Nobody has touched the device, or it has not seen who did.
    #[error("the device has not verified its user")]
    Unverified,
    /// What it says of its copies contradicts itself, or what it said before.
    #[error("the backup flags of the device are inconsistent")]
    Backup,
    /// The key is of a kind that was not asked for.
    #[error("the key uses an algorithm that was not requested")]
    Algorithm,
    /// The signature does not fit.
    #[error("the signature is invalid")]
    Signature,
}

impl RelyingParty {
    /// The one of a service whose callers use `public_url`; none where browsers have no passkeys: at
    /// bare addresses, and without https anywhere but on the own machine.
    pub fn of(public_url: &Url) -> Option<Self> {
        let Some(Host::Domain(id)) = public_url.host() else { return None };
        let is_here = id == "localhost" || id.ends_with(".localhost");
        let is_safe = public_url.scheme() == "https" || is_here;
        let origin = public_url.origin().ascii_serialization();
        is_safe.then(|| Self { id: id.to_owned(), origin })
    }

    /// The challenge that a browser's answer names, once it is seen to come from a page of ours.
    ///
    /// # Errors
    /// [`Distrust`].
    pub fn challenge(&self, client_data: &[u8], asked: Ceremony) -> Result<String, Distrust> {
        let said = ClientData::read(client_data)?;
        said.check(asked, &self.origin)?;
        Ok(said.challenge)
    }

    /// The passkey that a device has made.
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

    /// What a device says of its passkey, once it is seen to have signed by it. `may_back_up` is
    /// what it said when it was made, which never changes.
    ///
    /// # Errors
    /// [`Distrust`].
    pub fn said(
        &self,
        signed: &Signed<'_>,
        public_key: &[u8],
        may_back_up: bool,
    ) -> Result<Said, Distrust> {
        // First the signature: nothing that the device says counts before it.
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
