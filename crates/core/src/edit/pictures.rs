//! The input pictures of a request: found, counted and, where they are inline, decoded.

use url::Url;

use super::base64::Inline;
use super::body::Body;
use super::fields;
use super::json::Json;
use super::rejected::{Reason, Rejected};
use super::{Origin, PictureSource, RequestLimits, URL_BYTES_MAX};
use crate::Kind;
use crate::catalogue::Model;

/// A picture that was named, before its text is read.
struct Named<'b> {
    /// The field, for counting: `imageUrls`.
    field: &'static str,
    /// The place, for messages: `imageUrls[1]`.
    param: String,
    text: &'b str,
}

/// The pictures of `body`, in the order in which they count: what is made decides whether there
/// must be one, the model how many there may be.
pub(super) fn accept(
    body: &Body<'_>,
    (kind, model): (Kind, &Model),
    limits: RequestLimits,
) -> Result<Vec<PictureSource>, Rejected> {
    let named = named(body)?;
    if named.is_empty() && kind == Kind::ImageEdit {
        let message = "There is no picture: send `imageUrl`, `imageUrls` or `imageBase64`.";
        return Err(Rejected::field(Reason::MissingField, "imageUrl", message));
    }
    if let Some(first) = named.first().filter(|_| kind == Kind::TextToImage) {
        let message = "The call makes a picture out of words alone and would leave this one out; \
                       send pictures to be edited to /api/image-edit.";
        return Err(Rejected::field(Reason::TooManyImages, first.field, message));
    }
    if let Some(first_over) = named.get(model.max_input_images) {
        let (count, id, most) = (named.len(), &model.id, model.max_input_images);
        let message = format!("There are {count} input images; {id} takes at most {most}.");
        return Err(Rejected::field(Reason::TooManyImages, first_over.field, message));
    }
    named.iter().map(|named| source(named, limits)).collect()
}

fn named<'b>(body: &'b Body<'_>) -> Result<Vec<Named<'b>>, Rejected> {
    let mut all = Vec::new();
    if let Some(text) = fields::text(body, "imageUrl")? {
        all.push(Named { field: "imageUrl", param: "imageUrl".into(), text });
    }
    match body.get("imageUrls") {
        None => {}
        Some(Json::List(items)) => {
            for (index, item) in items.iter().enumerate() {
                let param = format!("imageUrls[{index}]");
                let Json::Text(text) = item else {
                    return Err(fields::wrong_type(&param, "an address in a string", item));
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
    let param = named.param.as_str();
    let inline = Inline { param, bytes_max: limits.picture_bytes_max };
    let text = named.text.trim();
    if text.is_empty() {
        let message = format!("`{param}` is empty; name a picture or leave it out.");
        return Err(Rejected::field(Reason::InvalidValue, param, message));
    }
    let origin = if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        Origin::Inline(inline.decode_data_uri(text)?)
    } else if named.field == "imageBase64" {
        Origin::Inline(inline.decode(text)?)
    } else {
        Origin::Address(address(param, text)?)
    };
    Ok(PictureSource { param: named.param.clone(), origin })
}

fn address(param: &str, text: &str) -> Result<Url, Rejected> {
    let wrong = |message: String| Err(Rejected::field(Reason::InvalidValue, param, message));
    if text.len() > URL_BYTES_MAX {
        let bytes = text.len();
        return wrong(format!("`{param}` has {bytes} bytes; an address may have {URL_BYTES_MAX}."));
    }
    match Url::parse(text) {
        Err(error) => wrong(format!("`{param}` is not an address: {error}.")),
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(_) => wrong(format!("`{param}` must begin with http://, https:// or data:.")),
    }
}
