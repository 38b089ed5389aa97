//! Changing the password or the email address, and deleting the account.

use retouch_core::billing::Source;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};

const WORD: &str = "correct horse";

async fn enter(app: &TestApp, email: &str, password: &str) -> Answer {
    let credentials = json!({ "email": email, "password": password });
    app.anon().post("/api/auth/sign-in", &credentials).await
}

fn change(field: &str, value: &str) -> Value {
    json!({ "current_password": WORD, field: value })
}

/// A client that sends forms, like a browser without JavaScript.
fn browser(persona: Persona) -> Persona {
    persona.with_header("accept", "text/html")
}

#[tokio::test]
async fn another_password_needs_the_old_one_and_ends_the_other_sessions() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let other = app.anon().with_session(&enter(&app, "ada@example.com", WORD).await);
    let wrong = json!({ "current_password": "wrong horse", "password": "battery staple" });
    let refused = ada.patch("/api/account", &wrong).await;
    refused.is_error(401, "invalid_credentials", Some("current_password"));
    let short = ada.patch("/api/account", &change("password", "short")).await;
    short.is_error(400, "invalid_password", Some("password"));
    let nothing = ada.patch("/api/account", &json!({ "current_password": WORD })).await;
    nothing.is_error(400, "missing_field", Some("password"));
    assert_eq!(other.get("/api/account").await.status, 200, "nothing has changed yet");

    ada.patch("/api/account", &change("password", "battery staple")).await.ok();
    assert_eq!(ada.get("/api/account").await.status, 200);
    other.get("/api/account").await.is_error(401, "unauthenticated", None);
    assert_eq!(enter(&app, "ada@example.com", WORD).await.status, 401);
    assert_eq!(enter(&app, "ada@example.com", "battery staple").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn neither_a_key_nor_another_site_nor_many_guesses_change_anything() {
    // Keep this number low: checking the passwords must take less time than the limiter needs to
    // allow one more.
    let few = [("RETOUCH_AUTH__SIGN_IN_ATTEMPTS_PER_MINUTE_PER_ACCOUNT", "2")];
    let app = TestApp::with(&few).await;
    let ada = app.member("ada@example.com").await;
    let key = ada.clone().with_key().await;
    let asked = change("password", "battery staple");
    key.patch("/api/account", &asked).await.is_error(403, "session_required", None);
    let gone = key.delete_with("/api/account", &json!({ "password": WORD })).await;
    gone.is_error(403, "session_required", None);
    let evil =
        ada.clone().without_header("sec-fetch-site").with_header("origin", "https://evil.example");
    evil.patch("/api/account", &asked).await.is_error(403, "cross_site_request", None);
    let gone = evil.delete_with("/api/account", &json!({ "password": WORD })).await;
    gone.is_error(403, "cross_site_request", None);
    let guess = json!({ "password": "guess" });
    for _ in 0..2 {
        ada.delete_with("/api/account", &guess).await.is_error(
            401,
            "invalid_credentials",
            Some("password"),
        );
    }
    let more = ada.delete_with("/api/account", &json!({ "password": WORD })).await;
    more.is_error(429, "rate_limited", None);
    assert_eq!(ada.get("/api/account").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn another_address_signs_in_from_then_on_unless_it_is_taken() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    app.member("bob@example.com").await;
    let taken = ada.patch("/api/account", &change("email", "BOB@example.com")).await;
    taken.is_error(409, "email_taken", Some("email"));
    let bad = ada.patch("/api/account", &change("email", "nowhere")).await;
    bad.is_error(400, "invalid_email", Some("email"));
    let changed = ada.patch("/api/account", &change("email", "lovelace@example.com")).await.ok();
    assert_eq!(changed["email"], "lovelace@example.com");
    assert_eq!(enter(&app, "ada@example.com", WORD).await.status, 401);
    assert_eq!(enter(&app, "lovelace@example.com", WORD).await.status, 200);
    app.member("ada@example.com").await;
    app.check().await;
}

#[tokio::test]
async fn a_deleted_account_takes_its_pictures_keys_and_sessions_with_it() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let key = ada.clone().with_key().await;
    let made = ada.edit("go").await.ok();
    let stored = made["generation"]["stored_images"][0].as_str().unwrap();
    let path = stored.strip_prefix("http://127.0.0.1:8080").unwrap();
    assert_eq!(app.anon().get(path).await.status, 200);
    let id = ada.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();

    let gone = ada.delete_with("/api/account", &json!({ "password": WORD })).await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    app.settled().await;
    assert_eq!(app.anon().get(path).await.status, 404, "the image is gone");
    ada.get("/api/account").await.is_error(401, "unauthenticated", None);
    key.get("/api/account").await.is_error(401, "unauthenticated", None);
    assert_eq!(enter(&app, "ada@example.com", WORD).await.status, 401);
    assert!(
        app.app.store.balance(&id).await.unwrap().available.is_zero(),
        "the credits are taken back"
    );
    let again = app.member("ada@example.com").await;
    assert_eq!(again.available().await, 0, "free credits are granted once per person");
    assert_eq!(again.get("/api/generations").await.ok()["data"], json!([]));
    app.check().await;
}

#[tokio::test]
async fn the_call_that_deletes_an_account_does_not_wait_for_its_pictures() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let ada = app.member("ada@example.com").await;
    for _ in 0..2 {
        ada.edit("go").await.ok();
    }
    let folder = app.app.settings.store.blobs.folder().unwrap().join("files");
    let files = || std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files(), 2);
    let gone = ada.delete_with("/api/account", &json!({ "password": WORD })).await;
    // Checked before any other task of this thread can run.
    assert_eq!((gone.status.as_u16(), files()), (204, 2));
    app.settled().await;
    assert_eq!(files(), 0, "the files are removed in the background");
    app.check().await;
}

