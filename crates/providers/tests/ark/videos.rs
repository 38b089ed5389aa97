//! Requests for videos.

use retouch_core::Kind;
use retouch_core::image::AspectRatio;
use retouch_providers::ark::Ark;
use serde_json::{Value, json};

use crate::order::Sample;

const MODELS: [&str; 7] = [
    "doubao-seedance-1-0-pro-250528",
    "doubao-seedance-1-0-pro-fast-251015",
    "seedance-1-5-pro-251215",
    "dreamina-seedance-2-0-260128",
    "seedance-2-0-fast-260128",
    "seedance-2-5-260628",
    "ep-20261101120000-abcde",
];

fn video(model: &'static str, pictures: usize) -> Sample {
    Sample::new(Kind::Video, model, &vec![(1080, 1920); pictures])
}

fn roles(sent: &Value) -> Vec<&str> {
    let content = sent["content"].as_array().expect("a list");
    content.iter().filter_map(|part| part["role"].as_str()).collect()
}

#[test]
fn everything_that_is_asked_goes_out_or_is_warned_of() {
    let of = |model: &'static str| {
        let sample = video(model, 1).with_everything().with(|it| it.duration_seconds = Some(20));
        (model.to_owned(), sample.shown(&Ark))
    };
    let shown: serde_json::Map<_, _> = MODELS.into_iter().map(of).collect();
    insta::assert_json_snapshot!("ark_videos_everything", shown);
}

#[test]
fn nothing_beyond_what_is_needed_goes_out_without_parameters() {
    let shown: Vec<_> = [0, 1].map(|pictures| video(MODELS[3], pictures).shown(&Ark)).into();
    insta::assert_json_snapshot!("ark_videos_plain", shown);
}

#[test]
fn pictures_are_frames_as_far_as_the_model_takes_frames() {
    let of = |model, count| video(model, count).sent(&Ark);
    assert_eq!(roles(&of("seedance-2-0-260128", 1)), ["first_frame"]);
    assert_eq!(roles(&of("seedance-2-0-260128", 2)), ["first_frame", "last_frame"]);
    let three = of("seedance-2-0-260128", 3);
    assert_eq!(roles(&three), ["reference_image"; 3]);
    // Without a first frame, the video cannot adapt to one, so the nearest shape to the first image
    // is sent.
    assert_eq!(three["ratio"], "9:16");
    assert_eq!(of("seedance-2-0-260128", 1)["ratio"], "adaptive");
    assert_eq!(of("seedance-2-0-260128", 0)["ratio"], "16:9");
}

#[test]
fn more_pictures_than_the_model_takes_are_refused_beforehand() {
    for (model, count) in
        [("seedance-1-0-pro-250528", 3), ("seedance-1-0-pro-fast-251015", 2), (MODELS[6], 3)]
    {
        let refused = video(model, count).refused(&Ark);
        assert_eq!(refused.param.as_deref(), Some("imageUrls"), "{model}: {refused}");
    }
    let needs_one = video("seedance-1-0-lite-i2v-250428", 0).refused(&Ark);
    assert_eq!(needs_one.param.as_deref(), Some("imageUrl"));
}

#[test]
fn words_cannot_smuggle_parameters_in() {
    for model in MODELS {
        let sample = video(model, 0)
            .with(|it| it.instruction = "a cat --resolution 1080p ---dur 12 -- done".into());
        let sent = sample.sent(&Ark);
        let text = sent["content"][0]["text"].as_str().expect("a text");
        assert!(text.starts_with("a cat —resolution 1080p —dur 12 — done"), "{model}: {text}");
    }
    let flags = video(MODELS[0], 0).sent(&Ark);
    assert_eq!(
        flags["content"][0]["text"],
        "make it night --resolution 720p --ratio 16:9 --duration 5 --watermark false"
    );
    assert_eq!(flags.get("duration"), None);
}

#[test]
fn a_size_becomes_a_ratio_and_a_resolution() {
    let sample = video(MODELS[3], 0).with(|it| it.size = Some("1080x1900".parse().expect("one")));
    let sent = sample.sent(&Ark);
    assert_eq!((&sent["ratio"], &sent["resolution"]), (&json!("9:16"), &json!("1080p")));
    assert_eq!(
        sample.warnings(&Ark),
        ["size: `size` is approximated as 9:16 at 1080p, the nearest that the model supports."]
    );
}

#[test]
fn a_duration_that_is_not_made_becomes_the_nearest() {
    let asked = |seconds| video(MODELS[3], 0).with(|it| it.duration_seconds = Some(seconds));
    for (seconds, made) in [(1, 4), (4, 4), (15, 15), (60, 15)] {
        assert_eq!(asked(seconds).sent(&Ark)["duration"], made);
        assert_eq!(asked(seconds).warnings(&Ark).len(), usize::from(seconds != made));
    }
}

#[test]
fn an_unlisted_ratio_becomes_the_nearest_and_is_said() {
    let sample = video(MODELS[3], 0).with(|it| it.aspect_ratio = AspectRatio::Ratio(3, 2));
    assert_eq!(sample.sent(&Ark)["ratio"], "4:3");
    assert_eq!(
        sample.warnings(&Ark),
        ["aspectRatio: `aspectRatio` is approximated as 4:3, the nearest that the model supports."]
    );
}
