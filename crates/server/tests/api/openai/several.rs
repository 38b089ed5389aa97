//! `n`: each image is an edit of its own.

use std::sync::atomic::Ordering;

use serde_json::json;

use super::{GENERATIONS, edit};
use crate::support::TestApp;

#[tokio::test]
async fn each_image_is_held_made_stored_and_charged_by_itself() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let body = edit(&caller, json!({ "prompt": "go", "n": 10 })).await.ok();
    let images = body["data"].as_array().unwrap();
    assert_eq!(images.len(), 10);
    let mut addresses: Vec<&str> = images.iter().map(|it| it["url"].as_str().unwrap()).collect();
    addresses.dedup();
    assert_eq!(addresses.len(), 10);
    assert_eq!(body["usage"]["total_tokens"], 70);
    assert_eq!(caller.available().await, 1_015 - 60);
    assert_eq!(app.results().len(), 10);
    app.check().await;
}

#[tokio::test]
async fn a_request_is_read_once_for_all_its_images() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    edit(&caller, json!({ "prompt": "go", "n": 5 })).await.ok();
    assert_eq!(app.provider.read.load(Ordering::SeqCst), 1);
    edit(&caller, json!({ "prompt": "refuse at once", "n": 5 })).await.is_error(
        400,
        "content_refused",
        None,
    );
    assert_eq!(app.provider.read.load(Ordering::SeqCst), 2);
    app.check().await;
}

#[tokio::test]
async fn what_fails_is_missing_and_not_charged() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let asked = json!({ "prompt": "a gradient from red to blue", "model": "dall-e-3", "n": 4, "size": "64x64" });
    let body = caller.post(GENERATIONS, &asked).await.ok();
    assert_eq!(body["data"].as_array().unwrap().len(), 2, "15 credits pay for two");
    let warning = &body["warnings"][0];
    assert_eq!((&warning["code"], &warning["param"]), (&json!("images_missing"), &json!("n")));
    assert!(warning["message"].as_str().unwrap().starts_with("2 of 4 images"), "{warning}");
    assert_eq!(caller.available().await, 3);
    let all = caller.post(GENERATIONS, &asked).await;
    all.is_error(402, "insufficient_credits", None);
    edit(&caller, json!({ "prompt": "refuse at once", "n": 3 })).await.is_error(
        400,
        "content_refused",
        None,
    );
    assert_eq!(caller.available().await, 3);
    app.check().await;
}

#[tokio::test]
async fn only_as_many_images_are_made_at_a_time_as_the_account_may_have() {
    let app = TestApp::with(&[("RETOUCH_EDITS__PER_ACCOUNT_MAX", "2")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    let body = edit(&caller, json!({ "prompt": "go", "n": 5 })).await.ok();
    assert_eq!(body["data"].as_array().unwrap().len(), 5);
    app.check().await;
}

#[tokio::test]
async fn each_image_counts_toward_the_limit_on_calls() {
    let app = TestApp::with(&[("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "4")]).await;
    let caller = app.rich_caller("ada@example.com").await;
    edit(&caller, json!({ "prompt": "go", "n": 3 })).await.ok();
    edit(&caller, json!({ "prompt": "go", "n": 2 })).await.is_error(429, "rate_limited", None);
    assert_eq!(caller.available().await, 1_015 - 18);
    app.check().await;
}
