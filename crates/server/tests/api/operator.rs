//! The operator's day: the dashboard, accounts, settings and providers in the browser.

use base64_simd::STANDARD;
use retouch_server::config::SignUpRule;
use serde_json::json;

use crate::admin::{WORD, admin, form_token, id, leads_to};
use crate::support::TestApp;
use crate::support::persona::Persona;
use crate::support::pictures;

const KEY: &str = "sk-secret-0123456789-wxyz";

/// A service that can encrypt API keys.
async fn with_key(more: &[(&str, &str)]) -> TestApp {
    let key = STANDARD.encode_to_string([7; 32]);
    let settings = [&[("RETOUCH_SERVER__SECRET_KEY", key.as_str())], more].concat();
    TestApp::with(&settings).await
}

/// The path of the page of `member`.
async fn path_of(member: &Persona) -> String {
    format!("/admin/users/{}", id(member).await)
}

#[tokio::test]
async fn the_dashboard_shows_yesterday_and_what_needs_attention() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.rich_caller("bob@example.com").await;
    bob.edit("go").await.ok();
    bob.edit("fail").await.is_error(500, "upstream_error", None);
    app.app.measure().await.unwrap();
    app.clock.advance_ms(24 * 3_600_000);
    app.app.measure().await.unwrap();
    let page = admin.get("/admin").await.text();
    let line = |name: &str, cells: [&str; 3]| {
        let cells: String =
            cells.iter().map(|cell| format!("<td class=\"number\">{cell}</td>")).collect();
        format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>")
    };
    for wanted in [
        line("Sign-ups", ["0", "2", "2"]),
        line("Active accounts", ["0", "1", "–"]),
        line("Edits completed", ["0", "1", "1"]),
        line("Edits failed", ["0", "1", "1"]),
        line("Credits sold", ["0", "0", "0"]),
        line("Credits granted", ["0", "1,030", "1,030"]),
        line("Credits used", ["0", "6", "6"]),
        line("Provider cost", ["$0.00", "$0.04", "$0.04"]),
    ] {
        assert!(page.contains(&wanted), "{wanted}: {page}");
    }
    assert!(page.contains("<title>2026-11-20, Failed: 1</title>"), "{page}");
    assert!(page.contains("Email is off"), "{page}");
    assert!(page.contains("<td class=\"number\">1,030</td>"), "the chart has a table: {page}");
    leads_to(&admin.get("/admin/").await, "/admin");
    app.check().await;
}

#[tokio::test]
async fn an_account_is_created_with_a_password_to_pass_on() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let fields = [("email", "new@example.com"), ("reason", "colleague")];
    let page = admin.submit("/admin/users", &fields).await.text();
    let password = shown(&page);
    let sign_in = json!({ "email": "new@example.com", "password": password });
    app.anon().post("/api/auth/sign-in", &sign_in).await.ok();
    assert_eq!(admin.submit("/admin/users", &fields).await.status, 409, "the address is taken");
    let missing = [("email", "other@example.com"), ("reason", "")];
    assert_eq!(admin.submit("/admin/users", &missing).await.status, 400);
    let log = admin.get("/admin/log").await.text();
    assert!(log.contains("Created the account") && !log.contains(&password), "{log}");
    app.check().await;
}

/// The secret that a page shows once.
fn shown(page: &str) -> String {
    let (_, rest) =
        page.split_once("<p class=\"secret\"><code>").unwrap_or_else(|| panic!("{page}"));
    rest.split('<').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_new_password_replaces_the_old_one_and_needs_the_administrators() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let there = format!("{}/password", path_of(&bob).await);
    let fields =
        |word| [("act", "set"), ("password_reason", "forgot"), ("password_password", word)];
    assert_eq!(admin.submit(&there, &fields("wrong horse")).await.status, 401);
    let password = shown(&admin.submit(&there, &fields(WORD)).await.text());
    bob.get("/api/account").await.is_error(401, "unauthenticated", None);
    let sign_in = |word: &str| json!({ "email": "bob@example.com", "password": word });
    let refused = app.anon().post("/api/auth/sign-in", &sign_in(WORD)).await;
    refused.is_error(401, "invalid_credentials", None);
    app.anon().post("/api/auth/sign-in", &sign_in(&password)).await.ok();
    let by_mail = admin.submit(&there, &[("act", "send"), ("password_reason", "forgot")]).await;
    assert!(by_mail.text().contains("does not send email"), "{}", by_mail.text());
    app.check().await;
}

