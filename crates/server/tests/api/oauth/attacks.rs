//! What attackers try with codes and requests.

use serde_json::json;
use url::Url;

use super::{
    BASE, CALLBACK, CHALLENGE, Tokens, VERIFIER, changed, code, connected, decide, is_refused,
    led_to, param, query, redeem, register, works,
};
use crate::support::TestApp;

#[tokio::test]
async fn a_code_is_good_once_soon_and_for_who_asked_for_it() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let other = register(&app, &[CALLBACK, "https://b.example/"]).await;
    let long = "x".repeat(128);
    for (changes, error) in [
        ([("code_verifier", &*long)], "invalid_grant"),
        ([("code_verifier", CHALLENGE)], "invalid_grant"),
        ([("code_verifier", "")], "invalid_request"),
        ([("client_id", &*other)], "invalid_grant"),
        ([("client_id", "")], "invalid_request"),
        ([("redirect_uri", "https://b.example/")], "invalid_grant"),
        ([("resource", "https://b.example/mcp")], "invalid_target"),
        ([("grant_type", "password")], "unsupported_grant_type"),
        ([("grant_type", "")], "invalid_request"),
        ([("code", "x")], "invalid_grant"),
        ([("code", &*"A".repeat(43))], "invalid_grant"),
    ] {
        let code = code(&ada, &client).await;
        is_refused(&redeem(&app, (&client, &code), &changes).await, error);
    }
    // A wrong guess uses the code up.
    let guessed = code(&ada, &client).await;
    redeem(&app, (&client, &guessed), &[("code_verifier", &long)]).await;
    is_refused(&redeem(&app, (&client, &guessed), &[]).await, "invalid_grant");
    let late = code(&ada, &client).await;
    app.clock.advance_ms(60_000);
    is_refused(&redeem(&app, (&client, &late), &[]).await, "invalid_grant");
    assert_eq!(ada.get("/api/keys").await.ok()["data"], json!([]), "no key was created");
    app.check().await;
}

#[tokio::test]
async fn a_code_that_comes_twice_ends_the_connection() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let other = register(&app, &["https://b.example/"]).await;
    let code = code(&ada, &client).await;
    let tokens = Tokens::of(&redeem(&app, (&client, &code), &[]).await);
    let stranger = redeem(&app, (&client, &code), &[("client_id", &other)]).await;
    is_refused(&stranger, "invalid_grant");
    assert!(works(&tokens.caller(&app)).await, "another program cannot end it");
    is_refused(&redeem(&app, (&client, &code), &[]).await, "invalid_grant");
    assert!(!works(&tokens.caller(&app)).await);
    app.check().await;
}

#[tokio::test]
async fn nobody_is_sent_to_an_address_that_is_not_verified() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK, "http://127.0.0.1/callback"]).await;
    for changes in [
        [("client_id", "")],
        [("client_id", "x")],
        [("client_id", "e30")],
        [("redirect_uri", "")],
        [("redirect_uri", "https://claude.example/api/callback/")],
        [("redirect_uri", "https://claude.example.evil.example/api/callback")],
        [("redirect_uri", "https://evil.example/")],
        [("redirect_uri", "http://localhost/callback")],
        [("redirect_uri", "http://127.0.0.1/other")],
        [("redirect_uri", "javascript:alert(1)")],
    ] {
        // Whatever else is wrong with the request.
        for more in [("scope", ""), ("code_challenge", "")] {
            let query = query(&client, &[changes[0], more]);
            let shown = ada.get(&format!("/oauth/authorize?{query}")).await;
            for answer in [shown, decide(&ada, &query, &[]).await] {
                assert_eq!(answer.status, 400, "{query}: {}", answer.text());
                assert_eq!(answer.header("location"), None);
                assert!(!answer.text().contains("evil.example"), "{}", answer.text());
            }
        }
    }
    // A parameter that is repeated is not there.
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example%2F", query(&client, &[]));
    assert_eq!(ada.get(&format!("/oauth/authorize?{twice}")).await.status, 400);
    assert_eq!(ada.get("/oauth/authorize").await.status, 400);
    app.check().await;
}

