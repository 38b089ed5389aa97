//! A command's own connection to the database. It works while the server is running.

use std::sync::Arc;

use retouch_core::{Email, Ids, OsEntropy, SystemClock};
use retouch_store::{Account, Context, Deed, Schema, Store};
use url::Url;

use super::answer::Failure;
use crate::config::{Settings, Sources};

/// The settings and the database, for commands that need both.
pub(super) struct Session {
    /// The operator's settings.
    pub(super) settings: Settings,
    /// The database.
    pub(super) store: Store,
    /// Generates IDs and secrets.
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

    /// The address of the running server.
    pub(super) fn public_url(&self) -> Result<Url, Failure> {
        let server = &self.settings.server;
        if server.public_url.is_none() && server.listen.port() == 0 {
            let message = "server.listen uses port 0, so the server's address is unknown; set \
                           server.public_url";
            return Err(Failure::failed(message));
        }
        Ok(server.public_url(server.listen))
    }

    /// The account of `email`.
    pub(super) async fn account(&self, email: &Email) -> Result<Account, Failure> {
        let found = self.store.find_account_by_email(email).await?;
        let missing = || Failure::Failed(format!("no account has the email address {email}"));
        found.map(|(account, _)| account).ok_or_else(missing)
    }
}

/// An act of the operator, for the audit log.
pub(super) fn deed(reason: impl Into<String>) -> Deed {
    Deed { by: None, reason: reason.into(), request_id: None }
}

/// From now on, only this user can read the files that the process creates. The database has
/// password hashes, and only their unguessable addresses protect the stored images.
pub(super) fn keep_files_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Opens the database, runs `work` and closes it. Fails on an older schema instead of migrating it,
/// because a server of the previous version may be running on it.
pub(super) fn with<T>(
    sources: &Sources,
    work: impl AsyncFnOnce(&Session) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_schema(sources, Schema::AsIs, work)
}

/// Like [`with`], with a choice of what to do about an older schema.
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
