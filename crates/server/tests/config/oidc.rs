//! What the section `[oidc]` accepts.

use super::{load, refused};

const ISSUER: (&str, &str) = ("RETOUCH_OIDC__ISSUER", "https://id.example.com/realms/main");
const CLIENT: (&str, &str) = ("RETOUCH_OIDC__CLIENT_ID", "retouch");
const SECRET: (&str, &str) = ("RETOUCH_OIDC__CLIENT_SECRET", "hunter22");

#[test]
fn without_an_issuer_nobody_vouches_for_people() {
    assert!(load(&[]).unwrap().oidc.is_none());
    assert!(load(&[CLIENT, SECRET]).unwrap().oidc.is_none());
}

#[test]
fn an_issuer_stays_as_it_is_written_and_needs_a_client() {
    let oidc = load(&[ISSUER, CLIENT, SECRET]).unwrap().oidc.unwrap();
    assert_eq!((oidc.issuer.as_str(), oidc.name.as_str()), (ISSUER.1, "id.example.com"));
    assert_eq!(oidc.scopes, ["email", "profile"]);
    let bare = ("RETOUCH_OIDC__ISSUER", "https://accounts.example.com");
    let oidc = load(&[bare, CLIENT]).unwrap().oidc.unwrap();
    assert_eq!(oidc.issuer, bare.1, "no slash is added");
    assert!(oidc.client_secret.is_none());
    assert!(refused(&[ISSUER]).contains("oidc.client_id: missing"));
    for (name, value, expected) in [
        ("RETOUCH_OIDC__ISSUER", "id.example.com", "expected an address"),
        ("RETOUCH_OIDC__SCOPES", "email,a b", "expected a scope"),
        ("RETOUCH_OIDC__NAME", "a name that is much too long for any button", "at most 40"),
    ] {
        let said = refused(&[ISSUER, CLIENT, (name, value)]);
        assert!(said.contains(expected), "{value}: {said}");
    }
}

#[test]
fn the_secret_is_not_shown() {
    let shown = format!("{:?}", load(&[ISSUER, CLIENT, SECRET]).unwrap());
    assert!(!shown.contains("hunter22"), "{shown}");
}
