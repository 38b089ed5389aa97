//! What administrators set in the browser, in the memory of this node: settings, the logo,
//! providers, and limits of single accounts. Every node looks every few seconds whether it changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use retouch_core::AccountId;
use retouch_core::catalogue::MicroDollars;
use retouch_providers::upstream::{Shared, Upstream};
use retouch_providers::{Provider, Providers};
use retouch_store::{AccountTerms, Error, Logo, ServiceState, StoredProvider};

use super::App;
use super::upstreams;
use crate::config::{
    LiveSettings, ProviderSettings, Secret, Settings, SiteSettings, StoredSettings,
};

tokio::task_local! {
    static CURRENT: Arc<Live>;
}

/// What administrators set, at one time.
pub struct Live {
    /// Grows with each change.
    pub number: i64,
    /// The settings, where the file and the environment leave them open.
    pub settings: LiveSettings,
    /// The same as stored, also those that are ignored.
    pub stored: StoredSettings,
    /// The logo.
    pub logo: Option<Logo>,
    /// The accounts with limits of their own.
    pub limits: HashMap<AccountId, AccountTerms>,
    /// All providers in use, by name: those of the file and the environment, and added ones.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// The providers that administrators added.
    pub added: Vec<Added>,
    /// What is wrong with the stored settings, which then don't count.
    pub problems: Vec<String>,
    /// Changes with the color and the logo, for URLs whose content never changes.
    pub version: String,
}

/// A provider that an administrator added.
pub struct Added {
    /// As it is stored.
    pub stored: StoredProvider,
    /// Its settings, or why it cannot be used.
    pub state: Result<ProviderSettings, Unusable>,
    /// The provider, if it is used.
    provider: Option<Arc<Upstream>>,
}

/// Why an added provider cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The file or the environment has a provider with this name.
    #[error("Set in the settings file or the environment, which take precedence.")]
    Fixed,
    /// No secret key is configured.
    #[error("Its API key is encrypted, but RETOUCH_SERVER__SECRET_KEY is not set.")]
    NoSecretKey,
    /// It was encrypted with another secret key.
    #[error("Its API key was encrypted with another secret key. Enter it again.")]
    OtherSecretKey,
    /// Its settings are invalid.
    #[error("{0}")]
    Settings(String),
}

/// The current state, which is replaced as a whole.
pub struct LiveState(RwLock<Arc<Live>>);

/// What a new state is built from.
pub(super) struct LiveParts<'a> {
    pub(super) settings: &'a Settings,
    pub(super) shared: &'a Shared,
    /// The providers of this process that do not change.
    pub(super) fixed: &'a [Arc<dyn Provider>],
}

impl Live {
    /// The state in `stored`. Providers that are the same in `before` keep their queues and their
    /// health.
    pub(super) fn new(parts: &LiveParts<'_>, stored: ServiceState, before: Option<&Self>) -> Self {
        let ServiceState { number, settings, logo, providers, limits } = stored;
        let (live, problems) = usable(parts.settings, &settings);
        let added: Vec<Added> =
            providers.into_iter().map(|stored| Added::new(parts, stored, before)).collect();
        let mut all = parts.settings.providers.clone();
        let used = added.iter().filter(|one| one.provider.is_some());
        let used = used.filter_map(|one| Some((one.stored.name.clone(), one.state.clone().ok()?)));
        all.extend(used);
        Self {
            version: version(&live.site, logo.as_ref()),
            number,
            settings: live,
            stored: settings,
            logo,
            limits: limits.into_iter().collect(),
            providers: all,
            added,
            problems,
        }
    }

    /// What visitors see of the operator.
    pub fn site(&self) -> &SiteSettings {
        &self.settings.site
    }

    /// The daily spending limit of a provider.
    pub fn usd_per_day_max(&self, provider: &str) -> Option<MicroDollars> {
        self.providers.get(provider)?.usd_per_day_max
    }

    /// All providers besides the built-in editor.
    fn registry(&self, fixed: &[Arc<dyn Provider>]) -> Vec<Arc<dyn Provider>> {
        let added = self.added.iter().filter_map(|one| one.provider.clone());
        let added = added.map(|provider| provider as Arc<dyn Provider>);
        fixed.iter().cloned().chain(added).collect()
    }
}

fn version(site: &SiteSettings, logo: Option<&Logo>) -> String {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&site.color.map_or([0; 3], |color| color.0));
    sum.update(logo.map_or(&[], |logo| &logo.bytes));
    format!("{:08x}", sum.finalize())
}

/// The stored settings, without those that are invalid.
fn usable(settings: &Settings, stored: &StoredSettings) -> (LiveSettings, Vec<String>) {
    let problems = match settings.live(stored) {
        Ok(live) => return (live, Vec::new()),
        Err(problems) => problems,
    };
    let is_wrong = |key: &String| problems.iter().any(|problem| problem.key == *key);
    let rest = stored.iter().filter(|(key, _)| !is_wrong(key));
    let rest: StoredSettings = rest.map(|(key, value)| (key.clone(), value.clone())).collect();
    let said = problems.iter().map(ToString::to_string).collect();
    (settings.live(&rest).unwrap_or_else(|_| settings.live_of_file()), said)
}

