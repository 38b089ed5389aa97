//! From the pictures that a request names to decoded pictures: fetched and decoded side by side,
//! within one deadline.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_engine::codec::{self, Header};
use tokio::sync::Semaphore;
use url::Url;

use crate::error::{InputError, InputProblem, ProviderError, Refused, RefusedKind};
use crate::fetch::{FetchError, Fetcher};
use crate::provider::{Inputs, Provider, Reading};
use crate::workshop::{NotAdmitted, Permit, Workshop};

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

/// Finds and decodes input pictures.
#[derive(Clone)]
pub struct InputReader {
    fetcher: Arc<Fetcher>,
    shelf: Arc<dyn Shelf>,
    workshop: Workshop,
    fetching: Arc<Semaphore>,
    limits: InputLimits,
}

impl InputReader {
    /// A reader that fetches with `fetcher`, takes stored pictures from `shelf` and decodes in
    /// `workshop`.
    pub fn new(
        fetcher: Arc<Fetcher>,
        shelf: Arc<dyn Shelf>,
        workshop: Workshop,
        limits: InputLimits,
    ) -> Self {
        let fetching = Arc::new(Semaphore::new(limits.fetching_max));
        Self { fetcher, shelf, workshop, fetching, limits }
    }

    /// The pictures of `edit`, decoded, with the memory that `provider` will need for them.
    ///
    /// # Errors
    /// When a picture cannot be had or decoded, or the work is more than the server takes on.
    pub async fn read(
        &self,
        edit: &Edit,
        provider: &dyn Provider,
        reading: &Reading,
    ) -> Result<Inputs, ProviderError> {
        let sources = self.collect(edit).await?;
        let headers = self.probe(edit, &sources)?;
        let sizes: Vec<(u32, u32)> = headers.iter().map(Header::size).collect();
        let working_bytes = provider.working_bytes(reading, &sizes)?;
        let decoding_bytes: u64 = headers.iter().map(|header| header.decode_bytes).sum();
        let permit = self
            .workshop
            .admit(working_bytes.max(decoding_bytes))
            .await
            .map_err(|error| not_admitted(&error))?;
        let permit = Arc::new(permit);
        let decoded = sources
            .into_iter()
            .zip(&edit.pictures)
            .map(|(bytes, source)| self.decode(bytes, source, Arc::clone(&permit)));
        let pictures = try_join_all(decoded).await?;
        Ok(Inputs { pictures, permit })
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
            Origin::Inline(bytes) => return Ok(Bytes::from_owner(Arc::clone(bytes))),
            Origin::Address(url) => url,
        };
        let fetched = match self.shelf.take(url).await {
            Some(Some(stored)) => return Ok(stored),
            Some(None) => Err(InputProblem::NotStored),
            None => self.fetcher.fetch(url).await.map_err(InputProblem::Fetch),
        };
        fetched.map_err(|problem| unusable(source, problem))
    }

    fn probe(&self, edit: &Edit, sources: &[Bytes]) -> Result<Vec<Header>, ProviderError> {
        let probed = sources.iter().zip(&edit.pictures).map(|(bytes, source)| {
            codec::probe(bytes, &self.limits.codec).map_err(|error| unusable(source, error.into()))
        });
        probed.collect()
    }

    /// Decodes one picture. It holds on to `permit` until it is done, also when another picture
    /// of the request has failed meanwhile.
    async fn decode(
        &self,
        bytes: Bytes,
        source: &PictureSource,
        permit: Arc<Permit>,
    ) -> Result<retouch_engine::Picture, ProviderError> {
        let limits = self.limits.codec;
        let decoded = self.workshop.run(move || {
            let decoded = codec::decode(&bytes, &limits);
            drop(permit);
            decoded
        });
        let decoded = decoded.await;
        let decoded = decoded.map_err(|panicked| ProviderError::Failed(panicked.to_string()))?;
        decoded.map_err(|error| unusable(source, error.into()))
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

fn not_admitted(error: &NotAdmitted) -> ProviderError {
    match error {
        NotAdmitted::Busy { .. } => ProviderError::Busy,
        NotAdmitted::TooLarge { .. } => {
            let message = format!("{error}. Send smaller pictures or ask for a smaller result.");
            ProviderError::Refused(Refused { kind: RefusedKind::Limit, message, param: None })
        }
    }
}