#[tokio::test]
async fn what_a_crash_leaves_of_a_deleted_account_is_swept() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let ada = app.member("ada@example.com").await;
    ada.edit("go").await.ok();
    let id = ada.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let blobs = app.app.settings.store.blobs.folder().unwrap().join("files");
    // Delete the account as a process does that ends before it deletes any file.
    app.app.store.delete_account(&id).await.unwrap();
    assert_eq!(std::fs::read_dir(&blobs).unwrap().count(), 1);
    let next = app.restarted().await;
    retouch_server::edits::sweep_files(&next).await;
    assert_eq!(std::fs::read_dir(&blobs).unwrap().count(), 0);
    assert!(
        next.store.list_removals(0).await.unwrap().is_empty(),
        "the removal is recorded as done"
    );
    app.check().await;
}

#[tokio::test]
#[ignore = "slow: tries to remove two thousand files"]
async fn a_file_goes_however_many_before_it_cannot() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let ada = app.member("ada@example.com").await;
    ada.edit("go").await.ok();
    let id = ada.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let store = &app.app.settings.store;
    let files = store.blobs.folder().unwrap().join("files");
    app.app.store.delete_account(&id).await.unwrap();
    // Adds a thousand older edits whose "files" are non-empty folders, which cannot be removed.
    let rows = rusqlite::Connection::open(store.database.file().unwrap()).unwrap();
    let sql =
        "INSERT INTO edit (account_id, id, kind, status, model, provider, instruction, cost, blob,
                   stored, warnings, owner, lease_until, created_at, deleted_at)
               SELECT account_id, ?1, kind, status, model, provider, instruction, cost, ?1, '[1]',
                   warnings, owner, lease_until, created_at, 1 FROM edit WHERE deleted_at > 1";
    rows.execute_batch("BEGIN").unwrap();
    for number in 0..1_001 {
        let name = format!("00000000-0000-7000-8000-{number:012}");
        rows.execute(sql, [&name]).unwrap();
        std::fs::create_dir_all(files.join(name).join("in the way")).unwrap();
    }
    rows.execute_batch("COMMIT").unwrap();
    let left = || std::fs::read_dir(&files).unwrap().count();
    assert_eq!(left(), 1_002);
    retouch_server::edits::sweep_files(&app.app).await;
    assert_eq!(left(), 1_002, "a sweep stops after a thousand failures");
    retouch_server::edits::sweep_files(&app.app).await;
    assert_eq!(left(), 1_001, "the next sweep continues after them");
    app.skip_check("it wrote edits without ledger entries");
}

#[tokio::test]
async fn a_plan_of_the_operators_ends_with_the_account() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let id = ada.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let plans = app.app.catalogue.plans.clone();
    let deed = retouch_store::Deed { by: None, reason: String::new(), request_id: None };
    let asked = retouch_store::AssignPlan { plan: plans[0].clone(), plans };
    let given = app.app.store.assign_plan(&id, asked, deed).await.unwrap();
    assert_eq!(given.source, Source::Operator);
    let gone = ada.delete_with("/api/account", &json!({ "password": WORD })).await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    assert_eq!(app.app.store.find_subscription(&id).await.unwrap(), None);
    app.check().await;
}

#[tokio::test]
async fn the_page_changes_and_deletes_by_forms_alone() {
    let app = TestApp::new().await;
    let ada = browser(app.member("ada@example.com").await);
    let wrong = [("current_password", "wrong horse"), ("email", "new<@example.com")];
    let page = ada.submit("/account/email", &wrong).await;
    assert_eq!(page.status, 400);
    assert!(page.text().contains("value=\"new&#60;@example.com\""), "{}", page.text());
    assert!(!page.text().contains("wrong horse"), "the page does not repeat the password");
    let fields = [("current_password", "wrong horse"), ("email", "new@example.com")];
    let page = ada.submit("/account/email", &fields).await;
    assert_eq!(page.status, 401);
    let shown = "id=\"email-password-wrong\">The password is wrong.";
    assert!(page.text().contains(shown), "{}", page.text());

    let fields = [("current_password", WORD), ("email", "new@example.com")];
    let done = ada.submit("/account/email", &fields).await;
    assert_eq!((done.status.as_u16(), done.header("location")), (303, Some("/account?done=email")));
    let page = ada.get("/account?done=email").await.text();
    assert!(page.contains("Email address changed.") && page.contains("new@example.com"));
    let fields = [("current_password", WORD), ("password", "battery staple")];
    let done = ada.submit("/account/password", &fields).await;
    assert_eq!(done.header("location"), Some("/account?done=password"));

    let page = ada.submit("/account/delete", &[("password", WORD)]).await;
    assert_eq!(page.status, 401);
    assert!(
        page.text().contains("id=\"delete-password-wrong\">The password is wrong"),
        "{}",
        page.text()
    );
    let gone = ada.submit("/account/delete", &[("password", "battery staple")]).await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, Some("/")));
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(ada.get("/account").await.header("location"), Some("/sign-in?next=%2Faccount"));
    app.check().await;
}
