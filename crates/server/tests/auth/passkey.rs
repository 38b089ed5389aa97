//! The test vectors of Web Authentication Level 3, section 16, checked as the service checks
//! passkeys.
//!
//! Section 16 covers devices that never verify their user and algorithms that the service does not
//! ask for. Those must be refused, for that reason and no other.

#[path = "passkey/vectors.rs"]
mod vectors;

use base64_simd::URL_SAFE_NO_PAD;
use retouch_server::auth::passkey::{Ceremony, Distrust, Made, RelyingParty, Said, Signed};
use vectors::{Vector, relying_party};

/// The offset of the flags in the authenticator data, in bytes.
const FLAGS_AT: usize = 32;
const USER_VERIFIED: u8 = 0x04;
const MAY_BACK_UP: u8 = 0x08;

/// The expected results for a vector: its creation and its use.
struct Verdict {
    created: Result<(), Distrust>,
    used: Result<(), Distrust>,
    /// Whether the pages that asked belong to the service and are not embedded in another origin's
    /// page.
    pages: [Result<(), Distrust>; 2],
}

/// All vectors of the section with the results that the service's rules require, in the section's
/// order.
fn verdicts() -> Vec<(&'static str, Verdict)> {
    let (ours, foreign) = ([Ok(()); 2], [Err(Distrust::Origin); 2]);
    let (unverified, algorithm) = (Err(Distrust::Unverified), Err(Distrust::Algorithm));
    let row = |name, created, used, pages| (name, Verdict { created, used, pages });
    vec![
        row("none-es256", unverified, unverified, ours),
        row("packed-self-es256", Ok(()), unverified, ours),
        row("none-es256-crossOrigin", Ok(()), Ok(()), foreign),
        row("none-es256-topOrigin", unverified, Ok(()), foreign),
        row("none-es256-long-credential-id", unverified, Ok(()), ours),
        row("packed-es256", Ok(()), Ok(()), ours),
        row("packed-es384", unverified, algorithm, ours),
        row("packed-es512", algorithm, algorithm, ours),
        row("packed-rs256", Ok(()), unverified, ours),
        row("packed-eddsa", unverified, unverified, ours),
        row("packed-ed448", unverified, algorithm, ours),
        row("tpm-es256", Ok(()), Ok(()), ours),
        row("android-key-es256", Ok(()), unverified, ours),
        row("apple-es256", unverified, unverified, ours),
        row("fido-u2f-es256", unverified, unverified, ours),
    ]
}

/// What a device signed, the signature, and the matching key. Tests may change each of them.
#[derive(Clone)]
struct Used {
    client_data: Vec<u8>,
    authenticator_data: Vec<u8>,
    signature: Vec<u8>,
    key: Vec<u8>,
}

impl Used {
    fn of(vector: &Vector, made: &Made) -> Self {
        Self {
            client_data: vector.part("get.client_data").to_vec(),
            authenticator_data: vector.part("get.authenticator_data").to_vec(),
            signature: vector.part("get.signature").to_vec(),
            key: made.public_key.clone(),
        }
    }

    fn by(&self, party: &RelyingParty, may_back_up: bool) -> Result<Said, Distrust> {
        let signed = Signed {
            client_data: &self.client_data,
            authenticator_data: &self.authenticator_data,
            signature: &self.signature,
        };
        party.said(&signed, &self.key, may_back_up)
    }

