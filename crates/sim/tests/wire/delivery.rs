//! Results that differ from the image that was ordered.

use std::io::ErrorKind;

use retouch_sim::{Options, Sim};
use serde_json::json;

use super::client::{Seen, call, decoded, generate, get, sim};

/// The width and height of an image, which is decoded completely.
fn decode(picture: &[u8]) -> Result<(u32, u32), png::DecodingError> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(picture)).read_info()?;
    let size = reader.output_buffer_size().expect("the image fits into memory");
    let mut pixels = vec![0; size];
    reader.next_frame(&mut pixels)?;
    reader.finish()?;
    Ok((reader.info().width, reader.info().height))
}

#[test]
fn a_picture_is_real_and_follows_from_the_order() {
    let sim = sim();
    let pictures = generate(&sim, "one").pictures();
    assert_eq!(pictures.len(), 1);
    assert_eq!(decode(&pictures[0]).expect("an image"), (64, 48));
    assert_eq!(generate(&sim, "one").pictures(), pictures);
    assert_ne!(generate(&sim, "another").pictures(), pictures);
}

#[test]
fn an_operators_size_and_picture_win() {
    let options = Options { size: Some((8, 6)), ..Options::default() };
    let small = generate(&Sim::start(options).expect("a port"), "one").pictures().remove(0);
    assert_eq!(decode(&small).expect("an image"), (8, 6));
    let options = Options { picture: Some(b"mine".as_slice().into()), ..Options::default() };
    let sim = Sim::start(options).expect("a port");
    assert_eq!(generate(&sim, "one").pictures(), [b"mine"]);
}

#[test]
fn none_or_two_come() {
    let sim = sim();
    assert_eq!(generate(&sim, "[sim:no_image]").pictures().len(), 0);
    let pictures = generate(&sim, "[sim:two_images]").pictures();
    assert_eq!(pictures.len(), 2);
    assert_ne!(pictures[0], pictures[1]);
}

#[test]
fn pictures_are_spoilt() {
    let sim = sim();
    let text = generate(&sim, "[sim:not_a_picture]").pictures().remove(0);
    assert!(text.is_ascii());
    let half = generate(&sim, "[sim:truncated_picture]").pictures().remove(0);
    assert!(half.starts_with(b"\x89PNG") && decode(&half).is_err());
    let base64 = generate(&sim, "[sim:broken_base64]").json();
    let base64 = base64["data"][0]["b64_json"].as_str().expect("text");
    assert!(base64.starts_with("iVBOR") && decoded(base64).is_none());
    let huge = generate(&sim, "[sim:huge_picture]").pictures().remove(0);
    let reader = png::Decoder::new(std::io::Cursor::new(&huge)).read_info().expect("a head");
    assert_eq!((reader.info().width, reader.info().height), (60_000, 60_000));
    assert!(huge.len() < 100);
}

/// The URL of an image from the `SGLang` simulator.
fn address(sim: &Sim, prompt: &str) -> String {
    let body = json!({ "prompt": prompt, "size": "64x48" });
    let seen = call(sim, "POST", "/sglang/v1/images/generations", &body).json();
    seen["data"][0]["url"].as_str().expect("a URL").to_owned()
}

/// Fetches a URL, in which the simulators use the host name that the client sent.
fn fetch(sim: &Sim, address: &str) -> Seen {
    get(sim, address.strip_prefix("http://sim").expect("the URL has the host of the request"))
}

#[test]
fn a_result_is_found_at_its_address() {
    let sim = sim();
    let file = fetch(&sim, &address(&sim, "one"));
    assert_eq!((file.status, file.header("content-type")), (200, Some("image/png")));
    assert_eq!(decode(&file.body).expect("an image"), (64, 48));
    assert_eq!(address(&sim, "one"), address(&sim, "one"));
}

#[test]
fn an_address_leads_nowhere_good() {
    let sim = sim();
    assert_eq!(fetch(&sim, &address(&sim, "[sim:address_404]")).status, 404);
    assert!(address(&sim, "[sim:address_private]").starts_with("http://10."));
    let turns = address(&sim, "[sim:address_redirect_loop]");
    let seen = fetch(&sim, &turns);
    let next = seen.header("location").expect("another URL");
    assert_eq!((seen.status, format!("http://sim{next}")), (307, turns));
}

#[test]
fn a_file_fails_like_any_call() {
    let sim = sim();
    let file = |prompt: &str| fetch(&sim, &address(&sim, prompt));
    assert_eq!(file("[sim:internal_error file]").status, 500);
    assert_eq!(file("[sim:reset file]").end, Err(ErrorKind::ConnectionReset));
    assert_eq!(file("[sim:empty_body file]").body.len(), 0);
    assert!(decode(&file("[sim:truncated_picture]").body).is_err());
}
