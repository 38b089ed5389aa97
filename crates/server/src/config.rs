//! Every setting of the service, read from the defaults, the operator's file and the environment,
//! in that order. Each value records where it was set.
//!
//! Reading order: [`Sources`] (where settings come from), [`Settings`] (what they are, one struct
//! for each section of `config.default.toml`), [`ConfigError`] (everything that is wrong).

mod auth;
mod billing;
mod blobs;
mod connections;
mod duration;
mod edits;
mod environment;
mod fetch;
mod file;
pub(crate) mod key_file;
mod language_reader;
mod layers;
pub(crate) mod live;
pub(crate) mod machine;
mod mail;
mod network;
mod oidc;
mod packs;
mod problem;
mod providers;
mod reader;
mod report;
mod secret;
mod server;
mod settings;
mod site;
mod size;
mod sources;
mod store;
mod studio;
mod telemetry;
mod uploads;
mod value;
mod webhooks;

pub use auth::{AdminSecondFactor, AuthSettings, SignUpRule};
pub use billing::{BillingSettings, StripeSettings};
pub use connections::ConnectionSettings;
pub use edits::EditSettings;
pub(crate) use environment::{API_KEY, read_secret};
pub use fetch::FetchSettings;
pub use language_reader::LanguageReaderSettings;
pub use live::{LIVE_KEYS, LiveField, LiveSettings, StoredSettings};
pub use mail::{EmailLinkAges, MailSettings, SmtpPlace};
pub use oidc::OidcSettings;
pub use packs::PackSettings;
pub use problem::{ConfigError, Problem};
pub use providers::{ProviderSettings, ProviderUnusable};
pub use report::ShownSetting;
pub use secret::Secret;
pub use server::ServerSettings;
pub use settings::Settings;
pub use site::{Color, SiteSettings};
pub(crate) use size::show as shown_size;
pub use sources::{DEFAULT_FILE, Sources};
pub use store::{CatalogueSettings, CatalogueUnusable, StoreSettings};
pub use studio::StudioSettings;
pub use telemetry::{LogFormat, LogSettings, MetricsSettings, TraceSettings};
pub use uploads::UploadSettings;
pub use value::Origin;
pub use webhooks::WebhookSettings;