impl Added {
    fn new(parts: &LiveParts<'_>, stored: StoredProvider, before: Option<&Live>) -> Self {
        let known = before.and_then(|live| live.added.iter().find(|one| one.stored == stored));
        if let Some(known) = known {
            let (state, provider) = (known.state.clone(), known.provider.clone());
            return Self { stored, state, provider };
        }
        let has_name = |one: &Arc<dyn Provider>| one.name() == stored.name;
        let state = match parts.fixed.iter().any(has_name) {
            true => Err(Unusable::Fixed),
            false => added_settings(parts.settings, &stored),
        };
        let (state, provider) = match state {
            Ok(settings) if stored.is_on => {
                match upstreams::one(&stored.name, &settings, parts.settings, parts.shared) {
                    Ok(made) => (Ok(settings), Some(Arc::new(made))),
                    Err(error) => (Err(Unusable::Settings(error.to_string())), None),
                }
            }
            state => (state, None),
        };
        Self { stored, state, provider }
    }
}

/// The settings of an added provider, with its decrypted API key.
///
/// # Errors
/// Why it cannot be used with these settings.
pub(crate) fn added_settings(
    settings: &Settings,
    stored: &StoredProvider,
) -> Result<ProviderSettings, Unusable> {
    if settings.providers.contains_key(&stored.name) {
        return Err(Unusable::Fixed);
    }
    let mut set: BTreeMap<String, String> = serde_json::from_str(&stored.settings)
        .map_err(|error| Unusable::Settings(error.to_string()))?;
    set.insert("kind".to_owned(), stored.kind.clone());
    if let Some(sealed) = &stored.sealed_key {
        let key = settings.server.secret_key.as_ref().ok_or(Unusable::NoSecretKey)?;
        let opened = key.open(&stored.name, sealed).ok_or(Unusable::OtherSecretKey)?;
        set.insert("api_key".to_owned(), opened.reveal().to_owned());
    }
    let read = settings.added_provider(&stored.name, &set);
    read.map_err(|(setting, message)| Unusable::Settings(format!("{setting}: {message}")))
}

impl LiveState {
    pub(super) fn new(live: Live) -> Self {
        Self(RwLock::new(Arc::new(live)))
    }

    fn get(&self) -> Arc<Live> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn set(&self, live: Arc<Live>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = live;
    }
}

impl App {
    /// What administrators set in the browser.
    pub fn live(&self) -> Arc<Live> {
        self.live.get()
    }

    /// Reads again what administrators set, if it changed.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn refresh(&self) -> Result<(), Error> {
        if self.store.service_number().await? == self.live().number {
            return Ok(());
        }
        let stored = self.store.service_state().await?;
        let before = self.live();
        let parts = self.live_parts();
        let live = Arc::new(Live::new(&parts, stored, Some(&before)));
        for problem in &live.problems {
            tracing::error!(problem, "a setting from the admin pages is invalid and is ignored");
        }
        apply(&live, self);
        self.live.set(live);
        Ok(())
    }

    /// The settings of a provider with this API key, as if it were stored.
    ///
    /// # Errors
    /// What is wrong: the setting, and a message.
    pub(crate) fn read_provider(
        &self,
        stored: &StoredProvider,
        key: Option<&Secret>,
    ) -> Result<ProviderSettings, (String, String)> {
        let set = serde_json::from_str(&stored.settings);
        let mut set: BTreeMap<String, String> = set.unwrap_or_default();
        set.insert("kind".to_owned(), stored.kind.clone());
        if let Some(key) = key {
            set.insert("api_key".to_owned(), key.reveal().to_owned());
        }
        self.settings.added_provider(&stored.name, &set)
    }

    fn live_parts(&self) -> LiveParts<'_> {
        LiveParts { settings: &self.settings, shared: &self.shared, fixed: &self.fixed }
    }
}

/// Puts the parts of the state that others keep where they are kept.
fn apply(live: &Live, app: &App) {
    app.store.set_free_credits_per_day_max(live.settings.free_credits_per_day_max);
    app.providers.replace(live.registry(&app.fixed));
}

/// The registry of the providers at the start.
pub(super) fn registry(
    live: &Live,
    fixed: &[Arc<dyn Provider>],
    built_in: Arc<dyn Provider>,
) -> Providers {
    Providers::new(built_in, live.registry(fixed))
}

/// Runs `work`, which [`current`] then shows what administrators set now.
pub(crate) fn within<W: Future>(live: Arc<Live>, work: W) -> impl Future<Output = W::Output> {
    CURRENT.scope(live, work)
}

/// What administrators had set when this request arrived. `None` outside requests.
pub(crate) fn current() -> Option<Arc<Live>> {
    CURRENT.try_with(Arc::clone).ok()
}
