//! The exchange of codes, and the userinfo endpoint.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64_simd::{STANDARD, URL_SAFE_NO_PAD};
use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::state::{Known, TokenFault};
use super::{CLIENT, NAME, Shared, claims, failed, issuer, trouble};
use crate::arrived::{Arrived, Content};
use crate::fault::Call;
use crate::world::{Turn, World};

/// The status, the name and the description of an error.
type Wrong = (StatusCode, &'static str, &'static str);

/// `POST /token`.
pub(super) async fn exchange(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let fields = match fields(&arrived) {
        Ok(fields) => fields,
        Err((status, error, description)) => return trouble(status, error, description),
    };
    if !is_client(&shared.world, &arrived, &fields) {
        let what = "client authentication failed";
        return trouble(StatusCode::UNAUTHORIZED, "invalid_client", what);
    }
    let access_token = format!("access-{}", shared.world.number());
    let answer = |fault: Option<_>| {
        if let Some(fault) = fault {
            return failed(fault);
        }
        let mut known = shared.provider.lock();
        match granted(&mut known, &fields, (&access_token, &issuer(&arrived))) {
            Ok(answer) => Json(answer).into_response(),
            Err((status, error, description)) => trouble(status, error, description),
        }
    };
    shared.world.answer(Turn { provider: NAME, call: Call::Submit, prompt: "" }, answer).await
}

/// `GET /userinfo`.
pub(super) async fn userinfo(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let answer = |fault: Option<_>| {
        if let Some(fault) = fault {
            return failed(fault);
        }
        let mut known = shared.provider.lock();
        let token = arrived.authorization("Bearer").unwrap_or_default();
        let Some(person) = known.tokens.get(token).cloned() else {
            return trouble(StatusCode::UNAUTHORIZED, "invalid_token", "no such token");
        };
        let other = known.token_fault.take_if(|fault| *fault == TokenFault::OtherPerson);
        let sub = if other.is_some() { "somebody-else".to_owned() } else { person.sub };
        let said = json!({
            "sub": sub, "email": person.email, "email_verified": person.email_verified,
        });
        Json(said).into_response()
    };
    shared.world.answer(Turn { provider: NAME, call: Call::Result, prompt: "" }, answer).await
}

fn granted(
    known: &mut Known,
    fields: &BTreeMap<String, String>,
    (access_token, issuer): (&str, &str),
) -> Result<Value, Wrong> {
    let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let wrong = |what| (StatusCode::BAD_REQUEST, "invalid_grant", what);
    if field("grant_type") != "authorization_code" {
        return Err((
            StatusCode::BAD_REQUEST,
            "unsupported_grant_type",
            "grant_type is not authorization_code",
        ));
    }
    // Whatever the outcome, the code cannot be used again.
    let grant = known.codes.remove(field("code"));
    let grant = grant.ok_or(wrong("the code is unknown or has been used"))?;
    if grant.expires_s <= known.now_s() {
        return Err(wrong("the code has expired"));
    }
    if field("redirect_uri") != grant.redirect_uri {
        return Err(wrong("redirect_uri does not match"));
    }
    let verifier = field("code_verifier");
    let challenge = URL_SAFE_NO_PAD.encode_to_string(Sha256::digest(verifier));
    if !(43..=128).contains(&verifier.len()) || challenge != grant.challenge {
        return Err(wrong("code_verifier does not match"));
    }
    let id_token = claims::id_token(known, &grant, issuer);
    known.tokens.insert(access_token.to_owned(), grant.person);
    Ok(json!({
        "access_token": access_token, "token_type": "Bearer", "expires_in": 300,
        "id_token": id_token, "scope": "openid email",
    }))
}

fn fields(arrived: &Arrived) -> Result<BTreeMap<String, String>, Wrong> {
    let wrong = |what| (StatusCode::BAD_REQUEST, "invalid_request", what);
    let Content::Other(body) = &arrived.content else {
        return Err(wrong("the body is not a form"));
    };
    let kind = arrived.header("content-type").unwrap_or_default();
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return Err(wrong("the body is not a form"));
    }
    let mut fields = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(body).into_owned() {
        if fields.insert(name, value).is_some() {
            return Err(wrong("duplicate parameter"));
        }
    }
    Ok(fields)
}

/// Whether the client authenticates in the header or in the form, but not in both (RFC 6749, 2.3).
fn is_client(world: &World, arrived: &Arrived, fields: &BTreeMap<String, String>) -> bool {
    let in_form = fields.get("client_secret");
    let is_known = |id: &str, secret: &str| id == CLIENT && world.knows_key(secret);
    match (arrived.authorization("Basic"), in_form) {
        (Some(pair), None) => {
            let pair = STANDARD.decode_to_vec(pair).ok().and_then(|it| String::from_utf8(it).ok());
            let pair = pair.unwrap_or_default();
            let (id, secret) = pair.split_once(':').unwrap_or_default();
            is_known(&decoded(id), &decoded(secret))
        }
        (None, Some(secret)) => fields.get("client_id").is_some_and(|id| is_known(id, secret)),
        _ => false,
    }
}

/// Decodes the client ID or the secret, which were form-encoded before they were joined.
fn decoded(half: &str) -> String {
    let encoded = format!("it={half}");
    let found = form_urlencoded::parse(encoded.as_bytes()).next();
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}
