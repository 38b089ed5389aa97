//! The person in the middle: who signs in first, agrees or not, and shows that it is them.

use serde_json::json;

use super::{CALLBACK, decide, led_to, param, query, register};
use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};

/// The caller with one more cookie, from `answer`.
fn keeping(person: &Persona, answer: &Answer, session: Option<&str>) -> Persona {
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap();
    let both = |session| format!("{session}; {cookie}");
    let all = session.map_or_else(|| cookie.to_owned(), both);
    person.clone().without_header("cookie").with_header("cookie", &all)
}

#[tokio::test]
async fn a_visitor_signs_in_first_and_finds_the_request_again() {
    let app = TestApp::new().await;
    app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let request = query(&client, &[("state", &"ü;,\"x".repeat(80))]);
    let visitor = app.anon().with_header("sec-fetch-site", "same-origin");
    let sent = visitor.get(&format!("/oauth/authorize?{request}")).await;
    let sign_in = "/sign-in?next=%2Foauth%2Fauthorize";
    assert_eq!((sent.status.as_u16(), sent.header("location")), (303, Some(sign_in)));
    let window = |answer: &Answer| answer.header("cross-origin-opener-policy").unwrap().to_owned();
    assert_eq!(window(&sent), "unsafe-none", "an assistant’s site may wait for this window");
    assert_eq!(window(&visitor.get("/docs").await), "same-origin");
    let page = visitor.get(sign_in).await.text();
    assert!(page.contains("Sign in to see what your assistant asks for."), "{page}");
    let fields =
        [("email", "ada@example.com"), ("password", "correct horse"), ("next", "/oauth/authorize")];
    let entered = visitor.submit("/sign-in", &fields).await;
    assert_eq!(entered.header("location"), Some("/oauth/authorize"), "{}", entered.text());
    let session = entered.header("set-cookie").unwrap().split(';').next().unwrap();
    let ada = keeping(&visitor, &sent, Some(session));
    let back = ada.get("/oauth/authorize").await;
    let place = format!("/oauth/authorize?{request}");
    assert_eq!((back.status.as_u16(), back.header("location")), (303, Some(&*place)));
    assert!(back.header("set-cookie").unwrap().starts_with("retouch_connecting=; "));
    assert_eq!(ada.get(&place).await.status, 200);

    let long = query(&client, &[("state", &"x".repeat(4_000))]);
    let refused = visitor.get(&format!("/oauth/authorize?{long}")).await;
    assert_eq!((refused.status.as_u16(), refused.header("set-cookie")), (400, None));
    assert!(refused.text().contains("Sign in first"), "{}", refused.text());
    app.check().await;
}

#[tokio::test]
async fn who_does_not_agree_is_sent_back_with_that() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    for decision in ["deny", "", "yes"] {
        let led = led_to(&decide(&ada, &query(&client, &[]), &[("decision", decision)]).await);
        assert_eq!(param(&led, "error").as_deref(), Some("access_denied"));
        assert_eq!((param(&led, "code"), param(&led, "state").is_some()), (None, true));
    }
    app.check().await;
}

#[tokio::test]
async fn an_account_without_room_for_another_key_is_told_before_it_agrees() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let request = query(&client, &[]);
    let page = async || ada.get(&format!("/oauth/authorize?{request}")).await.text();
    let mut last = String::new();
    for number in 0..50 {
        assert!(!page().await.contains("at most 50"), "after {number}");
        let made = ada.post("/api/keys", &json!({ "name": number.to_string() })).await;
        last = made.json()["id"].as_str().unwrap().to_owned();
    }
    let told = "An account can have at most 50 active API keys. Remove one first.";
    assert!(page().await.contains(told), "{}", page().await);
    let refused = decide(&ada, &request, &[]).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(refused.text().contains(told));
    assert_eq!(ada.delete(&format!("/api/keys/{last}")).await.status, 204);
    assert!(!page().await.contains("at most 50"));
    assert!(param(&led_to(&decide(&ada, &request, &[]).await), "code").is_some());
    app.check().await;
}

#[tokio::test]
async fn a_limit_that_makes_no_sense_is_asked_for_again() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    for limit in ["0", "-1", "ten", "1.5", "99999999999999999999"] {
        let fields = [("credit_limit_per_day", limit)];
        let again = decide(&ada, &query(&client, &[]), &fields).await;
        assert_eq!(again.status, 400, "{limit}");
        let html = again.text();
        assert!(html.contains("Enter a whole number") && html.contains(limit), "{html}");
        assert!(html.contains("Connect Claude?"));
    }
    app.check().await;
}

#[tokio::test]
async fn a_session_that_was_left_open_connects_nothing() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let request = query(&client, &[]);
    let fresh = ada.get(&format!("/oauth/authorize?{request}")).await.text();
    assert!(!fresh.contains("current_password"), "{fresh}");
    app.clock.advance_ms(10 * 60_000);
    let page = ada.get(&format!("/oauth/authorize?{request}")).await.text();
    assert!(page.contains("name=\"current_password\""), "{page}");
    assert_eq!(decide(&ada, &request, &[]).await.status, 403);
    let wrong = decide(&ada, &request, &[("current_password", "wrong horse")]).await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.text().contains("The password is wrong."), "{}", wrong.text());
    let right = decide(&ada, &request, &[("current_password", "correct horse")]).await;
    assert!(param(&led_to(&right), "code").is_some());
    app.check().await;
}
