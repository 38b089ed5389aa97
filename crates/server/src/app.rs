//! The parts of the service, created once and shared by all calls.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::catalogue::{Catalogue, Retention};
use retouch_core::{AccountId, Clock, Credits, Entropy, Ids};
use retouch_outbound::fetch::Fetcher;
use retouch_providers::inputs::{InputReader, NotTaken, StoredImages};
use retouch_providers::reader::LanguageReader;
use retouch_providers::upstream::Shared;
use retouch_providers::workshop::Workshop;
use retouch_providers::{Media, Provider, Providers};
use retouch_store::Store;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use url::Url;

use crate::auth::cookie::CookieKind;
use crate::auth::password::PasswordPool;
use crate::auth::provider::IdentityProvider;
use crate::auth::throttle::Throttles;
use crate::billing::Payments;
use crate::config::Settings;
use crate::edits::{Background, LeaseObservations, Running, Turns, Unremovable, Watchers};
use crate::error::{ApiError, ApiResult};
use crate::http::bodies::Bodies;
use crate::mail::Mail;
use crate::metrics::Metrics;
use crate::oauth::Documents;
use crate::previews::Previews;
use crate::telemetry::seldom::Seldom;

mod build;
mod disk;
pub(crate) mod fonts;
mod limits;
pub(crate) mod live;
mod proof;
mod reader;
mod readiness;
mod reading;
mod stored_images;
pub(crate) mod upstreams;

use self::stored_images::{FoundImage, ImageFiles};
pub use build::{BuildError, Parts};
pub(crate) use build::{identity_provider, stripe};
pub use disk::Disk;
pub use fonts::FontUnusable;
pub use limits::AccountLimits;
pub(crate) use live::added_settings;
pub use live::{Added, Live, LiveState, Unusable};
pub use proof::{Proof, Proofs};
pub use readiness::{NotReady, Readiness};
pub use reading::Readings;
pub use upstreams::UpstreamError;

/// Separates the name of a node, which cannot contain it, from the name of its process.
const OWNER_SEPARATOR: char = '/';

/// The service.
pub struct App {
    /// The settings.
    pub settings: Settings,
    /// The base of every URL that is handed out.
    pub public_url: Url,
    /// Models, prices and plans.
    pub catalogue: Catalogue,
    /// The database and the stored files.
    pub store: Store,
    /// The providers that perform edits.
    pub providers: Providers,
    /// The providers of the settings file and the environment, and those of tests.
    fixed: Vec<Arc<dyn Provider>>,
    /// Sends events to webhooks, and reads the documents of OAuth clients. Separate from downloads of
    /// images, so that neither waits for slow name servers of the other.
    pub(crate) hooks: Fetcher,
    /// The programs whose documents were read lately.
    pub(crate) documents: Documents,
    /// What all providers behind HTTP share.
    pub(crate) shared: Shared,
    /// What administrators set in the browser.
    live: LiveState,
    /// Reads input images.
    pub inputs: InputReader,
    /// The thread pool that processes pixels.
    pub workshop: Workshop,
    /// The language model that reads what the built-in editor refuses, if configured.
    pub reader: Option<Arc<LanguageReader>>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Creates ids and secrets.
    pub ids: Ids,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The name of this process, unique among all that ever used this database: the node's name, if
    /// it has one, and a random part.
    pub owner: String,
    /// The edits that this process is working on.
    pub running: Running,
    /// The queue of edits for the built-in editor.
    pub built_in_turns: Turns,
    /// The queue of edits for other providers.
    pub vendor_turns: Turns,
    /// The queue of fetches of images from URLs.
    pub fetches: Turns,
    /// Previews and their reduced images.
    pub previews: Previews,
    /// The queue of requests to parse.
    pub readings: Readings,
    /// What sweeps have observed about the edits of other processes.
    pub lease_observations: LeaseObservations,
    /// Deleted edits whose files could not be removed.
    pub unremovable: Unremovable,
    /// Memory and disk space for the requests of background work.
    pub background: Background,
    /// Callers who wait for their edits to end.
    pub watchers: Watchers,
    /// Tasks that outlive their connections.
    pub tasks: TaskTracker,
    /// Cancelled when the process is asked to stop.
    pub ending: CancellationToken,
    /// Cancelled when the process stops waiting for its edits.
    pub leaving: CancellationToken,
    /// Whether the service can accept calls.
    pub readiness: Readiness,
    /// Memory for request bodies.
    pub bodies: Bodies,
    /// Hashes passwords.
    pub passwords: PasswordPool,
    /// Limits on attempts and calls.
    pub throttles: Throttles,
    /// The payment provider, if configured.
    pub payments: Option<Payments>,
    /// The SMTP server, if email is configured.
    pub mail: Option<Mail>,
    /// The identity provider, if configured.
    pub identity_provider: Option<IdentityProvider>,
    /// The latest verification of the ledger.
    pub proofs: Proofs,
    /// The metrics.
    pub metrics: Metrics,
    /// Counts refused webhooks, so that they are logged at most once a minute.
    pub webhook_refusals: Seldom,
}

