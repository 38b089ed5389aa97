//! Whether the OpenID Connect provider is reachable and publishes its keys.

use retouch_core::{Clock, SystemClock};

use super::{Finding, finding};
use crate::app;
use crate::config::Settings;

/// Asks the provider, if one is configured.
pub(super) fn ask(settings: &Settings) -> Option<Finding> {
    let provider = settings.oidc.as_ref()?;
    let made = app::identity_provider(provider).map_err(|error| error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let result = match (made, runtime) {
        (Ok(made), Ok(runtime)) => {
            let said = runtime.block_on(made.oidc.probe(SystemClock.now()));
            said.map_err(|error| format!("{}: {error}", provider.issuer))
        }
        (Err(problem), _) => Err(problem),
        (_, Err(error)) => Err(error.to_string()),
    };
    Some(finding("oidc", result))
}
