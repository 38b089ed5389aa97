//! Passkeys, with a device written only from the specification, and what the service refuses from
//! one.

use base64_simd::URL_SAFE_NO_PAD;
use retouch_server::auth::secret::SessionToken;
use retouch_store::NewChallenge;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::device::{BACKED_UP, Device, MAY_BACK_UP, PRESENT, VERIFIED};
use crate::support::persona::{Answer, Persona};

const WORD: &str = "correct horse";

/// A false statement of a device or its browser.
type Lie = fn(&mut Device);

async fn app() -> TestApp {
    TestApp::with(&[("RETOUCH_SERVER__PUBLIC_URL", "http://localhost:8080")]).await
}

async fn begin(who: &Persona) -> Answer {
    who.post("/api/passkeys/options", &json!({ "current_password": WORD })).await
}

async fn add(who: &Persona, device: &mut Device) -> Answer {
    let options = begin(who).await.ok();
    who.post("/api/passkeys", &device.create(&options)).await
}

/// A person with a passkey.
async fn owner(app: &TestApp, email: &str, id: u8) -> (Persona, Device) {
    let (who, mut device) = (app.member(email).await, Device::new(id));
    assert_eq!(add(&who, &mut device).await.status, 201);
    (who, device)
}

async fn question(app: &TestApp) -> Value {
    app.anon().post("/api/auth/passkey/options", &json!({})).await.ok()
}

async fn enter(app: &TestApp, device: &mut Device) -> Answer {
    let options = question(app).await;
    app.anon().post("/api/auth/passkey", &device.get(&options)).await
}

