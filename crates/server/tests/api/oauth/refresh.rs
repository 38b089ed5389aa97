//! Access tokens are short-lived and renewed. A refresh token is used once.

use serde_json::json;

use super::{CALLBACK, Tokens, connected, is_refused, refresh, register, works};
use crate::support::TestApp;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

#[tokio::test]
async fn an_access_token_lasts_an_hour_and_is_renewed() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let mut tokens = connected(&app, &ada, &client).await;
    app.clock.advance_ms(HOUR_MS - 1);
    assert!(works(&tokens.caller(&app)).await);
    app.clock.advance_ms(1);
    assert!(!works(&tokens.caller(&app)).await);
    // For as long as it is used every few weeks.
    for _ in 0..4 {
        app.clock.advance_ms(29 * DAY_MS);
        tokens = Tokens::of(&refresh(&app, (&client, &tokens.refresh), &[]).await);
        assert!(works(&tokens.caller(&app)).await);
    }
    let pruned = app.app.store.prune().await.unwrap();
    assert_eq!((pruned.keys, pruned.tokens), (0, 8), "of the first months");
    app.clock.advance_ms(30 * DAY_MS);
    is_refused(&refresh(&app, (&client, &tokens.refresh), &[]).await, "invalid_grant");
    app.check().await;
}

#[tokio::test]
async fn a_refresh_token_that_is_used_again_later_ends_the_connection() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let first = connected(&app, &ada, &client).await;
    let second = Tokens::of(&refresh(&app, (&client, &first.refresh), &[]).await);
    // Two processes of a program renew at once, or an answer is lost. Each gets tokens that work.
    app.clock.advance_ms(59_999);
    let again = Tokens::of(&refresh(&app, (&client, &first.refresh), &[]).await);
    for tokens in [&first, &second, &again] {
        assert!(works(&tokens.caller(&app)).await);
    }
    let third = Tokens::of(&refresh(&app, (&client, &again.refresh), &[]).await);
    app.clock.advance_ms(1);
    let reused = refresh(&app, (&client, &first.refresh), &[]).await;
    assert!(is_refused(&reused, "invalid_grant").contains("copied"), "{}", reused.text());
    for tokens in [&first, &second, &third] {
        assert!(!works(&tokens.caller(&app)).await);
        is_refused(&refresh(&app, (&client, &tokens.refresh), &[]).await, "invalid_grant");
    }
    app.check().await;
}

#[tokio::test]
async fn a_refresh_token_is_for_one_program_and_purpose() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let other = register(&app, &["https://b.example/"]).await;
    let tokens = connected(&app, &ada, &client).await;
    for (changes, error) in [
        ([("client_id", &*other)], "invalid_grant"),
        ([("client_id", "")], "invalid_request"),
        ([("refresh_token", "")], "invalid_request"),
        ([("refresh_token", "x")], "invalid_grant"),
        ([("refresh_token", &*tokens.access)], "invalid_grant"),
        ([("resource", "https://b.example/mcp")], "invalid_target"),
    ] {
        is_refused(&refresh(&app, (&client, &tokens.refresh), &changes).await, error);
    }
    let body = refresh(&app, (&client, &tokens.refresh), &[("scope", "edit")]).await.ok();
    assert_eq!(body["scope"], "edit read");
    assert!(works(&tokens.caller(&app)).await);
    app.check().await;
}

#[tokio::test]
async fn the_books_know_each_connection_by_its_key_however_often_it_renews() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let first = connected(&app, &ada, &client).await;
    let second = Tokens::of(&refresh(&app, (&client, &first.refresh), &[]).await);
    let red = json!({ "instruction": "a red picture of 64x64 pixels" });
    for tokens in [&first, &second] {
        super::call(&tokens.caller(&app), "generate_image", red.clone()).await.ok();
    }
    let keys = ada.get("/api/keys").await.ok();
    assert_eq!(keys["data"].as_array().unwrap().len(), 1);
    assert_eq!(keys["data"][0]["credits_used"], 12);
    assert_eq!(ada.available().await, 3);
    app.check().await;
}
