//! Results are kept for as long as the account's plan says, and then removed.

use retouch_providers::Media;
use retouch_server::app::App;
use retouch_server::edits::{expire, sweep_files};
use retouch_store::{AssignPlan, Deed};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::persona::Persona;
use crate::support::{TestApp, scripted};

const DAY_MS: i64 = 24 * 3_600_000;

/// A catalogue that keeps results for a month without a plan and for ninety days with `basic`.
fn catalogue(folder: &TempDir) -> String {
    let text = scripted::catalogue()
        .replacen("sign_up_credits", "results_kept_days = 30\nsign_up_credits", 1)
        .replacen("id = \"basic\"\n", "id = \"basic\"\nresults_kept_days = 90\n", 1);
    let path = folder.path().join("models.toml");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn path(address: &Value) -> String {
    address.as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

async fn give_basic(app: &TestApp, persona: &Persona) {
    let id = persona.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let plans = app.app.catalogue.plans.clone();
    let asked = AssignPlan { plan: plans[0].clone(), plans };
    let deed = Deed { by: None, reason: "a friend".into(), request_id: None };
    app.app.store.assign_plan(&id, asked, deed).await.unwrap();
}

/// Runs the sweep on two nodes at the same time.
async fn swept(app: &TestApp, other: &App) {
    tokio::join!(expire(&app.app), expire(other));
    tokio::join!(sweep_files(&app.app), sweep_files(other));
}

/// Lets results expire in the store that these settings choose.
async fn grow_old(settings: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let catalogue = catalogue(&folder);
    let settings = [settings, &[("RETOUCH_CATALOGUE__FILE", catalogue.as_str())]].concat();
    let app = TestApp::with(&settings).await;
    let other = app.second_with(&settings).await;
    let ada = app.rich_caller("ada@example.com").await.with_header("idempotency-key", "a-1");
    let bob = app.caller("bob@example.com").await;
    give_basic(&app, &bob).await;
    assert_eq!(ada.get("/api/account").await.ok()["results_kept_days"], 30);
    assert_eq!(bob.get("/api/account").await.ok()["results_kept_days"], 90);
    let made = ada.edit("go").await.ok();
    let video = ada.video(&json!({ "instruction": "go" })).await;
    app.settled().await;
    let [picture, kept] = [&made, &bob.edit("go").await.ok()]
        .map(|made| path(&made["generation"]["stored_images"][0]));
    let small = picture.replacen("/files/", "/thumbnails/", 1);
    assert_eq!(app.anon().get(&small).await.status, 200);
    let left = ada.available().await;

    app.clock.advance_ms(29 * DAY_MS);
    swept(&app, &other).await;
    assert_eq!(ada.edit("go").await.header("idempotent-replayed"), Some("true"));
    app.clock.advance_ms(DAY_MS);
    swept(&app, &other).await;
    let said = app.anon().get(&picture).await.is_error(410, "result_expired", None);
    assert!(said.contains("removed at 2026-12-20T12:00:00"), "{said}");
    assert_eq!(app.anon().get(&small).await.status, 404);
    assert_eq!(app.anon().get(&kept).await.status, 200, "the plan keeps the result");
    // A retry of a call that was charged is never charged again.
    ada.edit("go").await.is_error(410, "result_expired", None);
    assert_eq!(ada.available().await, left);
    let url = format!("http://127.0.0.1:8080{picture}");
    let taken = bob.edit_with(&json!({ "instruction": "sepia", "imageUrl": url })).await;
    taken.is_error(400, "image_fetch_failed", Some("imageUrl"));
    for (generation, list) in
        [(&made["generation"], "stored_images"), (&video.json(), "stored_videos")]
    {
        let uuid =
            generation["uuid"].as_str().or(generation["generation"]["uuid"].as_str()).unwrap();
        let record = ada.get(&format!("/api/generations/{uuid}")).await.ok();
        assert_eq!((&record["status"], &record[list]), (&json!("succeeded"), &json!([])));
        assert_eq!(record["expired_at"], "2026-12-20T12:00:00.000Z");
        assert_eq!(record["instruction"], "go");
    }

    app.clock.advance_ms(60 * DAY_MS);
    swept(&app, &other).await;
    app.anon().get(&kept).await.is_error(410, "result_expired", None);
    let name = kept.rsplit('/').next().unwrap();
    assert_eq!(Media::of_name(name), Some(Media::Png));
    assert!(!app.app.store.blobs().confirm(name).await.unwrap());
    app.check().await;
}

#[tokio::test]
async fn a_result_goes_when_it_is_too_old_and_is_never_charged_again() {
    grow_old(&[]).await;
}

#[tokio::test]
async fn so_does_one_in_a_bucket() {
    // `tests/s3/run` starts a server.
    let Ok(endpoint) = std::env::var("RETOUCH_TEST_S3") else { return };
    let place = format!("s3://retouch/expiry/{}", std::process::id());
    grow_old(&[
        ("RETOUCH_STORE__BLOBS_URL", place.as_str()),
        ("RETOUCH_STORE__S3_ENDPOINT", &endpoint),
        ("RETOUCH_STORE__S3_ACCESS_KEY_ID", "retouch-test"),
        ("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", "retouch-test-secret"),
    ])
    .await;
}

#[tokio::test]
async fn the_page_of_a_generation_says_what_became_of_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let app = TestApp::with(&[("RETOUCH_CATALOGUE__FILE", &catalogue(&folder))]).await;
    let ada = app.caller("ada@example.com").await;
    let made = ada.edit("go").await.ok();
    app.clock.advance_ms(30 * DAY_MS);
    expire(&app.app).await;
    let signed_in = json!({ "email": "ada@example.com", "password": "correct horse" });
    let answer = app.anon().post("/api/auth/sign-in", &signed_in).await;
    let page = app.anon().with_session(&answer).with_header("accept", "text/html");
    let uuid = made["generation"]["uuid"].as_str().unwrap();
    let text = page.get(&format!("/history/{uuid}")).await.text();
    assert!(text.contains("The result was removed on"), "{text}");
    assert!(!text.contains("/files/") && !text.contains("/thumbnails/"), "{text}");
    let plans = app.anon().with_header("accept", "text/html").get("/plans").await.text();
    assert!(plans.contains("Results are kept for 90 days."), "{plans}");
    sweep_files(&app.app).await;
    app.check().await;
}
