//! Previews: what the built-in editor makes of images, at a smaller size. The images are reduced
//! once. Every preview then works on the reduced copies, with a plan that is scaled like them, so
//! that it takes a few milliseconds and looks like the full result.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::Warning;
use retouch_core::edit::{Edit, PREVIEW_SIDE_PX_MAX};
use retouch_engine::codec::{self, DecodeError, Encoding};
use retouch_engine::{Picture, PictureError, Plan, Refusal};

use super::picture::{differs, unexecuted};
use super::{failed, not_honored, not_used, picture, plan, refused, too_large, written};
use crate::error::{ProviderError, Refused};
use crate::inputs::{Source, one_frame};
use crate::provider::Media;
use crate::workshop::Workshop;

/// The longest side of a reduced image and of a preview, in pixels.
const SIDE_PX_MAX: u32 = PREVIEW_SIDE_PX_MAX;
/// The memory of a reduced image, in bytes, at most.
pub const REDUCED_BYTES_MAX: u64 = SIDE_PX_MAX as u64 * SIDE_PX_MAX as u64 * 4;
/// How much smaller a preview may be because of rounding, in pixels.
const SLACK_PX_MAX: u32 = 8;
/// The quality of previews without transparency, which are JPEGs.
const QUALITY: u8 = 85;

/// An image for previews.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The image, scaled down to [`SIDE_PX_MAX`].
    picture: Arc<Picture>,
    /// Width and height of the full image, in pixels.
    size: (u32, u32),
    /// Whether it is the first frame of several.
    is_animated: bool,
}

impl Reduced {
    /// The same image as a reduced copy of one with this size. `None` if that has another shape, or
    /// is smaller.
    pub fn of_size(&self, size: (u32, u32)) -> Option<Self> {
        let (width, height) = self.picture.size();
        let is_larger = size.0 >= width && size.1 >= height;
        let expected = u64::from(size.0) * u64::from(height) / u64::from(width.max(1));
        // The sides of the copy are rounded to whole pixels.
        let tolerance = 2 + u64::from(size.0.max(size.1)) / u64::from(width.min(height).max(1));
        let is_alike = expected.abs_diff(u64::from(size.1)) <= tolerance;
        (is_larger && is_alike).then(|| Self { size, ..self.clone() })
    }
}

/// A preview.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The file.
    pub file: Bytes,
    /// The type of the file.
    pub media: Media,
    /// Width and height of the full result, in pixels.
    pub size: (u32, u32),
    /// What the editor would do to the full images, as JSON.
    pub plan: serde_json::Value,
    /// Notes for the caller.
    pub warnings: Vec<Warning>,
}

/// What the editor is asked to preview.
#[derive(Clone, Debug)]
pub struct Asked {
    plan: Plan,
    shown: serde_json::Value,
    /// The fields that name the images.
    params: Vec<String>,
    warnings: Vec<Warning>,
}

impl Asked {
    /// Reads the instruction or the plan of `edit`. A plan without steps leaves the first image as
    /// it is.
    ///
    /// # Errors
    /// As for an edit.
    pub fn read(edit: &mut Edit) -> Result<Self, Refused> {
        let sent = edit.plan.as_ref().filter(|plan| plan.get("output").is_none());
        let sent = sent.and_then(|plan| plan.get("steps")?.as_array());
        let mut warnings = not_honored(edit);
        let plan = if sent.is_some_and(Vec::is_empty) && !edit.pictures.is_empty() {
            Plan::new(Vec::new())
        } else {
            let plan = picture::plan(edit)?;
            warnings.extend(not_used(edit, &plan.unused_inputs));
            if let Some(output) = plan.output {
                edit.encode(plan::encoding(edit, output).map_err(refused)?);
            }
            plan
        };
        warnings.splice(0..0, edit.warnings.iter().cloned());
        let params = edit.pictures.iter().map(|picture| picture.param.clone()).collect();
        Ok(Self { shown: written(picture::shown(edit, &plan))?, plan, params, warnings })
    }
}

/// Makes previews in the workshop.
#[derive(Clone)]
pub struct Previewer {
    workshop: Workshop,
}

impl Previewer {
    /// A previewer that works in `workshop`.
    pub fn new(workshop: Workshop) -> Self {
        Self { workshop }
    }

    /// Decodes and reduces an image.
    ///
    /// # Errors
    /// When the image is damaged, or too many edits are waiting for memory.
    pub async fn reduce(&self, source: &Source) -> Result<Reduced, ProviderError> {
        let size = source.header.size();
        let to = fitted(size, SIDE_PX_MAX);
        let resizing_bytes = area(size) * 4 + Picture::<u8>::resizing_bytes(size, to);
        let bytes = source.header.decode_bytes.max(resizing_bytes);
        let permit = self.workshop.admit(bytes).await?;
        let (file, limits) = (source.bytes.clone(), source.limits);
        let work = move || {
            let picture = codec::decode(&file, &limits)?;
            let reduced = if to == size { picture } else { resized(&picture, to)? };
            let is_animated = codec::is_animated(&file);
            Ok::<_, DecodeError>(Reduced { picture: Arc::new(reduced), size, is_animated })
        };
        permit.run(work).await?.map_err(|error| source.unusable(error))
    }

