//! Shapes and sizes in Gemini's terms.

use retouch_core::Kind;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use retouch_engine::codec::Format;
use retouch_providers::gemini::Gemini;
use retouch_providers::upstream::{Dialect, Picture, Step};
use serde_json::{Value, json};

use super::support::{call, codes, edit, json, order, picture, recorded};

const PRO: &str = "gemini-3-pro-image";
const FLASH_2_5: &str = "gemini-2.5-flash-image";
const FLASH_3_1: &str = "gemini-3.1-flash-image-preview";

fn image_config(edit: &Edit, model: &str, pictures: &[Picture]) -> Value {
    json(&call(edit, model, pictures))["generationConfig"]["imageConfig"].clone()
}

fn of_ratio(width: u32, height: u32) -> Edit {
    let mut edit = edit(Kind::TextToImage);
    edit.aspect_ratio = AspectRatio::Ratio(width, height);
    edit
}

fn of_size(size: &str) -> Edit {
    let mut edit = edit(Kind::TextToImage);
    edit.size = Some(size.parse().unwrap());
    edit.tier = crate::gemini::edit::tier(edit.kind, edit.size);
    edit
}

#[test]
fn a_ratio_that_is_offered_is_sent_as_it_is() {
    for (width, height) in [(1, 1), (3, 2), (21, 9), (9, 16)] {
        let edit = of_ratio(width, height);
        let sent = image_config(&edit, FLASH_2_5, &[]);
        assert_eq!(sent, json!({ "aspectRatio": format!("{width}:{height}") }));
        assert_eq!(codes(&Gemini::default().read(&edit, FLASH_2_5).unwrap()), []);
    }
}

#[test]
fn a_ratio_that_is_not_offered_becomes_the_nearest_and_that_is_said() {
    let long = of_ratio(1, 4);
    assert_eq!(image_config(&long, FLASH_2_5, &[])["aspectRatio"], "9:16");
    let warnings = Gemini::default().read(&long, FLASH_2_5).unwrap();
    assert_eq!(codes(&warnings), [("parameter_approximated", "aspectRatio")]);
    assert!(warnings[0].message.contains("1:4 is approximated as 9:16"), "{}", warnings[0].message);

    assert_eq!(image_config(&long, FLASH_3_1, &[])["aspectRatio"], "1:4");
    assert_eq!(codes(&Gemini::default().read(&long, FLASH_3_1).unwrap()), []);
}

#[test]
fn a_size_becomes_a_ratio_and_the_tier_that_holds_its_pixels() {
    let cases = [
        (FLASH_2_5, "1024x1024", json!({ "aspectRatio": "1:1" })),
        (FLASH_2_5, "4096x4096", json!({ "aspectRatio": "1:1" })),
        (PRO, "512x512", json!({ "aspectRatio": "1:1", "imageSize": "1K" })),
        (PRO, "1376x768", json!({ "aspectRatio": "16:9", "imageSize": "1K" })),
        (PRO, "1920x1080", json!({ "aspectRatio": "16:9", "imageSize": "2K" })),
        (PRO, "3840x2160", json!({ "aspectRatio": "16:9", "imageSize": "4K" })),
        (PRO, "4096x4096", json!({ "aspectRatio": "1:1", "imageSize": "4K" })),
        (FLASH_3_1, "512x512", json!({ "aspectRatio": "1:1", "imageSize": "512" })),
        ("gemini-nano-banana-2.1", "512x512", json!({ "aspectRatio": "1:1", "imageSize": "1K" })),
        ("gemini-3.1-flash-lite-image", "2048x2048", json!({ "aspectRatio": "1:1" })),
        ("gemini-9-image", "2048x2048", json!({ "aspectRatio": "1:1" })),
    ];
    for (model, size, expected) in cases {
        let edit = of_size(size);
        assert_eq!(image_config(&edit, model, &[]), expected, "{model} {size}");
        let warnings = Gemini::default().read(&edit, model).unwrap();
        assert_eq!(codes(&warnings), [("parameter_approximated", "size")]);
    }
}

#[test]
fn one_picture_or_several_of_one_shape_are_followed_by_gemini_itself() {
    let one = [picture("one", Format::Png, (1450, 1000))];
    assert_eq!(image_config(&edit(Kind::ImageEdit), PRO, &one), Value::Null);
    let alike =
        [picture("one", Format::Png, (1450, 1000)), picture("two", Format::Png, (725, 500))];
    assert_eq!(image_config(&edit(Kind::ImageEdit), PRO, &alike), Value::Null);
}

#[test]
fn of_several_pictures_the_first_decides_although_gemini_would_follow_the_last() {
    let edit = edit(Kind::ImageEdit);
    let cases = [((1500, 1000), "3:2", 0), ((1400, 1000), "4:3", 1)];
    for (first, ratio, warned) in cases {
        let pictures =
            [picture("one", Format::Png, first), picture("two", Format::Png, (500, 900))];
        assert_eq!(image_config(&edit, PRO, &pictures), json!({ "aspectRatio": ratio }));
        let order = order(&edit, PRO, &pictures);
        let done = Gemini::default().submitted(&order, &recorded(200, "picture")).unwrap();
        let Step::Done(harvest) = done else { panic!("{done:?}") };
        assert_eq!(harvest.warnings.len(), warned, "{:?}", harvest.warnings);
    }
}
