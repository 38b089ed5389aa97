//! The providers that the service uses: those of the settings, and those that administrators added
//! in the browser.

use std::collections::BTreeMap;

use super::answer::Failure;
use super::session::{self, Session};
use crate::app::{Unusable, added_settings};
use crate::config::{ProviderSettings, Settings, Sources};

/// The providers in use, and what keeps others from being used.
pub(super) struct InUse {
    /// The providers, by name.
    pub(super) providers: BTreeMap<String, ProviderSettings>,
    /// Added providers that are on but cannot be used: name and reason.
    pub(super) unusable: Vec<(String, String)>,
    /// Why the database, which has the added providers, could not be read.
    pub(super) unread: Option<String>,
}

impl InUse {
    /// Reads the added providers. There are none before `serve` has created the database.
    pub(super) fn read(sources: &Sources, settings: &Settings) -> Self {
        let providers = settings.providers.clone();
        let mut found = Self { providers, unusable: Vec::new(), unread: None };
        if settings.store.database.file().is_some_and(|path| !path.exists()) {
            return found;
        }
        let stored = async |session: &Session| Ok(session.store.service_state().await?.providers);
        let added = match session::with(sources, stored) {
            Ok(added) => added,
            Err(Failure::Failed(why) | Failure::Usage(why)) => {
                found.unread = Some(why);
                return found;
            }
        };
        for one in added.into_iter().filter(|one| one.is_on) {
            match added_settings(settings, &one) {
                Ok(read) => drop(found.providers.insert(one.name, read)),
                Err(Unusable::Fixed) => {}
                Err(reason) => found.unusable.push((one.name, reason.to_string())),
            }
        }
        found
    }

    /// What the operator should know about added providers, one line each.
    pub(super) fn notes(&self) -> Vec<String> {
        let unread = self.unread.iter().map(|why| {
            format!("Providers that administrators added are missing here, because {why}")
        });
        let unusable = self.unusable.iter().map(|(name, reason)| {
            format!("The provider {name}, which an administrator added, is not used. {reason}")
        });
        unread.chain(unusable).collect()
    }
}
