//! Signing in and out, and what protects the session.

use axum::http::Method;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn sign_up_gives_an_account_a_session_and_15_credits() {
    let app = TestApp::new().await;
    let credentials = json!({ "email": "Ada@Example.com", "password": "correct horse" });
    let answer = app.anon().post("/api/auth/sign-up", &credentials).await;
    assert_eq!(answer.status, 201);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("retouch_session="), "{cookie}");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let member = app.anon().with_session(&answer);
    let account = member.get("/api/account").await.ok();
    assert_eq!(account["email"], "Ada@Example.com");
    assert_eq!(account["plan"], json!(null));
    assert_eq!(account["credits"], json!({ "available": 15, "held": 0 }));
    let credits = member.get("/api/credits").await.ok();
    assert_eq!(
        credits["buckets"],
        json!([{ "kind": "sign_up", "remaining": 15, "expires_at": null }])
    );
    app.check().await;
}

#[tokio::test]
async fn over_https_the_cookie_is_secure_and_bound_to_the_host() {
    let app = TestApp::with(&[("RETOUCH_SERVER__PUBLIC_URL", "https://retouch.example.com")]).await;
    let credentials = json!({ "email": "ada@example.com", "password": "correct horse" });
    let answer = app.anon().post("/api/auth/sign-up", &credentials).await;
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-retouch_session=") && cookie.contains("Secure"), "{cookie}");
    let member = app.anon().with_session(&answer);
    let body = member.edit("go").await.ok();
    let stored = body["generation"]["stored_images"][0].as_str().unwrap();
    assert!(stored.starts_with("https://retouch.example.com/files/"), "{stored}");
    app.check().await;
}

#[tokio::test]
async fn one_address_has_one_account_in_whatever_case() {
    let app = TestApp::new().await;
    app.member("ada@example.com").await;
    let again = json!({ "email": "ADA@example.COM", "password": "another one" });
    app.anon().post("/api/auth/sign-up", &again).await.is_error(409, "email_taken", Some("email"));
    app.check().await;
}

#[tokio::test]
async fn what_is_no_address_or_no_password_is_refused() {
    let app = TestApp::new().await;
    for email in ["", "ada", "ada@", "@example.com", "a b@example.com", "ada@example.com\u{0}"] {
        let credentials = json!({ "email": email, "password": "correct horse" });
        app.anon().post("/api/auth/sign-up", &credentials).await.is_error(
            400,
            "invalid_email",
            Some("email"),
        );
    }
    for password in ["", "1234567", &"x".repeat(1025)] {
        let credentials = json!({ "email": "ada@example.com", "password": password });
        app.anon().post("/api/auth/sign-up", &credentials).await.is_error(
            400,
            "invalid_password",
            Some("password"),
        );
    }
    let none = json!({ "email": "ada@example.com" });
    app.anon().post("/api/auth/sign-up", &none).await.is_error(
        400,
        "missing_field",
        Some("password"),
    );
    app.check().await;
}