impl App {
    /// The URL of the stored file `name`.
    pub fn file_url(&self, name: &str) -> String {
        stored_images::file_url(&self.public_url, name)
    }

    /// The URL of `path`, which starts with a slash.
    pub fn url_of(&self, path: &str) -> String {
        format!("{}{path}", self.public_url.as_str().trim_end_matches('/'))
    }

    /// Whether `owner` is this process or an earlier process of this node.
    pub fn is_of_this_node(&self, owner: &str) -> bool {
        let node = self.settings.server.node_name.as_deref();
        let named = node.is_some_and(|node| {
            owner.strip_prefix(node).is_some_and(|process| process.starts_with(OWNER_SEPARATOR))
        });
        named || owner == self.owner
    }

    /// The URL of the upload with this id.
    pub fn upload_url(&self, id: &str) -> String {
        stored_images::upload_url(&self.public_url, id)
    }

    /// A new unguessable name for a stored file of type `media`.
    pub fn blob_name(&self, media: Media) -> String {
        self.file_name(media.extension())
    }

    /// A new unguessable name for a stored file, which ends with `extension`. It begins with the time, so
    /// that the indexes of names grow at their end, and 120 bits of it are random.
    pub(crate) fn file_name(&self, extension: &str) -> String {
        let mut token: [u8; 20] = self.ids.secret();
        // 40 bits of milliseconds begin again after 34 years, which does no harm.
        token[..5].copy_from_slice(&self.clock.now().0.to_be_bytes()[3..]);
        token.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + extension
    }

    /// The bytes of the stored file `name`, if it exists.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn stored(&self, name: &str) -> ApiResult<Option<Bytes>> {
        stored_images::read(&self.store, name).await.map_err(ApiError::internal)
    }

    /// The stored image at `url`, for an edit or a preview of `account`; `None` if this is not one of
    /// our own addresses.
    pub(crate) async fn stored_image(
        &self,
        account: Option<&AccountId>,
        url: &Url,
    ) -> Option<Result<FoundImage, NotTaken>> {
        let files = ImageFiles { public_url: self.public_url.clone(), store: self.store.clone() };
        if files.is_own(url) { Some(files.open(account, url).await) } else { None }
    }

    /// The free credits of a new account.
    pub fn sign_up_credits(&self) -> Credits {
        self.live().settings.sign_up_credits.unwrap_or(self.catalogue.sign_up_credits)
    }

    /// How long results are kept.
    pub fn retention(&self) -> Retention {
        let retention = self.catalogue.retention();
        match self.live().settings.results_kept_days {
            Some(days) => retention.without_plan(days),
            None => retention,
        }
    }

    /// How many edits of this node wait for a turn, a provider, an image or memory.
    pub fn waiting(&self) -> usize {
        let turns = self.built_in_turns.waiting() + self.vendor_turns.waiting();
        turns + self.providers.waiting() + self.fetches.waiting() + self.workshop.waiting()
    }

    /// Whether email is configured, so that addresses are confirmed and passwords can be reset.
    pub fn sends_mail(&self) -> bool {
        self.mail.is_some()
    }

    /// Wakes the task that sends emails, if email is configured.
    pub fn emails_queued(&self) {
        if let Some(mail) = &self.mail {
            mail.written();
        }
    }

    /// How cookies are written for the public URL.
    pub fn cookies(&self) -> CookieKind {
        CookieKind::for_url(&self.public_url)
    }
}
