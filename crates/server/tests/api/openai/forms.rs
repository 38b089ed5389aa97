//! Forms, in every shape in which clients send them.

use axum::body::Body;
use axum::http::Method;
use futures_util::stream;

use super::{BOUNDARY, EDITS, FILE, Part, form, send_form};
use crate::support::persona::Persona;
use crate::support::{TestApp, pictures};

const OCTETS: &str = "; filename=\"blob\"\r\nContent-Type: application/octet-stream";
const PLAIN: &str = "\r\nContent-Type: text/plain; charset=utf-8";

#[tokio::test]
async fn forms_are_read_in_every_shape() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let png = pictures::png(4, 3);
    let (prompt, model) =
        (("prompt", "", b"go".as_slice()), ("model", PLAIN, b"gamma-2".as_slice()));
    let shapes: [&[Part<'_>]; 7] = [
        &[("image", FILE, &png), prompt, model],
        &[prompt, model, ("image", FILE, &png)],
        &[prompt, ("image[]", FILE, &png), model, ("image[]", FILE, &png)],
        &[("image", OCTETS, &png), ("image", OCTETS, &png), model, prompt],
        &[("image[0]", FILE, &png), ("image[1]", FILE, &png), prompt, model],
        &[prompt, model, ("image", "", &png)],
        &[
            prompt,
            model,
            ("n", "", b"1"),
            ("stream", "", b"False"),
            ("size", "", b""),
            ("output_compression", "", b"80"),
            ("output_format", "", b"jpeg"),
            ("watermark", "", b"true"),
            ("image", FILE, &png),
        ],
    ];
    for (number, parts) in shapes.into_iter().enumerate() {
        let answer = send_form(&caller, form(parts)).await;
        assert_eq!(answer.status, 200, "{number}: {}", answer.text());
        assert!(answer.json()["data"][0]["url"].is_string(), "{number}");
    }
    assert_eq!(caller.available().await, 1_015 - 7 * 6);
    app.check().await;
}

#[tokio::test]
async fn a_form_arrives_in_pieces_of_any_size_without_a_declared_length() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let png = pictures::png(40, 30);
    let parts: [Part<'_>; 3] =
        [("prompt", "", b"go"), ("image", FILE, &png), ("model", "", b"gamma-2")];
    let whole = form(&parts);
    for size in [1, 7, 1_000] {
        let pieces: Vec<_> =
            whole.chunks(size).map(|it| Ok::<_, std::io::Error>(it.to_vec())).collect();
        let kind = format!("multipart/form-data; boundary=\"{BOUNDARY}\"");
        let sender = caller.clone().with_header("content-type", &kind);
        let body = Body::from_stream(stream::iter(pieces));
        let answer = sender.send_body(Method::POST, EDITS, Some(body)).await;
        assert_eq!(answer.status, 200, "{size}: {}", answer.text());
    }
    app.check().await;
}

#[tokio::test]
async fn the_images_of_a_form_are_counted_and_named() {
    let app = TestApp::new().await;
    let caller = app.rich_caller("ada@example.com").await;
    let png = pictures::png(4, 3);
    let of = |count: usize, last: &'static [u8]| {
        let mut parts: Vec<Part<'_>> = vec![("prompt", "", b"go"), ("model", "", b"gamma-2")];
        parts.extend((1..count).map(|_| ("image[]", FILE, png.as_slice())));
        parts.push(("image[]", FILE, last));
        form(&parts)
    };
    let answer = send_form(&caller, of(5, b"x")).await;
    answer.is_error(400, "too_many_images", Some("image[4]"));
    send_form(&caller, of(17, b"x")).await.is_error(400, "too_many_images", Some("image"));
    send_form(&caller, of(3, b"x")).await.is_error(400, "invalid_image", Some("image[2]"));
    send_form(&caller, of(1, b"")).await.is_error(400, "invalid_image", Some("image"));
    assert_eq!(caller.available().await, 1_015);
    app.check().await;
}

async fn refused(caller: &Persona, body: Vec<u8>, code: &str, param: Option<&str>) {
    send_form(caller, body).await.is_error(400, code, param);
}

#[tokio::test]
async fn hostile_forms_change_nothing() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let png = pictures::png(4, 3);
    let image: Part<'_> = ("image", FILE, &png);
    let whole = form(&[image, ("prompt", "", b"go")]);
    refused(&caller, whole[..whole.len() - 9].to_vec(), "invalid_form", None).await;
    refused(&caller, Vec::new(), "invalid_form", None).await;
    refused(&caller, vec![b'-'; 100_000], "invalid_form", None).await;
    let many: Vec<Part<'_>> = (0..5_000).map(|_| ("prompt", "", b"go".as_slice())).collect();
    refused(&caller, form(&many), "invalid_form", None).await;
    let endless = format!("\r\nx-filler: {}", "a".repeat(1 << 20));
    refused(&caller, form(&[("prompt", &endless, b"go")]), "invalid_form", None).await;
    refused(&caller, form(&[("pro\0mpt", "", b"go"), image]), "invalid_form", None).await;
    refused(&caller, form(&[("", "", b"go"), image]), "invalid_form", None).await;
    let twice = form(&[("prompt", "", b"go"), ("prompt", "", b"go"), image]);
    refused(&caller, twice, "duplicate_field", Some("prompt")).await;
    let binary = form(&[("prompt", "", b"\xff\xfe"), image]);
    refused(&caller, binary, "invalid_type", Some("prompt")).await;
    let nested = "--inner\r\nContent-Type: image/png\r\n\r\nx\r\n--inner--".as_bytes();
    let mixed = "\r\nContent-Type: multipart/mixed; boundary=inner";
    let nested = form(&[("image", mixed, nested), ("prompt", "", b"rotate left")]);
    refused(&caller, nested, "invalid_image", Some("image")).await;

    for kind in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; x"]
    {
        let sender = caller.clone().with_header("content-type", kind);
        let answer = sender.send(Method::POST, EDITS, Some(whole.clone())).await;
        answer.is_error(400, "invalid_form", None);
    }
    let sender = caller.clone().with_header("content-type", "multipart/mixed; boundary=x");
    let answer = sender.send(Method::POST, EDITS, Some(whole)).await;
    answer.is_error(415, "unsupported_media_type", None);
    assert_eq!(caller.available().await, 15);
    assert_eq!(app.app.bodies.used_bytes(), 0);
    app.check().await;
}
