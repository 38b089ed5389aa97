//! Small copies of stored images, for thumbnails and for assistants.

use bytes::Bytes;
use retouch_engine::codec::{self, FitRules, Format};
use retouch_providers::ProviderError;

use crate::app::App;
use crate::edits::StoredCopy;
use crate::error::{ApiError, ApiResult, overloaded};

/// How small a copy is.
#[derive(Clone, Copy)]
pub(crate) struct Small {
    /// The most pixels of its longer side.
    pub(crate) side_px_max: u32,
    /// The most bytes of its file.
    pub(crate) bytes_max: usize,
}

/// Twice the width of the widest tile, for dense screens, and small enough for pages with 24
/// thumbnails.
const THUMBNAIL: Small = Small { side_px_max: 480, bytes_max: 40 * 1024 };
/// As many pixels as an image takes on most screens, and about half a second on a slow line.
const SCREEN: Small = Small { side_px_max: 1280, bytes_max: 112 * 1024 };

/// A small copy of the stored image `name` as PNG or JPEG: the image itself if it is small already.
/// `None` if there is no such file.
///
/// # Errors
/// 503 if there is no memory for it.
pub(crate) async fn small_copy(app: &App, name: &str, small: Small) -> ApiResult<Option<Bytes>> {
    let Some(blob) = app.store.blobs().read(name).await? else { return Ok(None) };
    // Anyone can send any number of requests, and each holds a whole image in memory.
    let _memory = app.bodies.try_take(blob.bytes).ok_or_else(overloaded)?;
    let Some(picture) = app.stored(name).await? else { return Ok(None) };
    shrunk(app, picture, small).await.map(Some)
}

/// A copy of the stored image `name` that is stored too, from its first use until the image is
/// deleted. `None` if there is no such image.
///
/// # Errors
/// 503 if there is no memory for it.
pub(crate) async fn stored_copy(
    app: &App,
    name: &str,
    copy: StoredCopy,
) -> ApiResult<Option<Bytes>> {
    let copy_name = copy.name_of(name);
    if let Some(bytes) = app.stored(&copy_name).await? {
        return Ok(Some(bytes));
    }
    let small = match copy {
        StoredCopy::Thumbnail => THUMBNAIL,
        StoredCopy::Screen => SCREEN,
    };
    let Some(made) = small_copy(app, name, small).await? else { return Ok(None) };
    app.store.blobs().put(&copy_name, made.clone()).await?;
    // If the image was deleted meanwhile, delete its copy too.
    if app.store.blobs().read(name).await?.is_none() {
        app.store.blobs().delete(&copy_name).await?;
        return Ok(None);
    }
    Ok(Some(made))
}

async fn shrunk(app: &App, picture: Bytes, small: Small) -> ApiResult<Bytes> {
    let rules = FitRules {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: small.bytes_max,
        side_px_min: 1,
        side_px_max: small.side_px_max,
        pixels_max: u64::from(small.side_px_max) * u64::from(small.side_px_max),
    };
    // A result of a provider may be larger than the limit for uploads.
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let header = codec::probe(&picture, &limits).map_err(ApiError::internal)?;
    let admitted = app.workshop.admit(codec::fit_bytes(&header, &rules)).await;
    let permit = admitted.map_err(ProviderError::from)?;
    let work = permit.run(move || {
        let fitted = codec::fit(&picture, &limits, &rules);
        fitted.map(|fitted| fitted.map_or(picture, |fitted| fitted.bytes.into()))
    });
    work.await.map_err(ApiError::internal)?.map_err(ApiError::internal)
}