    fn parts(&mut self) -> [(&'static str, &mut Vec<u8>); 4] {
        [
            ("client data", &mut self.client_data),
            ("authenticator data", &mut self.authenticator_data),
            ("signature", &mut self.signature),
            ("key", &mut self.key),
        ]
    }
}

/// The offset of the authenticator data in the attestation object, in bytes. The data starts with
/// the hash of the relying party's host.
fn authenticator_data_at(vector: &Vector) -> usize {
    let hash = &vector.part("get.authenticator_data")[..FLAGS_AT];
    vector.part("create.attestation").windows(FLAGS_AT).position(|it| it == hash).unwrap()
}

/// The attestation object, changed to say that the device verified its user. Attestation statements
/// are not checked, so a test can make that claim for the device.
fn verified_attestation(vector: &Vector) -> Vec<u8> {
    let mut attestation = vector.part("create.attestation").to_vec();
    attestation[authenticator_data_at(vector) + FLAGS_AT] |= USER_VERIFIED;
    attestation
}

/// The vectors whose keys the service can read, each with its credential and its use.
fn readable() -> Vec<(Vector, Made, Used)> {
    let read = |vector: Vector| {
        let made = relying_party().made(&verified_attestation(&vector)).ok()?;
        let used = Used::of(&vector, &made);
        Some((vector, made, used))
    };
    vectors::all().into_iter().filter_map(read).collect()
}

#[test]
fn every_vector_is_accepted_or_refused_for_the_right_reason() {
    let (vectors, verdicts) = (vectors::all(), verdicts());
    let listed: Vec<_> = vectors.iter().map(|it| it.name).collect();
    assert_eq!(listed, verdicts.iter().map(|it| it.0).collect::<Vec<_>>());
    for (vector, (name, verdict)) in vectors.iter().zip(verdicts) {
        let attestation = vector.part("create.attestation");
        let created = relying_party().made(attestation).map(drop);
        assert_eq!(created, verdict.created, "{name}: creation");
        match relying_party().made(&verified_attestation(vector)) {
            Ok(made) => {
                assert_eq!(made.id, vector.part("create.id"), "{name}");
                let flags = attestation[authenticator_data_at(vector) + FLAGS_AT];
                let may_back_up = flags & MAY_BACK_UP != 0;
                assert_eq!((made.may_back_up, made.sign_count), (may_back_up, 0), "{name}");
                let used = Used::of(vector, &made).by(&relying_party(), may_back_up);
                assert_eq!(used.map(drop), verdict.used, "{name}: use");
            }
            // Without a readable key, no use of it can be checked.
            Err(refused) => assert_eq!(Err(refused), verdict.used, "{name}: use"),
        }
    }
}

#[test]
fn the_challenge_is_read_from_client_data_of_our_own_pages() {
    let party = relying_party();
    for (vector, (name, verdict)) in vectors::all().iter().zip(verdicts()) {
        let kinds =
            [("create", Ceremony::Create, Ceremony::Get), ("get", Ceremony::Get, Ceremony::Create)];
        for ((what, asked, other), page) in kinds.into_iter().zip(verdict.pages) {
            let client_data = vector.part(&format!("{what}.client_data"));
            let challenge = vector.part(&format!("{what}.challenge"));
            let expected = page.map(|()| URL_SAFE_NO_PAD.encode_to_string(challenge));
            assert_eq!(party.challenge(client_data, asked), expected, "{name}: {what}");
            let mistaken = party.challenge(client_data, other);
            assert_eq!(mistaken, Err(Distrust::Ceremony), "{name}: {what}");
        }
    }
}

#[test]
fn a_passkey_for_another_host_is_refused() {
    for address in ["https://example.com", "https://www.example.org"] {
        let party = RelyingParty::of(&address.parse().unwrap()).unwrap();
        for (vector, made, used) in readable() {
            let created = party.made(vector.part("create.attestation"));
            assert_eq!(created, Err(Distrust::RelyingParty), "{}", vector.name);
            let used = used.by(&party, made.may_back_up);
            assert_eq!(used, Err(Distrust::RelyingParty), "{}", vector.name);
            let page = party.challenge(vector.part("get.client_data"), Ceremony::Get);
            assert_eq!(page, Err(Distrust::Origin), "{}", vector.name);
        }
    }
}

/// Changes every byte of everything that is signed, of the signature and of the key, one at a time.
#[test]
fn a_vector_with_one_byte_changed_anywhere_is_refused() {
    let (party, mut changes) = (relying_party(), 0);
    for (vector, made, right) in readable() {
        // A device that did not verify its user is refused only after everything else was correct.
        let seen = right.by(&party, made.may_back_up).map(drop);
        assert!(matches!(seen, Ok(()) | Err(Distrust::Unverified)), "{}", vector.name);
        let lengths = right.clone().parts().map(|(_, bytes)| bytes.len());
        let places = (0..4).flat_map(|part| (0..lengths[part]).map(move |at| (part, at)));
        for (part, at) in places {
            for bit in [0x01, 0x80] {
                let mut spoilt = right.clone();
                let (what, bytes) = spoilt.parts().into_iter().nth(part).unwrap();
                bytes[at] ^= bit;
                let seen = spoilt.by(&party, made.may_back_up).map(drop);
                let place = format!("{}: byte {at} of {what}: {seen:?}", vector.name);
                let unreadable = matches!(seen, Err(Distrust::Malformed | Distrust::Algorithm));
                let refused = seen == Err(Distrust::Signature) || what == "key" && unreadable;
                assert!(refused, "{place}");
                changes += 1;
            }
        }
    }
    assert!(changes > 5_000, "{changes}");
}

/// A creation is not covered by any signature that the service checks. A change may pass, but never
/// with another key that matches the device's signature, another host or an unverified user.
#[test]
fn an_attestation_with_one_byte_changed_brings_no_other_key_that_fits() {
    let party = relying_party();
    for (vector, made, used) in readable() {
        let attestation = verified_attestation(&vector);
        let data_at = authenticator_data_at(&vector);
        for at in 0..attestation.len() {
            let mut spoilt = attestation.clone();
            spoilt[at] ^= 0x01;
            let place = format!("{}: byte {at}", vector.name);
            let seen = party.made(&spoilt);
            if (data_at..data_at + FLAGS_AT).contains(&at) {
                assert_eq!(seen, Err(Distrust::RelyingParty), "{place}");
            } else if at == data_at + FLAGS_AT {
                assert_eq!(seen, Err(Distrust::Unverified), "{place}");
            } else if let Ok(other) = seen
                && other.public_key != made.public_key
            {
                let used = Used { key: other.public_key, ..used.clone() };
                let seen = used.by(&party, made.may_back_up);
                assert_eq!(seen, Err(Distrust::Signature), "{place}");
            }
        }
        for length in 0..attestation.len() {
            let cut = party.made(&attestation[..length]);
            assert_eq!(cut, Err(Distrust::Malformed), "{}: {length} bytes", vector.name);
        }
    }
}

#[test]
fn what_a_device_says_of_copies_must_not_change() {
    for (vector, made, used) in readable() {
        if used.by(&relying_party(), made.may_back_up).is_ok() {
            let seen = used.by(&relying_party(), !made.may_back_up);
            assert_eq!(seen, Err(Distrust::Backup), "{}", vector.name);
        }
    }
}

#[test]
fn client_data_is_an_object_in_utf_8_that_says_everything_once() {
    let pages: [&[u8]; 5] = [
        br#"["webauthn.get","AA","https://example.org",false,null]"#,
        br#"{"type":"webauthn.get","challenge":"AA","challenge":"AA","origin":"https://example.org"}"#,
        br#"{"type":"webauthn.get","challenge":"AA"}"#,
        b"{\"type\":\"webauthn.get\",\"challenge\":\"AA\",\"origin\":\"https://example.org\",\"x\":\"\xff\"}",
        b"",
    ];
    for page in pages {
        let seen = relying_party().challenge(page, Ceremony::Get);
        assert_eq!(seen, Err(Distrust::Malformed), "{}", page.escape_ascii());
    }
}
