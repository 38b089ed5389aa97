//! Every operation, within what the plan announces before the work begins.

use crate::table::{Case, INPUTS, Size, firsts, framed, makes, opaque};
use crate::{MEASURING, peak_bytes};
use retouch_engine::{AnyPicture, Context, Depth, Picture, execute};
use retouch_language::read;

/// So large that what grows with the picture shows, and for examples with sizes in pixels.
const SIZE: Size = (1300, 900);

/// What is little and the same for every picture: tables, rows in progress, words of warnings.
const SMALL_BYTES: u64 = 512 * 1024;

/// The memory that is announced for a case.
fn announced_bytes(case: &Case, depth: Depth) -> u64 {
    let inputs = if makes(&case.plan) { &[][..] } else { &[(SIZE, depth); INPUTS] };
    case.plan.working_bytes_any(inputs).unwrap()
}

/// Names every case that takes more than it announced.
fn stay_within(picture: &AnyPicture) {
    let _alone = MEASURING.lock();
    let pictures = [picture.clone(), picture.clone()];
    let pixels = u64::from(SIZE.0) * u64::from(SIZE.1);
    let mut wrong = Vec::new();
    let cases = firsts(SIZE);
    for case in &cases {
        let announced = announced_bytes(case, picture.depth());
        let measured = || peak_bytes(|| case.done(&pictures)).1;
        let is_over = |peak: u64| peak > announced + SMALL_BYTES;
        // The first run may load fonts and start threads, which stay. Then the second one counts.
        let peak = Some(measured()).filter(|peak| !is_over(*peak)).unwrap_or_else(measured);
        if is_over(peak) {
            let each = |bytes: u64| bytes as f64 / pixels as f64;
            let (took, said) = (each(peak), each(announced));
            wrong.push(format!("{}: {took:.1} bytes a pixel, {said:.1} announced", case.example));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn every_operation_stays_within_what_is_announced() {
    let picture: Picture = opaque(SIZE);
    stay_within(&picture.into());
}

#[test]
fn so_it_does_at_16_bits_a_channel() {
    let picture: Picture<u16> = opaque(SIZE);
    stay_within(&picture.into());
}

#[test]
fn so_it_does_where_everything_is_half_clear() {
    let picture: Picture = framed(SIZE, [0; 3], |_, _| 0x8080);
    stay_within(&picture.into());
}

/// The worst for what looks for a background: nearly everything is that.
#[test]
fn so_it_does_where_nearly_everything_is_plain() {
    let mut picture: Picture = Picture::new(SIZE.0, SIZE.1).unwrap();
    picture.pixels_mut().fill(200);
    for (at, pixel) in picture.pixels_mut().as_chunks_mut::<4>().0.iter_mut().enumerate() {
        pixel[3] = 255;
        if at / SIZE.0 as usize % 300 == 150 {
            pixel[0] = (at % 199) as u8;
        }
    }
    stay_within(&picture.into());
}

#[test]
fn twice_the_depth_is_announced() {
    let _alone = MEASURING.lock();
    for case in firsts(SIZE) {
        let [eight, sixteen] =
            [Depth::Eight, Depth::Sixteen].map(|depth| announced_bytes(&case, depth));
        assert!(sixteen > eight || case.name == "make", "{}", case.example);
    }
}

/// Letters that are larger than the picture, in a line longer than it, are drawn where it is.
#[test]
fn texts_far_larger_than_the_picture_take_no_more_than_they_announce() {
    let _alone = MEASURING.lock();
    let long = "W".repeat(700);
    let watermark = format!("tile the watermark \"{long}\" with a size of 2000px");
    let cut = format!("write \"{long}\" in bold with a size of 2000px with a 200px black outline");
    for words in [watermark, cut] {
        let plan = read(&words, &Context::default()).unwrap();
        let announced = plan.working_bytes(&[(100, 100)]).unwrap();
        let picture: Picture = opaque((100, 100));
        let (edited, peak) = peak_bytes(|| execute(&plan, vec![picture]));
        edited.unwrap();
        assert!(peak <= announced + SMALL_BYTES, "{peak} bytes, {announced} announced");
    }
}
