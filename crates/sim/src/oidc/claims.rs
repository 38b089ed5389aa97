//! ID tokens, valid and invalid.

use ring::hmac;
use serde_json::{Value, json};

use super::CLIENT;
use super::keys::{self, text};
use super::state::{Grant, Known, TokenFault};

/// How long a token is valid, in seconds.
const LIFE_S: i64 = 300;

/// The token for a code's grant, with the fault that the test asked for, if any.
pub(super) fn id_token(known: &mut Known, grant: &Grant, issuer: &str) -> String {
    let fault = known.token_fault.take_if(|fault| *fault != TokenFault::OtherPerson);
    if fault == Some(TokenFault::Garbage) {
        return "not.a.token".into();
    }
    let mut claims = claims(known, grant, issuer);
    if let Some(fault) = fault {
        claims = misstated(claims, fault);
    }
    let name = match fault {
        Some(TokenFault::Unsigned) => "none",
        Some(TokenFault::SharedSecret) => "HS256",
        Some(TokenFault::OtherKey) => "EdDSA",
        _ => known.keys.name(),
    };
    let header = json!({ "alg": name, "typ": "JWT", "kid": known.keys.kid });
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = match fault {
        Some(TokenFault::Unsigned) => Vec::new(),
        Some(TokenFault::SharedSecret) => {
            let public = known.keys.shown()["keys"][0]["n"].as_str().unwrap_or_default().to_owned();
            let key = hmac::Key::new(hmac::HMAC_SHA256, public.as_bytes());
            hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
        }
        Some(TokenFault::OtherKey) => keys::forge(signed.as_bytes()),
        _ => known.keys.sign(signed.as_bytes()).unwrap_or_default(),
    };
    if fault == Some(TokenFault::Changed) {
        claims["sub"] = json!("somebody-else");
        return format!("{}.{}.{}", part(&header), part(&claims), text(&signature));
    }
    format!("{signed}.{}", text(&signature))
}

fn claims(known: &Known, grant: &Grant, issuer: &str) -> Value {
    let (person, now) = (&grant.person, known.now_s());
    let mut claims = json!({
        "iss": issuer, "sub": person.sub, "aud": CLIENT, "nonce": grant.nonce,
        "iat": now, "exp": now + LIFE_S,
    });
    if let Some(ago) = person.signed_in_s_ago {
        claims["auth_time"] = json!(now - ago);
    }
    if !person.email_on_request {
        claims["email"] = json!(person.email);
        if let Some(verified) = person.email_verified {
            claims["email_verified"] = json!(verified);
        }
    }
    claims
}

fn misstated(mut claims: Value, fault: TokenFault) -> Value {
    let (field, value) = match fault {
        TokenFault::WrongNonce => ("nonce", json!("another")),
        TokenFault::NoNonce => ("nonce", Value::Null),
        TokenFault::WrongAudience => ("aud", json!("somebody-else")),
        TokenFault::SeveralAudiences => ("aud", json!([CLIENT, "somebody-else"])),
        TokenFault::WrongParty => ("azp", json!("somebody-else")),
        TokenFault::WrongIssuer => ("iss", json!("https://evil.example")),
        TokenFault::Expired => ("exp", json!(claims["iat"].as_i64().unwrap_or(0) - 3_600)),
        TokenFault::Early => ("iat", json!(claims["iat"].as_i64().unwrap_or(0) + 3_600)),
        TokenFault::NoSubject => ("sub", json!("")),
        _ => return claims,
    };
    claims[field] = value;
    claims
}

fn part(value: &Value) -> String {
    text(value.to_string().as_bytes())
}
