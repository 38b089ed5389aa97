//! A command's own connection to the database. It works while the server is running.

use std::pin::Pin;
use std::sync::Arc;

use retouch_core::{Email, Ids, OsEntropy, SystemClock};
use retouch_store::{Account, Context, Database, Deed, Schema, Store};
use url::Url;

use super::answer::Failure;
use super::healthcheck;
use crate::config::{Settings, Sources};
use crate::serve::Holder;

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

    /// The URL of the server that is running on this database.
    ///
    /// # Errors
    /// When none is running, or its URL is unknown.
    pub(super) fn running_url(&self) -> Result<Url, Failure> {
        let server = &self.settings.server;
        match &self.settings.store.database {
            Database::File(path) => match Holder::find(path)? {
                Holder::Server(url) => Url::parse(&url).map_err(Failure::failed),
                Holder::Other => Err(Failure::Failed(format!(
                    "the server on {} is still starting, or another command is using it; try again",
                    path.display()
                ))),
                Holder::Nobody => Err(Failure::Failed(format!(
                    "no server is running on {}, so there is nothing to link to. Start it with \
                     `retouch serve`, then run this command again",
                    path.display()
                ))),
            },
            // Nodes on other machines can't be asked, but the operator has said where they are.
            Database::Server(_) if server.public_url.is_some() => self.public_url(),
            Database::Server(_) => match healthcheck::ask(server.listen, healthcheck::LIVE) {
                Ok(()) => self.public_url(),
                Err(why) => Err(Failure::Failed(format!(
                    "{why}. Run this command where a server runs and with its settings, or set \
                     RETOUCH_SERVER__PUBLIC_URL"
                ))),
            },
        }
    }

    /// The URL of the running server, or the one that it will have according to the settings.
    pub(super) fn public_url(&self) -> Result<Url, Failure> {
        let running = self.settings.store.database.file().map(Holder::find).transpose()?;
        if let Some(Holder::Server(url)) = running {
            return Url::parse(&url).map_err(Failure::failed);
        }
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

/// Checks that there is a database, because only `serve` creates one: elsewhere, a missing database
/// is the wrong folder.
pub(super) fn require_database(settings: &Settings) -> Result<(), Failure> {
    let Some(path) = settings.store.database.file().filter(|path| !path.exists()) else {
        return Ok(());
    };
    let (key, origin) = settings.database_origin();
    // Relative paths depend on the folder in which the command runs.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    Err(Failure::Failed(format!(
        "there is no database at {} ({key}, {origin}). Run this command with the settings of your \
         server, such as RETOUCH_STORE__DATA_DIR=/var/lib/retouch. A new database is created by \
         `retouch serve`",
        path.display()
    )))
}

/// Opens the database, runs `work` and closes it. Fails on an older schema instead of migrating it,
/// because a server of the previous version may be running on it. Also fails if there is none.
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
    if schema == Schema::AsIs {
        require_database(&settings)?;
    }
    keep_files_private();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Boxed, so that the runtime is not compiled again for each command.
    let working: Pin<Box<dyn Future<Output = Result<T, Failure>>>> = Box::pin(async {
        let session = Session::open(settings, schema).await?;
        let result = work(&session).await;
        session.store.close().await?;
        result
    });
    runtime.block_on(working)
}
