//! Everything that the service is made of, built once and shared by every call.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::catalogue::Catalogue;
use retouch_core::{Clock, Entropy, Ids};
use retouch_providers::inputs::InputReader;
use retouch_providers::workshop::Workshop;
use retouch_providers::{Media, Providers};
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
use crate::edits::{Looks, Running, Turns, Unremovable, VideoMemory};
use crate::error::{ApiError, ApiResult};
use crate::http::bodies::Bodies;
use crate::mail::Mail;
use crate::metrics::Metrics;
use crate::telemetry::seldom::Seldom;

mod build;
pub(crate) mod fonts;
mod limits;
mod proof;
mod readiness;
mod reading;
mod shelf;
pub(crate) mod upstreams;

pub use build::{BuildError, Parts};
pub(crate) use build::{identity_provider, stripe};
pub use fonts::FontUnusable;
pub use limits::AccountLimits;
pub use proof::{Proof, Proofs};
pub use readiness::{NotReady, Readiness};
pub use reading::Readings;
pub use upstreams::UpstreamError;

/// What stands between a node's name, which cannot have it, and its process's.
const OWNER_SEPARATOR: char = '/';

/// The service.
pub struct App {
    /// What the operator decided.
    pub settings: Settings,
    /// The `{base_url}` in every address that is handed out; without a slash at its end.
    pub public_url: Url,
    /// What is for sale.
    pub catalogue: Catalogue,
    /// Rows and blobs.
    pub store: Store,
    /// Who performs edits.
    pub providers: Providers,
    /// How input pictures are had.
    pub inputs: InputReader,
    /// Where pixels are worked on.
    pub workshop: Workshop,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// New ids and secrets.
    pub ids: Ids,
    /// Randomness that is no secret.
    pub entropy: Arc<dyn Entropy>,
    /// This process, among all that ever worked on this database: the node's name, where it has
    /// one, and a name of the process's own.
    pub owner: String,
    /// The edits of this process.
    pub running: Running,
    /// The turns of those that the built-in editor does.
    pub built_in_turns: Turns,
    /// The turns of those that vendors do.
    pub vendor_turns: Turns,
    /// The turns to fetch pictures from where callers say that they are.
    pub fetches: Turns,
    /// The turns to read requests.
    pub readings: Readings,
    /// What was seen of the edits of others.
    pub looks: Looks,
    /// Whose files could not be removed lately.
    pub unremovable: Unremovable,
    /// Memory for the videos among them.
    pub videos: VideoMemory,
    /// Tasks that outlive their connections.
    pub tasks: TaskTracker,
    /// Cancelled when the process is asked to end.
    pub ending: CancellationToken,
    /// Cancelled when the process does not wait for its edits any longer.
    pub leaving: CancellationToken,
    /// Whether it can serve.
    pub readiness: Readiness,
    /// Memory for bodies.
    pub bodies: Bodies,
    /// Where passwords are hashed.
    pub passwords: PasswordPool,
    /// Who has guessed too often.
    pub throttles: Throttles,
    /// Who takes money for plans, where the operator has said so.
    pub payments: Option<Payments>,
    /// Who takes letters, where mail is sent.
    pub mail: Option<Mail>,
    /// Who vouches for people beside their passwords, where the operator has said so.
    pub identity_provider: Option<IdentityProvider>,
    /// The latest proof of the books.
    pub proofs: Proofs,
    /// What happened, in numbers.
    pub metrics: Metrics,
    /// Webhooks that were refused, for the log.
    pub webhook_refusals: Seldom,
}

impl App {
    /// The address of the stored file `name`.
    pub fn file_url(&self, name: &str) -> String {
        shelf::file_url(&self.public_url, name)
    }

    /// Whether `owner` names this process or an earlier one of this node.
    pub fn is_of_this_node(&self, owner: &str) -> bool {
        let node = self.settings.server.node_name.as_deref();
        let named = node.is_some_and(|node| {
            owner.strip_prefix(node).is_some_and(|process| process.starts_with(OWNER_SEPARATOR))
        });
        named || owner == self.owner
    }

    /// A name for a blob of `media` that nobody can guess.
    pub fn blob_name(&self, media: Media) -> String {
        let token: [u8; 20] = self.ids.secret();
        token.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + media.extension()
    }

    /// The bytes of the stored file `name`, if it is stored.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stored(&self, name: &str) -> ApiResult<Option<Bytes>> {
        shelf::read(&self.store, name).await.map_err(ApiError::internal)
    }

    /// Whether mail is sent, so that addresses are confirmed and passwords can be reset.
    pub fn sends_mail(&self) -> bool {
        self.mail.is_some()
    }

    /// Says that letters have been written, if they have been.
    pub fn letters_written(&self) {
        if let Some(mail) = &self.mail {
            mail.written();
        }
    }

    /// How session cookies are written on this address.
    pub fn cookies(&self) -> CookieKind {
        CookieKind::for_url(&self.public_url)
    }
}

impl Nature {
    /// The same, as the store takes it.
    pub fn context(&self) -> retouch_store::Context {
        retouch_store::Context {
            clock: Arc::clone(&self.clock),
            entropy: Arc::clone(&self.entropy),
        }
    }
}

/// Where time and randomness come from.
#[derive(Clone, Debug)]
pub struct Nature {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The randomness.
    pub entropy: Arc<dyn Entropy>,
}
