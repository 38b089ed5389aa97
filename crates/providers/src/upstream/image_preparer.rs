//! Prepares input images for a provider, and its results for storage. Pixels are processed in the
//! workshop, within its memory.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_engine::codec::{self, DecodeError, FitRules, Format, Header};

use super::{Picture, PictureRules};
use crate::error::{ProviderError, Refused, RefusedKind};
use crate::inputs::Source;
use crate::provider::Media;
use crate::workshop::{self, Panicked, Permit, Workshop};

/// Images of at most this many pixels are processed in the caller's thread, which takes about 50
/// microseconds.
const PIXELS_HERE_MAX: u64 = 96 * 96;

/// Prepares input images and checks results.
#[derive(Clone)]
pub(super) struct ImagePreparer {
    /// Threads and memory.
    pub(super) workshop: Workshop,
    /// Limits on input images.
    pub(super) inputs: codec::Limits,
    /// Limits on results.
    pub(super) results: codec::Limits,
}

impl ImagePreparer {
    /// Prepares the images as `rules` require: upright, in sRGB, without metadata, and scaled and
    /// re-encoded only if necessary. This fails if the queue for memory is full, but background
    /// work has time to wait.
    pub(super) async fn prepare(
        &self,
        sources: &[Source],
        rules: &PictureRules,
        is_background: bool,
    ) -> Result<Vec<Picture>, ProviderError> {
        let pictures = self.fit(sources, rules, is_background).await?;
        let total: usize = pictures.iter().map(|picture| picture.bytes.len()).sum();
        if total <= rules.total_bytes_max {
            return Ok(pictures);
        }
        let share = rules.total_bytes_max / sources.len().max(1);
        self.fit(sources, &PictureRules { bytes_max: share, ..*rules }, is_background).await
    }

    /// Prepares the mask of the first of `pictures`, if there is one. It becomes a PNG, whose
    /// transparent pixels count.
    pub(super) async fn prepare_mask(
        &self,
        mask: &[Source],
        pictures: &[Picture],
        is_background: bool,
    ) -> Result<Option<Picture>, ProviderError> {
        let rules = PictureRules { formats: &[Format::Png], ..PictureRules::GENEROUS };
        let (Some(source), Some(first)) = (mask.first(), pictures.first()) else {
            return Ok(None);
        };
        let prepared = self.fit(mask, &rules, is_background).await?.into_iter().next();
        let fits = |mask: &Picture| (mask.width, mask.height) == (first.width, first.height);
        if prepared.as_ref().is_none_or(fits) {
            return Ok(prepared);
        }
        let (width, height) = (first.width, first.height);
        let message = format!(
            "The mask must have the size of the first image, as this provider gets it: \
             {width}x{height} pixels."
        );
        let param = Some(source.param.clone());
        Err(Refused { kind: RefusedKind::Parameters, message, param }.into())
    }

    async fn fit(
        &self,
        sources: &[Source],
        rules: &PictureRules,
        is_background: bool,
    ) -> Result<Vec<Picture>, ProviderError> {
        let fit_rules = fit_rules(rules);
        let needed = sources.iter().map(|source| codec::fit_bytes(&source.header, &fit_rules));
        let needed = needed.sum();
        let permit = self.workshop.admit_as(needed, is_background).await?;
        try_join_all(sources.iter().map(|source| self.fit_one(source, rules, &permit))).await
    }

    async fn fit_one(
        &self,
        source: &Source,
        rules: &PictureRules,
        permit: &Arc<Permit>,
    ) -> Result<Picture, ProviderError> {
        let (bytes, limits, rules) = (source.bytes.clone(), source.limits, fit_rules(rules));
        let fitted = look(&source.header, permit, move || codec::fit(&bytes, &limits, &rules));
        let fitted = fitted.await?.map_err(|error| source.unusable(error))?;
        Ok(match fitted {
            None => {
                let (width, height) = source.header.size();
                let format = source.header.format;
                Picture { bytes: source.bytes.clone(), format, width, height }
            }
            Some(fitted) => Picture {
                bytes: fitted.bytes.into(),
                format: fitted.format,
                width: fitted.width,
                height: fitted.height,
            },
        })
    }

    /// Checks a provider's file, and converts it to the format in which it is stored.
    pub(super) async fn receive(&self, file: Bytes, media: Media) -> Result<Bytes, ProviderError> {
        match media {
            Media::Png | Media::Jpeg | Media::WebP => self.receive_picture(file).await,
            Media::Mp4 => match codec::verify_mp4(&file) {
                Ok(_) => Ok(file),
                Err(error) => {
                    Err(ProviderError::Failed(format!("the result cannot be used: {error}")))
                }
            },
        }
    }

    async fn receive_picture(&self, file: Bytes) -> Result<Bytes, ProviderError> {
        let unusable = |error: DecodeError| {
            ProviderError::Failed(format!("the result cannot be used: {error}"))
        };
        let header = codec::probe(&file, &self.results).map_err(unusable)?;
        let permit = self.workshop.admit(codec::to_png_bytes(&header)).await?;
        let limits = self.results;
        let received = look(&header, &permit, move || {
            codec::to_png(&file, &limits).map(|png| png.bytes.map_or(file, Bytes::from))
        });
        received.await?.map_err(unusable)
    }
}

/// Runs `work` on an image: small ones in this thread, because waking another one takes longer.
async fn look<T: Send + 'static>(
    header: &Header,
    permit: &Arc<Permit>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Panicked> {
    let (width, height) = header.size();
    if u64::from(width) * u64::from(height) <= PIXELS_HERE_MAX {
        return workshop::run_here(work);
    }
    permit.run(work).await
}

fn fit_rules(rules: &PictureRules) -> FitRules<'static> {
    FitRules {
        formats: rules.formats,
        bytes_max: rules.bytes_max,
        side_px_min: rules.side_px_min,
        side_px_max: rules.side_px_max,
        pixels_max: rules.pixels_max,
    }
}
