//! Requests for images.

use retouch_core::Kind;
use retouch_core::image::AspectRatio;
use retouch_providers::ark::Ark;
use retouch_providers::upstream::Dialect;
use serde_json::json;

use crate::order::Sample;

/// One model of every family, and an unknown one.
const MODELS: [&str; 7] = [
    "doubao-seedream-4-0-250828",
    "seedream-4-5-251128",
    "seedream-5-0-260128",
    "doubao-seedream-5-0-pro-260628",
    "dola-seedream-5-0-flash-260915",
    "seedream-5-5-261028",
    "ep-20261101120000-abcde",
];

fn edit(model: &'static str) -> Sample {
    Sample::new(Kind::ImageEdit, model, &[(1200, 800)])
}

fn size(sample: &Sample) -> String {
    sample.sent(&Ark)["size"].as_str().expect("a text").to_owned()
}

#[test]
fn everything_that_is_asked_goes_out_or_is_warned_of() {
    let of = |model| (model, edit(model).with_everything().shown(&Ark));
    let shown: serde_json::Map<_, _> =
        MODELS.into_iter().map(of).map(|(model, shown)| (model.to_owned(), shown)).collect();
    insta::assert_json_snapshot!("ark_everything", shown);
}

#[test]
fn nothing_beyond_what_is_needed_goes_out_without_parameters() {
    insta::assert_json_snapshot!("ark_plain", edit("seedream-4-5-251128").shown(&Ark));
}

#[test]
fn a_watermark_is_never_left_to_the_provider() {
    for model in MODELS {
        assert_eq!(edit(model).sent(&Ark)["watermark"], json!(false), "{model}");
        let asked = edit(model).with(|edit| edit.watermark = Some(true));
        assert_eq!(asked.sent(&Ark)["watermark"], json!(true), "{model}");
    }
}

#[test]
fn fields_that_a_model_answers_400_to_are_never_sent() {
    for model in MODELS {
        let sent = edit(model).with_everything().sent(&Ark);
        for field in ["sequential_image_generation", "stream", "n", "seed", "negative_prompt"] {
            assert_eq!(sent.get(field), None, "{model}: {field}");
        }
    }
}

#[test]
fn one_picture_is_a_text_and_several_are_a_list_in_order() {
    let one = edit(MODELS[0]).sent(&Ark);
    assert_eq!(one["image"], "data:image/png;base64,AAAA");
    let several = Sample::new(Kind::ImageEdit, MODELS[0], &[(100, 100); 3]).sent(&Ark);
    assert_eq!(
        several["image"],
        json!([
            "data:image/png;base64,AAAA",
            "data:image/jpeg;base64,AQEB",
            "data:image/jpeg;base64,AgIC"
        ])
    );
    let none = Sample::new(Kind::TextToImage, MODELS[0], &[]).sent(&Ark);
    assert_eq!(none.get("image"), None);
}

#[test]
fn without_a_wish_the_shape_is_that_of_the_first_picture() {
    let two = Sample::new(Kind::ImageEdit, MODELS[0], &[(1000, 500), (500, 1000)]);
    assert_eq!(size(&two), "2896x1456");
    assert_eq!(size(&Sample::new(Kind::TextToImage, MODELS[0], &[])), "2048x2048");
    assert_eq!(two.warnings(&Ark), [""; 0]);
}

#[test]
fn every_computed_size_is_within_what_the_model_makes() {
    let areas = [
        (921_600, 16_777_216),
        (3_686_400, 16_777_216),
        (3_686_400, 10_404_496),
        (1_048_576, 4_194_304),
        (921_600, 4_624_220),
        (921_600, 4_624_220),
        (3_686_400, 4_194_304),
    ];
    let shapes = [(1, 1), (16, 9), (9, 16), (4, 3), (21, 9), (1, 16), (16, 1), (1, 4000)];
    for (model, (least, most)) in MODELS.into_iter().zip(areas) {
        for (wide, high) in shapes {
            let sample = edit(model).with(|it| it.aspect_ratio = AspectRatio::Ratio(wide, high));
            let size = size(&sample);
            let (width, height) = size.split_once('x').expect("WxH");
            let (width, height): (u64, u64) =
                (width.parse().expect("a number"), height.parse().expect("a number"));
            assert!((least..=most).contains(&(width * height)), "{model} {wide}:{high} {size}");
            assert!(width <= 16 * height && height <= 16 * width, "{model} {wide}:{high} {size}");
        }
    }
}

#[test]
fn a_size_below_what_the_model_makes_is_enlarged_and_said() {
    let asked = |model| edit(model).with(|it| it.size = Some("1024x768".parse().expect("a size")));
    assert_eq!(size(&asked("seedream-4-5-251128")), "2224x1664");
    assert_eq!(
        asked("seedream-4-5-251128").warnings(&Ark),
        ["size: `size` is approximated as 2224x1664, the nearest size that the model supports."]
    );
    let of_5 =
        edit("seedream-5-5-261028").with(|it| it.size = Some("1280x720".parse().expect("a size")));
    assert_eq!(size(&of_5), "1280x720");
    assert_eq!(of_5.warnings(&Ark), [""; 0]);
}

#[test]
fn what_keeps_the_shape_of_its_input_says_so() {
    let sample = edit("doubao-seededit-3-0-i2i-250628")
        .with(|it| it.aspect_ratio = AspectRatio::Ratio(1, 1));
    assert_eq!(size(&sample), "adaptive");
    assert_eq!(
        sample.warnings(&Ark),
        ["aspectRatio: `aspectRatio` has no effect: the model keeps the size of the input image."]
    );
}

#[test]
fn work_that_a_model_cannot_do_is_refused_beforehand() {
    let cases = [
        (Kind::Video, "seedream-4-0-250828", 1),
        (Kind::ImageEdit, "seedance-2-0-260128", 1),
        (Kind::ImageEdit, "doubao-seedream-3-0-t2i-250415", 1),
        (Kind::TextToImage, "doubao-seededit-3-0-i2i-250628", 0),
    ];
    for (kind, model, count) in cases {
        let refused = Sample::new(kind, model, &vec![(100, 100); count]).refused(&Ark);
        assert_eq!(refused.param.as_deref(), Some("model"), "{model}: {refused}");
    }
}

#[test]
fn pictures_are_limited_as_the_model_limits_them() {
    let count = |model| Ark.picture_rules(model).count_max;
    assert_eq!(count("seedream-4-5-251128"), 14);
    assert_eq!(count("seedream-5-0-pro-260628"), 10);
    assert_eq!(count("seededit-3-0-i2i-250628"), 1);
    assert_eq!(Ark.picture_rules("seedance-2-0-260128").side_px_min, 300);
}
