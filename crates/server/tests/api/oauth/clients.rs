//! How programs say who they are: by registration, or by a document at their client ID.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::Path;
use axum::http::header;
use axum::response::Redirect;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::{CALLBACK, Tokens, decide, is_refused, led_to, param, query, redeem};
use crate::support::TestApp;

const LOOPBACK: (&str, &str) = ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8");

#[tokio::test]
async fn a_program_registers_as_a_public_client_whatever_it_asks_for() {
    let app = TestApp::new().await;
    let asked = json!({
        "client_name": "Claude",
        "redirect_uris": [CALLBACK, "cursor://callback", "http://localhost:7/cb"],
        "token_endpoint_auth_method": "client_secret_post",
        "grant_types": ["authorization_code", "refresh_token", "implicit"],
        "logo_uri": "https://claude.example/logo.png", "scope": "openid",
    });
    let answer = app.anon().post("/oauth/register", &asked).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let body = answer.json();
    assert_eq!(body["token_endpoint_auth_method"], "none");
    assert_eq!(body["grant_types"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(body["redirect_uris"], json!([CALLBACK, "http://localhost:7/cb"]));
    assert_eq!((&body["client_name"], &body["scope"]), (&json!("Claude"), &json!("edit read")));
    assert!(body.get("client_secret").is_none() && body.get("logo_uri").is_none());
    let nameless = json!({ "redirect_uris": [CALLBACK] });
    let body = app.anon().post("/oauth/register", &nameless).await.ok();
    assert!(body.get("client_name").is_none(), "{body}");
    app.check().await;
}

#[tokio::test]
async fn a_registration_that_cannot_be_used_is_refused() {
    let app = TestApp::new().await;
    let register = async |body: &Value| app.anon().post("/oauth/register", body).await;
    for uris in [json!([]), json!(["cursor://x"]), json!(["http://evil.example/"]), json!(["x"])] {
        let answer = register(&json!({ "redirect_uris": uris })).await;
        assert!(is_refused(&answer, "invalid_redirect_uri").contains("https"), "{uris}");
    }
    let many: Vec<String> = (0..100).map(|n| format!("https://a.example/{n}")).collect();
    for body in [
        json!({}),
        json!([]),
        json!({ "redirect_uris": CALLBACK }),
        json!({ "redirect_uris": [7] }),
        json!({ "redirect_uris": [CALLBACK], "client_name": 7 }),
        json!({ "redirect_uris": [CALLBACK], "client_name": "x".repeat(2_000) }),
        json!({ "redirect_uris": many }),
    ] {
        is_refused(&register(&body).await, "invalid_client_metadata");
    }
    let large = json!({ "redirect_uris": [CALLBACK], "x": "x".repeat(70_000) });
    assert_eq!(register(&large).await.status, 413);
    app.check().await;
}

#[tokio::test]
async fn what_a_program_calls_itself_is_shown_as_text() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let name = "<script>alert(1)</script>\u{202e}\n";
    let body = json!({ "client_name": name, "redirect_uris": ["http://127.0.0.1:1/cb"] });
    let registered = app.anon().post("/oauth/register", &body).await.ok();
    let client = registered["client_id"].as_str().unwrap();
    let query = query(client, &[("redirect_uri", "http://127.0.0.1:5005/cb")]);
    let page = ada.get(&format!("/oauth/authorize?{query}")).await.text();
    assert!(page.contains("&lt;script&gt;") || page.contains("&#60;script&#62;"), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains('\u{202e}'));
    assert!(page.contains("a program on this device"), "{page}");
    let led = led_to(&decide(&ada, &query, &[]).await);
    assert_eq!(led.port(), Some(5005), "the port is chosen when the program starts");
    app.check().await;
}

/// A site of programs, with documents and other things at their addresses.
async fn site() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let described = move |path: &str, name: &str| {
        let id = format!("http://{address}{path}");
        json!({ "client_id": id, "client_name": name, "redirect_uris": [CALLBACK] })
    };
    let document = |body: Value| get(move || async move { Json(body) });
    let large = json!({ "x": "x".repeat(20_000), "redirect_uris": [CALLBACK] });
    let router = Router::new()
        .route("/good.json", document(described("/good.json", "Claude")))
        .route("/other.json", document(described("/good.json", "Claude")))
        .route("/large.json", document(large))
        .route("/moved.json", get(|| async { Redirect::temporary("/good.json") }))
        .route("/page", get(|| async { ([(header::CONTENT_TYPE, "text/html")], "<p>") }));
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    address
}

