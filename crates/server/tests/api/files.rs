//! Stored files are served whole or in ranges; other files in the folder are not served.

use retouch_engine::codec;
use serde_json::json;

use crate::support::{TestApp, pictures, scripted};

fn path(address: &serde_json::Value) -> String {
    address.as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

#[tokio::test]
async fn a_video_is_played_in_parts_and_a_picture_too() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let answer = caller.video(&json!({ "instruction": "go" })).await;
    app.settled().await;
    let video = path(&caller.look(&answer).await["stored_videos"][0]);
    let picture = path(&caller.edit("go").await.ok()["generation"]["stored_images"][0]);
    let mp4 = scripted::mp4();
    for (path, kind, file) in
        [(&video, "video/mp4", &mp4), (&picture, "image/png", &scripted::png())]
    {
        let whole = app.anon().get(path).await;
        assert_eq!((whole.status.as_u16(), &whole.bytes), (200, file));
        assert_eq!(whole.header("content-type"), Some(kind));
        assert_eq!(whole.header("accept-ranges"), Some("bytes"));
        let size = file.len();
        let part = app.anon().with_header("range", "bytes=3-6").get(path).await;
        assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &file[3..=6]));
        let told = format!("bytes 3-6/{size}");
        assert_eq!(part.header("content-range"), Some(told.as_str()));
        assert_eq!(
            (part.header("content-length"), part.header("content-type")),
            (Some("4"), Some(kind))
        );
        let end = app.anon().with_header("range", "bytes=-5").get(path).await;
        assert_eq!((end.status.as_u16(), end.bytes.as_slice()), (206, &file[size - 5..]));
        let beyond = format!("bytes={size}-");
        let none = app.anon().with_header("range", &beyond).get(path).await;
        none.is_error(416, "range_not_satisfiable", None);
        let told = format!("bytes */{size}");
        assert_eq!(none.header("content-range"), Some(told.as_str()));
        for ignored in ["bytes=0-1,3-4", "lines=1-2", "bytes=b-c"] {
            assert_eq!(app.anon().with_header("range", ignored).get(path).await.status, 200);
        }
    }
    let tag = app.anon().get(&video).await.header("etag").unwrap().to_owned();
    let ranged = app.anon().with_header("range", "bytes=0-0");
    assert_eq!(ranged.clone().with_header("if-range", &tag).get(&video).await.status, 206);
    assert_eq!(ranged.clone().with_header("if-range", "\"another\"").get(&video).await.status, 200);
    assert_eq!(ranged.with_header("if-none-match", &tag).get(&video).await.status, 304);
    app.check().await;
}

#[tokio::test]
async fn a_reduced_copy_is_small_and_goes_with_its_image() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let fields = json!({
        "instruction": "rotate left", "model": "alpha-image-2-free",
        "imageBase64": pictures::base64(10, 2560),
    });
    let made = &caller.edit_with(&fields).await.ok()["generation"];
    assert_eq!((&made["width"], &made["height"]), (&json!(2560), &json!(10)));
    let whole = path(&made["stored_images"][0]);
    let address = format!("{whole}?reduced=true");
    for _ in ["made", "kept"] {
        let copy = app.anon().get(&address).await;
        assert_eq!(copy.header("content-type"), Some("image/png"));
        let header = codec::probe(&copy.bytes, &codec::Limits::default()).unwrap();
        assert_eq!(header.size(), (1280, 5));
        let tag = copy.header("etag").unwrap();
        assert_eq!(app.anon().with_header("if-none-match", tag).get(&address).await.status, 304);
    }
    assert_ne!(
        app.anon().get(&whole).await.header("etag"),
        app.anon().get(&address).await.header("etag")
    );
    for wrong in ["reduced=yes", "reduced=true&format=png", "reduced=true&download=a.png"] {
        let answer = app.anon().get(&format!("{whole}?{wrong}")).await;
        answer.is_error(400, "invalid_value", Some("reduced"));
    }
    assert_eq!(app.other_files().len(), 1);
    let uuid = made["uuid"].as_str().unwrap();
    assert_eq!(caller.delete(&format!("/api/generations/{uuid}")).await.status, 204);
    assert_eq!(app.other_files().len(), 0, "the copy is deleted too");
    app.check().await;
}

#[tokio::test]
async fn the_stored_request_of_a_video_cannot_be_read() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    caller.video(&json!({ "instruction": "wait" })).await.ok();
    app.provider.waiting.acquire().await.unwrap().forget();
    let [name] = app.other_files().try_into().unwrap();
    app.anon().get(&format!("/files/{name}")).await.is_error(404, "not_found", None);
    let url = format!("http://127.0.0.1:8080/files/{name}");
    let taken = caller.edit_with(&json!({ "instruction": "sepia", "imageUrl": url })).await;
    taken.is_error(400, "image_fetch_failed", Some("imageUrl"));
    app.provider.gate.add_permits(1);
    app.check().await;
}

#[tokio::test]
async fn a_bucket_keeps_results_and_gives_them_to_callers_itself_where_that_is_wanted() {
    // `tests/s3/run` starts a server.
    let Ok(endpoint) = std::env::var("RETOUCH_TEST_S3") else { return };
    let place = format!("s3://retouch/server/{}", std::process::id());
    let bucket = [
        ("RETOUCH_STORE__BLOBS_URL", place.as_str()),
        ("RETOUCH_STORE__S3_ENDPOINT", &endpoint),
        ("RETOUCH_STORE__S3_ACCESS_KEY_ID", "retouch-test"),
        ("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", "retouch-test-secret"),
    ];
    let app = TestApp::with(&bucket).await;
    let caller = app.rich_caller("ada@example.com").await;
    let edited = caller.edit("go").await.ok();
    let picture = path(&edited["generation"]["stored_images"][0]);
    let video = caller.video(&json!({ "instruction": "go" })).await;
    app.settled().await;
    let video = path(&caller.look(&video).await["stored_videos"][0]);
    for (path, file) in [(&video, scripted::mp4()), (&picture, scripted::png())] {
        assert_eq!(app.anon().get(path).await.bytes, file);
        let part = app.anon().with_header("range", "bytes=3-6").get(path).await;
        assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &file[3..=6]));
    }
    let signing = [&bucket[..], &[("RETOUCH_STORE__PRESIGNED_AGE_MAX", "1 min")]].concat();
    let router = retouch_server::api::router(app.second_with(&signing).await);
    let reader = crate::support::persona::Persona::new(router);
    let sent = reader.get(&picture).await;
    assert_eq!((sent.status.as_u16(), sent.header("cache-control")), (302, Some("no-store")));
    let address = sent.header("location").unwrap();
    assert!(address.starts_with(&endpoint) && address.contains("X-Amz-Expires=60&"), "{address}");
    let page = reader.clone().with_header("sec-fetch-site", "same-origin").get(&picture).await;
    assert_eq!((page.status.as_u16(), page.bytes), (200, scripted::png()));
    let generation = edited["generation"]["uuid"].as_str().unwrap();
    assert_eq!(caller.delete(&format!("/api/generations/{generation}")).await.status, 204);
    assert_eq!(reader.get(&picture).await.status, 404);
    app.check().await;
}
