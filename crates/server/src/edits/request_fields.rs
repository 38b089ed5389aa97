//! The fields of a request besides its instruction, so that a user can repeat it.

use retouch_core::edit::{Edit, Origin};
use retouch_core::image::{AspectRatio, OutputFormat};
use serde_json::{Map, Value, json};
use url::Url;

use super::shape::Shape;
use crate::app::App;

/// The maximum length of a stored URL of an input image, in bytes.
const ADDRESS_BYTES_MAX: usize = 300;
/// The field with the quality of the result.
const COMPRESSION: &str = "output_compression";
/// The fields with its shape.
const ASPECT_RATIO: &str = "aspectRatio";
const SIZE: &str = "size";
/// Marks a URL that was shortened.
const CUT: char = '…';

/// The fields that were set, by their names in requests. `pictures` lists the URLs of the images,
/// or null for images that came with the request.
pub(super) fn request(edit: &Edit) -> Value {
    let mut fields = Map::new();
    let ratio = Some(edit.aspect_ratio).filter(|ratio| *ratio != AspectRatio::Auto);
    let set = [
        (ASPECT_RATIO, ratio.map(|ratio| json!(ratio.to_string()))),
        (SIZE, edit.size.map(|size| json!(format!("{}x{}", size.width(), size.height())))),
        ("instruction_reader", edit.is_read_strictly.then(|| json!("strict"))),
        ("quality", edit.quality.map(|quality| json!(quality.as_str()))),
        ("background", edit.background.map(|background| json!(background.as_str()))),
        ("duration_seconds", edit.duration_seconds.map(Value::from)),
        ("output_format", Some(edit.encoding.format).filter(is_set).map(|it| json!(it.as_str()))),
        (COMPRESSION, edit.encoding.compression.map(Value::from)),
        ("watermark", edit.watermark.map(Value::from)),
        ("negative_prompt", edit.negative_prompt.clone().map(Value::from)),
        ("prompt_extend", edit.prompt_extend.map(Value::from)),
    ];
    let set = set.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    fields.extend(set);
    let pictures = edit.pictures.iter().map(|picture| match &picture.origin {
        Origin::Inline(_) => Value::Null,
        Origin::Address(url) => json!(address(url)),
    });
    fields.insert("pictures".into(), pictures.collect());
    Value::Object(fields)
}

fn is_set(format: &OutputFormat) -> bool {
    *format != OutputFormat::default()
}

/// The quality of the result in the stored fields of a request.
pub(super) fn compression(request: &Value) -> Option<u8> {
    request.get(COMPRESSION)?.as_u64()?.try_into().ok()
}

/// The shape of the result in the stored fields of a request.
pub(super) fn shape(request: &Value) -> Shape {
    let text = |name: &str| request.get(name).and_then(Value::as_str);
    Shape {
        aspect_ratio: text(ASPECT_RATIO)
            .and_then(|it| it.parse().ok())
            .unwrap_or(AspectRatio::Auto),
        size: text(SIZE).and_then(|it| it.parse().ok()),
    }
}

/// Enough of a URL to show which image it was. The query may grant access to a private image, for
/// example with a signature or token, so it is not stored; neither are user name and password.
fn address(url: &Url) -> String {
    let mut shown = url.clone();
    // Neither can fail for a URL with a host.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown.set_query(None);
    shown.set_fragment(None);
    let mut text = shown.to_string();
    text.truncate(ADDRESS_BYTES_MAX);
    if text != url.as_str() {
        text.push(CUT);
    }
    text
}

/// The name of the stored file that is the first input image, if it is one of ours.
pub(super) fn stored_input(app: &App, edit: &Edit) -> Option<String> {
    let Origin::Address(url) = &edit.pictures.first()?.origin else { return None };
    url.as_str().strip_prefix(app.file_url("").as_str()).map(ToOwned::to_owned)
}
