//! Requests for images.

use retouch_core::Kind;
use retouch_core::image::AspectRatio;
use retouch_providers::dashscope::DashScope;
use retouch_providers::upstream::{CallUrl, Dialect};
use serde_json::{Value, json};

use crate::order::Sample;

/// One model of every family that edits, and two unknown ones.
const EDITING: [&str; 10] = [
    "qwen-image-edit",
    "qwen-image-edit-plus-2025-12-15",
    "qwen-image-edit-max",
    "qwen-image-2.0-pro",
    "qwen-image-3.0",
    "wan2.6-image",
    "wan2.7-image-pro",
    "wan2.5-i2i-preview",
    "wan9.9-image",
    "z-image-turbo",
];
/// One model of every family that only makes images from text.
const WRITING: [&str; 5] =
    ["qwen-image", "qwen-image-plus", "wan2.6-t2i", "wan2.5-t2i-preview", "wan2.2-t2i-flash"];

fn edit(model: &'static str) -> Sample {
    Sample::new(Kind::ImageEdit, model, &[(1200, 800)])
}

fn words(model: &'static str) -> Sample {
    Sample::new(Kind::TextToImage, model, &[])
}

fn every() -> impl Iterator<Item = (&'static str, Sample)> {
    let editing = EDITING.into_iter().map(|model| (model, edit(model)));
    editing.chain(WRITING.into_iter().map(|model| (model, words(model))))
}

fn size(sample: &Sample) -> Value {
    sample.sent(&DashScope)["parameters"]["size"].clone()
}

#[test]
fn everything_that_is_asked_goes_out_or_is_warned_of() {
    let shown: serde_json::Map<_, _> = every()
        .map(|(model, sample)| (model.to_owned(), sample.with_everything().shown(&DashScope)))
        .collect();
    insta::assert_json_snapshot!("dashscope_everything", shown);
}

#[test]
fn what_would_surprise_is_never_left_to_the_provider() {
    for (model, sample) in every() {
        let parameters = sample.sent(&DashScope)["parameters"].clone();
        assert_eq!(parameters["n"], 1, "{model}");
        assert_eq!(parameters["watermark"], false, "{model}");
        // If the model has a switch for rewriting the caller's prompt, it is off.
        assert_ne!(parameters["prompt_extend"], true, "{model}");
    }
}

#[test]
fn fields_that_a_model_does_not_take_are_never_sent() {
    let plain = edit("qwen-image-edit").with_everything();
    let parameters = plain.sent(&DashScope)["parameters"].clone();
    assert_eq!(parameters, json!({"n": 1, "watermark": true, "negative_prompt": "people"}));
    let wan = edit("wan2.7-image").with_everything().sent(&DashScope);
    assert_eq!(wan["parameters"], json!({"n": 1, "size": "2496*1680", "watermark": true}));
    let text = &wan["input"]["messages"][0]["content"][1]["text"];
    assert_eq!(text, "make it night\n\nAvoid: people");
}

#[test]
fn pictures_come_in_order_and_words_come_last() {
    let sent = Sample::new(Kind::ImageEdit, "qwen-image-edit-plus", &[(600, 600); 3]);
    assert_eq!(
        sent.sent(&DashScope)["input"]["messages"],
        json!([{"role": "user", "content": [
            {"image": "data:image/png;base64,AAAA"},
            {"image": "data:image/jpeg;base64,AQEB"},
            {"image": "data:image/jpeg;base64,AgIC"},
            {"text": "make it night"},
        ]}])
    );
}

#[test]
fn tasks_are_asked_for_as_tasks() {
    for (model, sample) in every() {
        let call = sample.call(&DashScope);
        let as_task = call.headers == [("x-dashscope-async", "enable".to_owned())];
        assert_eq!(as_task, model.starts_with("wan"), "{model}");
        let CallUrl::Path(path) = call.url else { panic!("{model}: not below the base address") };
        assert_eq!(path.ends_with("multimodal-generation/generation"), !as_task, "{model}");
    }
}

#[test]
fn without_a_wish_the_shape_is_that_of_the_first_picture_not_of_the_last() {
    let two = |model| Sample::new(Kind::ImageEdit, model, &[(1600, 800), (500, 1000)]);
    assert_eq!(size(&two("qwen-image-edit-plus")), "1456*720");
    assert_eq!(size(&two("qwen-image-2.0")), "2880*1456");
    assert_eq!(size(&two("wan2.5-i2i-preview")), "1792*912");
    assert_eq!(size(&two("qwen-image-edit")), Value::Null);
    assert_eq!(size(&words("qwen-image-2.0")), "2048*2048");
    assert_eq!(size(&words("qwen-image-plus")), "1328*1328");
}

