//! Input images, inline and by URL.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use base64_simd::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::persona::Persona;
use crate::support::{TestApp, pictures};

const LOOPBACK: (&str, &str) = ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.0/8");

/// An image server on this machine.
async fn host() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/a.png", get(|| async { pictures::png(5, 4) }))
        .route("/b.png", get(|| async { pictures::png(5, 4) }))
        .route("/page", get(|| async { "<!doctype html><title>no picture</title>" }))
        .route("/hang", get(std::future::pending::<Vec<u8>>));
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    address
}

fn size(body: &Value) -> (u32, u32) {
    pictures::of_data_uri(body["data"][0]["url"].as_str().unwrap()).size()
}

#[tokio::test]
async fn pictures_come_by_address_inline_and_together_in_order() {
    let app = TestApp::with(&[LOOPBACK]).await;
    let (caller, host) = (app.caller("ada@example.com").await, host().await);
    let one = json!({ "instruction": "rotate left", "imageUrl": format!("http://{host}/a.png") });
    assert_eq!(size(&caller.edit_with(&one).await.ok()), (4, 5));
    let several = json!({
        "instruction": "put them side by side",
        "imageUrl": format!("http://{host}/a.png"),
        "imageUrls": [format!("http://{host}/b.png"), format!("data:image/gif;base64,{}", pictures::base64(5, 4))],
        "imageBase64": pictures::base64(5, 4),
    });
    let body = caller.edit_with(&several).await.ok();
    assert_eq!(size(&body).1, 4, "{body}");
    assert!(size(&body).0 >= 20);
    app.check().await;
}

#[tokio::test]
async fn base64_is_read_in_all_the_ways_in_which_people_write_it() {
    let app = TestApp::new().await;
    let png = pictures::png(7, 5);
    let standard = STANDARD.encode_to_string(&png);
    let wrapped = standard
        .as_bytes()
        .chunks(20)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect::<Vec<_>>()
        .join("\r\n ");
    let spellings = [
        standard.clone(),
        standard.trim_end_matches('=').to_owned(),
        URL_SAFE_NO_PAD.encode_to_string(&png),
        base64_simd::URL_SAFE.encode_to_string(&png),
        wrapped,
        format!("data:image/jpeg;base64,{standard}"),
        format!("DATA:;BASE64,{standard}"),
        format!(
            "data:image/png;name=x;base64,{}",
            standard.replace('+', "%2B").replace('/', "%2F")
        ),
    ];
    for (number, spelling) in spellings.into_iter().enumerate() {
        let caller = app.caller(&format!("{number}@example.com")).await;
        let fields = json!({ "instruction": "rotate left", "imageBase64": spelling });
        assert_eq!(size(&caller.edit_with(&fields).await.ok()), (5, 7), "{number}");
    }
    app.check().await;
}

#[tokio::test]
async fn a_picture_that_cannot_be_had_or_decoded_is_named_and_nothing_is_charged() {
    let app = TestApp::with(&[
        LOOPBACK,
        ("RETOUCH_FETCH__TOTAL_TIME_MAX", "300 ms"),
        ("RETOUCH_FETCH__CONNECT_TIME_MAX", "200 ms"),
    ])
    .await;
    let (caller, host) = (app.caller("ada@example.com").await, host().await);
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let cases = [
        (format!("http://{host}/none.png"), "image_fetch_failed"),
        (format!("http://{host}/hang"), "image_fetch_failed"),
        (format!("http://{closed}/a.png"), "image_fetch_failed"),
        (format!("http://{host}/page"), "invalid_image"),
        ("http://10.0.0.1/a.png".to_owned(), "image_fetch_failed"),
        ("http://169.254.169.254/latest/meta-data/".to_owned(), "image_fetch_failed"),
        ("http://[::ffff:169.254.169.254]/".to_owned(), "image_fetch_failed"),
        (
            "http://127.0.0.1:8080/files/0000000000000000000000000000000000000000.png".to_owned(),
            "image_fetch_failed",
        ),
    ];
    for (address, code) in cases {
        let fields =
            json!({ "instruction": "sepia", "imageUrls": [format!("data:,{}", "x"), address] });
        let fields_one = json!({ "instruction": "sepia", "imageUrl": address });
        caller.edit_with(&fields_one).await.is_error(400, code, Some("imageUrl"));
        let both = caller.edit_with(&fields).await;
        assert_eq!(both.status, 400, "{address}");
        let param = both.json()["error"]["param"].as_str().unwrap().to_owned();
        assert!(param == "imageUrls[0]" || param == "imageUrls[1]", "{param}");
    }
    assert_eq!(caller.available().await, 15);
    app.check().await;
}

