//! A device with a passkey, written only from the specification (Web Authentication, Level 3). It
//! can also lie.

use std::sync::Arc;

use base64_simd::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

/// A person was present, and the device has verified who.
pub const PRESENT: u8 = 0x01;
pub const VERIFIED: u8 = 0x04;
pub const MAY_BACK_UP: u8 = 0x08;
pub const BACKED_UP: u8 = 0x10;
const ATTESTED: u8 = 0x40;

/// A device with one passkey, in a browser. A clone is a copy of the passkey.
#[derive(Clone)]
pub struct Device {
    pub key: Arc<EcdsaKeyPair>,
    pub id: Vec<u8>,
    /// The signature counter; 0 if the device does not count.
    pub count: u32,
    pub flags: u8,
    /// The origin of the page in the browser.
    pub origin: String,
    pub cross_origin: bool,
    /// The host that the passkey is for.
    pub host: String,
    /// The ceremony that the browser claims instead of the real one.
    pub kind: Option<String>,
    pub user_handle: Vec<u8>,
}

impl Device {
    pub fn new(id: u8) -> Self {
        let (random, kind) = (SystemRandom::new(), &ECDSA_P256_SHA256_ASN1_SIGNING);
        let key = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        Self {
            key: Arc::new(EcdsaKeyPair::from_pkcs8(kind, key.as_ref(), &random).unwrap()),
            id: vec![id; 16],
            count: 0,
            flags: PRESENT | VERIFIED | MAY_BACK_UP,
            origin: "http://localhost:8080".into(),
            cross_origin: false,
            host: "localhost".into(),
            kind: None,
            user_handle: Vec::new(),
        }
    }

    /// Creates the passkey that `options` ask for.
    pub fn create(&mut self, options: &Value) -> Value {
        let user = options["user"]["id"].as_str().unwrap();
        self.user_handle = URL_SAFE_NO_PAD.decode_to_vec(user).unwrap();
        let said = self.authenticator_data(ATTESTED);
        let mut made = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        made.extend(u16::try_from(said.len()).unwrap().to_be_bytes());
        made.extend(said);
        json!({
            "name": "phone",
            "client_data": text(&self.client_data("webauthn.create", options)),
            "attestation": text(&made),
        })
    }

    /// Signs the challenge in `options`.
    pub fn get(&mut self, options: &Value) -> Value {
        if self.count > 0 {
            self.count += 1;
        }
        let client_data = self.client_data("webauthn.get", options);
        let said = self.authenticator_data(0);
        let message = [&said[..], digest(&SHA256, &client_data).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &message).unwrap();
        json!({
            "id": text(&self.id),
            "client_data": text(&client_data),
            "authenticator_data": text(&said),
            "signature": text(signature.as_ref()),
            "user_handle": text(&self.user_handle),
        })
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let kind = self.kind.as_deref().unwrap_or(kind);
        let said = json!({
            "type": kind, "challenge": options["challenge"], "origin": self.origin,
            "crossOrigin": self.cross_origin, "a field": "that nobody knows",
        });
        said.to_string().into_bytes()
    }

    fn authenticator_data(&self, more: u8) -> Vec<u8> {
        let mut said = digest(&SHA256, self.host.as_bytes()).as_ref().to_vec();
        said.push(self.flags | more);
        said.extend(self.count.to_be_bytes());
        if more & ATTESTED != 0 {
            said.extend([0; 16]);
            said.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
            said.extend(&self.id);
            let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
            said.extend(b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20");
            said.extend(x);
            said.extend(b"\x22\x58\x20");
            said.extend(y);
        }
        said
    }
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode_to_string(bytes)
}
