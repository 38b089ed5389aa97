//! The requests to try, which vary one parameter at a time.

use retouch_core::Kind;
use retouch_core::catalogue::Model;
use serde_json::{Value, json};

pub(crate) struct Case {
    /// What is special about the request.
    pub(crate) name: String,
    /// The model that the request names.
    pub(crate) model: String,
    /// The other fields, without the instruction and the images.
    pub(crate) fields: Value,
    /// The number of images.
    pub(crate) pictures: usize,
    /// Whether the request must differ from the plainest one, or else report to the caller why it
    /// does not.
    pub(crate) has_effect: bool,
}

/// The requests for `kind` to try with `model`, the plainest first.
pub(crate) fn cases(model: &Model, kind: Kind) -> Vec<Case> {
    let usual = usize::from(kind == Kind::ImageEdit);
    let case = |fields: Value| Case::new(&model.id, usual, &fields);
    let mut cases = vec![case(json!({}))];
    let counts = if kind == Kind::TextToImage { 0..1 } else { 0..model.max_input_images + 1 };
    let others = counts.filter(|count| *count != usual && (*count > 0 || kind == Kind::Video));
    cases.extend(others.map(|count| {
        let plain = Case::new(&model.id, count, &json!({}));
        Case { name: format!("{count} pictures"), has_effect: true, ..plain }
    }));
    cases.extend(shapes(model).into_iter().chain(rest(model, kind)).map(case));
    cases
}

fn shapes(model: &Model) -> Vec<Value> {
    let mut ratios: Vec<_> = model.aspect_ratios.iter().map(ToString::to_string).collect();
    if ratios.is_empty() {
        ratios.push("3:2".into());
    }
    let ratios = ratios.into_iter().map(|ratio| json!({ "aspectRatio": ratio }));
    let sizes = ["1024x1024", "1280x720", "640x480", "3000x1000", "4096x4096"];
    ratios.chain(sizes.map(|size| json!({ "size": size }))).collect()
}

fn rest(model: &Model, kind: Kind) -> Vec<Value> {
    let mut fields = vec![
        json!({ "n": 3 }),
        json!({ "quality": "low" }),
        json!({ "quality": "medium" }),
        json!({ "quality": "high" }),
        json!({ "quality": "auto" }),
        json!({ "watermark": true }),
        json!({ "watermark": false }),
        json!({ "negative_prompt": "people" }),
        json!({ "prompt_extend": true }),
        json!({ "prompt_extend": false }),
    ];
    if kind == Kind::Video {
        let lengths = model.durations_seconds().into_iter();
        fields.extend(lengths.map(|seconds| json!({ "duration_seconds": seconds })));
    }
    fields
}

impl Case {
    fn new(model: &str, pictures: usize, fields: &Value) -> Self {
        let (name, model) = (fields.to_string(), model.to_owned());
        let says_nothing = [
            json!({}),
            json!({ "aspectRatio": "auto" }),
            json!({ "quality": "auto" }),
            json!({ "watermark": false }),
            json!({ "prompt_extend": false }),
        ];
        // The first length is the default and changes nothing, so no length is required to have an
        // effect.
        let has_effect = !says_nothing.contains(fields) && fields.get("duration_seconds").is_none();
        Self { name, model, fields: fields.clone(), pictures, has_effect }
    }
}