#[test]
fn every_computed_size_is_within_what_the_model_makes() {
    let limits = [
        ("qwen-image-edit-plus", (512, 2048), (262_144, 4_194_304), 4),
        ("qwen-image-3.0-pro", (1, 8192), (262_144, 4_194_304), 8),
        ("wan2.6-image", (1, 8192), (589_824, 1_638_400), 4),
        ("wan2.7-image", (1, 8192), (589_824, 4_194_304), 8),
        ("wan2.5-i2i-preview", (1, 8192), (589_824, 1_638_400), 4),
    ];
    let shapes = [(1, 1), (16, 9), (9, 16), (4, 3), (21, 9), (1, 4), (8, 1), (1, 4000)];
    for (model, (side_min, side_max), (least, most), ratio_max) in limits {
        for (wide, high) in shapes {
            let sample = edit(model).with(|it| it.aspect_ratio = AspectRatio::Ratio(wide, high));
            let size = size(&sample);
            let size = size.as_str().expect("a text");
            let (width, height) = size.split_once('*').expect("W*H");
            let (width, height): (u64, u64) =
                (width.parse().expect("a number"), height.parse().expect("a number"));
            let case = format!("{model} {wide}:{high} {size}");
            assert!((least..=most).contains(&(width * height)), "{case}");
            assert!((side_min..=side_max).contains(&width.min(height)), "{case}");
            assert!((side_min..=side_max).contains(&width.max(height)), "{case}");
            assert!(width <= ratio_max * height && height <= ratio_max * width, "{case}");
        }
    }
}

#[test]
fn a_size_that_is_not_made_becomes_the_nearest_and_is_said() {
    let asked = |model, size: &str| {
        let size = size.parse().expect("a size");
        edit(model).with(|it| it.size = Some(size))
    };
    let small = asked("qwen-image-edit-plus", "400x300");
    assert_eq!(size(&small), "688*512");
    assert_eq!(
        small.warnings(&DashScope),
        ["size: `size` is approximated as 688x512, the nearest size that the model supports."]
    );
    let exact = asked("qwen-image-edit-plus", "1024x1536");
    assert_eq!(size(&exact), "1024*1536");
    assert_eq!(exact.warnings(&DashScope), [""; 0]);
    let none = asked("qwen-image-edit", "1024x1024");
    assert_eq!(
        none.warnings(&DashScope),
        ["size: `size` has no effect: the model decides the size."]
    );
    let listed = words("qwen-image").with(|it| it.aspect_ratio = AspectRatio::Ratio(3, 2));
    assert_eq!(size(&listed), "1472*1104");
    assert_eq!(listed.warnings(&DashScope).len(), 1);
}

#[test]
fn a_long_negative_prompt_is_cut_where_the_model_stops_reading() {
    let long = "ä".repeat(501);
    let sample = edit("qwen-image-edit-plus").with(|it| it.negative_prompt = Some(long.clone()));
    let sent = sample.sent(&DashScope);
    let negative = sent["parameters"]["negative_prompt"].as_str().expect("a text");
    assert_eq!(negative, "ä".repeat(500));
    assert_eq!(
        sample.warnings(&DashScope),
        [
            "negative_prompt: `negative_prompt` is cut off after 500 characters, the limit of the model."
        ]
    );
    let fits = edit("qwen-image-edit-plus").with(|it| it.negative_prompt = Some("ä".repeat(500)));
    assert_eq!(fits.warnings(&DashScope), [""; 0]);
    // This model has the negative prompt next to the prompt in `input`, and not in `parameters`.
    let beside = edit("wan2.5-i2i-preview").with(|it| it.negative_prompt = Some("people".into()));
    assert_eq!(beside.sent(&DashScope)["input"]["negative_prompt"], "people");
    assert_eq!(beside.sent(&DashScope)["parameters"].get("negative_prompt"), None);
}

#[test]
fn work_that_a_model_cannot_do_is_refused_beforehand() {
    let cases = [
        (Kind::Video, "qwen-image-2.0", 1),
        (Kind::ImageEdit, "wan2.6-i2v", 1),
        (Kind::ImageEdit, "wan2.6", 1),
        (Kind::ImageEdit, "qwen-image-plus", 1),
        (Kind::TextToImage, "qwen-image-edit-max", 0),
        (Kind::TextToImage, "wan2.6-image", 0),
    ];
    for (kind, model, count) in cases {
        let refused = Sample::new(kind, model, &vec![(500, 500); count]).refused(&DashScope);
        assert_eq!(refused.param.as_deref(), Some("model"), "{model}: {refused}");
    }
}

#[test]
fn pictures_are_limited_as_the_model_limits_them() {
    let rules = |model| DashScope.picture_rules(model);
    assert_eq!(rules("qwen-image-edit-plus").count_max, 3);
    assert_eq!(rules("qwen-image-2.1-pro").count_max, 10);
    assert_eq!(rules("wan2.7-image-pro").count_max, 9);
    assert_eq!(rules("wan2.6-t2v").count_max, 1);
    assert_eq!(rules("wan2.5-i2i-preview").side_px_min, 384);
    // As base64, they stay below the provider's 10 MB.
    assert!(rules("qwen-image").bytes_max.div_ceil(3) * 4 < 10_000_000);
}
