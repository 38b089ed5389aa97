//! Administration, as administrators see it and as everyone else does not.

use axum::http::Method;
use serde_json::json;

use crate::support::TestApp;
use crate::support::authenticator::Authenticator;
use crate::support::persona::{Answer, Persona};

/// The password of every account in these tests.
pub(crate) const WORD: &str = "correct horse";

const ADDRESSES: [&str; 14] = [
    "/admin",
    "/admin/users",
    "/admin/lists/users.csv",
    "/admin/emails",
    "/admin/providers",
    "/admin/lists/log.csv",
    "/admin/users/acct_00000000000000000000000000",
    "/admin/invitations",
    "/admin/generations",
    "/admin/models",
    "/admin/payments",
    "/admin/books",
    "/admin/log",
    "/admin/settings",
];

/// The token of the first-administrator link that the operator sees.
pub(crate) async fn link(app: &TestApp) -> Option<String> {
    let address =
        retouch_server::auth::link::create(&app.app.store, &app.app.ids, &app.app.public_url);
    let address = address.await.unwrap()?;
    Some(address.split_once('=').unwrap().1.to_owned())
}

/// An administrator with a browser session.
pub(crate) async fn admin(app: &TestApp) -> Persona {
    let admin = app.member("admin@example.com").await.with_header("accept", "text/html");
    admin_of(app, admin).await
}

/// Makes a member the first administrator.
pub(crate) async fn admin_of(app: &TestApp, admin: Persona) -> Persona {
    let token = link(app).await.unwrap();
    let claimed = admin.submit("/first-administrator", &[("token", &token)]).await;
    leads_to(&claimed, "/admin");
    Authenticator::set_up(app, &admin).await;
    admin
}

#[track_caller]
pub(crate) fn leads_to(answer: &Answer, path: &str) {
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, Some(path)),
        "{}",
        answer.text()
    );
}

/// The account's id, as its owner sees it.
pub(crate) async fn id(member: &Persona) -> String {
    member.get("/api/account").await.ok()["id"].as_str().unwrap().to_owned()
}

/// The token hidden in the form on the page of `user`.
pub(crate) async fn form(admin: &Persona, user: &Persona) -> String {
    form_token(&admin.get(&format!("/admin/users/{}", id(user).await)).await.text())
}

/// The token hidden in the form on a user's page.
pub(crate) fn form_token(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"form\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_link_leads_through_signing_up_to_administration_and_works_once() {
    let app = TestApp::new().await;
    let token = link(&app).await.unwrap();
    let path = format!("/first-administrator?token={token}");
    let visitor =
        app.anon().with_header("accept", "text/html").with_header("sec-fetch-site", "same-origin");
    let page = visitor.get(&path).await;
    assert_eq!(page.status, 200, "{}", page.text());
    // In the header and on the page, and from there to the other form.
    for path in ["/sign-up", "/sign-in"] {
        let way =
            format!("{path}?next=%2Ffirst-administrator%3Ftoken%3D{token}&#38;invitation={token}");
        assert_eq!(page.text().matches(&way).count(), 2, "{way}: {}", page.text());
        let form = visitor.get(&way.replace("&#38;", "&")).await;
        assert_eq!(form.text().matches("first-administrator%3Ftoken%3D").count(), 3, "{path}");
    }
    let fields = [("email", "a@example.com"), ("password", "correct horse"), ("next", &path)];
    let entered = visitor.submit("/sign-up", &fields).await;
    leads_to(&entered, &path);
    let ada = visitor.with_session(&entered);
    assert!(ada.get(&path).await.text().contains("Become administrator"));
    assert_eq!(
        ada.get("/admin").await.status,
        404,
        "opening the link does not make anyone an administrator"
    );
    leads_to(&ada.submit("/first-administrator", &[("token", &token)]).await, "/admin");
    leads_to(&ada.get("/admin").await, "/second-factor?next=%2Fadmin");
    assert!(ada.get("/").await.text().contains("href=\"/admin\""));

    let bob = app.member("bob@example.com").await;
    assert_eq!(bob.submit("/first-administrator", &[("token", &token)]).await.status, 404);
    assert_eq!(bob.get(&path).await.status, 404);
    assert_eq!(link(&app).await, None, "no link once there is an administrator");
    assert!(!bob.get("/").await.text().contains("href=\"/admin\""));
    app.check().await;
}

