//! Sessions, as their owner lists and ends them.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::persona::Persona;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/// The same account in another browser.
async fn signed_in(app: &TestApp, user_agent: &str) -> Persona {
    let credentials = json!({ "email": "ada@example.com", "password": "correct horse" });
    let browser = app.anon().with_header("user-agent", user_agent);
    let answer = browser.post("/api/auth/sign-in", &credentials).await;
    app.anon().with_header("accept", "text/html").with_session(&answer)
}

async fn list(persona: &Persona) -> Vec<Value> {
    persona.get("/api/sessions").await.ok()["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_owner_sees_where_they_are_signed_in_and_ends_it() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let bob = app.member("bob@example.com").await;
    app.clock.advance_ms(1_000);
    let lost = signed_in(&app, FIREFOX).await;
    let listed = list(&ada).await;
    assert_eq!(listed.len(), 2);
    assert_eq!((&listed[0]["user_agent"], &listed[0]["current"]), (&json!(FIREFOX), &json!(false)));
    assert_eq!((&listed[1]["user_agent"], &listed[1]["current"]), (&json!(null), &json!(true)));
    let path = format!("/api/sessions/{}", listed[0]["id"].as_str().unwrap());
    bob.delete(&path).await.is_error(404, "not_found", None);
    assert_eq!(list(&lost).await.len(), 2, "still there");
    assert_eq!(ada.delete(&path).await.status, 204);
    ada.delete(&path).await.is_error(404, "not_found", None);
    lost.get("/api/sessions").await.is_error(401, "unauthenticated", None);
    let key = ada.clone().with_key().await;
    key.get("/api/sessions").await.is_error(403, "session_required", None);

    let (two, three) = (signed_in(&app, FIREFOX).await, signed_in(&app, FIREFOX).await);
    assert_eq!(two.delete("/api/sessions").await.status, 204);
    assert_eq!((list(&two).await.len(), list(&bob).await.len()), (1, 1));
    three.get("/api/sessions").await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn sessions_are_listed_in_pages_while_they_are_ended() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    for _ in 0..2 {
        app.clock.advance_ms(1_000);
        signed_in(&app, FIREFOX).await;
    }
    let all = list(&ada).await;
    let (mut seen, mut path) = (Vec::new(), "/api/sessions?limit=1".to_owned());
    loop {
        let page = ada.get(&path).await.ok();
        let session = page["data"][0].clone();
        if session["current"] == false {
            let path = format!("/api/sessions/{}", session["id"].as_str().unwrap());
            assert_eq!(ada.delete(&path).await.status, 204);
        }
        seen.push(session);
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("/api/sessions?limit=1&cursor={next}");
    }
    assert_eq!((seen.len(), seen), (3, all));
    app.check().await;
}

#[tokio::test]
async fn the_page_ends_sessions_by_forms_alone() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    app.clock.advance_ms(1_000);
    let here = signed_in(&app, "<script>alert(1)</script>").await;
    let there = signed_in(&app, FIREFOX).await;
    let page = there.get("/account").await.text();
    assert!(page.contains("Firefox on Linux") && page.contains("Now (this browser)"), "{page}");
    assert!(!page.contains("<script>alert"), "{page}");
    let sessions = list(&there).await;
    let old = sessions.iter().find(|one| one["user_agent"].is_null()).unwrap();
    let path = format!("/account/sessions/{}/end", old["id"].as_str().unwrap());
    let ended = there.submit(&path, &[]).await;
    assert_eq!(ended.header("location"), Some("/account?done=sessions"));
    ada.get("/api/account").await.is_error(401, "unauthenticated", None);
    let evil = there
        .clone()
        .without_header("sec-fetch-site")
        .with_header("origin", "https://evil.example");
    assert_eq!(evil.submit("/account/sessions/end-others", &[]).await.status, 403);
    assert_eq!(here.get("/account").await.status, 200);
    assert_eq!(there.submit("/account/sessions/end-others", &[]).await.status, 303);
    assert_eq!(here.get("/account").await.header("location"), Some("/sign-in?next=%2Faccount"));
    assert!(there.get("/account?done=sessions").await.text().contains("Session signed out."));
    app.check().await;
}