#[tokio::test]
async fn one_account_has_its_own_limits_and_notes() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let robot = bob.clone().with_key().await;
    let path = path_of(&bob).await;
    let there = format!("{path}/terms");
    let fields = [("calls_per_minute", "1"), ("edits_at_once_max", "3"), ("note", "pays <late>")];
    leads_to(&admin.submit(&there, &fields).await, &format!("{path}?done=terms"));
    let account = bob.get("/api/account").await.ok();
    assert_eq!(
        (&account["calls_per_minute"], &account["edits_at_once_max"]),
        (&json!(1), &json!(3))
    );
    let page = admin.get(&path).await.text();
    assert!(page.contains("pays &#60;late&#62;") && page.contains("Empty: no limit"), "{page}");
    assert!(!bob.get("/account").await.text().contains("late"), "notes are for administrators");
    robot.edit("go").await.ok();
    robot.edit("go").await.is_error(429, "rate_limited", None);
    assert_eq!(admin.submit(&there, &[("edits_at_once_max", "0")]).await.status, 400);
    leads_to(&admin.submit(&there, &[]).await, &format!("{path}?done=terms"));
    robot.edit("go").await.ok();
    app.check().await;
}

#[tokio::test]
async fn a_deleted_account_leaves_the_list_and_its_books_balance() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.rich_caller("bob@example.com").await;
    bob.edit("go").await.ok();
    let path = path_of(&bob).await;
    let there = format!("{path}/delete");
    let fields = |email, word| {
        [("delete_email", email), ("delete_reason", "asked for it"), ("delete_password", word)]
    };
    assert_eq!(admin.submit(&there, &fields("eve@example.com", WORD)).await.status, 400);
    assert_eq!(admin.submit(&there, &fields("bob@example.com", "wrong")).await.status, 401);
    bob.get("/api/account").await.ok();
    let done = admin.submit(&there, &fields("Bob@example.com", WORD)).await;
    leads_to(&done, "/admin/users?done=deleted");
    bob.get("/api/account").await.is_error(401, "unauthenticated", None);
    let list = admin.get("/admin/users?done=deleted").await.text();
    assert!(list.contains("Account deleted.") && !list.contains("deleted.invalid"), "{list}");
    let page = admin.get(&path).await.text();
    assert!(page.contains(">Deleted</span>") && !page.contains("delete_email"), "{page}");
    let own = format!("{}/delete", path_of(&admin).await);
    assert_eq!(admin.submit(&own, &fields("admin@example.com", WORD)).await.status, 403);
    app.check().await;
}

#[tokio::test]
async fn a_large_grant_asks_again_and_says_the_sum() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = path_of(&bob).await;
    let token = form_token(&admin.get(&path).await.text());
    let fields =
        [("credits", "1000000"), ("reason", "a prize"), ("act", "grant"), ("form", &token)];
    let there = format!("{path}/credits");
    let question = admin.submit(&there, &fields).await;
    assert!(
        question.text().contains("Grant 1,000,000 credits to bob@example.com?"),
        "{}",
        question.text()
    );
    assert_eq!(bob.available().await, 15);
    let other = [&fields[..], &[("confirmed", "100")]].concat();
    assert_eq!(admin.submit(&there, &other).await.status, 200, "another sum was confirmed");
    let confirmed = [&fields[..], &[("confirmed", "1000000")]].concat();
    leads_to(&admin.submit(&there, &confirmed).await, &format!("{path}?done=granted"));
    assert_eq!(bob.available().await, 1_000_015);
    let page = admin.get(&format!("{path}?done=granted")).await.text();
    assert!(page.contains("Granted 1,000,000 credits."), "{page}");
    app.check().await;
}

