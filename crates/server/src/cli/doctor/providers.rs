//! Whether each configured provider is there and knows its key. It is asked with calls that cost
//! nothing.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use retouch_core::OsEntropy;
use retouch_providers::upstream::Upstream;
use tokio::time::{Instant, timeout};

use super::{Finding, finding};
use crate::app::upstreams;
use crate::config::Settings;

/// How long a provider may take to answer, in milliseconds.
const ANSWER_MS_MAX: u64 = 10_000;

/// Asks all providers at the same time.
pub(super) fn ask(settings: &Settings) -> Vec<Finding> {
    if settings.providers.is_empty() {
        return Vec::new();
    }
    let failed = |problem: String| vec![finding("providers", Err(problem))];
    let shared = upstreams::shared(settings, Arc::new(OsEntropy));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match (shared, runtime) {
        (Ok(shared), Ok(runtime)) => {
            let all = settings.providers.iter();
            let around = (settings, &shared);
            let asked = all.map(|(name, provider)| async move {
                let made = upstreams::one(name, provider, around);
                let result = match made {
                    Ok(made) => ask_one(&made).await,
                    Err(error) => Err(error.to_string()),
                };
                finding(&format!("provider {name}"), result)
            });
            runtime.block_on(join_all(asked))
        }
        (Err(error), _) => failed(error.to_string()),
        (_, Err(error)) => failed(error.to_string()),
    }
}

async fn ask_one(provider: &Upstream) -> Result<String, String> {
    let began = Instant::now();
    let said = timeout(Duration::from_millis(ANSWER_MS_MAX), provider.probe()).await;
    let ms = began.elapsed().as_millis();
    match said {
        Ok(Ok(said)) => Ok(format!("{said} ({ms} ms)")),
        Ok(Err(problem)) => Err(format!("{problem} ({ms} ms)")),
        Err(_) => Err(format!("no answer within {ANSWER_MS_MAX} ms; is base_url right?")),
    }
}
