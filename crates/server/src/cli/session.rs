//! A command's own access to the books. It works while the server runs on the same folder.

use std::sync::Arc;

use retouch_core::{Email, Ids, OsEntropy, SystemClock};
use retouch_store::{Account, Context, Deed, Schema, Store};
use url::Url;

use super::answer::Failure;
use crate::config::{Settings, Sources};

/// What a command over accounts works with.
pub(super) struct Session {
    /// The operator's settings.
    pub(super) settings: Settings,
    /// The rows.
    pub(super) store: Store,
    /// New ids and secrets.
    pub(super) ids: Ids,
}

impl Session {
    async fn open(settings: Settings, schema: Schema) -> Result<Self, Failure> {
        let context = Context { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy) };
        let ids = Ids::new(Arc::clone(&context.clock), Arc::clone(&context.entropy));
        let opened = retouch_store::Settings { schema, ..settings.store_settings() };
        let store = Store::open(&opened, context).await?;
        Ok(Self { settings, store, ids })
    }

    /// The address at which the running server is called.
    pub(super) fn public_url(&self) -> Result<Url, Failure> {
        let server = &self.settings.server;
        if server.public_url.is_none() && server.listen.port() == 0 {
            let message = "server.listen has port 0, so the address of the running server is not \
                           known here: set server.public_url";
            return Err(Failure::failed(message));
        }
        Ok(server.public_url(server.listen))
    }

    /// The account of `email`.
    pub(super) async fn account(&self, email: &Email) -> Result<Account, Failure> {
        let found = self.store.find_account_by_email(email).await?;
        let missing = || Failure::Failed(format!("there is no account with the address {email}"));
        found.map(|(account, _)| account).ok_or_else(missing)
    }
}

/// What the operator does here, for the log.
pub(super) fn deed(reason: impl Into<String>) -> Deed {
    Deed { by: None, reason: reason.into(), request_id: None }
}

/// What this process writes from now on is for its own user alone: the database holds hashes of
/// passwords, and the stored pictures have unguessable addresses only.
pub(super) fn keep_files_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Does `work` with the books open, and closes them. An older schema is left as it is, with an error: a
/// service of the version before may be running on it.
pub(super) fn with<T>(
    sources: &Sources,
    work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_schema(sources, Schema::AsIs, work)
}

/// The same, with another way to deal with an older schema.
pub(super) fn with_schema<T>(
    sources: &Sources,
    schema: Schema,
    work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let settings = Settings::load(sources)?;
    keep_files_private();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let session = Session::open(settings, schema).await?;
        let result = work(&session).await;
        session.store.close().await?;
        result
    })
}
