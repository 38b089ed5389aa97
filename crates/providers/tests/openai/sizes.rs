//! Whatever size is requested, the model gets one that it can make.

use proptest::prelude::*;
use retouch_providers::openai::{NIM, OPENAI, Profile, VLLM};
use retouch_providers::upstream::{Body, Dialect, PartContent};

use crate::support::{Sample, dialect, edit};

/// The size that is sent for an edit.
fn sent(profile: &'static Profile, sample: &Sample) -> (u32, u32) {
    let Body::Form(parts) = sample.call(&dialect(profile)).body else { panic!("no form") };
    let part = parts.iter().find(|part| part.name == "size").unwrap();
    let PartContent::Text(size) = &part.content else { panic!("no text") };
    let (width, height) = size.split_once('x').unwrap();
    (width.parse().unwrap(), height.parse().unwrap())
}

fn warns_of(profile: &'static Profile, sample: &Sample, param: &str) -> bool {
    let warnings = dialect(profile).read(&sample.edit, sample.model).unwrap();
    warnings.iter().any(|warning| warning.param.as_deref() == Some(param))
}

fn is_of_gpt_image_2((width, height): (u32, u32)) -> bool {
    let area = u64::from(width) * u64::from(height);
    width % 16 == 0
        && height % 16 == 0
        && width.max(height) <= 3840
        && (655_360..=8_294_400).contains(&area)
        && width.max(height) <= 3 * width.min(height)
}

proptest! {
    #[test]
    fn any_size_becomes_one_of_gpt_image_2(width in 64_u32..=4096, height in 64_u32..=4096) {
        let sample = edit("gpt-image-2", &[(100, 100)]).in_size(&format!("{width}x{height}"));
        let made = sent(&OPENAI, &sample);
        prop_assert!(is_of_gpt_image_2(made), "{made:?}");
        prop_assert_eq!(warns_of(&OPENAI, &sample, "size"), made != (width, height));
        if is_of_gpt_image_2((width, height)) {
            prop_assert_eq!(made, (width, height));
        }
    }

    #[test]
    fn any_shape_becomes_one_of_gpt_image_2(wide in 1_u32..=9999, high in 1_u32..=9999) {
        let sample = edit("gpt-image-2", &[(100, 100)]).in_shape(&format!("{wide}:{high}"));
        let (width, height) = sent(&OPENAI, &sample);
        prop_assert!(is_of_gpt_image_2((width, height)), "{width}x{height}");
        let off = (f64::from(width * high) / f64::from(height * wide)).ln().abs();
        prop_assert_eq!(warns_of(&OPENAI, &sample, "aspectRatio"), off > 0.02);
    }

    #[test]
    fn the_shape_of_any_first_picture_is_kept_where_it_can_be(
        width in 1_u32..=16_384, height in 1_u32..=16_384,
    ) {
        let made = sent(&OPENAI, &edit("gpt-image-2", &[(width, height), (10, 10)]));
        prop_assert!(is_of_gpt_image_2(made), "{made:?}");
        if width <= 3 * height && height <= 3 * width {
            let off = f64::from(made.0) / f64::from(made.1) * f64::from(height) / f64::from(width);
            prop_assert!(off.ln().abs() <= 0.02, "{width}x{height} became {made:?}");
        }
    }

    #[test]
    fn older_models_are_asked_for_one_of_their_three(width in 64_u32..=4096, height in 64_u32..=4096) {
        let three = [(1024, 1024), (1536, 1024), (1024, 1536)];
        let sample = edit("gpt-image-1.5", &[(width, height)]);
        prop_assert!(three.contains(&sent(&OPENAI, &sample)));
        let sample = sample.in_size(&format!("{width}x{height}"));
        prop_assert!(three.contains(&sent(&OPENAI, &sample)));
        prop_assert_eq!(warns_of(&OPENAI, &sample, "size"), !three.contains(&(width, height)));
    }

    #[test]
    fn diffusion_models_get_multiples_of_16(width in 64_u32..=4096, height in 64_u32..=4096) {
        let sample = edit("a/b", &[(width, height)]).in_size(&format!("{width}x{height}"));
        let (width, height) = sent(&VLLM, &sample);
        prop_assert!(width % 16 == 0 && height % 16 == 0);
        prop_assert!((256..=2048).contains(&width) && (256..=2048).contains(&height));
    }
}

#[test]
fn usual_sizes_are_preferred_and_others_have_the_shape_exactly() {
    let shapes = [("1:1", (1024, 1024)), ("3:2", (1536, 1024)), ("2:3", (1024, 1536))];
    for (shape, size) in shapes {
        assert_eq!(sent(&OPENAI, &edit("gpt-image-2", &[(9, 9)]).in_shape(shape)), size);
    }
    let wide = edit("gpt-image-2-2026-04-21", &[(9, 9)]).in_shape("16:9");
    assert_eq!(sent(&OPENAI, &wide), (1360, 768));
    assert!(!warns_of(&OPENAI, &wide, "aspectRatio"));
}

#[test]
fn a_size_that_is_too_large_keeps_its_shape() {
    let large = edit("gpt-image-2", &[(9, 9)]).in_size("4096x2048");
    assert_eq!(sent(&OPENAI, &large), (3840, 1920));
    let large = edit("flux", &[(9, 9)]).in_size("1920x1080");
    assert_eq!(sent(&NIM, &large), (1344, 768));
}
