//! Webhooks, through the real router and real sockets.

#[path = "webhooks/messages.rs"]
mod messages;

use retouch_core::Timestamp;
use retouch_server::webhooks::deliver::deliver_due;
use retouch_server::webhooks::schedule::WAITS_MS;
use retouch_server::webhooks::signature::{Message, Secrets};
use ring::hmac;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde_json::{Value, json};

use crate::mail;
use crate::support::TestApp;
use crate::support::persona::Persona;
use crate::support::post::Post;
use crate::support::receiver::{Arrived, Receiver};

/// 32 bytes in base64.
const KEY: (&str, &str) =
    ("RETOUCH_SERVER__SECRET_KEY", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
const LOOPBACK: (&str, &str) = ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8");
const HASTY: (&str, &str) = ("RETOUCH_WEBHOOKS__RESPONSE_TIME_MAX", "1 s");
const HOUR_MS: i64 = 3_600_000;

async fn open() -> (TestApp, Receiver) {
    open_with(&[]).await
}

async fn open_with(more: &[(&str, &str)]) -> (TestApp, Receiver) {
    let settings: Vec<_> = [KEY, LOOPBACK].iter().chain(more).copied().collect();
    (TestApp::with(&settings).await, Receiver::open().await)
}

/// Creates a webhook for all events, and returns it with its secret.
async fn listen(member: &Persona, receiver: &Receiver) -> Value {
    let made = member.post("/api/webhooks", &json!({ "url": receiver.url("/hook") })).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()
}

fn path(webhook: &Value, rest: &str) -> String {
    format!("/api/webhooks/{}{rest}", webhook["id"].as_str().unwrap())
}

/// Delivers what is due, and returns what arrived.
async fn delivered(app: &TestApp, receiver: &Receiver) -> Vec<Arrived> {
    deliver_due(&app.app).await.unwrap();
    receiver.take()
}

fn seconds(app: &TestApp) -> i64 {
    app.app.clock.now().0 / 1_000
}

/// Changes a webhook of the member.
async fn change(member: &Persona, webhook: &Value, change: Value) -> Value {
    member.patch(&path(webhook, ""), &change).await.ok()
}

/// The latest delivery of a webhook.
async fn latest(member: &Persona, webhook: &Value) -> Value {
    member.get(&path(webhook, "/deliveries")).await.ok()["data"][0].clone()
}

async fn status(member: &Persona, webhook: &Value) -> Value {
    let all = member.get("/api/webhooks").await.ok();
    let all = all["data"].as_array().unwrap().iter();
    all.clone().find(|it| it["id"] == webhook["id"]).unwrap()["status"].clone()
}

fn bytes(text: &Value, prefix: &str) -> Vec<u8> {
    let text = text.as_str().unwrap().strip_prefix(prefix).unwrap();
    base64_simd::STANDARD.decode_to_vec(text).unwrap()
}

/// Checks both signatures of a message as a receiver does, with the secret and the public key of a
/// webhook. Returns whether each of them is valid.
fn signatures(message: &Arrived, webhook: &Value) -> (bool, bool) {
    let (id, at) = (message.header("webhook-id"), message.header("webhook-timestamp"));
    let signed = format!("{id}.{at}.{}", message.body);
    let key = hmac::Key::new(hmac::HMAC_SHA256, &bytes(&webhook["secret"], "whsec_"));
    let public = UnparsedPublicKey::new(&ED25519, bytes(&webhook["public_key"], "whpk_"));
    let all =
        || message.header("webhook-signature").split(' ').map(|it| it.split_once(',').unwrap());
    let of = |version| {
        let found = all().filter(move |(it, _)| *it == version);
        found.map(|(_, text)| base64_simd::STANDARD.decode_to_vec(text).unwrap())
    };
    (
        of("v1").any(|it| hmac::verify(&key, signed.as_bytes(), &it).is_ok()),
        of("v1a").any(|it| public.verify(signed.as_bytes(), &it).is_ok()),
    )
}

#[test]
fn signatures_are_those_of_the_published_vectors() {
    for (secret, id, timestamp_s, body, expected) in [
        (
            "C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
            "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
            1_649_367_553,
            r#"{"email":"test@example.com","username":"test_user"}"#,
            "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
        ),
        (
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ),
    ] {
        let shared = base64_simd::STANDARD.decode_to_vec(secret).unwrap();
        let secrets = Secrets::of(&shared, &[7; 32]).unwrap();
        let signed = secrets.sign(Message { id, timestamp_s, body });
        assert_eq!(signed.split(' ').next(), Some(expected));
    }
    // RFC 8032, 7.1, test 1.
    let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    let hex = |text: &str| -> Vec<u8> {
        let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
        (0..text.len()).step_by(2).map(digits).collect()
    };
    let expected = format!("whpk_{}", base64_simd::STANDARD.encode_to_string(hex(public)));
    assert_eq!(Secrets::of(&[1; 32], &hex(seed)).unwrap().public_text(), expected);
}

#[tokio::test]
async fn an_event_says_what_happened_and_is_signed_in_both_ways() {
    let (app, receiver) = open().await;
    let ada = app.member("ada@example.com").await;
    let webhook = listen(&ada, &receiver).await;
    let made = ada.edit("go").await.ok();
    let arrived = delivered(&app, &receiver).await;
    assert_eq!(arrived.len(), 1, "{arrived:?}");
    let message = &arrived[0];
    assert_eq!((&*message.path, message.header("content-type")), ("/hook", "application/json"));
    assert_eq!(signatures(message, &webhook), (true, true));
    let at = seconds(&app);
    assert_eq!(message.header("webhook-timestamp"), at.to_string());
    let uuid = made["generation"]["uuid"].as_str().unwrap();
    let body = message.json();
    assert_eq!(body["type"], "generation.succeeded");
    assert!(Timestamp::parse(body["timestamp"].as_str().unwrap()).is_some());
    let data = &body["data"];
    assert_eq!(
        (&data["id"], &data["cost"], &data["error"]),
        (&json!(uuid), &json!(6), &Value::Null)
    );
    let address = data["url"].as_str().unwrap();
    assert!(address.ends_with(&format!("/api/generations/{uuid}")), "{address}");
    assert!(message.body.len() < 20_000 && !message.body.contains("data:image"));
    assert_eq!(ada.get(address.split_once("8080").unwrap().1).await.ok()["uuid"], uuid);

    ada.edit("fail").await.is_error(500, "upstream_error", None);
    let failed = &delivered(&app, &receiver).await[0];
    let body = failed.json();
    assert_eq!(
        (&body["type"], &body["data"]["status"]),
        (&json!("generation.failed"), &json!("failed"))
    );
    assert_eq!(body["data"]["error"]["code"], "upstream_error");
    assert_ne!(failed.header("webhook-id"), message.header("webhook-id"));
    assert_eq!(latest(&ada, &webhook).await["status"], "delivered");
    assert!(delivered(&app, &receiver).await.is_empty(), "each event is delivered once");
    app.check().await;
}

#[tokio::test]
async fn an_event_that_is_not_accepted_is_sent_again_on_the_whole_schedule() {
    let (app, receiver) = open_with(&[HASTY]).await;
    let ada = app.member("ada@example.com").await;
    let webhook = listen(&ada, &receiver).await;
    ada.edit("go").await.ok();
    // Slow, broken, redirecting and failing, in turn.
    let answers = [
        (None, "no response"),
        (Some("nonsense"), "not valid HTTP"),
        (Some("302 Found\r\nlocation: http://127.0.0.1:1/"), "Redirects are not followed"),
        (Some("500 Internal Server Error"), "500"),
    ];
    let mut first: Option<Arrived> = None;
    for (attempt, (answer, problem)) in (1..=10).zip(answers.iter().cycle()) {
        receiver.answer(*answer);
        let arrived = delivered(&app, &receiver).await;
        assert_eq!(arrived.len(), 1, "attempt {attempt}");
        let message = &arrived[0];
        assert_eq!(signatures(message, &webhook), (true, true), "signed for each attempt");
        assert_eq!(message.header("webhook-timestamp"), seconds(&app).to_string());
        let first = first.get_or_insert_with(|| message.clone());
        assert_eq!(message.header("webhook-id"), first.header("webhook-id"));
        assert_eq!(message.body, first.body);
        let delivery = latest(&ada, &webhook).await;
        assert_eq!(delivery["attempts"], attempt);
        assert!(delivery["problem"].as_str().unwrap().contains(problem), "{delivery}");
        let Some(wait_ms) = WAITS_MS.get(attempt - 1) else {
            assert_eq!(
                (&delivery["status"], &delivery["next_attempt_at"]),
                (&json!("failed"), &Value::Null)
            );
            break;
        };
        assert_eq!(delivery["status"], "waiting");
        app.clock.advance_ms(wait_ms - 1);
        assert!(delivered(&app, &receiver).await.is_empty(), "attempt {attempt} is too early");
        app.clock.advance_ms(wait_ms / 10 + 2);
    }
    // Everything has failed for three days.
    assert_eq!(status(&ada, &webhook).await, "failing");
    app.clock.advance_ms(24 * HOUR_MS);
    ada.edit("go").await.ok();
    assert!(delivered(&app, &receiver).await.is_empty(), "nothing goes to a webhook that is off");
    assert_eq!(change(&ada, &webhook, json!({ "is_on": true })).await["status"], "on");
    let again = ada.post(&path(&webhook, "/deliveries/redeliver"), &json!({})).await;
    assert_eq!((again.status.as_u16(), again.json()), (202, json!({ "queued": 1 })));
    let message = &delivered(&app, &receiver).await[0];
    assert_eq!(message.header("webhook-id"), first.unwrap().header("webhook-id"));
    assert_eq!(latest(&ada, &webhook).await["status"], "delivered");
    app.check().await;
}

#[tokio::test]
async fn a_webhook_that_is_gone_is_turned_off_and_its_owner_is_told() {
    let post = Post::open().await;
    let url = post.url();
    let email =
        [("RETOUCH_MAIL__SMTP_URL", &*url), ("RETOUCH_MAIL__FROM", "Retouch <r@example.com>")];
    let (app, receiver) = open_with(&email).await;
    let ada = mail::member(&app, &post, "ada@example.com").await;
    let webhook = listen(&ada, &receiver).await;
    receiver.answer(Some("410 Gone"));
    ada.edit("go").await.ok();
    assert_eq!(delivered(&app, &receiver).await.len(), 1);
    assert_eq!(status(&ada, &webhook).await, "gone");
    let emails = mail::sent(&app, &post).await;
    let told = emails.iter().find(|it| it.text.contains("webhook")).unwrap();
    assert!(told.text.contains("127.0.0.1") && !told.text.contains("/hook\r"), "{}", told.text);
    ada.edit("go").await.ok();
    assert!(delivered(&app, &receiver).await.is_empty());
    for rest in ["/test", "/deliveries/redeliver"] {
        ada.post(&path(&webhook, rest), &json!({})).await.is_error(409, "webhook_off", None);
    }
    change(&ada, &webhook, json!({ "is_on": true })).await;
    let test = ada.post(&path(&webhook, "/test"), &json!({})).await;
    assert_eq!((test.status.as_u16(), &test.json()["event"]), (202, &json!("webhook.test")));
    let arrived = delivered(&app, &receiver).await;
    assert_eq!((arrived.len(), &arrived[0].json()["data"]), (1, &json!({})));
    assert_eq!(arrived[0].json()["type"], "webhook.test");
    app.check().await;
}

#[tokio::test]
async fn an_overloaded_receiver_is_left_alone_for_as_long_as_it_asks() {
    let (app, receiver) = open().await;
    let ada = app.rich_member("ada@example.com").await;
    listen(&ada, &receiver).await;
    receiver.answer(Some("429 Too Many Requests\r\nretry-after: 600"));
    ada.edit("go").await.ok();
    assert_eq!(delivered(&app, &receiver).await.len(), 1);
    app.clock.advance_ms(10_000);
    ada.edit("go").await.ok();
    assert!(delivered(&app, &receiver).await.is_empty());
    app.clock.advance_ms(590_000);
    assert_eq!(delivered(&app, &receiver).await.len(), 2);
    app.check().await;
}

#[tokio::test]
async fn a_slow_receiver_delays_nobody_else() {
    let (app, receiver) = open_with(&[HASTY]).await;
    let slow = Receiver::open().await;
    let ada = app.member("ada@example.com").await;
    listen(&ada, &slow).await;
    slow.answer(None);
    ada.edit("go").await.ok();
    let bob = app.member("bob@example.com").await;
    listen(&bob, &receiver).await;
    bob.edit("go").await.ok();
    assert_eq!(deliver_due(&app.app).await.unwrap(), 1, "the fast one has its event");
    assert_eq!((receiver.take().len(), slow.take().len()), (1, 1));
    app.check().await;
}

#[tokio::test]
async fn two_nodes_deliver_each_event_once() {
    let (app, receiver) = open().await;
    let settings = [KEY, LOOPBACK];
    let other = app.second_with(&settings).await;
    let ada = app.rich_member("ada@example.com").await;
    listen(&ada, &receiver).await;
    for _ in 0..9 {
        ada.edit("go").await.ok();
    }
    let (here, there) = tokio::join!(deliver_due(&app.app), deliver_due(&other));
    let (here, there) = (here.unwrap(), there.unwrap());
    // A node that finds the other one busy leaves the rest to it.
    let rest = deliver_due(&other).await.unwrap();
    assert_eq!(here + there + rest, 9);
    let mut ids: Vec<String> =
        receiver.take().iter().map(|it| it.header("webhook-id").to_owned()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 9);
    app.check().await;
}

#[tokio::test]
async fn a_webhook_never_reaches_private_networks_and_needs_tls() {
    let receiver = Receiver::open().await;
    // The address was allowed when the webhook was created.
    let app = TestApp::with(&[KEY, LOOPBACK]).await;
    let ada = app.member("ada@example.com").await;
    let webhook = listen(&ada, &receiver).await;
    ada.edit("go").await.ok();
    let strict = app.second_with(&[KEY]).await;
    assert_eq!(deliver_due(&strict).await.unwrap(), 0);
    assert!(receiver.take().is_empty());
    let delivery = latest(&ada, &webhook).await;
    assert!(delivery["problem"].as_str().unwrap().contains("public internet"), "{delivery}");
    assert_eq!(delivery["response_status"], Value::Null);
    app.check().await;
    let app = TestApp::with(&[KEY]).await;
    let ada = app.member("ada@example.com").await;
    for url in ["http://example.com/hook", "ftp://example.com", "example.com", "", "https://"] {
        let refused = ada.post("/api/webhooks", &json!({ "url": url })).await;
        refused.is_error(400, "invalid_value", Some("url"));
    }
    for url in
        ["https://ada:secret@example.com/", &format!("https://x.example/{}", "a".repeat(2_000))]
    {
        let refused = ada.post("/api/webhooks", &json!({ "url": url })).await;
        refused.is_error(400, "invalid_value", Some("url"));
    }
    app.check().await;
}

#[tokio::test]
async fn after_a_rotation_both_secrets_sign_for_a_day() {
    let (app, receiver) = open().await;
    let ada = app.member("ada@example.com").await;
    let earlier = listen(&ada, &receiver).await;
    let later = ada.post(&path(&earlier, "/rotate"), &json!({})).await.ok();
    assert_ne!(later["secret"], earlier["secret"]);
    assert_ne!(later["public_key"], earlier["public_key"]);
    ada.edit("go").await.ok();
    let message = &delivered(&app, &receiver).await[0];
    assert_eq!(signatures(message, &earlier), (true, true));
    assert_eq!(signatures(message, &later), (true, true));
    app.clock.advance_ms(24 * HOUR_MS);
    ada.edit("go").await.ok();
    let message = &delivered(&app, &receiver).await[0];
    assert_eq!(signatures(message, &earlier), (false, false));
    assert_eq!(signatures(message, &later), (true, true));
    app.check().await;
}

#[tokio::test]
async fn webhooks_are_for_their_owner_in_a_session() {
    let (app, receiver) = open().await;
    let (ada, bob) = (app.member("ada@example.com").await, app.member("bob@example.com").await);
    let webhook = listen(&ada, &receiver).await;
    ada.edit("go").await.ok();
    let delivery = latest(&ada, &webhook).await;
    let again = format!("/deliveries/{}/redeliver", delivery["id"].as_str().unwrap());
    for rest in ["/rotate", "/test", "/deliveries/redeliver", &again] {
        bob.post(&path(&webhook, rest), &json!({})).await.is_error(404, "not_found", None);
    }
    bob.patch(&path(&webhook, ""), &json!({})).await.is_error(404, "not_found", None);
    bob.delete(&path(&webhook, "")).await.is_error(404, "not_found", None);
    bob.get(&path(&webhook, "/deliveries")).await.is_error(404, "not_found", None);
    assert_eq!(bob.get("/api/webhooks").await.ok()["data"], json!([]));
    let caller = ada.clone().with_key().await;
    caller.get("/api/webhooks").await.is_error(403, "session_required", None);
    let asked = json!({ "url": receiver.url("/") });
    caller.post("/api/webhooks", &asked).await.is_error(403, "session_required", None);
    app.anon().post("/api/webhooks", &asked).await.is_error(401, "unauthenticated", None);
    let listed = ada.get("/api/webhooks").await.ok();
    assert!(listed["data"][0].get("secret").is_none(), "shown once");
    let message = &delivered(&app, &receiver).await[0];
    let queued = ada.post(&path(&webhook, &again), &json!({})).await;
    assert_eq!(queued.status, 202, "{}", queued.text());
    let repeated = &delivered(&app, &receiver).await[0];
    assert_eq!(repeated.header("webhook-id"), message.header("webhook-id"));
    assert_eq!(ada.delete(&path(&webhook, "")).await.status, 204);
    ada.get(&path(&webhook, "/deliveries")).await.is_error(404, "not_found", None);
    app.check().await;
}

#[tokio::test]
async fn what_a_webhook_must_be_like_is_said() {
    let (app, receiver) = open_with(&[("RETOUCH_WEBHOOKS__PER_ACCOUNT_MAX", "1")]).await;
    let ada = app.member("ada@example.com").await;
    let url = receiver.url("/");
    for (fields, code, param) in [
        (json!({}), "missing_field", Some("url")),
        (json!({ "url": 4 }), "invalid_type", Some("url")),
        (json!({ "url": url, "events": [] }), "invalid_value", Some("events")),
        (json!({ "url": url, "events": ["webhook.test"] }), "invalid_value", Some("events")),
        (
            json!({ "url": url, "events": ["generation.succeeded", "x"] }),
            "invalid_value",
            Some("events"),
        ),
    ] {
        ada.post("/api/webhooks", &fields).await.is_error(400, code, param);
    }
    let webhook = listen(&ada, &receiver).await;
    let full = ada.post("/api/webhooks", &json!({ "url": url })).await;
    full.is_error(409, "limit_reached", None);
    let changed = change(&ada, &webhook, json!({ "events": ["credits.low", "credits.low"] })).await;
    assert_eq!(changed["events"], json!(["credits.low"]));
    ada.edit("go").await.ok();
    assert!(delivered(&app, &receiver).await.is_empty(), "only the chosen events");
    let list = format!("{}?status=x", path(&webhook, "/deliveries"));
    ada.get(&list).await.is_error(400, "invalid_value", Some("status"));
    app.check().await;
    for settings in [vec![], vec![KEY, ("RETOUCH_WEBHOOKS__PER_ACCOUNT_MAX", "0")]] {
        let app = TestApp::with(&settings).await;
        let ada = app.member("ada@example.com").await;
        let refused = ada.post("/api/webhooks", &json!({ "url": "https://example.com" })).await;
        refused.is_error(503, "webhooks_not_available", None);
        assert!(ada.get("/webhooks").await.text().contains("aren’t set up"));
        app.check().await;
    }
}

#[tokio::test]
async fn the_pages_manage_webhooks_without_scripts() {
    let (app, receiver) = open().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let ada = ada.with_header("sec-fetch-site", "same-origin");
    assert!(ada.get("/webhooks").await.text().contains("no webhooks yet"));
    let url = receiver.url("/hook?a=1&b=2");
    let refused = ada.submit("/webhooks", &[("url", "nonsense"), ("events", "credits.low")]).await;
    let page = refused.text();
    assert_eq!(refused.status, 400);
    assert!(page.contains("value=\"nonsense\"") && page.contains("aria-invalid"), "{page}");
    let made = ada.submit("/webhooks", &[("url", &*url), ("events", "generation.succeeded")]).await;
    assert_eq!(made.status, 201);
    let page = made.text();
    assert!(page.contains("whsec_") && page.contains("whpk_"), "{page}");
    let id = page.split("href=\"/webhooks/").nth(1).unwrap().split('"').next().unwrap();
    let one = format!("/webhooks/{id}");
    ada.edit("go").await.ok();
    receiver.answer(Some("500 Internal Server Error"));
    delivered(&app, &receiver).await;
    let page = ada.get(&one).await.text();
    assert!(page.contains("Generation succeeded") && page.contains("answered 500"), "{page}");
    assert!(!page.contains("whsec_"), "{page}");
    for (rest, fields) in [
        ("/test", vec![]),
        ("/redeliver", vec![]),
        ("/turn", vec![]),
        ("/turn", vec![("on", "1")]),
        ("", vec![("url", &*url), ("events", "credits.low")]),
    ] {
        let done = ada.submit(&format!("{one}{rest}"), &fields).await;
        assert_eq!(
            (done.status.as_u16(), done.header("location").unwrap()),
            (303, &*format!("{one}#deliveries"))
        );
    }
    assert!(ada.get("/webhooks").await.text().contains("Credits are running low"));
    let failed = ada.get(&format!("{one}?status=failed")).await.text();
    assert!(failed.contains("No failed deliveries."), "{failed}");
    let wrong = ada.submit(&one, &[("url", &*url)]).await;
    assert!(
        wrong.status == 400 && wrong.text().contains("Choose at least one"),
        "{}",
        wrong.text()
    );
    let rotated = ada.submit(&format!("{one}/rotate"), &[]).await;
    assert!(rotated.text().contains("whsec_"));
    assert_eq!(
        ada.submit(&format!("{one}/delete"), &[]).await.header("location"),
        Some("/webhooks")
    );
    assert_eq!(ada.get(&one).await.status, 404);
    app.check().await;
}