#[tokio::test]
async fn a_stored_result_is_the_input_of_the_next_edit_without_a_network_call() {
    // Fetching from loopback is not allowed here, so only the store can have supplied the image.
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let first = caller.edit_with(&json!({ "instruction": "rotate left" })).await.ok();
    let url = first["generation"]["stored_images"][0].clone();
    let other = app.caller("bob@example.com").await;
    let fields = json!({ "instruction": "rotate left", "imageUrl": url });
    assert_eq!(size(&other.edit_with(&fields).await.ok()), (4, 3));
    app.check().await;
}

#[tokio::test]
async fn what_is_no_address_or_no_base64_is_refused_by_its_text_alone() {
    let app = TestApp::with(&[("RETOUCH_EDITS__IMAGE_SIZE_MAX", "2000 B")]).await;
    let caller = app.caller("ada@example.com").await;
    let with = |field: &str, value: Value| json!({ "instruction": "sepia", field: value });
    let cases = [
        (with("imageUrl", json!("ftp://example.com/a.png")), "invalid_value", "imageUrl"),
        (with("imageUrl", json!("file:///etc/passwd")), "invalid_value", "imageUrl"),
        (with("imageUrl", json!("not an address")), "invalid_value", "imageUrl"),
        (with("imageUrl", json!("")), "invalid_value", "imageUrl"),
        (with("imageUrl", json!(["http://example.com/"])), "invalid_type", "imageUrl"),
        (with("imageUrls", json!("http://example.com/")), "invalid_type", "imageUrls"),
        (with("imageUrls", json!(["http://example.com/a", null])), "invalid_type", "imageUrls[1]"),
        (with("imageUrls", json!(["http://example.com/a", ""])), "invalid_value", "imageUrls[1]"),
        (with("imageUrls", json!([])), "missing_field", "imageUrl"),
        (with("imageBase64", json!("*not base64*")), "invalid_value", "imageBase64"),
        (with("imageBase64", json!("=")), "invalid_value", "imageBase64"),
        (with("imageBase64", json!("data:image/png;base64")), "invalid_value", "imageBase64"),
        (with("imageBase64", json!("A".repeat(4000))), "image_too_large", "imageBase64"),
    ];
    for (fields, code, param) in cases {
        caller.edit_with(&fields).await.is_error(400, code, Some(param));
    }
    let none = caller.post("/api/image-edit", &json!({ "instruction": "sepia" })).await;
    none.is_error(400, "missing_field", Some("imageUrl"));
    app.check().await;
}

/// Starts a call whose image does not arrive yet. Returns when the image is being fetched, or is
/// waiting to be.
async fn begin(
    app: &TestApp,
    caller: &Persona,
    address: &str,
    waiting: usize,
) -> tokio::task::JoinHandle<u16> {
    let fields = json!({ "instruction": "rotate left", "imageUrl": address });
    let caller = caller.clone();
    let before = app.app.running.count();
    let call = tokio::spawn(async move { caller.edit_with(&fields).await.status.as_u16() });
    while app.app.running.count() == before || app.app.fetches.waiting() < waiting {
        tokio::task::yield_now().await;
    }
    call
}

#[tokio::test]
async fn a_slow_image_server_delays_no_edit_of_an_inline_image_and_no_other_account() {
    let app = TestApp::with(&[
        LOOPBACK,
        ("RETOUCH_FETCH__TOTAL_TIME_MAX", "10 min"),
        ("RETOUCH_FETCH__CONCURRENT_WITHOUT_PLAN_MAX", "4"),
        ("RETOUCH_EDITS__WORKERS_MAX", "1"),
    ])
    .await;
    let (released, hanging) =
        (Arc::new(Semaphore::new(0)), app.rich_caller("ada@example.com").await);
    let gate = Arc::clone(&released);
    let slow = get(move || async move {
        gate.acquire().await.unwrap().forget();
        pictures::png(5, 4)
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let slow_host = listener.local_addr().unwrap();
    let router = Router::new().route("/slow.png", slow);
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    let address = format!("http://{slow_host}/slow.png");
    let mut calls = Vec::new();
    // An account may have as many edits as the editor runs at a time, and two more.
    for number in 0..6_usize {
        calls.push(begin(&app, &hanging, &address, number.saturating_sub(3)).await);
    }
    let inline = hanging.edit_with(&json!({ "instruction": "rotate left" })).await;
    assert_eq!(size(&inline.ok()), (3, 4));
    let (bob, host) = (app.caller("bob@example.com").await, host().await);
    let fields =
        json!({ "instruction": "rotate left", "imageUrl": format!("http://{host}/a.png") });
    assert_eq!(size(&bob.edit_with(&fields).await.ok()), (4, 5));
    released.add_permits(calls.len());
    for call in calls {
        assert_eq!(call.await.unwrap(), 200);
    }
    app.check().await;
}