#[tokio::test]
async fn a_program_learns_what_is_wrong_with_its_request() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    for (changes, error) in [
        ([("response_type", "")], "unsupported_response_type"),
        ([("response_type", "token")], "unsupported_response_type"),
        ([("response_mode", "fragment")], "invalid_request"),
        ([("code_challenge_method", "")], "invalid_request"),
        ([("code_challenge_method", "plain")], "invalid_request"),
        ([("code_challenge", "")], "invalid_request"),
        ([("code_challenge", "short")], "invalid_request"),
        ([("resource", "https://evil.example/mcp")], "invalid_target"),
        ([("resource", "http://127.0.0.1:8080/api")], "invalid_target"),
    ] {
        let query = query(&client, &changes);
        let answer = ada.get(&format!("/oauth/authorize?{query}")).await;
        assert_eq!(answer.status, 303, "{query}");
        let direct = Url::parse(answer.header("location").unwrap()).unwrap();
        for led in [direct, led_to(&decide(&ada, &query, &[]).await)] {
            assert_eq!(led.as_str().split('?').next(), Some(CALLBACK));
            assert_eq!(param(&led, "error").as_deref(), Some(error), "{query}");
            assert_eq!(param(&led, "state").as_deref(), Some("a state;+"));
            assert_eq!(param(&led, "iss").as_deref(), Some(BASE));
            assert_eq!(param(&led, "code"), None);
        }
    }
    // What a request leaves open means the tools, and everything that they can do.
    for changes in [
        &[("resource", ""), ("scope", ""), ("state", "")][..],
        &[("resource", BASE), ("scope", "openid email")],
        &[("resource", "HTTP://127.0.0.1:8080/mcp/"), ("scope", "edit read delete")],
    ] {
        let led = led_to(&decide(&ada, &query(&client, changes), &[]).await);
        let code = param(&led, "code").unwrap();
        let body = redeem(&app, (&client, &code), &[("code_verifier", VERIFIER)]).await.ok();
        assert_eq!(body["scope"], "edit read", "{changes:?}");
    }
    app.check().await;
}

#[tokio::test]
async fn another_sites_page_cannot_agree_for_a_person() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let query = query(&client, &[]);
    let page = ada.without_header("sec-fetch-site").with_header("sec-fetch-site", "cross-site");
    assert_eq!(decide(&page, &query, &[]).await.status, 403);
    let shown = page.get(&format!("/oauth/authorize?{query}")).await;
    assert_eq!(shown.status, 200, "the assistant’s site leads here");
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(
        decide(&app.anon().with_header("sec-fetch-site", "same-origin"), &query, &[]).await.status,
        303
    );
    app.check().await;
}

#[tokio::test]
async fn deletion_and_a_new_password_end_what_they_should() {
    let app = TestApp::new().await;
    let client = register(&app, &[CALLBACK]).await;
    let ada = app.member("ada@example.com").await;
    let code = code(&ada, &client).await;
    let tokens = connected(&app, &ada, &client).await;
    let fields = json!({ "password": "another horse", "current_password": "correct horse" });
    ada.patch("/api/account", &fields).await.ok();
    is_refused(&redeem(&app, (&client, &code), &[]).await, "invalid_grant");
    assert!(works(&tokens.caller(&app)).await, "like any other key");
    let gone = json!({ "password": "another horse" });
    let deleted = ada.delete_with("/api/account", &gone).await;
    assert!(deleted.status.is_success(), "{}", deleted.text());
    assert!(!works(&tokens.caller(&app)).await);
    let renewing = [("grant_type", "refresh_token"), ("client_id", &*client)];
    let renewing = changed(&renewing, &[("refresh_token", &tokens.refresh)]);
    is_refused(&app.anon().submit("/oauth/token", &renewing).await, "invalid_grant");
    app.check().await;
}

#[tokio::test]
async fn calls_for_tokens_are_limited_by_address() {
    let app = TestApp::new().await;
    let fields = [("grant_type", "refresh_token"), ("client_id", "x"), ("refresh_token", "x")];
    let far = app.anon().calling_from([192, 0, 2, 1]);
    for _ in 0..120 {
        is_refused(&far.submit("/oauth/token", &fields).await, "invalid_grant");
    }
    let many = far.submit("/oauth/token", &fields).await;
    assert_eq!(
        (many.status.as_u16(), &many.json()["error"]),
        (429, &json!("temporarily_unavailable"))
    );
    assert!(many.header("retry-after").is_some());
    is_refused(&app.anon().submit("/oauth/token", &fields).await, "invalid_grant");
    app.check().await;
}