#[tokio::test]
async fn a_program_is_known_by_the_document_at_its_client_id() {
    let app = TestApp::with(&[LOOPBACK]).await;
    let (ada, site) = (app.member("ada@example.com").await, site().await);
    let client = format!("http://{site}/good.json");
    let request = query(&client, &[]);
    let page = ada.get(&format!("/oauth/authorize?{request}")).await.text();
    assert!(page.contains("Connect Claude?") && page.contains("The name comes from 127.0.0.1"));
    let led = led_to(&decide(&ada, &request, &[]).await);
    let code = param(&led, "code").unwrap();
    Tokens::of(&redeem(&app, (&client, &code), &[]).await);
    for path in [
        "/other.json",
        "/large.json",
        "/moved.json",
        "/page",
        "/none",
        "/",
        "/good.json?x",
        "/good.json#x",
    ] {
        let request = query(&format!("http://{site}{path}"), &[]);
        let answer = ada.get(&format!("/oauth/authorize?{request}")).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text());
        assert_eq!(answer.header("location"), None);
    }
    let elsewhere = query(&client, &[("redirect_uri", "https://evil.example/")]);
    assert_eq!(ada.get(&format!("/oauth/authorize?{elsewhere}")).await.status, 400);
    app.check().await;
}

/// A site that counts how often its documents are read. `/CACHE-CONTROL` is the document of a program
/// whose server sends that.
async fn counting_site() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&reads);
    let document = async move |Path(policy): Path<String>| {
        counted.fetch_add(1, Ordering::SeqCst);
        let id = format!("http://{address}/{policy}");
        let body = json!({ "client_id": id, "redirect_uris": [CALLBACK] });
        ([(header::CACHE_CONTROL, policy)], Json(body))
    };
    let router = Router::new().route("/{policy}", get(document));
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    (address, reads)
}

#[tokio::test]
async fn a_document_is_kept_for_as_long_as_its_server_says_but_for_a_day_at_most() {
    let app = TestApp::with(&[LOOPBACK]).await;
    let ada = app.member("ada@example.com").await;
    let (site, reads) = counting_site().await;
    let show = async |policy: &str| {
        let request = query(&format!("http://{site}/{policy}"), &[]);
        let page = ada.get(&format!("/oauth/authorize?{request}")).await;
        assert_eq!(page.status, 200, "{}", page.text());
        reads.load(Ordering::SeqCst)
    };
    assert_eq!((show("no-store").await, show("no-store").await), (1, 2));
    assert_eq!((show("max-age=60").await, show("max-age=60").await), (3, 3));
    app.clock.advance_ms(59_999);
    assert_eq!(show("max-age=60").await, 3);
    app.clock.advance_ms(1);
    assert_eq!((show("max-age=60").await, show("max-age=60").await), (4, 4));
    assert_eq!(show("max-age=31536000").await, 5);
    app.clock.advance_ms(86_400_000);
    assert_eq!(show("max-age=31536000").await, 6);
    // What is kept is bounded: a hundred other programs are in its place.
    for other in 1..=100 {
        show(&format!("max-age={}", 1_000 + other)).await;
    }
    assert_eq!(show("max-age=1001").await, 106, "still kept");
    assert_eq!(show("max-age=31536000").await, 107, "read again");
    app.check().await;
}

#[tokio::test]
async fn a_client_id_leads_to_no_address_inside() {
    let app = TestApp::new().await;
    let (ada, site) = (app.member("ada@example.com").await, site().await);
    for client in [
        format!("http://{site}/good.json"),
        "https://127.0.0.1/client.json".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://[::1]/client.json".to_owned(),
        "file:///etc/passwd".to_owned(),
        "https://user@claude.example/client.json".to_owned(),
    ] {
        let answer = ada.get(&format!("/oauth/authorize?{}", query(&client, &[]))).await;
        assert_eq!(answer.status, 400, "{client}");
        let text = answer.text();
        assert!(text.contains("could not be read"), "the same for all: {text}");
    }
    app.check().await;
}
