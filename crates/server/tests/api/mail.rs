//! Email, through the real router and a real socket to an SMTP server.

use axum::http::StatusCode;
use retouch_server::mail::send_due;
use serde_json::json;

use crate::support::persona::{Answer, Persona};
use crate::support::post::{Mood, Post, Taken};
use crate::support::{TestApp, log};

const WORD: &str = "correct horse";
const MINUTE_MS: i64 = 60_000;

/// A service that sends email, and the server that receives it.
async fn open() -> (TestApp, Post) {
    open_with(&[]).await
}

pub(crate) async fn open_with(more: &[(&str, &str)]) -> (TestApp, Post) {
    let post = Post::open().await;
    let url = post.url();
    let mut settings = vec![
        ("RETOUCH_MAIL__SMTP_URL", &*url),
        ("RETOUCH_MAIL__FROM", "Retouch <post@example.com>"),
    ];
    settings.extend(more);
    (TestApp::with(&settings).await, post)
}

/// Sends the waiting emails and returns them.
pub(crate) async fn sent(app: &TestApp, post: &Post) -> Vec<Taken> {
    send_due(&app.app).await.unwrap();
    post.take()
}

/// Sends the waiting emails, of which there must be one, and returns it.
async fn message(app: &TestApp, post: &Post) -> Taken {
    let mut all = sent(app, post).await;
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

async fn sign_up(app: &TestApp, email: &str) -> Answer {
    app.anon().post("/api/auth/sign-up", &json!({ "email": email, "password": WORD })).await
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> StatusCode {
    let credentials = json!({ "email": email, "password": password });
    app.anon().post("/api/auth/sign-in", &credentials).await.status
}

/// A person who has signed up and confirmed the address.
pub(crate) async fn member(app: &TestApp, post: &Post, email: &str) -> Persona {
    assert_eq!(sign_up(app, email).await.status, 202);
    let token = message(app, post).await.token("/verify");
    let entered = app.anon().post("/api/auth/verify", &json!({ "token": token })).await;
    assert_eq!(entered.status, 200, "{}", entered.text());
    app.anon().with_session(&entered)
}

/// A browser on the service's own pages.
fn browser(app: &TestApp) -> Persona {
    app.anon().with_header("sec-fetch-site", "same-origin").with_header("accept", "text/html")
}

#[tokio::test]
async fn an_account_begins_when_its_address_is_confirmed() {
    let (app, post) = open().await;
    let answer = sign_up(&app, " Ada@example.com").await;
    assert_eq!(answer.status, 202);
    assert_eq!(answer.json(), json!({ "status": "check_mail", "email": "Ada@example.com" }));
    assert_eq!(sign_in(&app, "ada@example.com", WORD).await, 401, "there is no account yet");
    let message = message(&app, &post).await;
    assert_eq!((&*message.from, &*message.to), ("post@example.com", "Ada@example.com"));
    let token = message.token("/verify");
    let first = app.anon().post("/api/auth/verify", &json!({ "token": token })).await;
    assert_eq!(first.ok()["credits"], json!({ "available": 15, "held": 0 }));
    let ada = app.anon().with_session(&first);
    assert_eq!(ada.get("/api/account").await.ok()["email"], "Ada@example.com");
    for token in [&*token, "", "x", &"A".repeat(43)] {
        let again = app.anon().post("/api/auth/verify", &json!({ "token": token })).await;
        again.is_error(400, "invalid_token", Some("token"));
    }
    assert_eq!(ada.available().await, 15, "granted once");
    app.check().await;
}

#[tokio::test]
async fn emails_have_the_headers_of_automatic_messages() {
    let (app, post) = open().await;
    sign_up(&app, "ada@bücher.example").await;
    let message = message(&app, &post).await;
    assert_eq!(message.to, "ada@xn--bcher-kva.example");
    assert_eq!(message.header("From"), "Retouch <post@example.com>");
    assert_eq!(message.header("To"), "ada@xn--bcher-kva.example");
    assert_eq!(message.header("Subject"), "Confirm your email for Retouch");
    assert_eq!(message.header("Date"), "Fri, 20 Nov 2026 12:00:00 +0000");
    assert_eq!(message.header("Auto-Submitted"), "auto-generated");
    assert_eq!(message.header("MIME-Version"), "1.0");
    assert_eq!(message.header("Content-Type"), "text/plain; charset=utf-8");
    assert_eq!(message.header("Content-Transfer-Encoding"), "7bit");
    let id = message.header("Message-ID");
    assert!(id.starts_with("<mail_") && id.ends_with("@example.com>"), "{id}");
    assert!(message.text.contains("within 24 hours") && message.text.contains("15 free credits"));
    app.check().await;
}

#[tokio::test]
async fn only_the_email_reveals_whether_an_address_has_an_account() {
    let (app, post) = open().await;
    member(&app, &post, "ada@example.com").await;
    let (taken, free) =
        (sign_up(&app, "ADA@example.com").await, sign_up(&app, "bob@example.com").await);
    assert_eq!((taken.status, free.status), (StatusCode::ACCEPTED, StatusCode::ACCEPTED));
    assert_eq!(taken.json()["status"], free.json()["status"]);
    let headers =
        |answer: &Answer| answer.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(headers(&taken), headers(&free));
    let messages = sent(&app, &post).await;
    let to = |address: &str| messages.iter().find(|message| message.to == address).unwrap().clone();
    let told = to("ada@example.com");
    assert!(
        told.text.contains("already have an account") && !told.text.contains("token="),
        "{}",
        told.text
    );
    assert!(told.text.contains("http://127.0.0.1:8080/forgot-password"), "{}", told.text);
    assert!(to("bob@example.com").text.contains("/verify?token="));

    let known = json!({ "email": "ada@example.com" });
    let unknown = json!({ "email": "nobody@example.com" });
    let ask = async |body| app.anon().post("/api/auth/request-password-reset", body).await;
    let (known, unknown) = (ask(&known).await, ask(&unknown).await);
    assert_eq!((known.status, unknown.status), (StatusCode::ACCEPTED, StatusCode::ACCEPTED));
    assert_eq!(known.json()["status"], unknown.json()["status"]);
    assert_eq!(message(&app, &post).await.to, "ada@example.com");
    app.check().await;
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_once_and_old_sessions_end() {
    let (app, post) = open().await;
    let ada = member(&app, &post, "ada@example.com").await;
    let ask = json!({ "email": "ADA@example.com" });
    let asked = app.anon().post("/api/auth/request-password-reset", &ask).await;
    assert_eq!(asked.status, 202);
    let reset = message(&app, &post).await;
    assert!(reset.text.contains("within 1 hour"), "{}", reset.text);
    let token = reset.token("/reset-password");
    let path = "/api/auth/reset-password";
    let short = app.anon().post(path, &json!({ "token": token, "password": "short" })).await;
    short.is_error(400, "invalid_password", Some("password"));
    let wrong = app.anon().post("/api/auth/verify", &json!({ "token": token })).await;
    wrong.is_error(400, "invalid_token", Some("token"));
    let body = json!({ "token": token, "password": "battery staple" });
    assert_eq!(app.anon().post(path, &body).await.status, 204);
    app.anon().post(path, &body).await.is_error(400, "invalid_token", Some("token"));
    ada.get("/api/account").await.is_error(401, "unauthenticated", None);
    assert_eq!(sign_in(&app, "ada@example.com", WORD).await, 401);
    assert_eq!(sign_in(&app, "ada@example.com", "battery staple").await, 200);
    let told = sent(&app, &post).await;
    let subjects: Vec<_> = told.iter().map(|message| message.header("Subject")).collect();
    let both = ["New sign-in to your Retouch account", "Your Retouch password was changed"];
    assert_eq!(subjects.iter().collect::<std::collections::BTreeSet<_>>(), both.iter().collect());

    app.anon().post("/api/auth/request-password-reset", &ask).await.ok();
    let late = message(&app, &post).await.token("/reset-password");
    app.clock.advance_ms(60 * MINUTE_MS);
    let body = json!({ "token": late, "password": "a third one" });
    app.anon().post(path, &body).await.is_error(400, "invalid_token", Some("token"));
    app.check().await;
}

#[tokio::test]
async fn another_address_counts_once_its_link_is_followed_and_the_old_one_is_told() {
    let (app, post) = open().await;
    let ada = member(&app, &post, "ada@example.com").await;
    member(&app, &post, "bob@example.com").await;
    let change = |field: &str, value: &str| json!({ "current_password": WORD, field: value });
    let asked = ada.patch("/api/account", &change("email", "new@example.com")).await.ok();
    assert_eq!(asked["email"], "ada@example.com");
    assert_eq!(asked["pending_email"], "new@example.com");
    let to_new = message(&app, &post).await;
    assert_eq!(to_new.to, "new@example.com");
    let token = json!({ "token": to_new.token("/verify") });
    let moved = app.anon().post("/api/auth/verify", &token).await;
    assert_eq!(moved.ok()["email"], "new@example.com");
    assert_eq!(moved.ok()["pending_email"], json!(null));
    assert!(moved.header("set-cookie").is_none(), "only the link of a sign-up signs anyone in");
    let told = message(&app, &post).await;
    assert_eq!(told.to, "ada@example.com");
    assert!(!told.text.contains("new@example.com"));

    let taken = ada.patch("/api/account", &change("email", "bob@example.com")).await.ok();
    assert_eq!(
        taken["pending_email"], "bob@example.com",
        "the answer does not reveal that the address is taken"
    );
    let told = message(&app, &post).await;
    assert!(told.to == "bob@example.com" && !told.text.contains("token="), "{}", told.text);

    ada.patch("/api/account", &change("password", "battery staple")).await.ok();
    assert_eq!(message(&app, &post).await.header("Subject"), "Your Retouch password was changed");
    let gone = ada.delete_with("/api/account", &json!({ "password": "battery staple" })).await;
    assert_eq!(gone.status, 204);
    let last = message(&app, &post).await;
    assert_eq!(last.to, "new@example.com");
    assert_eq!(last.header("Subject"), "Your Retouch account was deleted");
    app.check().await;
}

#[tokio::test]
async fn what_the_server_of_mail_says_for_now_is_tried_again_and_what_it_says_for_good_is_not() {
    let (app, post) = open_with(&[("RETOUCH_MAIL__SEND_TIME_MAX", "300 ms")]).await;
    log::start();
    post.will(&[
        Mood::Says("451 4.7.1 <patient@example.com> is greylisted"),
        Mood::SaysOfLetter("452 full"),
        Mood::Greets("554 no service"),
        Mood::Hangs,
    ]);
    sign_up(&app, "patient@example.com").await;
    for minutes in [1, 2, 4, 8] {
        assert!(sent(&app, &post).await.is_empty());
        app.clock.advance_ms(minutes * MINUTE_MS - 1);
        assert!(sent(&app, &post).await.is_empty(), "not yet");
        app.clock.advance_ms(1);
    }
    let arrived = message(&app, &post).await;
    let name = arrived.header("Message-ID").trim_matches(['<', '>']).split('@').next().unwrap();
    let token = json!({ "token": arrived.token("/verify") });
    assert_eq!(app.anon().post("/api/auth/verify", &token).await.status, 200);

    post.will(&[Mood::Says("550 5.1.1 <gone@example.com> no such user")]);
    sign_up(&app, "gone@example.com").await;
    assert!(sent(&app, &post).await.is_empty());
    app.clock.advance_ms(60 * MINUTE_MS);
    assert!(sent(&app, &post).await.is_empty(), "it is not tried again");

    let operator = app.anon();
    let metrics = operator.get("/metrics").await.text();
    for line in [
        "retouch_emails_total{kind=\"sign_up\",outcome=\"postponed\"} 4",
        "retouch_emails_total{kind=\"sign_up\",outcome=\"refused\"} 1",
        "retouch_emails_total{kind=\"sign_up\",outcome=\"sent\"} 1",
        "retouch_emails_waiting 0",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    let lines = log::of(name);
    assert_eq!(lines.len(), 4, "{lines:?}");
    for word in ["451", "452", "554", "300 ms"] {
        assert!(lines.iter().any(|line| line.contains(word)), "{word}: {lines:?}");
    }
    assert!(!lines.iter().any(|line| line.contains("patient")), "{lines:?}");
    app.check().await;
}

#[tokio::test]
async fn an_email_outlives_the_process_that_was_to_send_it() {
    let (app, post) = open().await;
    sign_up(&app, "ada@example.com").await;
    let url = post.url();
    let settings = [("RETOUCH_MAIL__SMTP_URL", &*url), ("RETOUCH_MAIL__FROM", "post@example.com")];
    let later = app.second_with(&settings).await;
    assert_eq!(send_due(&later).await.unwrap(), 1);
    let token = json!({ "token": post.take()[0].token("/verify") });
    assert_eq!(app.anon().post("/api/auth/verify", &token).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn addresses_that_mail_does_not_reach_are_refused_and_nothing_is_slipped_into_a_header() {
    let (app, _) = open().await;
    for email in [
        "møller@example.com",
        "x@deleted.invalid",
        "ada@example.com\r\nBcc: evil@example.com",
        "ada@example.com, evil@example.com",
        "\"ada evil\"@example.com",
        "<ada@example.com>",
        "ada@[127.0.0.1]",
        "ada@127.0.0.1",
    ] {
        sign_up(&app, email).await.is_error(400, "invalid_email", Some("email"));
    }
    app.check().await;
}

#[tokio::test]
async fn emails_and_guesses_at_links_are_counted() {
    let (app, post) = open().await;
    let asking = app.anon().calling_from([198, 51, 100, 7]);
    for number in 0..6_u8 {
        let body = json!({ "email": "Ada@example.com" });
        let answer = asking.post("/api/auth/request-password-reset", &body).await;
        match number {
            0..5 => assert_eq!(answer.status, 202),
            _ => drop(answer.is_error(429, "rate_limited", None)),
        }
    }
    let body = json!({ "email": "ada@EXAMPLE.com", "password": WORD });
    asking.post("/api/auth/sign-up", &body).await.is_error(429, "rate_limited", None);
    let guess = json!({ "token": "A".repeat(43) });
    for _ in 0..30 {
        app.anon().post("/api/auth/verify", &guess).await.is_error(
            400,
            "invalid_token",
            Some("token"),
        );
    }
    app.anon().post("/api/auth/verify", &guess).await.is_error(429, "rate_limited", None);
    assert!(sent(&app, &post).await.is_empty(), "no account has the address");
    app.check().await;
}

#[tokio::test]
async fn without_a_server_of_mail_all_is_as_it_was_and_the_pages_say_so() {
    let app = TestApp::new().await;
    let asked = json!({ "email": "ada@example.com" });
    let none = app.anon().post("/api/auth/request-password-reset", &asked).await;
    none.is_error(503, "mail_not_configured", None);
    assert_eq!(sign_up(&app, "ada@example.com").await.status, 201);
    sign_up(&app, "x@deleted.invalid").await.is_error(400, "invalid_email", Some("email"));
    let page = browser(&app).get("/sign-in").await.text();
    assert!(
        page.contains("Ask your administrator to reset it.") && !page.contains("/forgot-password")
    );
    let page = browser(&app).get("/forgot-password").await.text();
    assert!(!page.contains("<form class=\"sheet\""), "{page}");
    assert_eq!(browser(&app).get("/check-mail").await.status, 404);
    app.check().await;
}

#[tokio::test]
async fn by_forms_alone_somebody_signs_up_and_goes_on_where_they_were_going() {
    let (app, post) = open().await;
    let fields =
        [("email", "ada@example.com"), ("password", WORD), ("next", "/history?kind=video")];
    let asked = browser(&app).submit("/sign-up", &fields).await;
    assert_eq!(asked.header("location"), Some("/check-mail?for=sign-up"));
    let cookie = asked.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("Max-Age=86400"), "{cookie}");
    let here = browser(&app).with_header("cookie", cookie.split(';').next().unwrap());
    assert!(here.get("/check-mail?for=sign-up").await.text().contains("24 hours"));
    let message = message(&app, &post).await;
    let link = message.link("/verify");
    for _ in 0..2 {
        let page = here.get(&link).await;
        assert_eq!(page.status, 200, "opening the link does not use it up");
        assert!(
            page.text().contains("ada@example.com") && !page.text().contains("type=\"password\"")
        );
    }
    let token = message.token("/verify");
    let entered = here.submit("/verify", &[("token", &token)]).await;
    assert_eq!(entered.header("location"), Some("/history?kind=video"), "{}", entered.text());
    let ada = app.anon().with_session(&entered);
    assert_eq!(ada.available().await, 15);
    let again = here.get(&link).await;
    assert_eq!(again.status, 400);
    assert!(again.text().contains("expired or already used"), "{}", again.text());
    app.check().await;
}

#[tokio::test]
async fn in_another_browser_a_sign_up_is_confirmed_by_whoever_knows_its_password() {
    let (app, post) = open().await;
    let victim = browser(&app);
    // A stranger signs up with someone else's address, and the owner gets the link.
    sign_up(&app, "victim@example.com").await;
    let message = message(&app, &post).await;
    let token = message.token("/verify");
    let page = victim.get(&message.link("/verify")).await.text();
    assert!(page.contains("type=\"password\""), "{page}");
    for password in ["", "a guess of hers"] {
        let fields = [("token", &*token), ("password", password)];
        let refused = victim.submit("/verify", &fields).await;
        assert_eq!(refused.status, 401);
        assert!(refused.header("set-cookie").is_none());
    }
    assert_eq!(sign_in(&app, "victim@example.com", WORD).await, 401, "there is no account");
    let entered = victim.submit("/verify", &[("token", &token), ("password", WORD)]).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, Some("/")));
    app.check().await;
}

#[tokio::test]
async fn another_address_is_confirmed_by_its_own_account_and_no_other() {
    let (app, post) = open().await;
    let ada = member(&app, &post, "ada@example.com").await;
    let bob = member(&app, &post, "bob@example.com").await;
    let fields = [("current_password", WORD), ("email", "new@example.com")];
    let asked = ada.submit("/account/email", &fields).await;
    assert_eq!(asked.header("location"), Some("/account?done=email"));
    let page = ada.get("/account?done=email").await.text();
    assert!(
        page.contains("emailed a link to the new address")
            && page.contains("new@example.com – awaiting confirmation")
    );
    let message = message(&app, &post).await;
    let (link, token) = (message.link("/verify"), message.token("/verify"));
    let nobody = browser(&app).get(&link).await;
    assert!(nobody.header("location").unwrap().starts_with("/sign-in?next=%2Fverify%3Ftoken"));
    assert_eq!(bob.get(&link).await.status, 403);
    assert_eq!(bob.submit("/verify", &[("token", &token)]).await.status, 403);
    let done = ada.submit("/verify", &[("token", &token)]).await;
    assert_eq!(done.header("location"), Some("/account?done=confirmed"));
    assert!(ada.get("/account?done=confirmed").await.text().contains("new@example.com"));
    app.check().await;
}

#[tokio::test]
async fn by_forms_alone_a_forgotten_password_is_replaced() {
    let (app, post) = open().await;
    member(&app, &post, "ada@example.com").await;
    let page = browser(&app).get("/sign-in").await.text();
    assert!(page.contains("href=\"/forgot-password\""), "{page}");
    let wrong = browser(&app).submit("/forgot-password", &[("email", "no<where")]).await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("value=\"no&#60;where\""), "{}", wrong.text());
    let asked = browser(&app).submit("/forgot-password", &[("email", "ada@example.com")]).await;
    assert_eq!(asked.header("location"), Some("/check-mail?for=reset"));
    let message = message(&app, &post).await;
    let page = browser(&app).get(&message.link("/reset-password")).await;
    assert_eq!(page.status, 200);
    let token = message.token("/reset-password");
    let short = [("token", &*token), ("password", "short")];
    let refused = browser(&app).submit("/reset-password", &short).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("at least 8 are needed"), "{}", refused.text());
    let fields = [("token", &*token), ("password", "battery staple")];
    let done = browser(&app).submit("/reset-password", &fields).await;
    assert_eq!(done.header("location"), Some("/sign-in?done=reset"));
    assert!(browser(&app).get("/sign-in?done=reset").await.text().contains("Password changed."));
    assert_eq!(sign_in(&app, "ada@example.com", "battery staple").await, 200);
    let again = browser(&app).get(&message.link("/reset-password")).await;
    assert_eq!(again.status, 400);
    app.check().await;
}

#[tokio::test]
async fn a_reset_evicts_whoever_was_in_and_keeps_what_its_owner_chooses() {
    let (app, post) = open().await;
    let ada = member(&app, &post, "ada@example.com").await;
    app.clock.advance_ms(1_000);
    let made = ada.post("/api/keys", &json!({ "name": "laptop" })).await.ok();
    let bearer = format!("Bearer {}", made["key"].as_str().unwrap());
    let program = app.anon().with_header("authorization", &bearer);
    let told = message(&app, &post).await;
    assert_eq!(told.header("Subject"), "An API key was created for your Retouch account");
    assert!(told.text.contains(made["start"].as_str().unwrap()), "{}", told.text);
    for (keep, status) in [(json!(["keys"]), 200), (json!([]), 401)] {
        let ask = json!({ "email": "ada@example.com" });
        app.anon().post("/api/auth/request-password-reset", &ask).await;
        let reset = message(&app, &post).await;
        let page = browser(&app).get(&reset.link("/reset-password")).await.text();
        assert!(page.contains("Keep my API keys: laptop"), "{page}");
        let token = reset.token("/reset-password");
        let body = json!({ "token": token, "password": "battery staple", "keep": keep });
        assert_eq!(app.anon().post("/api/auth/reset-password", &body).await.status, 204);
        assert_eq!(program.get("/api/credits").await.status, status);
        message(&app, &post).await;
    }
    app.check().await;
}

#[tokio::test]
async fn the_owner_is_told_of_a_sign_in_from_a_new_browser_once() {
    let (app, post) = open().await;
    member(&app, &post, "ada@example.com").await;
    let right = json!({ "email": "ada@example.com", "password": WORD });
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
    let ada = app.anon().with_header("user-agent", firefox);
    let entered = ada.post("/api/auth/sign-in", &right).await;
    let told = message(&app, &post).await;
    assert!(told.text.contains("Firefox on Linux"), "{}", told.text);
    let cookies = entered.headers.get_all("set-cookie").iter();
    let mut cookies = cookies.map(|value| value.to_str().unwrap().split(';').next().unwrap());
    let known = cookies.find(|cookie| cookie.starts_with("retouch_browser=")).unwrap();
    let again = ada.with_header("cookie", known).with_header("sec-fetch-site", "same-origin");
    assert_eq!(again.post("/api/auth/sign-in", &right).await.status, 200);
    assert_eq!(sent(&app, &post).await.len(), 0, "the browser is known");
    app.check().await;
}
