//! From the pictures that a request names to their bytes: fetched side by side, within one
//! deadline, and looked at so far as their headers tell.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_engine::codec::{self, DecodeError, Header};
use tokio::sync::Semaphore;
use url::Url;

use crate::error::{InputError, InputProblem, ProviderError};
use crate::fetch::{FetchError, Fetcher};

/// The service's own stored pictures, which need no network call.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// The bytes of the stored picture at `url`; `None` when `url` is not one of ours,
    /// `Some(None)` when it is but nothing is stored there.
    async fn take(&self, url: &Url) -> Option<Option<Bytes>>;
}

/// How much fetching may go on at once, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct InputLimits {
    /// Time in which all pictures of a request must have been fetched.
    pub total_ms_max: u64,
    /// Requests whose pictures are being fetched at the same time.
    pub fetching_max: usize,
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
    fetching: Arc<Semaphore>,
    limits: InputLimits,
}

impl InputReader {
    /// A reader that fetches with `fetcher` and takes stored pictures from `shelf`.
    pub fn new(fetcher: Arc<Fetcher>, shelf: Arc<dyn Shelf>, limits: InputLimits) -> Self {
        let fetching = Arc::new(Semaphore::new(limits.fetching_max));
        Self { fetcher, shelf, fetching, limits }
    }

    /// The pictures of `edit` as they came, each with what it says of itself.
    ///
    /// # Errors
    /// When a picture cannot be had or is none that can be read.
    pub async fn read(&self, edit: &Edit) -> Result<Arc<[Source]>, ProviderError> {
        let files = self.collect(edit).await?;
        files
            .into_iter()
            .zip(&edit.pictures)
            .map(|(bytes, named)| self.probe(bytes, named))
            .collect()
    }

    async fn collect(&self, edit: &Edit) -> Result<Vec<Bytes>, ProviderError> {
        let fetches =
            edit.pictures.iter().any(|source| matches!(source.origin, Origin::Address(_)));
        let all = async {
            // Inline pictures are here already and need no turn.
            let _turn = if fetches { Some(self.fetching.acquire().await) } else { None };
            try_join_all(edit.pictures.iter().map(|source| self.bytes(source))).await
        };
        let deadline = Duration::from_millis(self.limits.total_ms_max);
        match tokio::time::timeout(deadline, all).await {
            Ok(collected) => collected,
            Err(_) => Err(late(edit, self.limits.total_ms_max)),
        }
    }

    async fn bytes(&self, source: &PictureSource) -> Result<Bytes, ProviderError> {
        let url = match &source.origin {
            Origin::Inline(bytes) => return Ok(bytes.clone()),
            Origin::Address(url) => url,
        };
        let fetched = match self.shelf.take(url).await {
            Some(Some(stored)) => return Ok(stored),
            Some(None) => Err(InputProblem::NotStored),
            None => self.fetcher.fetch(url).await.map_err(InputProblem::Fetch),
        };
        fetched.map_err(|problem| unusable(source, problem))
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
