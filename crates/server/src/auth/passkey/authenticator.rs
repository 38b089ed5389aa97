//! Authenticator data (Web Authentication, 6.1): the host, whether the device has verified its
//! user, the signature counter, and a newly created passkey.

use ring::digest::{SHA256, digest};

use super::Distrust;
use super::cbor::{Value, slice, take};

/// The user was present.
const PRESENT: u8 = 0x01;
/// The device has verified the user.
const VERIFIED: u8 = 0x04;
/// The passkey can be backed up.
const MAY_BACK_UP: u8 = 0x08;
/// The passkey is backed up.
const BACKED_UP: u8 = 0x10;
/// A new passkey follows.
const ATTESTED: u8 = 0x40;
/// Extensions follow.
const EXTENDED: u8 = 0x80;
/// Bytes of the AAGUID, which identifies the model of the device.
const KIND_BYTES: usize = 16;

/// What a device reports.
pub(super) struct AuthenticatorData {
    host_hash: [u8; 32],
    flags: u8,
    pub(super) sign_count: u32,
    pub(super) may_back_up: bool,
    pub(super) is_backed_up: bool,
    pub(super) made: Option<MadeKey>,
}

/// A new passkey.
pub(super) struct MadeKey {
    pub(super) id: Vec<u8>,
    pub(super) public_key: Vec<u8>,
}

impl AuthenticatorData {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Distrust> {
        let mut rest = bytes;
        let host_hash: [u8; 32] = take(&mut rest)?;
        let [flags] = take(&mut rest)?;
        let sign_count = u32::from_be_bytes(take(&mut rest)?);
        let has = |flag: u8| flags & flag != 0;
        let made = if has(ATTESTED) { Some(made(&mut rest)?) } else { None };
        if has(EXTENDED) {
            Value::read(&mut rest)?;
        }
        if !rest.is_empty() {
            return Err(Distrust::Malformed);
        }
        let (may_back_up, is_backed_up) = (has(MAY_BACK_UP), has(BACKED_UP));
        Ok(Self { host_hash, flags, sign_count, may_back_up, is_backed_up, made })
    }

    /// Checks that it is for `host` and that the device has verified its user.
    pub(super) fn check(&self, host: &str) -> Result<(), Distrust> {
        if self.host_hash != digest(&SHA256, host.as_bytes()).as_ref() {
            return Err(Distrust::RelyingParty);
        }
        if self.flags & (PRESENT | VERIFIED) != PRESENT | VERIFIED {
            return Err(Distrust::Unverified);
        }
        if self.is_backed_up && !self.may_back_up {
            return Err(Distrust::Backup);
        }
        Ok(())
    }
}

/// The authenticator data in an attestation object. The attestation statement, which says who made
/// the device, is ignored.
pub(super) fn of_attestation(object: &[u8]) -> Result<&[u8], Distrust> {
    let mut rest = object;
    let object = Value::read(&mut rest)?;
    let bytes = object.at(&Value::Text("authData")).and_then(Value::bytes);
    bytes.filter(|_| rest.is_empty()).ok_or(Distrust::Malformed)
}

fn made(rest: &mut &[u8]) -> Result<MadeKey, Distrust> {
    let _kind: [u8; KIND_BYTES] = take(rest)?;
    let length = u16::from_be_bytes(take(rest)?);
    let id = slice(rest, length.into())?.to_vec();
    let before = *rest;
    Value::read(rest)?;
    let key = before.get(..before.len() - rest.len()).unwrap_or_default();
    Ok(MadeKey { id, public_key: key.to_vec() })
}
