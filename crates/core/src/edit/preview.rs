//! The fields that a request for a preview has besides those of an edit.

use super::body::Body;
use super::fields;
use super::json::Json;
use super::number;
use super::rejected::{Reason, Rejected};
use super::{Edit, RequestLimits};
use crate::Kind;
use crate::catalogue::Catalogue;

/// The longest side of a preview, in pixels; also the default.
pub const PREVIEW_SIDE_PX_MAX: u32 = 1024;
/// The shortest side that a preview can be limited to, in pixels.
const SIDE_PX_MIN: u32 = 16;
/// The longest side of an input image, in pixels.
const INPUT_SIDE_PX_MAX: u32 = 16_384;
/// The most pixels of an input image.
const INPUT_PIXELS_MAX: u64 = 50_000_000;
/// The fields, which an edit does not have.
const FIELDS: [&str; 2] = ["max_side", "input_sizes"];

/// A request for a preview.
#[derive(Clone, Debug)]
pub struct PreviewRequest {
    /// The edit to preview.
    pub edit: Edit,
    /// The longest side that the preview may have, in pixels.
    pub side_px_max: u32,
    /// The sizes of the full images in pixels, if the request has reduced copies of them; otherwise
    /// empty.
    pub input_sizes: Vec<(u32, u32)>,
}

impl Catalogue {
    /// Accepts a request for a preview, or reports the first thing that is wrong with it. Without
    /// images, it is a preview of an image that is created.
    ///
    /// # Errors
    /// The first mistake, as for an edit.
    pub fn accept_preview(
        &self,
        body: &Body<'_>,
        limits: RequestLimits,
    ) -> Result<PreviewRequest, Rejected> {
        let kind = if has_images(body) { Kind::ImageEdit } else { Kind::TextToImage };
        let mut edit = self.accept(kind, body, limits)?;
        let is_ours = |param: &str| FIELDS.contains(&param);
        edit.warnings.retain(|warning| !warning.param.as_deref().is_some_and(is_ours));
        let input_sizes = input_sizes(body, edit.pictures.len())?;
        Ok(PreviewRequest { side_px_max: max_side(body)?, input_sizes, edit })
    }
}

/// Whether `body` has input images.
pub(super) fn has_images(body: &Body<'_>) -> bool {
    let names = ["imageUrl", "imageUrls", "imageBase64"];
    names.into_iter().any(|name| body.get(name).is_some_and(|value| !value.is_empty_list()))
}

fn max_side(body: &Body<'_>) -> Result<u32, Rejected> {
    let text = match body.get("max_side") {
        None => return Ok(PREVIEW_SIDE_PX_MAX),
        Some(Json::Number(text)) => text,
        Some(other) => return Err(fields::wrong_type("max_side", "a whole number", other)),
    };
    let range = SIDE_PX_MIN..=PREVIEW_SIDE_PX_MAX;
    number::whole(text).filter(|side| range.contains(side)).ok_or_else(|| {
        let message = format!(
            "`max_side` is {}. It must be a whole number from {SIDE_PX_MIN} to \
             {PREVIEW_SIDE_PX_MAX}.",
            super::json::short(text)
        );
        Rejected::field(Reason::InvalidValue, "max_side", message)
    })
}

fn input_sizes(body: &Body<'_>, pictures: usize) -> Result<Vec<(u32, u32)>, Rejected> {
    const NAME: &str = "input_sizes";
    let list = match body.get(NAME) {
        None => return Ok(Vec::new()),
        Some(value) if value.is_empty_list() => return Ok(Vec::new()),
        Some(Json::List(list)) => list,
        Some(other) => return Err(fields::wrong_type(NAME, "an array of sizes", other)),
    };
    let sizes: Option<Vec<_>> = list.items().take(pictures + 1).map(size).collect();
    sizes.filter(|sizes| sizes.len() == pictures).ok_or_else(|| {
        let message = format!(
            "`input_sizes` must be an array with a {{\"width\", \"height\"}} in pixels for each of \
             the {pictures} images, as they are before they were reduced."
        );
        Rejected::field(Reason::InvalidValue, NAME, message)
    })
}

fn size(item: Json<'_>) -> Option<(u32, u32)> {
    let Json::Object(object) = item else { return None };
    let side = |name: &str| {
        let (_, value) = object.members().find(|(key, _)| key.is(name))?;
        let Json::Number(text) = value else { return None };
        number::whole(text).filter(|side| (1..=INPUT_SIDE_PX_MAX).contains(side))
    };
    let (width, height) = (side("width")?, side("height")?);
    (u64::from(width) * u64::from(height) <= INPUT_PIXELS_MAX).then_some((width, height))
}
