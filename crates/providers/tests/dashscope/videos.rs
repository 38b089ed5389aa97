//! Requests for videos.

use retouch_core::Kind;
use retouch_core::catalogue::Resolution;
use retouch_core::image::AspectRatio;
use retouch_providers::dashscope::DashScope;
use serde_json::{Value, json};

use crate::order::Sample;

fn video(model: &'static str, pictures: usize) -> Sample {
    Sample::new(Kind::Video, model, &vec![(1080, 1920); pictures])
}

fn sent(sample: &Sample) -> Value {
    sample.sent(&DashScope)
}

#[test]
fn everything_that_is_asked_goes_out_or_is_warned_of() {
    let models = [
        ("wan2.5-t2v-preview", 0),
        ("wan2.5-i2v-preview", 1),
        ("wan2.6-t2v", 0),
        ("wan2.6-i2v-flash", 1),
        ("wan2.7-t2v", 0),
        ("wan2.7-i2v", 2),
        ("wan3.0-video-prime", 1),
    ];
    let of = |(model, pictures): (&'static str, usize)| {
        let sample =
            video(model, pictures).with_everything().with(|it| it.duration_seconds = Some(20));
        (model.to_owned(), sample.shown(&DashScope))
    };
    let shown: serde_json::Map<_, _> = models.into_iter().map(of).collect();
    insta::assert_json_snapshot!("dashscope_videos_everything", shown);
}

#[test]
fn a_bare_generation_is_completed_by_what_the_call_has() {
    for (name, pictures, model) in [
        ("wan2.5", 0, "wan2.5-t2v-preview"),
        ("wan2.5", 1, "wan2.5-i2v-preview"),
        ("wan2.6", 0, "wan2.6-t2v"),
        ("wan2.6", 1, "wan2.6-i2v"),
        ("wan2.7", 2, "wan2.7-i2v"),
        ("wan3.0-video", 1, "wan3.0-video"),
        ("wan2.6-t2v-2026-01-01", 0, "wan2.6-t2v-2026-01-01"),
    ] {
        let sample = video(name, pictures);
        assert_eq!(sample.warnings(&DashScope), [""; 0], "{name}");
        assert_eq!(sent(&sample)["model"], model);
    }
}

#[test]
fn a_picture_is_the_first_frame_and_gives_the_shape() {
    let of_6 = sent(&video("wan2.6-i2v", 1));
    assert_eq!(of_6["input"]["img_url"], "data:image/png;base64,AAAA");
    assert_eq!(
        of_6["parameters"],
        json!({"resolution": "720P", "duration": 5, "prompt_extend": false, "watermark": false})
    );
    let of_7 = sent(&video("wan2.7-i2v", 2));
    assert_eq!(
        of_7["input"]["media"],
        json!([
            {"type": "first_frame", "url": "data:image/png;base64,AAAA"},
            {"type": "last_frame", "url": "data:image/jpeg;base64,AQEB"},
        ])
    );
    let other = video("wan2.6-i2v", 1).with(|it| it.aspect_ratio = AspectRatio::Ratio(1, 1));
    assert_eq!(
        other.warnings(&DashScope),
        ["aspectRatio: `aspectRatio` has no effect: the video has the aspect ratio of its first \
             image."]
    );
}

#[test]
fn words_alone_are_given_a_shape() {
    let shaped = |model| {
        let sample = video(model, 0).with(|it| it.aspect_ratio = AspectRatio::Ratio(9, 16));
        sent(&sample)["parameters"].clone()
    };
    assert_eq!(shaped("wan2.6-t2v")["size"], "720*1280");
    assert_eq!(shaped("wan2.6-t2v").get("resolution"), None);
    assert_eq!(shaped("wan2.7-t2v")["ratio"], "9:16");
    assert_eq!(shaped("wan2.7-t2v")["resolution"], "720P");
    assert_eq!(sent(&video("wan2.6-t2v", 0))["parameters"]["size"], "1280*720");
    let exact =
        video("wan2.6-t2v", 0).with(|it| it.size = Some("1920x1080".parse().expect("a size")));
    assert_eq!(sent(&exact)["parameters"]["size"], "1920*1080");
    assert_eq!(exact.warnings(&DashScope), [""; 0]);
}

#[test]
fn a_duration_that_is_not_made_becomes_the_nearest() {
    for (model, asked, made) in
        [("wan2.5", 8, 10), ("wan2.5", 5, 5), ("wan2.6", 1, 2), ("wan2.7", 60, 15)]
    {
        let sample = video(model, 0).with(|it| it.duration_seconds = Some(asked));
        assert_eq!(sent(&sample)["parameters"]["duration"], made, "{model}");
        assert_eq!(sample.warnings(&DashScope).len(), usize::from(asked != made), "{model}");
    }
}

#[test]
fn the_resolution_is_the_one_that_the_price_covers() {
    let low = |model| video(model, 0).with(|it| it.tier.resolution = Some(Resolution::P480));
    assert_eq!(sent(&low("wan2.5"))["parameters"]["size"], "832*480");
    assert_eq!(sent(&low("wan3.0-video"))["parameters"]["resolution"], "480P");
    assert_eq!(sent(&low("wan2.7"))["parameters"]["resolution"], "720P", "its lowest resolution");
    assert_eq!(low("wan2.7").warnings(&DashScope), [""; 0]);
}

#[test]
fn pictures_that_a_model_cannot_use_are_refused_beforehand() {
    for (model, count, param) in [
        ("wan2.6-t2v", 1, "imageUrls"),
        ("wan2.6-i2v", 2, "imageUrls"),
        ("wan2.7-i2v", 3, "imageUrls"),
        ("wan2.6-i2v", 0, "imageUrl"),
        ("wan2.6-r2v", 1, "model"),
        ("wan2.7-videoedit", 1, "model"),
    ] {
        let refused = video(model, count).refused(&DashScope);
        assert_eq!(refused.param.as_deref(), Some(param), "{model}: {refused}");
    }
}