    /// The preview of what is `asked`, at most `side_px_max` pixels wide and high.
    ///
    /// # Errors
    /// When the plan does not fit the images, or too many edits are waiting for memory.
    pub async fn preview(
        &self,
        asked: Asked,
        inputs: Vec<Reduced>,
        side_px_max: u32,
    ) -> Result<Preview, ProviderError> {
        let scaled = Scaled::of(&asked.plan, &inputs, side_px_max).map_err(too_large)?;
        let permit = self.workshop.admit(scaled.bytes(&inputs).map_err(too_large)?).await?;
        permit.run(move || scaled.rendered(asked, &inputs)).await?
    }
}

/// A plan at the size of its preview.
struct Scaled {
    plan: Plan,
    factor: f64,
    /// The sizes of the inputs, in pixels.
    sizes: Vec<(u32, u32)>,
    /// Width and height of the full result, in pixels.
    result: (u32, u32),
}

impl Scaled {
    /// All images of a preview are scaled by one factor: no image on the way is larger than the
    /// preview may be, or than its reduced copy.
    fn of(plan: &Plan, inputs: &[Reduced], side_px_max: u32) -> Result<Self, Refusal> {
        let sizes: Vec<_> = inputs.iter().map(|input| input.size).collect();
        let (result, longest) = (plan.result_size(&sizes)?, plan.longest_side(&sizes)?);
        let copies = inputs.iter().map(|input| ratio(input.picture.width(), input.size.0));
        let most = copies.fold(1.0, f64::min);
        let mut slack_px = 0;
        loop {
            let factor = ratio(side_px_max - slack_px, longest).min(most);
            let sizes = sizes.iter().map(|size| times(*size, factor)).collect();
            let plan = if factor < 1.0 { plan.scaled(factor) } else { plan.clone() };
            let scaled = Self { plan, factor, sizes, result };
            let (width, height) = scaled.plan.result_size(&scaled.sizes)?;
            // Each length is rounded to whole pixels, so the result may be a little larger.
            if width.max(height) <= side_px_max || slack_px == SLACK_PX_MAX {
                return Ok(scaled);
            }
            slack_px += 1;
        }
    }

    /// The memory for the preview, in bytes: the reduced images, and whatever takes most of
    /// resizing them, the steps and encoding.
    fn bytes(&self, inputs: &[Reduced]) -> Result<u64, Refusal> {
        let pairs = inputs.iter().map(|input| input.picture.size()).zip(self.sizes.iter().copied());
        let resized = pairs.filter(|(from, to)| from != to);
        let resizing_bytes =
            resized.map(|(from, to)| Picture::<u8>::resizing_bytes(from, to)).sum();
        let working_bytes = self.plan.working_bytes(&self.sizes)?;
        let encoding_bytes = codec::encode_png_bytes(self.plan.result_size(&self.sizes)?);
        let given: u64 = inputs.iter().map(|input| area(input.picture.size()) * 4).sum();
        Ok(given + working_bytes.max(resizing_bytes).max(encoding_bytes))
    }

    fn rendered(self, asked: Asked, inputs: &[Reduced]) -> Result<Preview, ProviderError> {
        let unscaled = |error: PictureError| failed("scaling", &error);
        let pictures = inputs.iter().zip(&self.sizes).map(|(input, size)| {
            let picture = input.picture.as_ref();
            if picture.size() == *size { Ok(picture.clone()) } else { picture.resized(*size) }
        });
        let pictures: Vec<_> = pictures.collect::<Result<_, _>>().map_err(unscaled)?;
        let edited = retouch_engine::execute(&self.plan, pictures).map_err(unexecuted)?;
        let picture = &edited.picture;
        let is_opaque = picture.pixels().as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255);
        let (media, encoding) = match is_opaque {
            true => (Media::Jpeg, Encoding::Jpeg { quality: QUALITY }),
            false => (Media::Png, Encoding::Png),
        };
        let file = codec::encode(picture, encoding).map_err(|error| failed("encoding", &error))?;
        let size = match asked.plan.finds_size() {
            true => times(picture.size(), 1.0 / self.factor),
            false => self.result,
        };
        let mut warnings = asked.warnings;
        let animated = inputs.iter().zip(&asked.params).filter(|(input, _)| input.is_animated);
        warnings.extend(animated.map(|(_, param)| one_frame(param)));
        warnings.extend(edited.warnings.into_iter().map(differs));
        Ok(Preview { file: file.bytes.into(), media, size, plan: asked.shown, warnings })
    }
}

fn resized(picture: &Picture, to: (u32, u32)) -> Result<Picture, DecodeError> {
    let unwritten = |error: PictureError| DecodeError::Unwritten { reason: error.to_string() };
    picture.resized(to).map_err(unwritten)
}

/// The size of an image that is scaled down until no side is longer than `side_px_max`.
fn fitted(size: (u32, u32), side_px_max: u32) -> (u32, u32) {
    let longest = size.0.max(size.1);
    if longest <= side_px_max {
        return size;
    }
    times(size, f64::from(side_px_max) / f64::from(longest))
}

/// A size with sides that are `factor` times as long, in whole pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sides fit")]
fn times(size: (u32, u32), factor: f64) -> (u32, u32) {
    let side = |side: u32| ((f64::from(side) * factor).round() as u32).max(1);
    (side(size.0), side(size.1))
}

fn ratio(to: u32, from: u32) -> f64 {
    f64::from(to) / f64::from(from.max(1))
}

fn area(size: (u32, u32)) -> u64 {
    u64::from(size.0) * u64::from(size.1)
}
