//! What is handed over instead of the picture that was asked for.

use retouch_sim::{Options, Sim};

use super::client::{decoded, generate, sim};

/// Width and height of a picture that can really be decoded.
fn decode(picture: &[u8]) -> Result<(u32, u32), png::DecodingError> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(picture)).read_info()?;
    let size = reader.output_buffer_size().expect("it fits into memory");
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
    assert_eq!(decode(&pictures[0]).expect("a picture"), (64, 48));
    assert_eq!(generate(&sim, "one").pictures(), pictures);
    assert_ne!(generate(&sim, "another").pictures(), pictures);
}

#[test]
fn an_operators_size_and_picture_win() {
    let options = Options { size: Some((8, 6)), ..Options::default() };
    let small = generate(&Sim::start(options).expect("a port"), "one").pictures().remove(0);
    assert_eq!(decode(&small).expect("a picture"), (8, 6));
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