#[tokio::test]
async fn lists_are_exported_as_text_and_add_up() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.rich_caller("bob@example.com").await;
    bob.edit("go").await.ok();
    bob.edit("fail").await.is_error(500, "upstream_error", None);
    let path = path_of(&bob).await;
    let fields = [("sign_out_reason", "=HYPERLINK(\"x\")")];
    admin.submit(&format!("{path}/sign-out"), &fields).await;
    let list = async |name: &str| {
        let answer = admin.get(&format!("/admin/lists/{name}.csv")).await;
        assert_eq!(answer.status, 200, "{name}");
        assert!(answer.header("content-disposition").unwrap().starts_with("attachment"));
        answer.text()
    };
    let users = list("users").await;
    assert_eq!(users.lines().count(), 3, "{users}");
    assert!(users.contains("\"bob@example.com\"") && users.contains(",1009,0"), "{users}");
    let generations = list("generations").await;
    assert!(generations.contains("\"upstream_error\"") && !generations.contains("go,"));
    let transactions = list("transactions").await;
    let own = id(&bob).await;
    let changes = transactions.lines().filter(|line| line.starts_with(&own));
    let sum: i64 =
        changes.map(|line| line.split(',').nth(5).unwrap().parse::<i64>().unwrap()).sum();
    assert_eq!(sum, bob.available().await, "{transactions}");
    let log = list("log").await;
    assert!(log.contains("\"'=HYPERLINK(\"\"x\"\")\"") && log.contains("users.csv"), "{log}");
    assert_eq!(admin.get("/admin/lists/passwords.csv").await.status, 404);
    app.check().await;
}

#[tokio::test]
async fn emails_are_shown_and_not_sent_without_a_server() {
    let app = TestApp::with(&[("RETOUCH_SITE__NAME", "Pixel & Co")]).await;
    let admin = admin(&app).await;
    let page = admin.get("/admin/emails?kind=new_browser").await.text();
    assert!(page.contains("New sign-in to your Pixel &#38; Co account"), "{page}");
    assert!(page.contains("Firefox on Linux") && !page.contains("Send to"), "{page}");
    let page = admin.get("/admin/emails?kind=reset").await.text();
    assert!(page.contains("within 1 hour:"), "{page}");
    let examples = [
        ("low_credits", "You have 5 credits left at"),
        ("plan_renewed", "was renewed:\nStandard (300 credits)."),
        ("payment_failed", "Standard. This month&#39;s credits haven&#39;t been added yet."),
        ("credits_granted", "has added 100 credits."),
        ("webhook_off", "The webhook at hooks.example.com"),
    ];
    for (kind, example) in examples {
        let page = admin.get(&format!("/admin/emails?kind={kind}")).await.text();
        assert!(page.contains(example), "{page}");
    }
    assert_eq!(admin.get("/admin/emails?kind=poem").await.status, 400);
    let sent = admin.submit("/admin/emails", &[("kind", "reset")]).await;
    assert!(sent.text().contains("does not send email"), "{}", sent.text());
    app.check().await;
}

