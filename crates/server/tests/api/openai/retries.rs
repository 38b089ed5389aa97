//! Clients of OpenAI count their attempts. A repetition gets the first answer.

use serde_json::{Value, json};

use super::{GENERATIONS, edit};
use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};

const MINUTE_MS: i64 = 60_000;

async fn attempt(caller: &Persona, count: &str, fields: Value) -> Answer {
    let caller = caller.clone().with_header("x-stainless-retry-count", count);
    edit(&caller, fields).await
}

fn url(answer: &Answer) -> String {
    answer.ok()["data"][0]["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_repetition_within_ten_minutes_gets_the_first_answer() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let go = || json!({ "prompt": "go" });
    let first = attempt(&caller, "0", go()).await;
    assert_eq!(first.header("idempotent-replayed"), None);
    let again = attempt(&caller, "1", go()).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(url(&again), url(&first));
    assert_eq!(caller.available().await, 1_015 - 6);

    let new = attempt(&caller, "0", go()).await;
    assert_ne!(url(&new), url(&first), "a new call makes a new image");
    assert_eq!(url(&attempt(&caller, "2", go()).await), url(&new));
    let other = attempt(&caller, "1", json!({ "prompt": "go on" })).await;
    assert_ne!(url(&other), url(&new), "another prompt");
    let image = json!({ "prompt": "go", "images": [super::data_url(), super::data_url()] });
    assert_ne!(url(&attempt(&caller, "1", image).await), url(&new), "other images");
    assert_eq!(caller.available().await, 1_015 - 4 * 6);

    app.clock.advance_ms(11 * MINUTE_MS);
    assert_ne!(url(&attempt(&caller, "1", go()).await), url(&new), "eleven minutes later");
    app.check().await;
}

#[tokio::test]
async fn a_repetition_is_recognized_for_the_same_key_only() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let (one, other) = (member.clone().with_key().await, member.with_key().await);
    let first = attempt(&one, "0", json!({ "prompt": "go" })).await;
    assert_ne!(url(&attempt(&other, "1", json!({ "prompt": "go" })).await), url(&first));
    app.check().await;
}

#[tokio::test]
async fn a_repetition_waits_for_the_first_attempt() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let lost = caller.clone();
    let call = tokio::task::spawn(async move {
        attempt(&lost, "0", json!({ "prompt": "wait" })).await;
    });
    app.provider.waiting.acquire().await.unwrap().forget();
    call.abort();
    let patient = caller.clone();
    let again =
        tokio::task::spawn(
            async move { attempt(&patient, "1", json!({ "prompt": "wait" })).await },
        );
    app.provider.gate.add_permits(1);
    let again = again.await.unwrap();
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(caller.available().await, 9);
    app.check().await;
}

#[tokio::test]
async fn a_repetition_makes_only_the_images_that_are_missing() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await.with_header("idempotency-key", "k");
    let asked = json!({ "prompt": "a gradient from red to blue", "model": "dall-e-3", "n": 3, "size": "64x64" });
    let first = caller.post(GENERATIONS, &asked).await;
    let again = caller.post(GENERATIONS, &asked).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.ok()["data"], again.ok()["data"]);
    assert_eq!(caller.available().await, 1_015 - 18);
    let more = json!({ "prompt": "a gradient from red to blue", "model": "dall-e-3", "n": 4, "size": "64x64" });
    let more = caller.post(GENERATIONS, &more).await;
    assert_eq!(more.header("idempotent-replayed"), None);
    assert_eq!(
        more.ok()["data"].as_array().unwrap()[..3],
        first.ok()["data"].as_array().unwrap()[..]
    );
    assert_eq!(caller.available().await, 1_015 - 24);
    let other =
        json!({ "prompt": "a gradient from blue to red", "model": "dall-e-3", "size": "64x64" });
    caller.post(GENERATIONS, &other).await.is_error(422, "idempotency_mismatch", None);
    app.check().await;
}
