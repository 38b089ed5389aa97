//! What can go wrong in the store.

use retouch_core::billing::NotAssigned;
use retouch_core::credits::{Broken, Refused};
use retouch_core::{AccountId, Credits};
use thiserror::Error;

/// Why a call to the store failed. Unless a variant says otherwise, nothing has changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// There is no such account.
    #[error("there is no such account")]
    AccountUnknown,
    /// An administrator has suspended the account.
    #[error("the account is suspended")]
    Suspended,
    /// Administrators cannot suspend themselves, so that at least one of them always remains.
    #[error("administrators cannot suspend their own account")]
    OwnAccount,
    /// The service would be left without an administrator.
    #[error("this is the last administrator; add another one first")]
    LastAdministrator,
    /// The account that asks is not an administrator, or is no longer one.
    #[error("only an administrator can do this")]
    NotAdministrator,
    /// Another account has this address.
    #[error("an account with this email address already exists")]
    EmailTaken,
    /// The domain `.invalid` is reserved, so no one can have such an address.
    #[error("email addresses in the domain .invalid are not allowed")]
    EmailIsNobodys,
    /// The link in an email has been used, has expired, or was never sent.
    #[error("the link is invalid, expired or already used")]
    LinkUnknown,
    /// The invitation has been used, has expired, or is for another address.
    #[error("the invitation is already used, expired or for another address")]
    InvitationUnusable,
    /// Too many emails are waiting to be sent.
    #[error("{emails_max} emails are already waiting to be sent")]
    EmailsFull {
        /// How many may wait.
        emails_max: usize,
    },
    /// The identity is linked to another account.
    #[error("this identity is linked to another account")]
    IdentityTaken,
    /// The passkey is already registered, with this account or another one.
    #[error("this passkey is already registered")]
    PasskeyTaken,
    /// The account already has as many of something as it may have.
    #[error("an account can have at most {most} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many it may have.
        most: usize,
    },
    /// As many deliveries wait for the webhook as may.
    #[error("{most} deliveries already wait for the webhook")]
    DeliveriesFull {
        /// How many may wait.
        most: usize,
    },
    /// The uploads of the account would take too much storage.
    #[error("the uploads of an account can take at most {bytes_max} bytes")]
    UploadsFull {
        /// Their maximum total size in bytes.
        bytes_max: u64,
    },
    /// Without this sign-in method, no one could sign in to the account.
    #[error("this is the only sign-in method of the account")]
    LastWayIn,
    /// The cursor does not come from this list.
    #[error("the cursor does not come from this list")]
    BadCursor,
    /// The page size is out of range.
    #[error("a page has 1 to 100 rows, not {limit}")]
    BadLimit {
        /// How many were asked for.
        limit: u32,
    },
    /// The ledger refused the credit command, which changes nothing.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The plan cannot be assigned.
    #[error(transparent)]
    NotAssigned(#[from] NotAssigned),
    /// A later state has already been seen and booked.
    #[error("a later state has already been recorded")]
    SeenBefore,
    /// The price that was paid belongs to no plan, so its worth in credits is unknown.
    #[error("the price {price} was paid, but billing.stripe_prices names no plan for it")]
    PriceUnknown {
        /// The payment provider's name for the price.
        price: String,
    },
    /// The name is not a valid blob name.
    #[error("invalid blob name: expected 16 to 128 of the characters a-z, 0-9, '.', '-' and '_'")]
    BadBlobName,
    /// Too many calls are already waiting.
    #[error("the database is busy: its queue was full for {wait_ms} ms")]
    Busy {
        /// How long the call waited, in milliseconds.
        wait_ms: u64,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database failed. In rare cases, a commit that failed turns out to be done after a
    /// restart.
    #[error("the database failed: {message}")]
    Database {
        /// What the database says.
        message: String,
    },
    /// The database server does not answer, or the connection to it was lost.
    #[error("the database cannot be reached: {message}; try again")]
    Unreachable {
        /// What was tried.
        message: String,
    },
    /// The database server has no disk space, memory or connection left for the call.
    #[error("the database is out of disk space, memory or connections: {message}; try again")]
    Exhausted {
        /// What the database says.
        message: String,
    },
    /// Another session held the lock on a row or a table for too long.
    #[error("the database is locked by another session: {message}; try again")]
    Locked {
        /// What the database says.
        message: String,
    },
    /// The statement took longer than the limit.
    #[error("the database took too long: {message}; try again")]
    Late {
        /// What the database says.
        message: String,
    },
    /// The connection was lost during a commit, which may or may not be done.
    #[error(
        "the connection to the database was lost during a commit, which may or may not \
         be done: {message}"
    )]
    Unsure {
        /// What happened to the connection.
        message: String,
    },
    /// Other transactions changed the same rows, and every retry failed too.
    #[error("another transaction changed the same rows: {message}; try again")]
    Conflict {
        /// What the database says.
        message: String,
    },
    /// Other transactions inserted the same key, and every retry failed too.
    #[error("another transaction inserted the same key: {message}; try again")]
    Taken {
        /// What the database says.
        message: String,
    },
    /// The file was deleted before it could be read.
    #[error("the file was deleted before it could be read")]
    FileGone,
    /// The folder or the server that stores the files failed.
    #[error("file storage failed: {message}")]
    Files {
        /// What the operating system or the server says.
        message: String,
    },
    /// The database contains something that this program cannot have written.
    #[error("the database is inconsistent: {what}")]
    Corrupt {
        /// What is wrong, and where.
        what: String,
    },
    /// A later version of this program created the database.
    #[error(
        "the database has schema {found}, but this program supports up to {known}: use a newer one"
    )]
    TooNew {
        /// The schema that was found.
        found: i64,
        /// The newest schema that this program supports.
        known: i64,
    },
    /// An earlier version of this program created the database, and the settings forbid migrating
    /// it.
    #[error(
        "the database has schema {found}, and this program needs {known}: run `retouch migrate`, or \
         use the version that made it"
    )]
    TooOld {
        /// The schema that was found.
        found: i64,
        /// The schema that this program needs.
        known: i64,
    },
    /// The database has no tables, and the settings forbid creating them.
    #[error("the database is empty: `retouch serve` creates its tables")]
    Empty,
    /// A migration of this program differs from the one that ran on the database.
    #[error(
        "the migration {name} differs from the one that ran on this database: use the version that \
         ran it"
    )]
    StepChanged {
        /// The migration.
        name: &'static str,
    },
    /// Another database is being moved into this one, and not everything is here yet.
    #[error(
        "the database is the target of a move that is running or was not finished: to start again, \
         run `retouch move --start-over`"
    )]
    Unfinished,
    /// A part of the program panicked during the call, which is a bug.
    #[error("internal error in the store")]
    Panicked,
}