#[tokio::test]
async fn a_passkey_is_added_opens_the_account_and_is_removed() {
    let app = app().await;
    let (ada, mut device) = owner(&app, "ada@example.com", 1).await;
    let options = begin(&ada).await.ok();
    assert_eq!(options["rp"], json!({ "id": "localhost", "name": "Retouch" }));
    assert_eq!(options["excludeCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    let listed = ada.get("/api/passkeys?limit=1").await.ok();
    let view = &listed["data"][0];
    assert_eq!((&view["name"], &view["last_used_at"]), (&json!("phone"), &Value::Null));

    let entered = enter(&app, &mut device).await;
    assert_eq!(entered.ok()["email"], "ada@example.com");
    let again = app.anon().with_session(&entered);
    assert_eq!(again.get("/api/account").await.status, 200);
    let view = again.get("/api/passkeys").await.ok()["data"][0].clone();
    assert!(view["last_used_at"].is_string());
    let bob = app.member("bob@example.com").await;
    assert_eq!(add(&bob, &mut device).await.status, 409, "the passkey belongs to Ada's account");
    let path = format!("/api/passkeys/{}", view["id"].as_str().unwrap());
    bob.delete(&path).await.is_error(404, "not_found", None);
    assert_eq!(ada.delete(&path).await.status, 204);
    enter(&app, &mut device).await.is_error(401, "passkey_refused", None);
    app.check().await;
}

#[tokio::test]
async fn a_question_is_answered_once_in_time_by_whom_it_was_put_to() {
    let app = app().await;
    let (ada, mut device) = owner(&app, "ada@example.com", 1).await;
    let options = question(&app).await;
    let proof = device.get(&options);
    app.anon().post("/api/auth/passkey", &proof).await.ok();
    let replayed = app.anon().post("/api/auth/passkey", &proof).await;
    let said = replayed.is_error(401, "passkey_refused", None);
    assert!(said.contains("was already answered"), "{said}");
    let late = device.get(&question(&app).await);
    app.clock.advance_ms(5 * 60_000);
    let late = app.anon().post("/api/auth/passkey", &late).await;
    late.is_error(401, "passkey_refused", None);
    let made_up = device.get(&json!({ "challenge": "A".repeat(43) }));
    let made_up = app.anon().post("/api/auth/passkey", &made_up).await;
    made_up.is_error(401, "passkey_refused", None);
    // Answers to a challenge for another purpose, and to one for another account.
    let options = begin(&ada).await.ok();
    let proof = device.get(&options);
    let other = app.anon().post("/api/auth/passkey", &proof).await;
    other.is_error(401, "passkey_refused", None);
    let bob = app.member("bob@example.com").await;
    let stolen = bob.post("/api/passkeys", &Device::new(2).create(&options)).await;
    stolen.is_error(401, "passkey_refused", None);
    let later = ada.post("/api/passkeys", &Device::new(2).create(&options)).await;
    later.is_error(401, "passkey_refused", None);
    app.check().await;
}

#[tokio::test]
async fn what_a_device_or_a_browser_should_not_say_lets_nobody_in() {
    let app = app().await;
    let (ada, mut device) = owner(&app, "ada@example.com", 1).await;
    let (_, of_bob) = owner(&app, "bob@example.com", 2).await;
    let lies: [(&str, Lie); 10] = [
        ("another origin", |it| it.origin = "http://localhost:9090".into()),
        ("a subdomain", |it| it.origin = "http://evil.localhost:8080".into()),
        ("a frame", |it| it.cross_origin = true),
        ("another host", |it| it.host = "evil.example".into()),
        ("another ceremony", |it| it.kind = Some("webauthn.other".into())),
        ("no user present", |it| it.flags = VERIFIED | MAY_BACK_UP),
        ("user not verified", |it| it.flags = PRESENT | MAY_BACK_UP),
        ("an impossible backup", |it| it.flags = PRESENT | VERIFIED | BACKED_UP),
        // The passkey was created as one that can be backed up, so a device that says otherwise is
        // a different one.
        ("a missing backup flag", |it| it.flags = PRESENT | VERIFIED),
        ("another account", |it| it.user_handle = b"acct_of_bob".to_vec()),
    ];
    for (what, lie) in lies {
        let mut liar = device.clone();
        lie(&mut liar);
        let answer = enter(&app, &mut liar).await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text());
    }
    // Another key under the same ID, another user's ID, altered data, and no passkey at all.
    let mut forged = Device { user_handle: device.user_handle.clone(), ..Device::new(1) };
    enter(&app, &mut forged).await.is_error(401, "passkey_refused", None);
    let mut renamed = Device { id: of_bob.id, ..device.clone() };
    enter(&app, &mut renamed).await.is_error(401, "passkey_refused", None);
    let mut changed = device.get(&question(&app).await);
    changed["signature"] = "AAAA".into();
    let changed = app.anon().post("/api/auth/passkey", &changed).await;
    changed.is_error(401, "passkey_refused", None);
    let mut wrong = device.get(&question(&app).await);
    wrong["client_data"] = "!".into();
    let wrong = app.anon().post("/api/auth/passkey", &wrong).await;
    wrong.is_error(400, "invalid_value", Some("client_data"));
    for attestation in ["", "AAAA", "oWhhdXRoRGF0YUEB"] {
        let options = begin(&ada).await.ok();
        let mut made = Device::new(3).create(&options);
        made["attestation"] = attestation.into();
        ada.post("/api/passkeys", &made).await.is_error(401, "passkey_refused", None);
    }
    enter(&app, &mut device).await.ok();
    app.check().await;
}

#[tokio::test]
async fn a_passkey_that_counts_backwards_opens_nothing_any_more() {
    let app = app().await;
    let ada = app.member("ada@example.com").await;
    let mut device = Device { count: 5, ..Device::new(1) };
    assert_eq!(add(&ada, &mut device).await.status, 201);
    enter(&app, &mut device).await.ok();
    let mut copy = device.clone();
    enter(&app, &mut device).await.ok();
    let said = enter(&app, &mut copy).await.is_error(401, "passkey_refused", None);
    assert!(said.contains("may have been cloned"), "{said}");
    enter(&app, &mut device).await.is_error(401, "passkey_refused", None);
    let view = ada.get("/api/passkeys").await.ok()["data"][0].clone();
    assert!(view["doubted_at"].is_string());
    let page = ada.get("/account").await.text();
    assert!(page.contains("may have been cloned"), "{page}");
    let named = [("id", view["id"].as_str().unwrap())];
    let gone = ada.submit("/account/passkeys/remove", &named).await;
    assert_eq!(gone.header("location"), Some("/account?done=passkey-removed"));
    app.check().await;
}

#[tokio::test]
async fn a_session_alone_adds_no_passkey() {
    let app = app().await;
    let ada = app.member("ada@example.com").await;
    let wrong = json!({ "current_password": "wrong horse" });
    let refused = ada.post("/api/passkeys/options", &wrong).await;
    refused.is_error(401, "invalid_credentials", Some("current_password"));
    let missing = ada.post("/api/passkeys/options", &json!({})).await;
    missing.is_error(400, "missing_field", Some("current_password"));
    let key = ada.clone().with_key().await;
    begin(&key).await.is_error(403, "session_required", None);
    let evil = ada.clone().without_header("sec-fetch-site").with_header("origin", "https://e.vil");
    begin(&evil).await.is_error(403, "cross_site_request", None);
    let unnamed = json!({ "name": " ", "client_data": "", "attestation": "" });
    ada.post("/api/passkeys", &unnamed).await.is_error(400, "invalid_value", Some("name"));
    app.check().await;
}

#[tokio::test]
async fn where_browsers_have_no_passkeys_none_are_offered() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let said = begin(&ada).await.is_error(503, "passkeys_not_available", None);
    assert!(said.contains("http://127.0.0.1:8080"), "{said}");
    let asked = app.anon().post("/api/auth/passkey/options", &json!({})).await;
    asked.is_error(503, "passkeys_not_available", None);
    for (who, path) in [(&ada, "/account"), (&app.anon(), "/sign-in")] {
        assert!(!who.get(path).await.text().contains("passkeys.js"), "{path}");
    }
    app.check().await;
}

