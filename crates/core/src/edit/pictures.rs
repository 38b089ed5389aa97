//! The input images of a request: found, counted and, if they are inline, decoded.

use url::Url;

use super::base64::{self, Inline};
use super::body::Body;
use super::fields;
use super::json::{Json, Text};
use super::rejected::{Reason, Rejected};
use super::{Origin, PictureSource, RequestLimits, URL_BYTES_MAX};
use crate::Kind;
use crate::catalogue::Model;

/// An image that a field names, before its text is read.
struct Named<'a> {
    /// The field, such as `imageUrls`.
    field: &'static str,
    /// The position, for messages, such as `imageUrls[1]`.
    param: String,
    text: Text<'a>,
}

/// The images of `body`, in the order in which instructions count them. The kind of edit decides
/// whether there must be one, and the model decides how many there may be.
pub(super) fn accept(
    body: &Body<'_>,
    (kind, model): (Kind, &Model),
    limits: RequestLimits,
) -> Result<Vec<PictureSource>, Rejected> {
    let named = named(body)?;
    let attached = body.supplement().map_or(&[][..], |it| it.pictures.as_slice());
    let count = named.len() + attached.len();
    if count == 0 && kind == Kind::ImageEdit {
        let message = "There is no image. Send `imageUrl`, `imageUrls` or `imageBase64`.";
        return Err(Rejected::field(Reason::MissingField, "imageUrl", message));
    }
    if let Some(first) = named.first().filter(|_| kind == Kind::TextToImage) {
        let message = "This call creates an image from text and doesn't accept input images. \
                       To edit an image, call /api/image-edit.";
        return Err(Rejected::field(Reason::TooManyImages, first.field, message));
    }
    let (id, most) = (&model.id, model.max_input_images);
    let fields = named.iter().map(|named| named.field);
    let mut fields = fields.chain(attached.iter().map(|picture| picture.param.as_str()));
    if let Some(first_over) = fields.nth(most) {
        let message = format!("There are {count} input images; {id} accepts up to {most}.");
        return Err(Rejected::field(Reason::TooManyImages, first_over, message));
    }
    let pictures = named.iter().map(|named| source(named, limits));
    pictures.chain(attached.iter().cloned().map(Ok)).collect()
}

/// The images that the request names. The limit on the values of a body also limits their number.
fn named<'a>(body: &Body<'a>) -> Result<Vec<Named<'a>>, Rejected> {
    let mut all = Vec::new();
    if let Some(text) = fields::text(body, "imageUrl")? {
        all.push(Named { field: "imageUrl", param: "imageUrl".into(), text });
    }
    match body.get("imageUrls") {
        None => {}
        Some(Json::List(list)) => {
            for (index, item) in list.items().enumerate() {
                let param = format!("imageUrls[{index}]");
                let Json::Text(text) = item else {
                    return Err(fields::wrong_type(&param, "a URL in a string", item));
                };
                all.push(Named { field: "imageUrls", param, text });
            }
        }
        Some(other) => return Err(fields::wrong_type("imageUrls", "an array of strings", other)),
    }
    if let Some(text) = fields::text(body, "imageBase64")? {
        all.push(Named { field: "imageBase64", param: "imageBase64".into(), text });
    }
    Ok(all)
}

fn source(named: &Named<'_>, limits: RequestLimits) -> Result<PictureSource, Rejected> {
    let is_base64 = named.field == "imageBase64";
    let origin = origin(&named.param, named.text, (is_base64, limits))?;
    Ok(PictureSource { param: named.param.clone(), origin })
}

/// The image that `text` is or names: a `data:` URI, a URL, or raw base64 where the field `param`
/// holds that.
pub(super) fn origin(
    param: &str,
    text: Text<'_>,
    (is_base64, limits): (bool, RequestLimits),
) -> Result<Origin, Rejected> {
    let inline = Inline { param, bytes_max: limits.image_bytes_max };
    if text.chars().all(char::is_whitespace) {
        let message = format!("`{param}` is empty. Send an image or omit the field.");
        return Err(Rejected::field(Reason::InvalidValue, param, message));
    }
    Ok(if base64::is_data_uri(text) {
        Origin::Inline(inline.decode_data_uri(text)?)
    } else if is_base64 {
        Origin::Inline(inline.decode(text)?)
    } else {
        Origin::Address(address(param, text)?)
    })
}

fn address(param: &str, text: Text<'_>) -> Result<Url, Rejected> {
    let wrong = |message: String| Err(Rejected::field(Reason::InvalidValue, param, message));
    let bytes = text.bytes();
    if bytes > URL_BYTES_MAX {
        return wrong(format!("`{param}` is {bytes} bytes; the limit is {URL_BYTES_MAX}."));
    }
    match Url::parse(text.read().trim()) {
        Err(error) => wrong(format!("`{param}` is not a valid URL: {error}.")),
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(_) => wrong(format!("`{param}` must start with http://, https:// or data:.")),
    }
}
