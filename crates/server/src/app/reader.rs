//! The language model that reads what the built-in editor refuses.

use std::sync::Arc;

use retouch_core::{AccountId, Entropy};
use retouch_outbound::client::{ClientError, Endpoint, Key};
use retouch_providers::reader::{Asked, LanguageReader, Read, ReaderParts, Unread};

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
        let reader = Arc::clone(self.reader.as_ref()?);
        let read = match reader.ask(account, &asked).await {
            Err(unread) => Err(unread),
            // The answer is judged by reading, so it is judged where instructions are read.
            Ok(answer) => {
                let judging = move |_: &Self| Ok::<_, ApiError>(reader.judge(&asked, &answer));
                self.reading(account, 0, judging).await.unwrap_or(Err(Unread::Busy))
            }
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
