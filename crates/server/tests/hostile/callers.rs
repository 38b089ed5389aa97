//! Tricks with credentials, with idempotency keys and with cursors.

use crate::http;
use crate::row::{Row, Sender, Wanted};

pub(crate) fn rows(sender: &Sender) -> Vec<Row> {
    let mut rows = proofs(sender);
    rows.extend(idempotency(sender));
    rows.extend(lists(sender));
    rows.extend(sign_in());
    rows
}

fn edit(headers: &[String], body: &str) -> Vec<u8> {
    http::request("POST /api/image-edit", headers, Some(body.as_bytes()))
}

/// An edit that would succeed if the service accepted its caller.
fn good(sender: &Sender) -> String {
    format!("{{\"instruction\":\"sepia\",\"imageBase64\":\"{}\"}}", sender.picture)
}

fn proofs(sender: &Sender) -> Vec<Row> {
    let key = sender.key.as_str();
    let mut mistyped = key.to_owned();
    let last = if mistyped.pop() == Some('0') { '1' } else { '0' };
    mistyped.push(last);
    let authorization = |value: &str| vec![format!("Authorization: {value}")];
    let bearer = http::bearer;
    let refused = [
        vec![],
        authorization(""),
        authorization("Bearer"),
        authorization("Bearer "),
        authorization(key),
        authorization(&format!("Basic {key}")),
        authorization(&format!("Bearer{key}")),
        authorization(&format!("Bearer {key} {key}")),
        authorization(&format!("Bearer {key},{key}")),
        authorization(&format!("Bearer \"{key}\"")),
        authorization(&format!("Bearer {}", key.to_uppercase())),
        authorization(&format!("Bearer {mistyped}")),
        authorization(&format!("Bearer {}", &key[..key.len() - 1])),
        authorization("Bearer retouch_"),
        authorization("Bearer null"),
        authorization("Bearer ' OR '1'='1"),
        authorization(&format!("Bearer {}", "k".repeat(50_000))),
        authorization("Bearer \u{e9}\u{e9}"),
        vec![bearer(key), bearer(key)],
        vec![bearer(key), bearer(&mistyped)],
        vec![bearer(&mistyped), bearer(key)],
        vec![bearer(key), "Authorization: Basic YTpi".to_owned()],
        vec![format!("X-Api-Key: {key}")],
        vec![format!("Cookie: retouch_session={key}")],
        vec!["Cookie: retouch_session=".to_owned()],
        vec!["Cookie: retouch_session=' OR 1=1".to_owned()],
        vec![format!("Cookie: {}", "a=b; ".repeat(10_000))],
        vec![format!("Cookie: retouch_session={}", "A".repeat(43))],
    ];
    let row = |headers: &Vec<String>| {
        let name = format!("caller {:.60}", headers.join(" | ").replace(key, "KEY"));
        Row::raw(name, edit(headers, &good(sender)), Wanted::Error(401, "unauthenticated"))
    };
    let mut rows: Vec<Row> = refused.iter().map(row).collect();
    let by_query = http::request(&format!("GET /api/credits?api_key={key}"), &[], None);
    rows.push(Row::raw("key in the query", by_query, Wanted::Error(401, "unauthenticated")));
    rows.push(sender.get("GET /api/keys", 403, "session_required"));
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""]
    {
        let headers = [http::bearer(key), format!("Content-Type: {content_type}")];
        let bytes = http::request("POST /api/image-edit", &headers, None);
        let wanted = Wanted::Error(415, "unsupported_media_type");
        rows.push(Row::raw(format!("content type {content_type:?}"), bytes, wanted));
    }
    rows
}

fn idempotency(sender: &Sender) -> Vec<Row> {
    let long = "k".repeat(256);
    let names = ["", " ", "a b", &long, "caf\u{e9}", "a\tb", "\u{1f5bc}"];
    let row = |lines: Vec<String>| {
        let name = format!("{:.60}", lines.join(" | "));
        let headers = [vec![http::bearer(&sender.key)], lines].concat();
        let bytes = edit(&headers, &good(sender));
        Row::raw(name, bytes, Wanted::Error(400, "invalid_idempotency_key"))
    };
    let line = |name: &str| format!("Idempotency-Key: {name}");
    let mut rows: Vec<Row> = names.iter().map(|name| row(vec![line(name)])).collect();
    rows.push(row(vec![line("a"), line("a")]));
    rows.push(row(vec![line("a"), line("b")]));
    rows
}

fn lists(sender: &Sender) -> Vec<Row> {
    let long = "A".repeat(50_000);
    let mut rows = Vec::new();
    for list in ["/api/generations", "/api/credits/entries"] {
        for cursor in ["a", "%00", "%ff", "'%20OR%201=1--", "-1", "AAAAAAAA", "e30%3D", &long] {
            let line = format!("GET {list}?cursor={cursor}");
            rows.push(sender.get(&line, 400, "invalid_cursor"));
        }
        for limit in ["0", "-1", "101", "1e2", "1.5", "abc", "", "%00", "99999999999999999999"] {
            rows.push(sender.get(&format!("GET {list}?limit={limit}"), 400, "invalid_value"));
        }
    }
    rows
}

fn sign_in() -> Vec<Row> {
    let row = |body: &str, wanted| {
        let bytes = http::request("POST /api/auth/sign-in", &[], Some(body.as_bytes()));
        Row::raw(format!("sign in {body:.60}"), bytes, wanted)
    };
    let invalid = |code| Wanted::Error(400, code);
    let large = format!("{{\"email\":\"a@example.com\",\"password\":\"{}\"}}", "p".repeat(70_000));
    vec![
        row("{}", invalid("missing_field")),
        row("[]", invalid("invalid_json")),
        row("{\"email\":7,\"password\":\"correct horse\"}", invalid("invalid_type")),
        row("{\"email\":\"' OR 1=1 --\",\"password\":\"correct horse\"}", invalid("invalid_email")),
        row(
            "{\"email\":\"a@b\\u0000.c\",\"password\":\"correct horse\"}",
            invalid("invalid_email"),
        ),
        row(
            "{\"email\":\"payer@example.com\",\"password\":\"incorrect horse\"}",
            Wanted::Error(401, "invalid_credentials"),
        ),
        row(&large, Wanted::Error(413, "body_too_large")),
    ]
}