#[tokio::test]
async fn a_link_ends_after_half_an_hour_and_a_made_up_one_is_none() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let token = link(&app).await.unwrap();
    app.clock.advance_ms(30 * 60_000);
    for token in [token.as_str(), "", "x", &"A".repeat(43)] {
        assert_eq!(ada.submit("/first-administrator", &[("token", token)]).await.status, 404);
        let path = format!("/first-administrator?token={token}");
        assert_eq!(ada.get(&path).await.status, 404);
    }
    assert_eq!(ada.get("/admin").await.status, 404);
    app.check().await;
}

#[tokio::test]
async fn to_everybody_else_there_is_nothing() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let (member, caller) =
        (app.member("bob@example.com").await, app.caller("eve@example.com").await);
    let of_bob = format!("/admin/users/{}", id(&member).await);
    for persona in [app.anon(), member.clone(), caller] {
        for path in ADDRESSES.into_iter().chain([of_bob.as_str()]) {
            assert_eq!(persona.get(path).await.status, 404, "{path}");
        }
        for path in ["credits", "suspension", "sign-out", "role", "password", "terms", "delete"] {
            let path = format!("{of_bob}/{path}");
            let fields = [("credits", "100"), ("reason", "for me"), ("act", "grant")];
            assert_eq!(persona.submit(&path, &fields).await.status, 404, "{path}");
        }
        for path in ["books", "users", "settings", "emails", "providers", "providers/x/test"] {
            let path = format!("/admin/{path}");
            assert_eq!(persona.submit(&path, &[]).await.status, 404, "{path}");
        }
    }
    assert_eq!(member.available().await, 15);
    for path in ADDRESSES.into_iter().filter(|path| !path.contains("acct_")) {
        assert_eq!(admin.get(path).await.status, 200, "{path}");
    }
    assert_eq!(admin.get(&of_bob).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn another_sites_page_administers_nothing() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let token = form_token(&admin.get(&path).await.text());
    let elsewhere =
        admin.without_header("sec-fetch-site").with_header("origin", "https://evil.example");
    let fields = [("credits", "100"), ("reason", "x"), ("act", "grant"), ("form", &token)];
    for (place, fields) in [
        ("credits", &fields[..]),
        ("suspension", &[("suspend_reason", "x"), ("act", "suspend")]),
        ("sign-out", &[("sign_out_reason", "x")]),
        ("role", &[("role_reason", "x"), ("role_password", WORD), ("act", "appoint")]),
    ] {
        let answer = elsewhere.submit(&format!("{path}/{place}"), fields).await;
        assert_eq!(answer.status, 403, "{place}");
    }
    assert_eq!(elsewhere.submit("/admin/books", &[]).await.status, 403);
    assert_eq!(bob.available().await, 15);
    app.check().await;
}

#[tokio::test]
async fn credits_are_granted_and_taken_back_once_with_a_reason() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let token = form_token(&admin.get(&path).await.text());
    let fields = [("credits", "100"), ("reason", "sorry"), ("act", "grant"), ("form", &token)];
    let there = format!("{path}/credits");
    leads_to(&admin.submit(&there, &fields).await, &format!("{path}?done=granted"));
    leads_to(&admin.submit(&there, &fields).await, &format!("{path}?done=before"));
    assert_eq!(bob.available().await, 115, "a double click grants credits once");
    let entries = bob.get("/api/credits/entries").await.ok();
    assert_eq!(entries["data"][0]["description"], "sorry");

    let token = form_token(&admin.get(&path).await.text());
    let fields = [("credits", "500"), ("reason", "abuse"), ("act", "take_back"), ("form", &token)];
    leads_to(&admin.submit(&there, &fields).await, &format!("{path}?done=taken"));
    assert_eq!(bob.available().await, 0);
    let log = admin.get("/admin/log").await.text();
    for words in ["Granted 100 credits", "Removed 115 credits", "abuse", "admin@example.com"] {
        assert!(log.contains(words), "{words}: {log}");
    }
    assert_eq!(log.matches("Granted 100 credits").count(), 1);
    assert!(log.contains("req_"), "the log names the request");
    app.check().await;
}

