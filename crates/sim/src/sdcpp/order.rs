//! Parses jobs strictly. The real server ignores unknown fields, so misspelled ones would go
//! unnoticed.

use bytes::Bytes;
use serde_json::Value;

use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture::{self, Format, sniff};

/// The side of the result if there is no size and no input image.
const SIDE_PX: u32 = 512;
const SIDES_PX: std::ops::RangeInclusive<i64> = 64..=4096;
const BATCH_MAX: i64 = 8;
/// Objects of the API whose values have no effect here.
const OBJECTS: [&str; 3] = ["sample_params", "hires", "vae_tiling_params"];
const TEXTS: [&str; 5] =
    ["negative_prompt", "cache_mode", "cache_option", "scm_mask", "ref_image_args"];
const FLAGS: [&str; 4] =
    ["auto_resize_ref_image", "increase_ref_index", "embed_image_metadata", "scm_policy_dynamic"];
const NUMBERS: [&str; 5] =
    ["clip_skip", "strength", "seed", "control_strength", "ip_adapter_strength"];

/// Parses the body of `POST /sdcpp/v1/img_gen`.
pub(super) fn read(mut fields: Fields) -> Result<Wanted, FieldError> {
    // The prompt may be empty, as on the real server.
    let prompt = fields.text("prompt")?.unwrap_or_default();
    let mut inputs = Vec::new();
    for value in fields.list("ref_images")?.unwrap_or_default() {
        inputs.push(decoded("ref_images", value)?);
    }
    for name in ["init_image", "mask_image", "control_image", "ip_adapter_image"] {
        if let Some(value) = fields.take(name) {
            inputs.push(decoded(name, value)?);
        }
    }
    let width = fields.whole("width", SIDES_PX)?;
    let height = fields.whole("height", SIDES_PX)?;
    let count = fields.whole("batch_count", 1..=BATCH_MAX)?.unwrap_or(1);
    let format = fields.one_of("output_format", &["png", "jpeg", "webp"])?;
    fields.whole("output_compression", 0..=100)?;
    take_the_rest(&mut fields)?;
    fields.end()?;
    let first = inputs.first().and_then(|first| sniff(first));
    let side = |asked: Option<i64>, of_first: Option<u32>| {
        asked.and_then(|side| side.try_into().ok()).or(of_first).unwrap_or(SIDE_PX)
    };
    let width = side(width, first.map(|first| first.width));
    let height = side(height, first.map(|first| first.height));
    Ok(Wanted {
        provider: super::NAME,
        seed: picture::seed(&prompt, &inputs),
        prompt,
        count: count.try_into().unwrap_or(1),
        size: (width, height),
        kind: Kind::Picture(format.and_then(|name| Format::named(&name)).unwrap_or(Format::Png)),
    })
}

fn take_the_rest(fields: &mut Fields) -> Result<(), FieldError> {
    for name in OBJECTS {
        fields.object(name)?;
    }
    for name in TEXTS {
        fields.text(name)?;
    }
    for name in FLAGS {
        fields.flag(name)?;
    }
    for name in NUMBERS {
        fields.number(name, f64::MIN..=f64::MAX)?;
    }
    fields.list("lora")?;
    Ok(())
}

/// Decodes an image from base64, with or without `data:image/…;base64,` in front.
fn decoded(path: &str, value: Value) -> Result<Bytes, FieldError> {
    let Value::String(text) = value else {
        return Err(FieldError { path: path.into(), problem: Problem::Type("a string") });
    };
    let base64 = text.split_once(";base64,").map_or(text.as_str(), |(_, rest)| rest);
    let bytes = base64_simd::STANDARD.decode_to_vec(base64).ok();
    let picture = bytes.filter(|bytes| sniff(bytes).is_some());
    picture.map(Bytes::from).ok_or_else(|| FieldError::value(path, "an image in base64"))
}
