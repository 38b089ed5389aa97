//! The language model that reads what the built-in editor refuses.

use std::sync::Arc;

use retouch_core::{AccountId, Entropy};
use retouch_outbound::client::{ClientError, Endpoint, Key};
use retouch_providers::reader::{Asked, Faulty, LanguageReader, Read, ReaderParts, Unread};

use super::App;
use crate::config::{Secret, Settings};
use crate::error::ApiError;

/// The language model in the settings, if there is one.
pub(super) fn build(
    settings: &Settings,
    entropy: &Arc<dyn Entropy>,
) -> Result<Option<Arc<LanguageReader>>, ClientError> {
    let Some(settings) = &settings.reader else { return Ok(None) };
    let key = settings.api_key.as_ref().map(Secret::reveal).map(Key::new);
    let reader = LanguageReader::new(ReaderParts {
        endpoint: Endpoint { base: settings.base_url.clone(), key },
        model: settings.model.clone(),
        answer_ms_max: settings.answer_ms_max,
        concurrent_max: settings.concurrent_max,
        cached_max: settings.cached_max,
        entropy: Arc::clone(entropy),
    })?;
    Ok(Some(Arc::new(reader)))
}

impl App {
    /// What the language model makes of an instruction that the built-in editor refuses. `None` if
    /// the refusal stays as it is, for whatever reason.
    pub(crate) async fn read_again(
        self: &Arc<Self>,
        account: &AccountId,
        asked: Asked,
    ) -> Option<Read> {
        let reader = self.reader.as_ref()?;
        let mut faulty = None;
        let read = loop {
            let answer = match reader.ask(account, &asked, faulty.as_ref()).await {
                Err(unread) => break Err(unread),
                Ok(answer) => answer,
            };
            // The answer is judged by reading, so it is judged where instructions are read.
            let judged = (Arc::clone(reader), asked.clone(), Arc::clone(&answer));
            let judging = move |_: &Self| {
                let (reader, asked, answer) = judged;
                Ok::<_, ApiError>(reader.judge(&asked, &answer))
            };
            let read = self.reading(account, 0, judging).await.unwrap_or(Err(Unread::Busy));
            let fault = read.as_ref().err().and_then(|unread| Faulty::of(&answer, unread));
            if faulty.is_some() || fault.is_none() {
                break read;
            }
            faulty = fault;
        };
        self.metrics.language_reading(match &read {
            Ok(Ok(_)) => "reworded",
            Ok(Err(_)) => "refused",
            Err(unread) => unread.outcome(),
        });
        if let Err(cause @ Unread::Failed(_)) = &read {
            tracing::warn!(%cause, "the language model has not answered");
        }
        read.ok()
    }

    /// What the language model made of the same words before, without a call.
    pub(crate) fn recall_reading(&self, asked: &Asked) -> Option<Read> {
        self.reader.as_ref()?.recall(asked)
    }
}