#[tokio::test]
async fn a_mistake_is_shown_at_its_field_and_does_nothing() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let token = form_token(&admin.get(&path).await.text());
    let long = "x".repeat(201);
    let cases = [
        ("0", "why", "grant", token.as_str(), "credits"),
        ("-5", "why", "grant", &token, "credits"),
        ("1.5", "why", "grant", &token, "credits"),
        ("9007199254740992", "why", "grant", &token, "credits"),
        ("9007199254740991", "why", "grant", &token, "credits"),
        ("5", " ", "grant", &token, "reason"),
        ("5", &long, "grant", &token, "reason"),
        ("5", "two\nlines", "grant", &token, "reason"),
        ("5", "why", "steal", &token, ""),
        ("5", "why", "grant", "", ""),
    ];
    for (credits, reason, act, form, place) in cases {
        // A large grant asks again first.
        let confirmed = ("confirmed", credits);
        let fields =
            [("credits", credits), ("reason", reason), ("act", act), ("form", form), confirmed];
        let answer = admin.submit(&format!("{path}/credits"), &fields).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{fields:?}: {html}");
        let wrong = match place {
            "" => "role=\"alert\">".to_owned(),
            _ => format!("aria-describedby=\"{place}-hint {place}-wrong\" aria-invalid"),
        };
        assert!(html.contains(&wrong), "{fields:?}: {html}");
        assert!(html.contains(&format!("value=\"{credits}\"")), "{html}");
    }
    let nobody = "/admin/users/acct_00000000000000000000000000/credits";
    let fields = [("credits", "5"), ("reason", "why"), ("act", "grant"), ("form", &token)];
    assert_eq!(admin.submit(nobody, &fields).await.status, 404);
    assert_eq!(bob.available().await, 15);
    assert!(!admin.get("/admin/log").await.text().contains("Granted"));
    app.check().await;
}

#[tokio::test]
async fn a_suspended_account_is_out_at_once_and_comes_back() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let robot = bob.clone().with_key().await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let there = format!("{path}/suspension");
    let fields = [("suspend_reason", "spam"), ("act", "suspend")];
    assert_eq!(
        admin.submit(&there, &[("act", "suspend")]).await.status,
        400,
        "a reason is required"
    );
    leads_to(&admin.submit(&there, &fields).await, &format!("{path}?done=suspended"));
    bob.get("/api/account").await.is_error(401, "unauthenticated", None);
    robot.get("/api/account").await.is_error(401, "unauthenticated", None);
    let credentials = json!({ "email": "bob@example.com", "password": "correct horse" });
    let message = app.anon().post("/api/auth/sign-in", &credentials).await;
    let message = message.is_error(403, "not_allowed", None);
    assert!(message.contains("suspended"), "{message}");
    let wrong = json!({ "email": "bob@example.com", "password": "wrong horse" });
    app.anon().post("/api/auth/sign-in", &wrong).await.is_error(401, "invalid_credentials", None);
    assert!(admin.get("/admin/users?q=bob").await.text().contains("Suspended"));

    let fields = [("suspend_reason", "talked"), ("act", "lift")];
    leads_to(&admin.submit(&there, &fields).await, &format!("{path}?done=lifted"));
    robot.get("/api/account").await.ok();
    bob.get("/api/account").await.is_error(401, "unauthenticated", None);
    app.anon().post("/api/auth/sign-in", &credentials).await.ok();
    app.check().await;
}

