//! Whether each provider in use is reachable and accepts its key. The calls cost nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use retouch_core::OsEntropy;
use retouch_providers::upstream::Upstream;
use tokio::time::timeout;

use super::{Finding, InUse, doubt, finding};
use crate::app::upstreams;
use crate::config::{ProviderSettings, Settings};

/// Asks all providers at the same time.
pub(super) fn ask(settings: &Settings, in_use: &InUse) -> Vec<Finding> {
    let unusable = in_use.unusable.iter();
    let unusable =
        unusable.map(|(name, reason)| finding(&format!("provider {name}"), Err(reason.clone())));
    let mut findings: Vec<Finding> = unusable.collect();
    if !in_use.providers.is_empty() {
        findings.extend(ask_all(settings, &in_use.providers));
    }
    findings
}

fn ask_all(settings: &Settings, providers: &BTreeMap<String, ProviderSettings>) -> Vec<Finding> {
    let failed = |problem: String| vec![finding("providers", Err(problem))];
    let shared = upstreams::shared(settings, Arc::new(OsEntropy));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match (shared, runtime) {
        (Ok(shared), Ok(runtime)) => {
            let all = providers.iter();
            let shared = &shared;
            let asked = all.map(|(name, provider)| async move {
                let made = upstreams::one(name, provider, settings, shared);
                let (result, ending) = match made {
                    Ok(made) => match upstreams::probe(&made).await {
                        Ok(said) => (Ok(said), shutdowns(&made).await),
                        Err(problem) => (Err(problem), Vec::new()),
                    },
                    Err(error) => (Err(error.to_string()), Vec::new()),
                };
                let mut findings = vec![finding(&format!("provider {name}"), result)];
                findings.extend(used_and_ending(settings, name, &ending));
                findings
            });
            let mut findings = runtime.block_on(join_all(asked)).concat();
            findings.extend(providers.iter().filter_map(in_clear_text));
            findings
        }
        (Err(error), _) => failed(error.to_string()),
        (_, Err(error)) => failed(error.to_string()),
    }
}

/// Warns if a provider's key travels unencrypted to another machine.
fn in_clear_text((name, provider): (&String, &ProviderSettings)) -> Option<Finding> {
    let host = provider.base_url.host()?;
    if !provider.shows_its_key() {
        return None;
    }
    let detail = format!(
        "base_url uses http://, so the API key, prompts and images go to {host} unencrypted; use \
         https:// unless you control the whole network"
    );
    Some(doubt(&format!("provider {name}"), detail))
}

/// The models that will be shut down according to the provider's list, if it responds in time.
async fn shutdowns(provider: &Upstream) -> Vec<(String, String)> {
    let asked = timeout(Duration::from_millis(upstreams::PROBE_MS_MAX), provider.shutdowns()).await;
    asked.unwrap_or_default()
}

/// Warns if the catalogue has a route to a model that the provider will shut down.
fn used_and_ending(settings: &Settings, name: &str, ending: &[(String, String)]) -> Vec<Finding> {
    let Ok(catalogue) = settings.catalogue.load() else { return Vec::new() };
    let mut findings = Vec::new();
    for model in &catalogue.models {
        for route in model.routes.iter().filter(|route| route.provider == name) {
            let listed = ending.iter().find(|(id, _)| *id == route.model);
            let Some((theirs, day)) = listed else { continue };
            let id = &model.id;
            let detail = format!(
                "{theirs} shuts down on {day}, and {id} has a route to it; replace the route \
                 before then"
            );
            findings.push(doubt(&format!("provider {name}"), detail));
        }
    }
    findings
}
