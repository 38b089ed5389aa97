//! Builds the service from the settings.

use std::net::SocketAddr;
use std::sync::Arc;

use retouch_core::Ids;
use retouch_core::catalogue::Catalogue;
use retouch_outbound::client::{ClientError, Key};
use retouch_outbound::fetch::Fetcher;
use retouch_outbound::identity::{Oidc, OidcParts};
use retouch_outbound::payments::stripe::{Stripe, StripeParts};
use retouch_providers::Provider;
use retouch_providers::built_in::BuiltIn;
use retouch_providers::inputs::{InputLimits, InputReader};
use retouch_providers::upstream::Shared;
use retouch_store::{Context, Store};
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::fonts::{self, FontUnusable};
use super::live::{self, Live, LiveParts, LiveState};
use super::proof::Proofs;
use super::reader;
use super::readiness::Readiness;
use super::reading::Readings;
use super::stored_images::ImageFiles;
use super::upstreams::{self, UpstreamError};
use super::{App, OWNER_SEPARATOR};
use crate::auth::password::PasswordPool;
use crate::auth::provider::IdentityProvider;
use crate::auth::throttle::Throttles;
use crate::billing::Payments;
use crate::config::{CatalogueUnusable, OidcSettings, Settings, StripeSettings};
use crate::edits::{Background, LeaseObservations, Running, Turns, Unremovable, Watchers};
use crate::http::bodies::Bodies;
use crate::mail::{Mail, MailUnusable};
use crate::metrics::Metrics;
use crate::oauth::Documents;
use crate::previews::Previews;
use crate::telemetry::seldom::Seldom;

/// What the service is built from.
pub struct Parts {
    /// The settings.
    pub settings: Settings,
    /// The sources of time and randomness.
    pub context: Context,
    /// Providers in addition to the built-in editor and the configured ones; they are tried first.
    pub providers: Vec<Arc<dyn Provider>>,
}

