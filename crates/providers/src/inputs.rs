//! From the pictures that a request names to their bytes: fetched side by side, within one
//! deadline, and looked at so far as their headers tell.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_engine::codec::{self, DecodeError, Header};
use url::Url;

use crate::error::{InputError, InputProblem, ProviderError};
use crate::fetch::{FetchError, Fetcher};
use crate::stock::Allowance;

/// The service's own stored pictures, which need no network call.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// Whether `url` is the address of a stored picture, there or not.
    fn is_own(&self, url: &Url) -> bool;

    /// The bytes of the stored picture at `url`, in memory out of `allowance`, which is taken before
    /// they are read.
    ///
    /// # Errors
    /// When nothing is stored there, or there is no memory for it.
    async fn take(&self, url: &Url, allowance: &dyn Allowance) -> Result<Bytes, NotTaken>;
}

/// Why a stored picture cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// Nothing is stored there.
    Missing,
    /// There is no memory for it at the moment.
    NoRoom,
}

/// How long fetching may take, and what comes of it.
#[derive(Clone, Copy, Debug)]
pub struct InputLimits {
    /// Time in which all pictures of a request must have been fetched.
    pub total_ms_max: u64,
    /// What a picture may be.
    pub codec: codec::Limits,
}

/// An input picture as it came.
#[derive(Clone, Debug)]
pub struct Source {
    /// The field that names it, such as `imageUrls[1]`.
    pub param: String,
    /// The file, as somebody sent it: nobody has vouched for more than its header.
    pub bytes: Bytes,
    /// What it says of itself.
    pub header: Header,
}

/// Finds input pictures.
#[derive(Clone)]
pub struct InputReader {
    fetcher: Arc<Fetcher>,
    shelf: Arc<dyn Shelf>,
    limits: InputLimits,
}

impl InputReader {
    /// A reader that fetches with `fetcher` and takes stored pictures from `shelf`.
    pub fn new(fetcher: Arc<Fetcher>, shelf: Arc<dyn Shelf>, limits: InputLimits) -> Self {
        Self { fetcher, shelf, limits }
    }

    /// Whether reading the pictures of `edit` asks other servers, which may take as long as they
    /// like.
    pub fn fetches(&self, edit: &Edit) -> bool {
        edit.pictures.iter().any(|source| match &source.origin {
            Origin::Inline(_) => false,
            Origin::Address(url) => !self.shelf.is_own(url),
        })
    }

    /// The pictures of `edit` as they came, each with what it says of itself. Those that did not come
    /// with it are in memory out of `allowance`, to be kept as long as they are.
    ///
    /// # Errors
    /// When a picture cannot be had or is none that can be read; [`ProviderError::Busy`] where the
    /// allowance is too small.
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
        if self.shelf.is_own(url) {
            return self.shelf.take(url, allowance).await.map_err(|why| match why {
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
    /// The error for a picture whose bytes turned out not to be one.
    pub fn unusable(&self, error: DecodeError) -> ProviderError {
        InputError { param: self.param.clone(), problem: error.into() }.into()
    }
}

fn unusable(source: &PictureSource, problem: InputProblem) -> ProviderError {
    InputError { param: source.param.clone(), problem }.into()
}

/// The error when the pictures together took too long: it names the first that was to be fetched.
fn late(edit: &Edit, total_ms_max: u64) -> ProviderError {
    let fetched = edit.pictures.iter().find(|source| matches!(source.origin, Origin::Address(_)));
    match fetched {
        Some(source) => unusable(source, FetchError::TooSlow { ms_max: total_ms_max }.into()),
        None => ProviderError::Busy,
    }
}
