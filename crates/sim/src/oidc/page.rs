//! The sign-in page, from which users return with a code.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use http::{StatusCode, header};

use super::state::Grant;
use super::{CLIENT, Shared, issuer};
use crate::arrived::{Arrived, Content};

/// How long a code can be exchanged, in seconds.
const CODE_S: i64 = 60;
/// Number of characters of a SHA-256 in base64 without padding.
const CHALLENGE_CHARS: usize = 43;
/// The allowed parameters.
const KNOWN: [&str; 10] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "prompt",
    "max_age",
];

/// A valid request.
struct Asked {
    redirect_uri: String,
    state: String,
    nonce: String,
    challenge: String,
    anew: bool,
}

/// `GET /authorize`.
pub(super) async fn show(State(shared): State<Shared>, arrived: Arrived) -> Response {
    if let Err(wrong) = asked(&arrived) {
        return refused(wrong);
    }
    let person = shared.provider.lock().person.clone();
    let who = person.email.unwrap_or(person.sub);
    let who = who.replace('&', "&amp;").replace('<', "&lt;");
    Html(format!(
        "<!doctype html><html lang=en><title>Sign in</title><h1>Sign in to {CLIENT}</h1>\
         <form method=post><button>Continue as {who}</button>\
         <button name=deny value=1>Go back</button></form>"
    ))
    .into_response()
}

/// `POST /authorize`: the user agrees or declines, and returns.
pub(super) async fn consent(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let asked = match asked(&arrived) {
        Ok(asked) => asked,
        Err(wrong) => return refused(wrong),
    };
    let answer = if matches!(&arrived.content, Content::Other(body) if body.starts_with(b"deny")) {
        ("error", "access_denied".to_owned())
    } else {
        ("code", code(&shared, &asked))
    };
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair(answer.0, &answer.1);
    query.append_pair("state", &asked.state).append_pair("iss", &issuer(&arrived));
    let place = format!("{}?{}", asked.redirect_uri, query.finish());
    (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response()
}

fn code(shared: &Shared, asked: &Asked) -> String {
    let code = format!("code-{}", shared.world.number());
    let mut known = shared.provider.lock();
    let mut person = known.person.clone();
    if asked.anew {
        person.signed_in_s_ago = person.signed_in_s_ago.map(|_| 0);
    }
    let grant = Grant {
        person,
        redirect_uri: asked.redirect_uri.clone(),
        nonce: asked.nonce.clone(),
        challenge: asked.challenge.clone(),
        expires_s: known.now_s() + CODE_S,
    };
    known.codes.insert(code.clone(), grant);
    code
}

fn asked(arrived: &Arrived) -> Result<Asked, &'static str> {
    let mut fields = BTreeMap::new();
    for (name, value) in &arrived.query {
        if !KNOWN.contains(&name.as_str()) {
            return Err("unknown parameter");
        }
        if fields.insert(name.as_str(), value.as_str()).is_some() {
            return Err("duplicate parameter");
        }
    }
    let field = |name: &str| fields.get(name).copied().unwrap_or_default();
    let redirect_uri = field("redirect_uri");
    let is_address = redirect_uri.starts_with("http://") || redirect_uri.starts_with("https://");
    let checks = [
        (field("response_type") == "code", "response_type is not code"),
        (field("client_id") == CLIENT, "unknown client_id"),
        (is_address && !redirect_uri.contains(['#', '?']), "redirect_uri is not a URL"),
        (field("scope").split(' ').any(|one| one == "openid"), "scope does not include openid"),
        (!field("state").is_empty(), "state is missing"),
        (!field("nonce").is_empty(), "nonce is missing"),
        (field("code_challenge_method") == "S256", "code_challenge_method is not S256"),
        (field("code_challenge").len() == CHALLENGE_CHARS, "code_challenge is not a SHA-256 hash"),
    ];
    if let Some((_, wrong)) = checks.into_iter().find(|(holds, _)| !holds) {
        return Err(wrong);
    }
    Ok(Asked {
        redirect_uri: redirect_uri.to_owned(),
        state: field("state").to_owned(),
        nonce: field("nonce").to_owned(),
        challenge: field("code_challenge").to_owned(),
        anew: field("prompt") == "login" || field("max_age") == "0",
    })
}

/// Shows an error. Users are not redirected if the request is invalid.
fn refused(wrong: &str) -> Response {
    (StatusCode::BAD_REQUEST, format!("invalid_request: {wrong}")).into_response()
}
