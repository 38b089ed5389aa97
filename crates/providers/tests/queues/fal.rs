//! Requests to fal.

use retouch_core::Kind;
use retouch_providers::queue::Fal;
use retouch_providers::upstream::{Auth, Dialect};
use serde_json::json;

use super::support::{Sample, line_of};

#[test]
fn an_edit_names_the_shape_of_the_first_picture() {
    let sample = Sample::new(Kind::ImageEdit, "fal-ai/nano-banana-pro/edit", &[(10, 20), (9, 9)]);
    let call = sample.submission(&Fal, &[]).call;
    assert_eq!(line_of(&call), "POST /fal-ai/nano-banana-pro/edit");
    assert!(call.headers.iter().any(|(name, _)| *name == "x-fal-object-lifecycle-preference"));
    let expected = json!({
        "prompt": "make it night",
        "image_urls": ["data:image/png;base64,AAAA", "data:image/jpeg;base64,AQEB"],
        "num_images": 1,
        "output_format": "png",
        "aspect_ratio": "auto",
        "resolution": "1K",
    });
    assert_eq!(sample.sent(&Fal), expected);
    assert_eq!(sample.warnings(&Fal), Vec::<String>::new());
    assert_eq!(Fal.auth(), Auth::Scheme("Key"));
}

#[test]
fn a_size_becomes_pixels_where_they_can_be_said() {
    let sample = Sample::edit("fal-ai/bytedance/seedream/v4/edit").size("1600x1200");
    let expected = json!({
        "prompt": "make it night",
        "image_urls": ["data:image/png;base64,AAAA"],
        "num_images": 1,
        "max_images": 1,
        "image_size": { "width": 1600, "height": 1200 },
    });
    assert_eq!(sample.sent(&Fal), expected);
    assert_eq!(sample.warnings(&Fal), Vec::<String>::new());
}

#[test]
fn a_size_below_what_the_model_makes_is_enlarged_and_said() {
    let sample = Sample::edit("fal-ai/bytedance/seedream/v4.5/edit").size("1024x1024");
    assert_eq!(sample.sent(&Fal)["image_size"], json!({ "width": 1920, "height": 1920 }));
    assert_eq!(sample.warnings(&Fal), ["parameter_approximated size"]);
}

#[test]
fn without_a_size_the_shape_of_the_first_picture_is_computed() {
    let sent = Sample::edit("fal-ai/bytedance/seedream/v4/edit").sent(&Fal);
    assert_eq!(sent["image_size"], json!({ "width": 2512, "height": 1680 }));
}

#[test]
fn what_fal_cannot_do_is_said() {
    let sample = Sample::edit("fal-ai/flux-pro/kontext/max").ratio(5, 1).with_rarities();
    let expected = json!({
        "prompt": "make it night\n\nAvoid: people",
        "image_url": "data:image/png;base64,AAAA",
        "num_images": 1,
        "output_format": "png",
        "aspect_ratio": "21:9",
        "enhance_prompt": true,
    });
    assert_eq!(sample.sent(&Fal), expected);
    let warnings = [
        "parameter_approximated aspectRatio",
        "parameter_approximated negative_prompt",
        "parameter_not_honored watermark",
        "parameter_not_honored quality",
    ];
    assert_eq!(sample.warnings(&Fal), warnings);
}

#[test]
fn rewriting_is_off_unless_it_is_asked_for() {
    assert_eq!(Sample::edit("fal-ai/flux-pro/kontext").sent(&Fal)["enhance_prompt"], false);
}

#[test]
fn qualities_and_negative_prompts_go_where_models_have_them() {
    let sample = Sample::edit("fal-ai/gpt-image-1.5/edit").with_rarities().ratio(16, 9);
    let sent = sample.sent(&Fal);
    assert_eq!((&sent["quality"], &sent["image_size"]), (&json!("high"), &json!("1536x1024")));
    let sent = Sample::edit("fal-ai/qwen-image-edit-plus").with_rarities().sent(&Fal);
    assert_eq!(sent["prompt"], "make it night");
    assert_eq!(sent["negative_prompt"], "people");
}

#[test]
fn words_alone_go_to_models_that_take_them() {
    let sample = Sample::new(Kind::TextToImage, "fal-ai/nano-banana", &[]).ratio(4, 3);
    let expected = json!({
        "prompt": "make it night",
        "num_images": 1,
        "output_format": "png",
        "aspect_ratio": "4:3",
    });
    assert_eq!(sample.sent(&Fal), expected);
    let edit = Sample::new(Kind::TextToImage, "fal-ai/nano-banana/edit", &[]);
    assert!(edit.refused(&Fal).message.contains("at least one image"));
    assert_eq!(Fal.picture_rules("fal-ai/nano-banana").count_max, 0);
}

#[test]
fn videos_have_the_nearest_length() {
    let sample = Sample::new(Kind::Video, "fal-ai/veo3.1/image-to-video", &[(1280, 720)]);
    let expected = json!({
        "prompt": "make it night",
        "image_url": "data:image/png;base64,AAAA",
        "aspect_ratio": "auto",
        "duration": "6s",
    });
    assert_eq!(sample.sent(&Fal), expected);
    assert_eq!(sample.warnings(&Fal), ["parameter_approximated duration_seconds"]);
    let still = Sample::edit("fal-ai/veo3.1/image-to-video");
    assert!(still.refused(&Fal).message.contains("does not make images"));
}

#[test]
fn an_unknown_model_gets_the_usual_names_and_no_promise() {
    let sample = Sample::edit("somebody/new-model").ratio(1, 1);
    let expected = json!({
        "prompt": "make it night",
        "image_urls": ["data:image/png;base64,AAAA"],
        "aspect_ratio": "1:1",
    });
    assert_eq!(sample.sent(&Fal), expected);
    assert_eq!(sample.warnings(&Fal), ["parameter_approximated aspectRatio"]);
}