#[tokio::test]
async fn settings_change_live_on_every_node_and_are_logged() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let second = app.second().await;
    let fields = [
        ("site-name", "Pixel & Co"),
        ("site-color", "#FFD400"),
        ("site-footer", "Pixel & Co, Main Street 1"),
        ("site-terms-url", "https://example.com/terms"),
        ("site-contact", "help@example.com"),
        ("site-announcement", "Maintenance at 10 PM <b>"),
        ("auth-sign-up", "invited"),
        ("auth-sign-up-credits", "40"),
        ("store-results-kept", "30 d"),
    ];
    leads_to(&admin.submit("/admin/settings", &fields).await, "/admin/settings?done=saved");
    leads_to(&admin.submit("/admin/settings", &fields).await, "/admin/settings?done=same");
    let page = app.anon().get("/sign-in").await.text();
    for wanted in [
        "Pixel &#38; Co</title>",
        "Main Street 1",
        "href=\"https://example.com/terms\"",
        "href=\"mailto:help@example.com\"",
        "Maintenance at 10 PM &#60;b&#62;",
    ] {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    let (_, rest) = page.split_once("href=\"/site/").unwrap();
    let style = app.anon().get(&format!("/site/{}", rest.split('"').next().unwrap())).await;
    assert!(style.text().contains("--pencil: light-dark(#"), "{}", style.text());
    assert!(app.anon().get("/nothing").await.header("content-type").is_some());
    let joining = json!({ "email": "x@example.com", "password": WORD });
    app.anon().post("/api/auth/sign-up", &joining).await.is_error(403, "invitation_required", None);
    assert_eq!(app.app.retention().kept_days([]), Some(30));

    assert_eq!(second.live().settings.sign_up, SignUpRule::Open);
    second.refresh().await.unwrap();
    assert_eq!(second.live().settings.sign_up, SignUpRule::Invited);
    assert_eq!(second.sign_up_credits().get(), 40);
    let log = admin.get("/admin/log").await.text();
    assert!(log.contains("auth.sign_up: default → “invited”"), "{log}");

    leads_to(
        &admin.submit("/admin/settings", &[("auth-sign-up", "open")]).await,
        "/admin/settings?done=saved",
    );
    app.anon().post("/api/auth/sign-up", &joining).await.ok();
    app.check().await;
}

#[tokio::test]
async fn the_file_and_the_environment_win_over_the_page() {
    let app = TestApp::with(&[("RETOUCH_SITE__NAME", "From outside")]).await;
    let admin = admin(&app).await;
    let page = admin.get("/admin/settings").await.text();
    assert!(page.contains("Set in RETOUCH_SITE__NAME, so it can’t be changed here."), "{page}");
    let fields = [("site-name", "From the page"), ("site-footer", "hello")];
    leads_to(&admin.submit("/admin/settings", &fields).await, "/admin/settings?done=saved");
    let page = app.anon().get("/sign-in").await.text();
    assert!(page.contains("From outside") && page.contains("hello"), "{page}");
    for (name, value) in [
        ("site-color", "blue"),
        ("site-terms-url", "javascript:alert(1)"),
        ("site-contact", "call me"),
        ("auth-sign-up", "friends"),
        ("auth-sign-up", "domains"),
        ("auth-sign-up-credits", "-1"),
        ("store-results-kept", "12 h"),
    ] {
        let answer = admin.submit("/admin/settings", &[(name, value)]).await;
        assert_eq!(answer.status, 400, "{name} {value}");
        let text = answer.text();
        assert!(text.contains("aria-invalid") && !text.contains("site.color:"), "{name}: {text}");
    }
    app.check().await;
}

#[tokio::test]
async fn a_logo_is_kept_as_pixels_alone() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let upload = async |bytes: &[u8]| {
        let head = "--x\r\nContent-Disposition: form-data; name=\"logo\"; filename=\"l\"\r\n\r\n";
        let body = [head.as_bytes(), bytes, b"\r\n--x--\r\n"].concat();
        let form = admin.clone().with_header("content-type", "multipart/form-data; boundary=x");
        form.send(axum::http::Method::POST, "/admin/settings/logo", Some(body)).await
    };
    assert_eq!(upload(b"<svg onload='alert(1)'/>").await.status, 400);
    let picture = pictures::png(800, 30);
    leads_to(&upload(&picture).await, "/admin/settings?done=logo");
    let page = app.anon().get("/sign-in").await.text();
    let (_, rest) = page.split_once("<img src=\"/site/").unwrap_or_else(|| panic!("{page}"));
    let logo = app.anon().get(&format!("/site/{}", rest.split('"').next().unwrap())).await;
    assert_eq!(logo.header("content-type"), Some("image/png"));
    let size = (&logo.bytes[16..20], &logo.bytes[20..24]);
    assert_eq!(size, (&320_u32.to_be_bytes()[..], &12_u32.to_be_bytes()[..]));
    leads_to(
        &admin.submit("/admin/settings/logo/remove", &[]).await,
        "/admin/settings?done=logo-removed",
    );
    assert!(!app.anon().get("/sign-in").await.text().contains("<img src=\"/site/"));
    app.check().await;
}

