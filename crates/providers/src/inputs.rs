//! Loads the input images of a request: downloads them concurrently within one deadline and reads
//! their headers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_core::{AccountId, Warning};
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

    /// The stored image at `url`, for an edit of `account`. Memory for it is reserved in
    /// `allowance` before it is read.
    ///
    /// # Errors
    /// When nothing is stored there that the account may use, or too little memory is free.
    async fn take(
        &self,
        account: &AccountId,
        url: &Url,
        allowance: &dyn Allowance,
    ) -> Result<StoredImage, NotTaken>;
}

/// A stored image.
#[derive(Clone, Debug)]
pub struct StoredImage {
    /// The file.
    pub bytes: Bytes,
    /// Whether the service made it. Such an image may have any number of bytes.
    pub is_result: bool,
}

/// Why a stored image cannot be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// Nothing is stored there.
    Missing,
    /// The account has no such upload, or it has expired.
    NoUpload,
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
    /// The limits that apply to it.
    pub limits: codec::Limits,
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
        named(edit).any(|source| match &source.origin {
            Origin::Inline(_) => false,
            Origin::Address(url) => !self.stored.is_own(url),
        })
    }

    /// The images of an edit of `account` as they arrived, with their headers, and then its mask if it
    /// has one. Memory for images
    /// that were not part of the request is reserved in `allowance` and must be kept as long as
    /// they are.
    ///
    /// # Errors
    /// When an image cannot be loaded or read; [`ProviderError::Busy`] when the allowance is too
    /// small.
    pub async fn read(
        &self,
        account: &AccountId,
        edit: &Edit,
        allowance: &dyn Allowance,
    ) -> Result<Arc<[Source]>, ProviderError> {
        let loading = Loading { account, allowance };
        let files = self.collect(edit, &loading).await?;
        files.into_iter().zip(named(edit)).map(|(file, named)| self.inspect(file, named)).collect()
    }

    async fn collect(
        &self,
        edit: &Edit,
        loading: &Loading<'_>,
    ) -> Result<Vec<StoredImage>, ProviderError> {
        let all = try_join_all(named(edit).map(|source| self.load(source, loading)));
        let deadline = Duration::from_millis(self.limits.total_ms_max);
        match tokio::time::timeout(deadline, all).await {
            Ok(collected) => collected,
            Err(_) => Err(late(edit, self.limits.total_ms_max)),
        }
    }

    async fn load(
        &self,
        source: &PictureSource,
        loading: &Loading<'_>,
    ) -> Result<StoredImage, ProviderError> {
        let foreign = |bytes| StoredImage { bytes, is_result: false };
        let url = match &source.origin {
            Origin::Inline(bytes) => return Ok(foreign(bytes.clone())),
            Origin::Address(url) => url,
        };
        if self.stored.is_own(url) {
            let taken = self.stored.take(loading.account, url, loading.allowance).await;
            return taken.map_err(|why| Self::not_taken(why, source));
        }
        let fetched = self.fetcher.fetch(url, loading.allowance).await;
        fetched.map(foreign).map_err(|error| match error {
            FetchError::NoRoom => ProviderError::Busy,
            error => unusable(source, error.into()),
        })
    }

    /// The error for a stored image, `named` in a request, that cannot be loaded.
    pub fn not_taken(why: NotTaken, named: &PictureSource) -> ProviderError {
        match why {
            NotTaken::Missing => unusable(named, InputProblem::NotStored),
            NotTaken::NoUpload => unusable(named, InputProblem::NotUploaded),
            NotTaken::NoRoom => ProviderError::Busy,
        }
    }

    /// The image `named` in a request, whose `file` is in memory, with its header.
    ///
    /// # Errors
    /// When it is not an image, or exceeds a limit.
    pub fn inspect(
        &self,
        file: StoredImage,
        named: &PictureSource,
    ) -> Result<Source, ProviderError> {
        let StoredImage { bytes, is_result } = file;
        let mut limits = self.limits.codec;
        if is_result {
            limits.bytes_max = usize::MAX;
        }
        let header =
            codec::probe(&bytes, &limits).map_err(|error| unusable(named, error.into()))?;
        Ok(Source { param: named.param.clone(), bytes, header, limits })
    }
}

/// The images that `edit` names, and then its mask.
fn named(edit: &Edit) -> impl Iterator<Item = &PictureSource> {
    edit.pictures.iter().chain(&edit.mask)
}

/// For whom images are loaded, and the memory for them.
struct Loading<'a> {
    account: &'a AccountId,
    allowance: &'a dyn Allowance,
}

impl Source {
    /// A warning if the image is animated, because only its first frame is used.
    pub fn animation(&self) -> Option<Warning> {
        codec::is_animated(&self.bytes).then(|| one_frame(&self.param))
    }

    /// The error for an image whose bytes could not be decoded.
    pub fn unusable(&self, error: DecodeError) -> ProviderError {
        InputError { param: self.param.clone(), problem: error.into() }.into()
    }
}

/// The warning about an animated image in the field `param`.
pub(crate) fn one_frame(param: &str) -> Warning {
    let message = format!("The image in `{param}` is animated; only its first frame is used.");
    Warning::about("first_frame_only", param, message)
}

fn unusable(source: &PictureSource, problem: InputProblem) -> ProviderError {
    InputError { param: source.param.clone(), problem }.into()
}

/// The error when loading took too long. It names the first image that had to be downloaded.
fn late(edit: &Edit, total_ms_max: u64) -> ProviderError {
    let fetched = named(edit).find(|source| matches!(source.origin, Origin::Address(_)));
    match fetched {
        Some(source) => unusable(source, FetchError::TooSlow { ms_max: total_ms_max }.into()),
        None => ProviderError::Busy,
    }
}
