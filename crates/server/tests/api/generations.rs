//! Generations are visible to their owner and to no one else.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn generations_are_listed_found_and_deleted_by_their_owner_alone() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada@example.com").await, app.caller("bob@example.com").await);
    let body = ada.edit("go").await.ok();
    let uuid = body["generation"]["uuid"].as_str().unwrap();
    let path = format!("/api/generations/{uuid}");
    assert_eq!(ada.get(&path).await.ok(), body["generation"]);
    assert_eq!(ada.get("/api/generations").await.ok()["data"], json!([body["generation"]]));
    assert_eq!(bob.get("/api/generations").await.ok()["data"], json!([]));
    bob.get(&path).await.is_error(404, "not_found", None);
    bob.delete(&path).await.is_error(404, "not_found", None);
    let file = body["generation"]["stored_images"][0]
        .as_str()
        .unwrap()
        .strip_prefix("http://127.0.0.1:8080")
        .unwrap()
        .to_owned();
    assert_eq!(app.anon().get(&file).await.status, 200);
    assert_eq!(ada.delete(&path).await.status, 204);
    ada.get(&path).await.is_error(404, "not_found", None);
    ada.delete(&path).await.is_error(404, "not_found", None);
    app.anon().get(&file).await.is_error(404, "not_found", None);
    assert_eq!(ada.get("/api/generations").await.ok()["data"], json!([]));
    assert_eq!(ada.available().await, 9, "deleting refunds nothing");
    app.check().await;
}

#[tokio::test]
async fn what_is_no_uuid_names_nothing() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    for name in ["x", "%ff", "..%2f..", "0190a0a0-0000-7000-8000-000000000000"] {
        caller.get(&format!("/api/generations/{name}")).await.is_error(404, "not_found", None);
    }
    for name in ["x", "%ff", "..%2fretouch.db", "..%2f..%2fdata%2fretouch.db", ".", "%00.png"] {
        app.anon().get(&format!("/files/{name}")).await.is_error(404, "not_found", None);
    }
    app.check().await;
}