#[tokio::test]
async fn a_body_is_an_object_in_which_no_key_stands_twice() {
    let app = TestApp::new().await;
    let bodies = [
        (r#"["ada@example.com", "correct horse"]"#, "invalid_json", None),
        (r#"{"email": "ada@example.com", "password": "a"} {}"#, "invalid_json", None),
        (r#"{"email": "a@b.c", "email": "b@b.c"}"#, "duplicate_field", Some("email")),
        (r#"{"name": "k", "x": 1, "x": 2}"#, "duplicate_field", Some("x")),
    ];
    let member = app.member("ada@example.com").await;
    for path in ["/api/auth/sign-up", "/api/auth/sign-in", "/api/keys"] {
        for (body, code, param) in bodies {
            let answer = member.send(Method::POST, path, Some(body.into())).await;
            answer.is_error(400, code, param);
        }
    }
    let wrong = json!({ "email": 4, "password": "correct horse" });
    let wrong = app.anon().post("/api/auth/sign-in", &wrong).await;
    let message = wrong.is_error(400, "invalid_type", Some("email"));
    assert!(!message.contains("column"), "{message}");
    app.check().await;
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_look_alike() {
    let app = TestApp::new().await;
    app.member("ada@example.com").await;
    let sign_in = |email: &str, password: &str| {
        let (anon, credentials) = (app.anon(), json!({ "email": email, "password": password }));
        async move { anon.post("/api/auth/sign-in", &credentials).await }
    };
    let wrong =
        sign_in("ada@example.com", "wrong horse").await.is_error(401, "invalid_credentials", None);
    let unknown =
        sign_in("bob@example.com", "wrong horse").await.is_error(401, "invalid_credentials", None);
    assert_eq!(wrong, unknown);
    let right = sign_in("ADA@example.com", "correct horse").await;
    assert_eq!(right.status, 200);
    assert_eq!(app.anon().with_session(&right).get("/api/account").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn wrong_passwords_of_strangers_lock_out_neither_a_known_browser_nor_an_open_session() {
    let few = [("RETOUCH_AUTH__WRONG_PASSWORDS_PER_DAY_PER_ACCOUNT", "2")];
    let app = TestApp::with(&few).await;
    let right = json!({ "email": "ada@example.com", "password": "correct horse" });
    let joined = app.anon().post("/api/auth/sign-up", &right).await;
    let ada = app.anon().with_session(&joined);
    let cookies = joined.headers.get_all("set-cookie").iter();
    let mut cookies = cookies.map(|value| value.to_str().unwrap().split(';').next().unwrap());
    let browser = cookies.find(|cookie| cookie.starts_with("retouch_browser=")).unwrap();
    let wrong = json!({ "email": "ada@example.com", "password": "wrong horse" });
    for number in 0..6_u8 {
        let stranger = app.anon().calling_from([198, 51, 100, number]);
        stranger.post("/api/auth/sign-in", &wrong).await;
    }
    let elsewhere = app.anon().calling_from([203, 0, 113, 1]);
    elsewhere.post("/api/auth/sign-in", &right).await.is_error(429, "rate_limited", None);
    let known =
        elsewhere.with_header("cookie", browser).with_header("sec-fetch-site", "same-origin");
    assert_eq!(known.post("/api/auth/sign-in", &right).await.status, 200, "a known browser");
    let change = json!({ "current_password": "correct horse", "password": "another horse" });
    assert_eq!(ada.patch("/api/account", &change).await.status, 200, "an open session");
    app.check().await;
}

#[tokio::test]
async fn common_passwords_and_the_address_itself_are_refused_for_new_passwords() {
    let app = TestApp::new().await;
    for password in ["password", "PASSWORD", "12345678", "qwertyuiop", "ada@example.com"] {
        let credentials = json!({ "email": "ada@example.com", "password": password });
        let refused = app.anon().post("/api/auth/sign-up", &credentials).await;
        refused.is_error(400, "invalid_password", Some("password"));
    }
    let ada = app.member("ada@example.com").await;
    let change = json!({ "current_password": "correct horse", "password": "password1" });
    let refused = ada.patch("/api/account", &change).await;
    let message = refused.is_error(400, "invalid_password", Some("password"));
    assert!(message.contains("most common"), "{message}");
    app.check().await;
}

#[tokio::test]
async fn guessing_is_slowed_down_for_an_account_and_for_an_address() {
    let few = [("RETOUCH_AUTH__WRONG_PASSWORDS_PER_DAY_PER_ACCOUNT", "2")];
    let app = TestApp::with(&few).await;
    app.member("ada@example.com").await;
    let guess = json!({ "email": "ada@example.com", "password": "wrong horse" });
    let mut last = None;
    for number in 0..3_u8 {
        let from = app.anon().calling_from([198, 51, 100, number]);
        last = Some(from.post("/api/auth/sign-in", &guess).await);
    }
    let last = last.unwrap();
    last.is_error(429, "rate_limited", None);
    assert!(last.header("retry-after").unwrap().parse::<u32>().unwrap() >= 1);
    app.check().await;
}

#[tokio::test]
async fn signing_out_ends_the_session() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let answer = member.send(Method::POST, "/api/auth/sign-out", None).await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    member.get("/api/account").await.is_error(401, "unauthenticated", None);
    member.send(Method::POST, "/api/auth/sign-out", None).await.is_error(
        401,
        "unauthenticated",
        None,
    );
    app.check().await;
}

#[tokio::test]
async fn a_session_ends_by_itself() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    for _ in 0..2 {
        app.clock.advance_ms(13 * 24 * 3_600_000);
        assert_eq!(member.get("/api/account").await.status, 200);
        // The last use of a session is written after the answer. A later write waits for that one.
        app.app.store.ready().await.unwrap();
    }
    app.clock.advance_ms(14 * 24 * 3_600_000);
    member.get("/api/account").await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn a_cookie_is_believed_only_from_a_page_of_our_own() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let bare = member.clone().without_header("sec-fetch-site");
    let key = json!({ "name": "k" });
    let refused = [
        bare.clone(),
        bare.clone().with_header("sec-fetch-site", "cross-site"),
        bare.clone().with_header("sec-fetch-site", "same-site"),
        bare.clone().with_header("origin", "http://evil.example"),
        bare.clone().with_header("origin", "null"),
        bare.clone().with_header("origin", "http://127.0.0.1:9090"),
        bare.clone()
            .with_header("origin", "http://127.0.0.1:8080")
            .with_header("sec-fetch-site", "cross-site"),
    ];
    for persona in refused {
        persona.post("/api/keys", &key).await.is_error(403, "cross_site_request", None);
        persona.edit("go").await.is_error(403, "cross_site_request", None);
        assert_eq!(persona.get("/api/account").await.status, 200, "reading changes nothing");
    }
    for persona in [bare.clone().with_header("origin", "http://127.0.0.1:8080"), member.clone()] {
        assert_eq!(persona.post("/api/keys", &key).await.status, 201);
    }
    let again = json!({ "email": "ada@example.com", "password": "correct horse" });
    let elsewhere = bare.clone().with_header("sec-fetch-site", "cross-site");
    for path in ["/api/auth/sign-in", "/api/auth/sign-up"] {
        elsewhere.post(path, &again).await.is_error(403, "cross_site_request", None);
    }
    assert_eq!(member.get("/api/account").await.status, 200, "no other client can end the session");
    let caller = member.with_key().await.with_header("sec-fetch-site", "cross-site");
    assert_eq!(caller.edit("go").await.status, 200, "a bearer call needs no origin");
    app.check().await;
}

#[tokio::test]
async fn a_valid_session_is_enough_beside_an_invalid_key() {
    let app = TestApp::new().await;
    let member =
        app.member("ada@example.com").await.with_header("authorization", "Bearer nonsense");
    assert_eq!(member.get("/api/account").await.status, 200);
    app.check().await;
}
