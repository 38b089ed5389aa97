//! Uploads: stored for a day, usable by their owner alone, and bounded.

use axum::http::Method;
use retouch_server::uploads;
use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures};

const HOUR_MS: i64 = 3_600_000;

async fn upload(caller: &Persona, file: Vec<u8>) -> Answer {
    let caller = caller.clone().with_header("content-type", "image/png");
    caller.send(Method::POST, "/api/uploads", Some(file)).await
}

fn path(upload: &Value) -> String {
    format!("/api/uploads/{}", upload["id"].as_str().unwrap())
}

#[tokio::test]
async fn an_upload_is_its_owners_input_whatever_the_call_makes() {
    let app = TestApp::new().await;
    let ada = app.rich_caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    let answer = upload(&ada, pictures::png(6, 4)).await;
    assert_eq!(answer.status, 201);
    let image = answer.ok();
    assert_eq!((&image["width"], &image["height"]), (&json!(6), &json!(4)));
    assert_eq!(image["bytes"], pictures::png(6, 4).len());
    assert_eq!(image["expires_at"], "2026-11-21T12:00:00.000Z");
    assert_eq!(image["url"], format!("http://127.0.0.1:8080{}", path(&image)));
    let got = ada.get(&path(&image)).await;
    assert_eq!(
        (got.bytes, got.headers["content-type"].to_str().unwrap()),
        (pictures::png(6, 4), "image/png")
    );

    let asked = json!({ "instruction": "rotate left", "imageUrls": [image["url"]] });
    let edited = ada.edit_with(&asked).await.ok();
    let result = pictures::of_data_uri(edited["data"][0]["url"].as_str().unwrap());
    assert_eq!(result.size(), (4, 6));
    let film =
        json!({ "instruction": "zoom in", "imageUrl": image["url"], "model": "alpha-video-1" });
    assert_eq!(ada.video(&film).await.status, 202);
    app.settled().await;

    let said =
        bob.edit_with(&asked).await.is_error(400, "image_fetch_failed", Some("imageUrls[0]"));
    assert!(said.contains("upload the image again"), "{said}");
    bob.get(&path(&image)).await.is_error(404, "not_found", None);
    bob.delete(&path(&image)).await.is_error(404, "not_found", None);
    app.anon().get(&path(&image)).await.is_error(401, "unauthenticated", None);

    assert_eq!(ada.delete(&path(&image)).await.status, 204);
    ada.get(&path(&image)).await.is_error(404, "not_found", None);
    ada.edit_with(&asked).await.is_error(400, "image_fetch_failed", Some("imageUrls[0]"));
    app.check().await;
}

#[tokio::test]
async fn a_form_is_read_and_everything_else_refused() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let sent = |content_type: &str, body: Vec<u8>| {
        let caller = ada.clone().with_header("content-type", content_type);
        async move { caller.send(Method::POST, "/api/uploads", Some(body)).await }
    };
    let mut form = b"--X\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n".to_vec();
    form.extend(pictures::png(3, 2));
    form.extend(b"\r\n--X--\r\n");
    let image = sent("multipart/form-data; boundary=X", form).await.ok();
    assert_eq!(image["width"], 3);
    assert_eq!(ada.delete(&path(&image)).await.status, 204);
    let form = "multipart/form-data; boundary=Y";
    sent(form, b"--X--".to_vec()).await.is_error(400, "missing_field", Some("file"));
    sent("text/plain", b"hi".to_vec()).await.is_error(415, "unsupported_media_type", None);
    sent("image/png", b"hello there".to_vec()).await.is_error(400, "invalid_image", Some("file"));
    sent("image/png", Vec::new()).await.is_error(400, "invalid_image", Some("file"));
    let large = vec![0; (20 << 20) + (64 << 10) + 1];
    sent("image/png", large).await.is_error(413, "body_too_large", None);
    app.anon().send(Method::POST, "/api/uploads", Some(pictures::png(1, 1))).await.is_error(
        415,
        "unsupported_media_type",
        None,
    );
    upload(&app.anon(), pictures::png(1, 1)).await.is_error(401, "unauthenticated", None);
    app.check().await;
}

#[tokio::test]
async fn uploads_are_counted_and_expire_and_go_with_their_account() {
    let limits = [
        ("RETOUCH_UPLOADS__PER_ACCOUNT_MAX", "2"),
        ("RETOUCH_UPLOADS__SIZE_PER_ACCOUNT_MAX", "1 KiB"),
        ("RETOUCH_UPLOADS__PER_MINUTE_PER_ACCOUNT", "5"),
    ];
    let app = TestApp::with(&limits).await;
    let ada = app.member("ada@example.com").await;
    assert_eq!(upload(&ada, pictures::png(2, 2)).await.status, 201);
    let said = upload(&ada, [pictures::png(2, 2), vec![0; 2_000]].concat()).await.is_error(
        409,
        "limit_reached",
        None,
    );
    assert!(said.contains("1 KiB"), "{said}");
    assert_eq!(upload(&ada, pictures::png(2, 2)).await.status, 201);
    upload(&ada, pictures::png(2, 2)).await.is_error(409, "limit_reached", None);
    upload(&ada, b"no image".to_vec()).await.is_error(400, "invalid_image", Some("file"));
    upload(&ada, pictures::png(2, 2)).await.is_error(429, "rate_limited", None);
    assert_eq!(app.other_files().len(), 2);

    app.clock.advance_ms(24 * HOUR_MS);
    uploads::sweep(&app.app).await;
    assert_eq!(app.other_files().len(), 0);
    assert_eq!(upload(&ada, pictures::png(2, 2)).await.status, 201);
    let password = json!({ "password": "correct horse" });
    assert_eq!(ada.delete_with("/api/account", &password).await.status, 204);
    app.check().await;
}
