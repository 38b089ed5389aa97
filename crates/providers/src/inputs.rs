//! Loads the input images of a request: downloads them concurrently within one deadline and reads
//! their headers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_engine::codec::{self, DecodeError, Header};
use retouch_outbound::fetch::{FetchError, Fetcher};
use retouch_outbound::stock::Allowance;
use url::Url;

use crate::error::{InputError, InputProblem, ProviderError};

/// The service's own stored images, which need no network call.
#[async_trait]
pub trait StoredImages: Send + Sync {
    /// Whether `url` is the address of a stored image, even if it does not exist.
    fn is_own(&self, url: &Url) -> bool;

    /// The bytes of the stored image at `url`. Memory for them is reserved in `allowance` before
    /// they are read.
    ///
    /// # Errors
    /// When nothing is stored there, or too little memory is free.
    async fn take(&self, url: &Url, allowance: &dyn Allowance) -> Result<Bytes, NotTaken>;
}

/// Why a stored image cannot be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// Nothing is stored there.
    Missing,
    /// Too little memory is free now.
    NoRoom,
}

/// Limits on loading input images.
#[derive(Clone, Copy, Debug)]
pub struct InputLimits {
    /// Time limit for downloading all images of a request, in milliseconds.
    pub total_ms_max: u64,
    /// Limits on each image.
    pub codec: codec::Limits,
}

/// An input image as it arrived.
#[derive(Clone, Debug)]
pub struct Source {
    /// The field that names the image, such as `imageUrls[1]`.
    pub param: String,
    /// The file as the caller sent it. Only its header has been checked.
    pub bytes: Bytes,
    /// The contents of its header.
    pub header: Header,
}

/// Loads input images.
#[derive(Clone)]
pub struct InputReader {
    fetcher: Arc<Fetcher>,
    stored: Arc<dyn StoredImages>,
    limits: InputLimits,
}

impl InputReader {
    /// A reader that downloads with `fetcher` and takes stored images from `stored`.
    pub fn new(fetcher: Arc<Fetcher>, stored: Arc<dyn StoredImages>, limits: InputLimits) -> Self {
        Self { fetcher, stored, limits }
    }

    /// Whether loading the images of `edit` calls other servers, which may be slow.
    pub fn fetches(&self, edit: &Edit) -> bool {
        edit.pictures.iter().any(|source| match &source.origin {
            Origin::Inline(_) => false,
            Origin::Address(url) => !self.stored.is_own(url),
        })
    }

    /// The images of `edit` as they arrived, with their headers. Memory for images that were not
    /// part of the request is reserved in `allowance` and must be kept as long as they are.
    ///
    /// # Errors
    /// When an image cannot be loaded or read; [`ProviderError::Busy`] when the allowance is too
    /// small.
    pub async fn read(
        &self,
        edit: &Edit,
        allowance: &dyn Allowance,
    ) -> Result<Arc<[Source]>, ProviderError> {
        let files = self.collect(edit, allowance).await?;
        files
            .into_iter()
            .zip(&edit.pictures)
            .map(|(bytes, named)| self.probe(bytes, named))
            .collect()
    }

    async fn collect(
        &self,
        edit: &Edit,
        allowance: &dyn Allowance,
    ) -> Result<Vec<Bytes>, ProviderError> {
        let all = try_join_all(edit.pictures.iter().map(|source| self.bytes(source, allowance)));
        let deadline = Duration::from_millis(self.limits.total_ms_max);
        match tokio::time::timeout(deadline, all).await {
            Ok(collected) => collected,
            Err(_) => Err(late(edit, self.limits.total_ms_max)),
        }
    }

    async fn bytes(
        &self,
        source: &PictureSource,
        allowance: &dyn Allowance,
    ) -> Result<Bytes, ProviderError> {
        let url = match &source.origin {
            Origin::Inline(bytes) => return Ok(bytes.clone()),
            Origin::Address(url) => url,
        };
        if self.stored.is_own(url) {
            return self.stored.take(url, allowance).await.map_err(|why| match why {
                NotTaken::Missing => unusable(source, InputProblem::NotStored),
                NotTaken::NoRoom => ProviderError::Busy,
            });
        }
        self.fetcher.fetch(url, allowance).await.map_err(|error| match error {
            FetchError::NoRoom => ProviderError::Busy,
            error => unusable(source, error.into()),
        })
    }

    fn probe(&self, bytes: Bytes, named: &PictureSource) -> Result<Source, ProviderError> {
        let header = codec::probe(&bytes, &self.limits.codec)
            .map_err(|error| unusable(named, error.into()))?;
        Ok(Source { param: named.param.clone(), bytes, header })
    }
}

impl Source {
    /// The error for an image whose bytes could not be decoded.
    pub fn unusable(&self, error: DecodeError) -> ProviderError {
        InputError { param: self.param.clone(), problem: error.into() }.into()
    }
}

fn unusable(source: &PictureSource, problem: InputProblem) -> ProviderError {
    InputError { param: source.param.clone(), problem }.into()
}

/// The error when loading took too long. It names the first image that had to be downloaded.
fn late(edit: &Edit, total_ms_max: u64) -> ProviderError {
    let fetched = edit.pictures.iter().find(|source| matches!(source.origin, Origin::Address(_)));
    match fetched {
        Some(source) => unusable(source, FetchError::TooSlow { ms_max: total_ms_max }.into()),
        None => ProviderError::Busy,
    }
}