#[tokio::test]
async fn an_administrator_stays_in() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let path = format!("/admin/users/{}", id(&admin).await);
    assert!(!admin.get(&path).await.text().contains("suspend_reason"), "the form is not offered");
    let fields = [("suspend_reason", "oops"), ("act", "suspend")];
    assert_eq!(admin.submit(&format!("{path}/suspension"), &fields).await.status, 403);
    assert_eq!(admin.get("/admin").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn somebody_is_signed_out_everywhere() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let fields = [("sign_out_reason", "lost a laptop")];
    let done = admin.submit(&format!("{path}/sign-out"), &fields).await;
    leads_to(&done, &format!("{path}?done=signed-out"));
    bob.get("/api/account").await.is_error(401, "unauthenticated", None);
    let page = admin.get(&format!("{path}?done=signed-out")).await.text();
    assert!(page.contains("Signed out everywhere.") && page.contains("lost a laptop"), "{page}");
    app.check().await;
}

#[tokio::test]
async fn an_administrator_makes_another_and_is_let_go_by_them() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await.with_header("accept", "text/html");
    let path = format!("/admin/users/{}", id(&bob).await);
    let there = format!("{path}/role");
    let fields =
        |act, password| [("role_reason", "helps out"), ("role_password", password), ("act", act)];
    let refused = admin.submit(&there, &fields("appoint", "wrong horse")).await;
    assert_eq!(refused.status, 401);
    let page = refused.text();
    assert!(page.contains("role-password-wrong\">The password is wrong."), "{page}");
    assert!(page.contains("value=\"helps out\"") && !page.contains("wrong horse"), "{page}");
    let nameless = [("role_reason", " "), ("role_password", WORD), ("act", "appoint")];
    assert_eq!(admin.submit(&there, &nameless).await.status, 400, "a reason is required");
    assert_eq!(bob.get("/admin").await.status, 404);
    leads_to(
        &admin.submit(&there, &fields("appoint", WORD)).await,
        &format!("{path}?done=appointed"),
    );
    leads_to(&bob.get("/admin").await, "/second-factor?next=%2Fadmin");
    Authenticator::set_up(&app, &bob).await;
    assert_eq!(bob.get("/admin").await.status, 200);

    let own = format!("/admin/users/{}", id(&admin).await);
    let dismissed = bob.submit(&format!("{own}/role"), &fields("dismiss", WORD)).await;
    leads_to(&dismissed, &format!("{own}?done=dismissed"));
    assert_eq!(admin.get("/admin").await.status, 404);
    let last = bob.submit(&there, &fields("dismiss", WORD)).await;
    assert_eq!(last.status, 403);
    assert!(last.text().contains("last administrator"), "{}", last.text());
    let log = bob.get("/admin/log").await.text();
    for words in ["Made administrator", "Removed administrator rights", "helps out"] {
        assert!(log.contains(words), "{words}: {log}");
    }
    app.check().await;
}

#[tokio::test]
async fn administrators_who_dismiss_themselves_leave_the_pages() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let role = async |path: &str, act| {
        let fields = [("role_reason", "leaves"), ("role_password", WORD), ("act", act)];
        admin.submit(&format!("{path}/role"), &fields).await
    };
    role(&format!("/admin/users/{}", id(&bob).await), "appoint").await;
    leads_to(&role(&format!("/admin/users/{}", id(&admin).await), "dismiss").await, "/");
    assert_eq!(admin.get("/admin").await.status, 404);
    app.check().await;
}

#[tokio::test]
async fn a_look_at_generations_is_in_the_log() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.rich_caller("bob@example.com").await;
    bob.edit("go").await.ok();
    assert!(!admin.get("/admin/log").await.text().contains("Viewed"));
    for _ in 0..2 {
        admin.get(&format!("/admin/generations?account={}", id(&bob).await)).await;
    }
    let log = admin.get("/admin/log").await.text();
    assert_eq!(log.matches("Viewed generations").count(), 1, "{log}");
    assert!(log.contains("bob@example.com"), "{log}");
    app.check().await;
}