/// The test vectors of Web Authentication Level 3, section 16.
const VECTORS: &str = include_str!("../auth/passkey/vectors.txt");

/// A value of a vector, in base64url.
fn part(vector: &str, key: &str) -> String {
    let block = VECTORS.split_once(&format!("[{vector}]\n")).unwrap().1;
    let hex = block.split_once(&format!("{key} = ")).unwrap().1.lines().next().unwrap();
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    URL_SAFE_NO_PAD.encode_to_string((0..hex.len()).step_by(2).map(byte).collect::<Vec<_>>())
}

/// The vectors whose devices verify their user both at creation and at use. Their challenges are
/// stored as if the service had issued them.
#[tokio::test]
async fn the_official_vectors_make_a_passkey_and_open_the_account() {
    for vector in ["packed-es256", "tpm-es256"] {
        let app = TestApp::with(&[("RETOUCH_SERVER__PUBLIC_URL", "https://example.org")]).await;
        let ada = app.member("ada@example.com").await;
        let id = ada.get("/api/account").await.ok()["id"].as_str().unwrap().to_owned();
        for (kind, key, account) in [
            ("passkey_create", "create.challenge", Some(id.parse().unwrap())),
            ("passkey_get", "get.challenge", None),
        ] {
            let token_hash = SessionToken::check(&part(vector, key)).unwrap();
            let expires_at = app.app.clock.now().plus_ms(60_000);
            let new =
                NewChallenge { token_hash, kind, account, content: String::new(), expires_at };
            app.app.store.create_challenge(new).await.unwrap();
        }
        let made = json!({
            "name": "phone",
            "client_data": part(vector, "create.client_data"),
            "attestation": part(vector, "create.attestation"),
        });
        let added = ada.post("/api/passkeys", &made).await;
        assert_eq!(added.status, 201, "{vector}: {}", added.text());
        assert_eq!(added.json()["data"][0]["id"], part(vector, "create.id"));
        let proof = json!({
            "id": part(vector, "create.id"),
            "client_data": part(vector, "get.client_data"),
            "authenticator_data": part(vector, "get.authenticator_data"),
            "signature": part(vector, "get.signature"),
            "user_handle": URL_SAFE_NO_PAD.encode_to_string(&id),
        });
        let entered = app.anon().post("/api/auth/passkey", &proof).await;
        assert_eq!(entered.ok()["email"], "ada@example.com", "{vector}");
        let replayed = app.anon().post("/api/auth/passkey", &proof).await;
        replayed.is_error(401, "passkey_refused", None);
        app.check().await;
    }
}
