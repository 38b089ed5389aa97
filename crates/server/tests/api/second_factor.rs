//! Two-step sign-in: an authenticator code after the password, and administration behind it.

use serde_json::json;

use crate::admin::{admin, leads_to, link};
use crate::support::TestApp;
use crate::support::authenticator::Authenticator;

#[tokio::test]
async fn administration_opens_only_to_a_session_that_has_shown_a_second_factor() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let token = link(&app).await.unwrap();
    leads_to(&ada.submit("/first-administrator", &[("token", &token)]).await, "/admin");
    leads_to(&ada.get("/admin/log").await, "/second-factor?next=%2Fadmin%2Flog");
    leads_to(&ada.submit("/admin/books", &[]).await, "/second-factor?next=%2Fadmin");
    let phone = Authenticator::set_up(&app, &ada).await;
    assert_eq!(ada.get("/admin").await.status, 200);

    // A stolen password is no longer enough, whatever session it creates.
    let mut asked = json!({ "email": "ada@example.com", "password": "correct horse" });
    let path = "/api/auth/sign-in";
    app.anon().post(path, &asked).await.is_error(401, "second_factor_required", Some("code"));
    asked["code"] = json!("000000");
    app.anon().post(path, &asked).await.is_error(401, "invalid_code", Some("code"));
    asked["code"] = json!(phone.code());
    let entered = app.anon().post(path, &asked).await;
    assert_eq!(entered.status, 200, "{}", entered.text());
    assert_eq!(app.anon().with_session(&entered).get("/admin").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn without_the_setting_a_password_is_enough_to_administer() {
    let app = TestApp::with(&[("RETOUCH_AUTH__ADMIN_SECOND_FACTOR", "off")]).await;
    let ada = app.member("ada@example.com").await;
    let token = link(&app).await.unwrap();
    ada.submit("/first-administrator", &[("token", &token)]).await;
    assert_eq!(ada.get("/admin").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn a_code_is_used_once_and_so_is_a_recovery_code() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let phone = Authenticator::set_up(&app, &ada).await;
    let sign_in = async |code: &str| {
        let asked =
            json!({ "email": "ada@example.com", "password": "correct horse", "code": code });
        app.anon().post("/api/auth/sign-in", &asked).await
    };
    let code = phone.code();
    assert_eq!(sign_in(&code).await.status, 200);
    sign_in(&code).await.is_error(401, "invalid_code", Some("code"));
    assert_eq!(phone.recovery.len(), 10);
    let spare = &phone.recovery[3];
    assert_eq!(sign_in(&spare.to_uppercase().replace('-', " ")).await.status, 200);
    sign_in(spare).await.is_error(401, "invalid_code", Some("code"));
    app.check().await;
}

#[tokio::test]
async fn guesses_at_a_code_are_counted() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let phone = Authenticator::set_up(&app, &ada).await;
    let mut asked =
        json!({ "email": "ada@example.com", "password": "correct horse", "code": "000000" });
    for _ in 0..10 {
        let wrong = app.anon().post("/api/auth/sign-in", &asked).await;
        wrong.is_error(401, "invalid_code", Some("code"));
    }
    asked["code"] = json!(phone.code());
    app.anon().post("/api/auth/sign-in", &asked).await.is_error(429, "rate_limited", None);
    app.check().await;
}

#[tokio::test]
async fn by_forms_alone_somebody_signs_in_in_two_steps_and_turns_it_off() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let phone = Authenticator::set_up(&app, &ada).await;
    let browser =
        app.anon().with_header("accept", "text/html").with_header("sec-fetch-site", "same-origin");
    let token = |page: &str| {
        let (_, rest) = page.split_once("name=\"token\" value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let fields =
        [("email", "ada@example.com"), ("password", "correct horse"), ("next", "/history")];
    let second = browser.submit("/sign-in", &fields).await;
    assert!(second.header("set-cookie").is_none(), "no session before the code");
    let first = token(&second.text());
    let wrong = browser.submit("/sign-in/code", &[("token", &first), ("code", "1")]).await;
    assert_eq!(wrong.status, 401, "{}", wrong.text());
    let next = token(&wrong.text());
    let code = phone.code();
    let used = browser.submit("/sign-in/code", &[("token", &first), ("code", &code)]).await;
    assert_eq!(used.status, 400, "each code works once");
    let fields = [("token", &*next), ("code", &code), ("next", "/history")];
    let entered = browser.submit("/sign-in/code", &fields).await;
    leads_to(&entered, "/history");
    let ada = browser.with_session(&entered);
    app.clock.advance_ms(30_000);
    let off = ada.submit("/second-factor/remove", &[("code", &phone.code())]).await;
    leads_to(&off, "/second-factor");
    assert!(ada.get("/second-factor").await.text().contains("Set up an app"));
    app.check().await;
}

#[tokio::test]
async fn a_session_of_a_password_alone_becomes_strong_by_a_code() {
    let app = TestApp::new().await;
    let root = admin(&app).await;
    let ada = app.member("ada@example.com").await;
    let phone = Authenticator::set_up(&app, &ada).await;
    let id = crate::admin::id(&ada).await;
    assert_eq!(root.get(&format!("/admin/users/{id}")).await.status, 200);
    let wrong = ada.submit("/second-factor", &[("code", "000000"), ("next", "/account")]).await;
    assert_eq!(wrong.status, 401, "{}", wrong.text());
    let right =
        ada.submit("/second-factor", &[("code", &phone.code()), ("next", "/account")]).await;
    leads_to(&right, "/account");
    app.check().await;
}