/// Why the service cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The catalogue cannot be used.
    #[error(transparent)]
    Catalogue(#[from] CatalogueUnusable),
    /// A font in the settings cannot be used.
    #[error("edits.fonts: {0}")]
    Font(#[from] FontUnusable),
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Store(#[from] retouch_store::Error),
    /// The operating system refuses to start threads.
    #[error("cannot start image threads: {0}")]
    Workshop(#[from] rayon::ThreadPoolBuildError),
    /// The client of a configured provider cannot be created.
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
    /// The settings have a price for a plan that is not in the catalogue.
    #[error("billing.stripe_prices: the catalogue has no plan {0}")]
    PlanUnknown(String),
    /// The payment client cannot be created.
    #[error("cannot create the payment client: {0}")]
    Payments(ClientError),
    /// The email settings cannot be used.
    #[error(transparent)]
    Mail(#[from] MailUnusable),
    /// The identity provider client cannot be created.
    #[error("cannot create the identity provider client: {0}")]
    Identities(ClientError),
    /// The client for the language model cannot be created.
    #[error("cannot create the client for the language model: {0}")]
    Reader(ClientError),
    /// The client for addresses that callers choose cannot be created.
    #[error("cannot create the client for image URLs and webhooks: {0}")]
    Fetcher(#[from] retouch_outbound::fetch::SetUpError),
}

impl App {
    /// Builds the service, which listens on `bound`.
    ///
    /// # Errors
    /// If a part cannot be built; nothing is left running.
    pub async fn build(parts: Parts, bound: SocketAddr) -> Result<Arc<Self>, BuildError> {
        let Parts { settings, context, providers } = parts;
        fonts::add(&settings.edits.fonts)?;
        let catalogue = settings.catalogue.load()?;
        let public_url = settings.server.public_url(bound);
        let ids = Ids::new(Arc::clone(&context.clock), Arc::clone(&context.entropy));
        let shared = upstreams::shared(&settings, Arc::clone(&context.entropy))?;
        let fixed = fixed(providers, upstreams::build(&settings, &shared)?);
        let payments = settings.billing.stripe.as_ref();
        let payments = payments.map(|it| stripe(it, &catalogue)).transpose()?;
        let identity_provider = settings.oidc.as_ref().map(identity_provider).transpose()?;
        let metrics = Metrics::new();
        metrics.began(context.clock.now());
        let store_settings =
            retouch_store::Settings { observer: metrics.observer(), ..settings.store_settings() };
        let store = Store::open(&store_settings, context.clone()).await?;
        let live_parts = LiveParts { settings: &settings, shared: &shared, fixed: &fixed };
        let live = Live::new(&live_parts, store.service_state().await?, None);
        store.set_free_credits_per_day_max(live.settings.free_credits_per_day_max);
        let stored = ImageFiles { public_url: public_url.clone(), store: store.clone() };
        let limits = input_limits(&settings, &shared);
        let inputs = InputReader::new(Arc::clone(&shared.fetcher), Arc::new(stored), limits);
        let built_in = Arc::new(BuiltIn::new(shared.workshop.clone()));
        let built_in_turns = Turns::new(settings.edits.built_in_turns());
        let throttles = Throttles::new(&settings, &catalogue.plans, &store);
        let app = Self {
            public_url,
            catalogue,
            clock: store.clock(),
            store,
            providers: live::registry(&live, &fixed, built_in),
            live: LiveState::new(live),
            fixed,
            inputs,
            previews: Previews::new(&settings, shared.workshop.clone()),
            workshop: shared.workshop.clone(),
            reader: reader::build(&settings, &context.entropy).map_err(BuildError::Reader)?,
            shared,
            hooks: Fetcher::new(upstreams::fetch_settings(&settings))?,
            documents: Documents::default(),
            entropy: context.entropy,
            owner: owner(settings.server.node_name.as_deref(), &ids),
            running: Running::default(),
            vendor_turns: built_in_turns.beside(settings.edits.at_providers_max),
            built_in_turns,
            fetches: Turns::new(settings.fetch.concurrent_max),
            readings: Readings::new(settings.edits.workers_max),
            lease_observations: LeaseObservations::default(),
            unremovable: Unremovable::default(),
            background: Background::new(&settings.edits),
            watchers: Watchers::default(),
            tasks: TaskTracker::new(),
            ending: CancellationToken::new(),
            leaving: CancellationToken::new(),
            readiness: Readiness::default(),
            bodies: Bodies::new(&settings.server),
            passwords: passwords(&settings),
            throttles,
            payments: payments.map(Payments::new),
            mail: settings.mail.as_ref().map(Mail::new).transpose()?,
            identity_provider,
            proofs: Proofs::default(),
            metrics,
            webhook_refusals: Seldom::default(),
            ids,
            settings,
        };
        Ok(Arc::new(app))
    }
}

/// The providers that administrators cannot change: those given to the service, and those of its
/// settings.
fn fixed<P: Provider + 'static>(
    given: Vec<Arc<dyn Provider>>,
    configured: Vec<P>,
) -> Vec<Arc<dyn Provider>> {
    let configured = configured.into_iter().map(|one| Arc::new(one) as Arc<dyn Provider>);
    given.into_iter().chain(configured).collect()
}

/// The threads that hash passwords.
fn passwords(settings: &Settings) -> PasswordPool {
    PasswordPool::new(settings.auth.password_hashers_max, settings.auth.password_queue_max)
}

/// A new unique name for a process of the node.
fn owner(node: Option<&str>, ids: &Ids) -> String {
    format!("{}{OWNER_SEPARATOR}{}", node.unwrap_or_default(), ids.edit().0.simple())
}

/// The Stripe client.
///
/// # Errors
/// If the settings have a price for an unknown plan, or the client cannot be created.
pub(crate) fn stripe(
    settings: &StripeSettings,
    catalogue: &Catalogue,
) -> Result<Stripe, BuildError> {
    let mut prices = Vec::new();
    for (plan, price) in &settings.prices {
        let unknown = || BuildError::PlanUnknown(plan.clone());
        prices.push((price.clone(), catalogue.find_plan(plan).ok_or_else(unknown)?.clone()));
    }
    let parts = StripeParts {
        base_url: settings.base_url.clone(),
        key: Key::new(settings.secret_key.reveal()),
        prices,
        answer_ms_max: settings.answer_ms_max,
    };
    Stripe::new(parts).map_err(BuildError::Payments)
}

/// The identity provider client.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn identity_provider(settings: &OidcSettings) -> Result<IdentityProvider, BuildError> {
    let parts = OidcParts {
        issuer: settings.issuer.clone(),
        client_id: settings.client_id.clone(),
        client_secret: settings.client_secret.as_ref().map(|it| it.reveal().to_owned()),
        scopes: settings.scopes.clone(),
        answer_ms_max: settings.answer_ms_max,
    };
    let oidc = Oidc::new(settings.base.clone(), parts).map_err(BuildError::Identities)?;
    Ok(IdentityProvider { oidc, name: settings.name.clone() })
}

fn input_limits(settings: &Settings, shared: &Shared) -> InputLimits {
    InputLimits { total_ms_max: settings.fetch.total_ms_max, codec: shared.inputs }
}
