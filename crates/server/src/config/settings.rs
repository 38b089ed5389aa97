//! All settings together.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use retouch_store::BlobsPlace;
use url::Url;

use super::layers::Layers;
use super::reader::Reader;
use super::report::{self, ShownSetting};
use super::value::{Origin, Value};
use super::{
    AuthSettings, BillingSettings, CatalogueSettings, ConfigError, EditSettings, FetchSettings,
    LogSettings, MailSettings, MetricsSettings, OidcSettings, ProviderSettings, ServerSettings,
    Sources, StoreSettings, TraceSettings,
};

/// Every setting of the service, each checked, in the sections of `config.default.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the service listens.
    pub server: ServerSettings,
    /// Where rows and images live.
    pub store: StoreSettings,
    /// Which catalogue of models is used.
    pub catalogue: CatalogueSettings,
    /// How pictures are fetched.
    pub fetch: FetchSettings,
    /// How much work edits may be.
    pub edits: EditSettings,
    /// How people prove who they are.
    pub auth: AuthSettings,
    /// How plans are paid for.
    pub billing: BillingSettings,
    /// How mail goes out, where it does.
    pub mail: Option<MailSettings>,
    /// Who vouches for people beside their passwords, where somebody does.
    pub oidc: Option<OidcSettings>,
    /// Who may read the metrics.
    pub metrics: MetricsSettings,
    /// Where traces go, where they go anywhere.
    pub traces: Option<TraceSettings>,
    /// What is written to the log.
    pub log: LogSettings,
    /// The providers that are configured, by name.
    pub providers: BTreeMap<String, ProviderSettings>,
    layers: Layers,
}

impl Settings {
    /// Reads the settings from the defaults and from `sources` upon them.
    ///
    /// # Errors
    /// When the operator's file cannot be read or is not TOML; else with everything that is wrong
    /// with any setting, all at once.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let (layers, problems) = Layers::load(sources)?;
        let mut reader = Reader::new(&layers, problems);
        let settings = Self {
            server: ServerSettings::read(&mut reader),
            store: StoreSettings::read(&mut reader),
            catalogue: CatalogueSettings::read(&mut reader),
            fetch: FetchSettings::read(&mut reader),
            edits: EditSettings::read(&mut reader),
            auth: AuthSettings::read(&mut reader),
            billing: BillingSettings::read(&mut reader),
            mail: MailSettings::read(&mut reader),
            oidc: OidcSettings::read(&mut reader),
            metrics: MetricsSettings::read(&reader),
            traces: TraceSettings::read(&mut reader),
            log: LogSettings::read(&mut reader),
            providers: super::providers::read(&mut reader),
            layers: layers.clone(),
        };
        match reader.into_problems() {
            problems if problems.is_empty() => Ok(settings),
            problems => Err(ConfigError::Problems(problems)),
        }
    }

    /// The address that callers use when `bound` is listened on.
    pub fn public_url(&self, bound: SocketAddr) -> Url {
        self.server.public_url(bound)
    }

    /// Where the store keeps things, and its limits.
    pub fn store_settings(&self) -> retouch_store::Settings {
        retouch_store::Settings {
            readers_max: self.store.readers_max,
            letters_max: self.mail.as_ref().map_or(0, |mail| mail.queue_max),
            free_credits_per_day_max: self.auth.free_credits_per_day_max,
            refusals_before_pause: self.edits.refusals_per_day_before_pause,
            refusals_before_wait: self.edits.refusals_per_day_before_wait,
            session_idle_ms: self.auth.session_idle_ms,
            writers_max: self.store.writers_max,
            takes_servers_time: true,
            ..retouch_store::Settings::of(self.store.database.clone(), self.store.blobs.clone())
        }
    }

    /// Where the images would be with this address in `store.blobs_url`, and the other settings as they are.
    ///
    /// # Errors
    /// What was expected; nothing of the address.
    pub fn blobs_at(&self, url: &str) -> Result<BlobsPlace, String> {
        const KEY: &str = "store.blobs_url";
        let mut layers = self.layers.clone();
        layers.set(KEY, Value::Text(url.to_owned()), Origin::Default);
        let mut reader = Reader::new(&layers, Vec::new());
        let place = super::blobs::read(&mut reader);
        let problem = reader.into_problems().into_iter().next();
        match problem {
            Some(problem) => Err(problem.message),
            None => place.ok_or_else(|| "expected an address".to_owned()),
        }
    }

    /// Every setting as it is, with where it was set; secrets stay hidden.
    pub fn show(&self) -> Vec<ShownSetting> {
        report::show(&self.layers)
    }
}