impl Error {
    /// The error for an account whose ledger is inconsistent.
    pub(crate) fn books(account: &AccountId, broken: &Broken) -> Self {
        Self::Corrupt { what: format!("the ledger of {account}: {broken}") }
    }

    pub(crate) fn files(error: &std::io::Error) -> Self {
        Self::Files { message: error.to_string() }
    }

    /// Whether the transaction must be rolled back. A refusal need not: it comes before any write.
    pub(crate) const fn is_fault(&self) -> bool {
        matches!(
            self,
            Self::Database { .. } | Self::Corrupt { .. } | Self::Panicked | Self::Unsure { .. }
        ) || self.is_transient()
    }

    /// The error's name in metrics. Errors of the database and of the files have names of their
    /// own; everything else is `refused`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "busy",
            Self::Closed => "closed",
            Self::Database { .. } => "failed",
            Self::Unreachable { .. } => "unreachable",
            Self::Exhausted { .. } => "exhausted",
            Self::Locked { .. } => "locked",
            Self::Late { .. } => "late",
            Self::Unsure { .. } => "unsure",
            Self::Conflict { .. } | Self::Taken { .. } => "conflict",
            Self::Files { .. } => "files_failed",
            Self::Corrupt { .. } => "corrupt",
            Self::Panicked => "panicked",
            _ => "refused",
        }
    }

    /// Whether a retry may succeed.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Conflict { .. } | Self::Taken { .. }) || self.is_outage()
    }

    /// Whether the database currently serves no one, whatever the request.
    pub(crate) const fn is_outage(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::Exhausted { .. }
                | Self::Locked { .. }
                | Self::Late { .. }
        )
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database { message: error.to_string() }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt { what: error.to_string() }
    }
}

/// Reads an amount of credits from a column.
pub(crate) fn credits(number: i64) -> Result<Credits, Error> {
    Credits::try_from(number).map_err(|error| Error::Corrupt { what: error.to_string() })
}