#[tokio::test]
async fn generations_are_seen_without_words_and_pictures() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.rich_caller("bob@example.com").await;
    bob.edit("a private matter").await.ok();
    bob.edit("fail").await.is_error(500, "upstream_error", None);
    let page = admin.get("/admin/generations").await.text();
    assert!(
        page.contains("<td class=\"number\">16</td>") && page.contains("bob@example.com"),
        "{page}"
    );
    assert!(page.contains("upstream_error"), "{page}");
    for secret in ["private matter", "/files/", "/thumbnails/", "<img"] {
        assert!(!page.contains(secret), "{secret}: {page}");
    }
    let failed = admin.get("/admin/generations?status=failed&provider=scripted").await.text();
    assert!(
        failed.contains("upstream_error") && !failed.contains("<td class=\"number\">16</td>"),
        "{failed}"
    );
    let of = format!("/admin/generations?account={}", id(&admin).await);
    assert!(admin.get(&of).await.text().contains("No generations found."));
    app.check().await;
}

#[tokio::test]
async fn a_filter_that_cannot_be_is_refused_instead_of_showing_everything() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    app.rich_caller("bob@example.com").await.edit("go").await.ok();
    for (path, what) in [
        ("/admin/generations?account=bob", "account"),
        ("/admin/generations?status=broken", "status"),
        ("/history?kind=song", "kind"),
        ("/history?status=broken", "status"),
    ] {
        let page = admin.get(path).await;
        assert_eq!(page.status, 400, "{path}: {}", page.text());
        assert!(page.text().contains(what) && !page.text().contains("bob@"), "{}", page.text());
    }
    let page = admin.get("/admin/generations?model=of-old&provider=gone").await.text();
    assert!(page.contains("No generations found."), "{page}");
    for asked in ["<option selected>of-old", "<option selected>gone"] {
        assert!(page.contains(asked), "the page repeats the search: {page}");
    }
    app.check().await;
}

#[tokio::test]
async fn models_tell_how_their_routes_have_gone() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let page = admin.get("/admin/models").await.text();
    assert!(page.contains("not configured") && page.contains("built-in"), "{page}");
    let bob = app.rich_caller("bob@example.com").await;
    bob.edit("go").await.ok();
    bob.edit("fail").await.is_error(500, "upstream_error", None);
    let page = admin.get("/admin/models").await.text();
    assert!(page.contains("50 %, 1 failed"), "{page}");
    let since_yesterday = "<a href=\"/admin/models?day=2026-11-20#days\">2026-11-20</a>";
    assert!(page.contains(since_yesterday) && page.contains("1 upstream_error"), "{page}");
    assert!(page.contains(">$0.05</td>"), "{page}");
    assert!(admin.get("/admin").await.text().contains("$0.05<"), "both pages round alike");
    let day = admin.get("/admin/models?day=2026-11-20").await.text();
    assert!(day.contains("Results on 2026-11-20"), "{day}");
    assert!(day.contains("<th scope=\"row\">gamma-2</th><td>scripted</td>"), "{day}");
    assert_eq!(
        admin.get("/admin/models?day=2026-11-19").await.status,
        400,
        "no statistics for that day"
    );
    app.check().await;
}

#[tokio::test]
async fn the_books_are_proved_on_demand() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    assert!(
        admin.get("/admin/books").await.text().contains("Not verified since the server started.")
    );
    leads_to(&admin.submit("/admin/books", &[]).await, "/admin/books");
    app.settled().await;
    let page = admin.get("/admin/books").await.text();
    assert!(page.contains("The ledger is correct.") && page.contains("in 1 account."), "{page}");
    assert!(admin.get("/admin/log").await.text().contains("Verified the ledger"));
    app.check().await;
}

#[tokio::test]
async fn what_people_write_stays_text() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let fields = [("sign_out_reason", "<script>alert(1)</script>")];
    admin.submit(&format!("{path}/sign-out"), &fields).await;
    for page in [
        &path,
        "/admin/log",
        "/admin/users?q=%3Cscript%3E",
        "/admin/generations?account=%22%3E%3Cb%3E",
        "/admin/generations?model=%22%3E%3Cb%3E",
    ] {
        let page = admin.get(page).await;
        assert!(page.header("content-security-policy").unwrap().contains("script-src 'self'"));
        assert!(!page.text().contains("<script>") && !page.text().contains("<b>"));
    }
    let head = admin.send(Method::HEAD, "/admin", None).await;
    assert_eq!(head.status, 200);
    app.check().await;
}
