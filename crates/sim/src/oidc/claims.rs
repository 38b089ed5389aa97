//! ID tokens, valid and invalid.

use ring::hmac;
use serde_json::{Value, json};

use super::CLIENT;
use super::keys::{self, text};
use super::state::{Grant, Known, Spoil};

/// How long a token is valid, in seconds.
const LIFE_S: i64 = 300;

/// The token for a code's grant, with the fault that the test asked for, if any.
pub(super) fn id_token(known: &mut Known, grant: &Grant, issuer: &str) -> String {
    let spoil = known.spoil.take_if(|spoil| *spoil != Spoil::OtherPerson);
    if spoil == Some(Spoil::Garbage) {
        return "not.a.token".into();
    }
    let mut claims = claims(known, grant, issuer);
    if let Some(spoil) = spoil {
        claims = misstated(claims, spoil);
    }
    let name = match spoil {
        Some(Spoil::Unsigned) => "none",
        Some(Spoil::SharedSecret) => "HS256",
        Some(Spoil::OtherKey) => "EdDSA",
        _ => known.keys.name(),
    };
    let header = json!({ "alg": name, "typ": "JWT", "kid": known.keys.kid });
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = match spoil {
        Some(Spoil::Unsigned) => Vec::new(),
        Some(Spoil::SharedSecret) => {
            let public = known.keys.shown()["keys"][0]["n"].as_str().unwrap_or_default().to_owned();
            let key = hmac::Key::new(hmac::HMAC_SHA256, public.as_bytes());
            hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
        }
        Some(Spoil::OtherKey) => keys::forge(signed.as_bytes()),
        _ => known.keys.sign(signed.as_bytes()).unwrap_or_default(),
    };
    if spoil == Some(Spoil::Changed) {
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

fn misstated(mut claims: Value, spoil: Spoil) -> Value {
    let (field, value) = match spoil {
        Spoil::WrongNonce => ("nonce", json!("another")),
        Spoil::NoNonce => ("nonce", Value::Null),
        Spoil::WrongAudience => ("aud", json!("somebody-else")),
        Spoil::SeveralAudiences => ("aud", json!([CLIENT, "somebody-else"])),
        Spoil::WrongParty => ("azp", json!("somebody-else")),
        Spoil::WrongIssuer => ("iss", json!("https://evil.example")),
        Spoil::Expired => ("exp", json!(claims["iat"].as_i64().unwrap_or(0) - 3_600)),
        Spoil::Early => ("iat", json!(claims["iat"].as_i64().unwrap_or(0) + 3_600)),
        Spoil::NoSubject => ("sub", json!("")),
        _ => return claims,
    };
    claims[field] = value;
    claims
}

fn part(value: &Value) -> String {
    text(value.to_string().as_bytes())
}
