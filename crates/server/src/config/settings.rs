//! All settings together.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use retouch_core::Credits;
use retouch_store::BlobsPlace;
use url::Url;

use super::key_file;
use super::layers::Layers;
use super::reader::Reader;
use super::report::{self, ShownSetting};
use super::value::{Origin, Value};
use super::{
    AuthSettings, BillingSettings, CatalogueSettings, ConfigError, EditSettings, EmailLinkAges,
    FetchSettings, LanguageReaderSettings, LogSettings, MailSettings, MetricsSettings,
    OidcSettings, ProviderSettings, ServerSettings, SiteSettings, Sources, StoreSettings,
    StudioSettings, TraceSettings, UploadSettings, WebhookSettings,
};

/// Every setting of the service, validated, in the sections of `config.default.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the service listens, and its limits on requests.
    pub server: ServerSettings,
    /// Where the database and the images are.
    pub store: StoreSettings,
    /// The catalogue of models.
    pub catalogue: CatalogueSettings,
    /// How images are downloaded.
    pub fetch: FetchSettings,
    /// Limits on edits.
    pub edits: EditSettings,
    /// The language model that reads what the built-in editor refuses, if configured.
    pub reader: Option<LanguageReaderSettings>,
    /// Previews in the studio.
    pub studio: StudioSettings,
    /// Limits on uploads.
    pub uploads: UploadSettings,
    /// Limits on webhooks.
    pub webhooks: WebhookSettings,
    /// Below how many credits an account is told that they run low. Zero: never.
    pub low_credits: Credits,
    /// Sign-in and sign-up.
    pub auth: AuthSettings,
    /// How plans are paid for.
    pub billing: BillingSettings,
    /// How email is sent, if configured.
    pub mail: Option<MailSettings>,
    /// How long the links in emails are valid.
    pub email_links: EmailLinkAges,
    /// The OpenID Connect provider, if configured.
    pub oidc: Option<OidcSettings>,
    /// Who may read the metrics.
    pub metrics: MetricsSettings,
    /// Where traces are sent, if configured.
    pub traces: Option<TraceSettings>,
    /// What is logged.
    pub log: LogSettings,
    /// The configured providers by name.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// What visitors see of the operator.
    pub site: SiteSettings,
    /// The operator's settings file.
    pub file: Option<PathBuf>,
    pub(super) layers: Layers,
}

impl Settings {
    /// Reads the settings: the defaults, overridden by `sources`.
    ///
    /// # Errors
    /// When the operator's file cannot be read or is not TOML; otherwise with all problems of all
    /// settings.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let (layers, problems) = Layers::load(sources)?;
        let mut reader = Reader::new(&layers, problems);
        let mut settings = Self {
            server: ServerSettings::read(&mut reader),
            store: StoreSettings::read(&mut reader),
            catalogue: CatalogueSettings::read(&mut reader),
            fetch: FetchSettings::read(&mut reader),
            edits: EditSettings::read(&mut reader),
            reader: LanguageReaderSettings::read(&mut reader),
            studio: StudioSettings::read(&mut reader),
            uploads: UploadSettings::read(&mut reader),
            webhooks: WebhookSettings::read(&mut reader),
            low_credits: super::mail::low_credits(&mut reader),
            auth: AuthSettings::read(&mut reader),
            billing: BillingSettings::read(&mut reader),
            mail: MailSettings::read(&mut reader),
            email_links: EmailLinkAges::read(&mut reader),
            oidc: OidcSettings::read(&mut reader),
            metrics: MetricsSettings::read(&reader),
            traces: TraceSettings::read(&mut reader),
            log: LogSettings::read(&mut reader),
            providers: super::providers::read(&mut reader),
            site: SiteSettings::read(&mut reader),
            file: sources.file.clone(),
            layers: layers.clone(),
        };
        if let (None, Some(database)) =
            (&settings.server.secret_key, settings.store.database.file())
        {
            settings.server.secret_key = key_file::find(database, &mut reader);
        }
        match reader.into_problems() {
            problems if problems.is_empty() => Ok(settings),
            problems => Err(ConfigError::Problems(problems)),
        }
    }

    /// The URL for all links if the service listens on `bound`.
    pub fn public_url(&self, bound: SocketAddr) -> Url {
        self.server.public_url(bound)
    }

    /// The settings of the store.
    pub fn store_settings(&self) -> retouch_store::Settings {
        retouch_store::Settings {
            readers_max: self.store.readers_max,
            emails_max: self.mail.as_ref().map_or(0, |mail| mail.queue_max),
            low_credits: self.low_credits,
            free_credits_per_day_max: self.auth.free_credits_per_day_max,
            refusals_before_pause: self.edits.refusals_per_day_before_pause,
            refusals_before_wait: self.edits.refusals_per_day_before_wait,
            session_idle_ms: self.auth.session_idle_ms_max,
            writers_max: self.store.writers_max,
            takes_servers_time: true,
            ..retouch_store::Settings::of(self.store.database.clone(), self.store.blobs.clone())
        }
    }

    /// Where images would be stored if `store.blobs_url` were `url`, with all other settings unchanged.
    ///
    /// # Errors
    /// What was expected. The message does not contain the URL.
    pub fn blobs_at(&self, url: &str) -> Result<BlobsPlace, String> {
        const KEY: &str = "store.blobs_url";
        let mut layers = self.layers.clone();
        layers.set(KEY, Value::Text(url.to_owned()), Origin::Default);
        let mut reader = Reader::new(&layers, Vec::new());
        let place = super::blobs::read(&mut reader);
        let problem = reader.into_problems().into_iter().next();
        match problem {
            Some(problem) => Err(problem.message),
            None => place.ok_or_else(|| "expected a URL".to_owned()),
        }
    }

    /// The setting that says where the database is, and where it was set.
    pub fn database_origin(&self) -> (&'static str, Origin) {
        let origin = |key| self.layers.find(key).map_or(Origin::Default, |it| it.origin.clone());
        match origin("store.database_url") {
            Origin::Default => ("store.data_dir", origin("store.data_dir")),
            set => ("store.database_url", set),
        }
    }

    /// Every setting and where it was set. Secrets are hidden.
    pub fn show(&self) -> Vec<ShownSetting> {
        report::show(&self.layers)
    }
}