#[tokio::test]
async fn a_provider_is_added_tested_and_switched_without_a_restart() {
    let app = with_key(&[]).await;
    let admin = admin(&app).await;
    let second = app
        .second_with(&[("RETOUCH_SERVER__SECRET_KEY", &STANDARD.encode_to_string([7; 32]))])
        .await;
    let fields = |password| {
        [
            ("kind", "openai"),
            ("api_key", KEY),
            ("base_url", "http://127.0.0.1:9/v1"),
            ("usd_per_day_max", "5.00"),
            ("is_on", "on"),
            ("password", password),
        ]
    };
    assert_eq!(admin.submit("/admin/providers", &fields("wrong horse")).await.status, 401);
    assert!(app.app.providers.find("openai").is_none());
    let added = admin.submit("/admin/providers", &fields(WORD)).await;
    leads_to(&added, "/admin/providers?done=saved");
    assert!(app.app.providers.find("openai").is_some());
    assert!(app.app.live().usd_per_day_max("openai").is_some());
    assert!(second.providers.find("openai").is_none());
    second.refresh().await.unwrap();
    assert!(second.providers.find("openai").is_some(), "the other node has it too");

    let page = admin.get("/admin/providers").await.text();
    assert!(page.contains("…wxyz") && !page.contains(KEY) && page.contains("$5"), "{page}");
    let tested = admin.submit("/admin/providers/openai/test", &[]).await.text();
    assert!(tested.contains("openai doesn’t work."), "{tested}");
    let one = admin.get("/admin/providers/openai").await.text();
    assert!(one.contains("keep the one that ends in wxyz") && !one.contains(KEY), "{one}");
    let database = std::fs::read(app.app.settings.store.data_dir.join("retouch.db-wal")).unwrap();
    assert!(!database.windows(KEY.len()).any(|bytes| bytes == KEY.as_bytes()), "encrypted at rest");

    let off = admin.submit("/admin/providers/openai/switch", &[("act", "off")]).await;
    leads_to(&off, "/admin/providers?done=off");
    assert!(app.app.providers.find("openai").is_none());
    leads_to(
        &admin.submit("/admin/providers/openai/remove", &[]).await,
        "/admin/providers?done=removed",
    );
    assert!(app.app.live().added.is_empty());
    let log = admin.get("/admin/log").await.text();
    for words in ["openai: added (openai, on, at most $5.00 a day, new API key)", "openai: removed"]
    {
        assert!(log.contains(words), "{words}: {log}");
    }
    assert!(!log.contains(KEY));
    app.check().await;
}

#[tokio::test]
async fn without_a_secret_key_no_api_key_is_stored() {
    let app = TestApp::with(&[("RETOUCH_PROVIDERS__GEMINI__API_KEY", "from-outside")]).await;
    let admin = admin(&app).await;
    let page = admin.get("/admin/providers").await.text();
    assert!(page.contains("openssl rand -base64 32"), "{page}");
    assert!(page.contains("Set in the file or environment") && !page.contains("from-outside"));
    let fields = |kind| [("kind", kind), ("api_key", KEY), ("is_on", "on"), ("password", WORD)];
    let refused = admin.submit("/admin/providers", &fields("openai")).await;
    assert!(refused.text().contains("RETOUCH_SERVER__SECRET_KEY"), "{}", refused.text());
    let fixed = admin.submit("/admin/providers", &fields("gemini")).await;
    assert!(fixed.text().contains("has a provider with this name"), "{}", fixed.text());
    let unknown = admin.submit("/admin/providers", &fields("nothing")).await;
    assert_eq!(unknown.status, 400, "{}", unknown.text());
    assert!(app.app.live().added.is_empty());
    app.check().await;
}

#[tokio::test]
async fn settings_tell_where_they_are_set_and_hide_secrets() {
    let app = TestApp::with(&[("RETOUCH_METRICS__TOKEN", "a-very-secret-token")]).await;
    let page = admin(&app).await.get("/admin/settings").await.text();
    assert!(page.contains("RETOUCH_METRICS__TOKEN") && page.contains("server.listen"), "{page}");
    assert!(!page.contains("a-very-secret-token"));
    app.check().await;
}
