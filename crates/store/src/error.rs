//! What can go wrong in the store.

use retouch_core::billing::NotAssigned;
use retouch_core::credits::{Broken, Refused};
use retouch_core::{AccountId, Credits};
use thiserror::Error;

/// Why a call to the store failed; unless it says otherwise, nothing has changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// There is no such account.
    #[error("there is no such account")]
    AccountUnknown,
    /// An administrator keeps the account out.
    #[error("the account is suspended")]
    Suspended,
    /// An administrator meant to keep the own account out, and perhaps the last administrator.
    #[error("an administrator cannot suspend the own account")]
    OwnAccount,
    /// Nobody would administer any more.
    #[error("this is the last administrator; make another one first")]
    LastAdministrator,
    /// Whoever does it does not administer, or not any more.
    #[error("only an administrator can do this")]
    NotAdministrator,
    /// Another account has this address.
    #[error("an account with this e-mail address exists")]
    EmailTaken,
    /// Nobody can have the address.
    #[error("nobody can have an e-mail address in the domain .invalid")]
    EmailIsNobodys,
    /// The link of a letter has been used, is too old, or was never sent.
    #[error("the link has been used, is too old or is none")]
    LinkUnknown,
    /// The invitation has been used, has expired, or is for another address.
    #[error("the invitation has been used, has expired or is for another address")]
    InvitationUnusable,
    /// Too many letters wait to be sent.
    #[error("{letters_max} letters wait to be sent already")]
    LettersFull {
        /// How many may wait.
        letters_max: usize,
    },
    /// Another account has this identity.
    #[error("another account has this identity")]
    IdentityTaken,
    /// Some account has this passkey.
    #[error("an account has this passkey")]
    PasskeyTaken,
    /// An account has as many of something as it may.
    #[error("an account has at most {most} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many it may have.
        most: usize,
    },
    /// Nobody could enter the account any more.
    #[error("there is no other way to sign in to the account")]
    LastWayIn,
    /// The cursor was not handed out by this list.
    #[error("the cursor is not one that this list handed out")]
    BadCursor,
    /// A list was asked for too many or too few rows.
    #[error("a page has 1 to 100 rows, not {limit}")]
    BadLimit {
        /// How many were asked for.
        limit: u32,
    },
    /// The credit command changes nothing.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The plan cannot be given.
    #[error(transparent)]
    NotAssigned(#[from] NotAssigned),
    /// Somebody has looked at it later than this, and booked what was seen.
    #[error("something later than this is known already")]
    SeenBefore,
    /// What was paid is a price that is no plan's, so that nobody can say what it is worth.
    #[error("{price} was paid, which billing.stripe_prices names for no plan")]
    PriceUnknown {
        /// The vendor's name for the price.
        price: String,
    },
    /// A name that no blob can have.
    #[error("not a blob's name: 16 to 128 of the characters a-z, 0-9, '.', '-' and '_'")]
    BadBlobName,
    /// Too many calls wait already.
    #[error("the database is busy: no place in its queue within {wait_ms} ms")]
    Busy {
        /// How long was waited, in milliseconds.
        wait_ms: u64,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database did not do what it was asked; a commit that failed may rarely be found done
    /// after a restart.
    #[error("the database failed: {message}")]
    Database {
        /// What it says.
        message: String,
    },
    /// The server of the database does not answer, or the connection to it was lost.
    #[error("the database cannot be reached: {message}; try again")]
    Unreachable {
        /// What was tried.
        message: String,
    },
    /// The server of the database has no disk, memory or connection left for the call.
    #[error("the database is out of disk space, memory or connections: {message}; try again")]
    Exhausted {
        /// What the database says.
        message: String,
    },
    /// A row or a table was locked by somebody else for longer than is waited for it.
    #[error("the database is locked by another session: {message}; try again")]
    Locked {
        /// What the database says.
        message: String,
    },
    /// The database took longer over a statement than one may take.
    #[error("the database did not finish in time: {message}; try again")]
    Late {
        /// What the database says.
        message: String,
    },
    /// The connection was lost in the middle of a commit: it may be done, or not.
    #[error(
        "the database was lost in the middle of a commit, and whether it was done is not known: {message}"
    )]
    Unsure {
        /// Why it is not known.
        message: String,
    },
    /// Others changed the same at the same time, again and again.
    #[error("others changed the same at the same time: {message}; try again")]
    Conflict {
        /// What the database says.
        message: String,
    },
    /// Others gave something the same name at the same time, again and again.
    #[error("others gave something the same name at the same time: {message}; try again")]
    Taken {
        /// What the database says.
        message: String,
    },
    /// A file was deleted while it was about to be read.
    #[error("the file has just been deleted")]
    FileGone,
    /// The folder or the server of the blobs did not do what it was asked.
    #[error("the place of stored files failed: {message}")]
    Files {
        /// What the operating system or the server says.
        message: String,
    },
    /// The database holds something that this program cannot have written.
    #[error("the database contradicts itself: {what}")]
    Corrupt {
        /// Where.
        what: String,
    },
    /// The database was made by a later version of this program.
    #[error("the database has schema {found}; this program knows up to {known}: use a newer one")]
    TooNew {
        /// The schema that was found.
        found: i64,
        /// The newest schema that this program knows.
        known: i64,
    },
    /// The database was made by an earlier version of this program, and was to be left as it is.
    #[error(
        "the database has schema {found}, and this program needs {known}: run `retouch migrate`, or use \
         the version that made it"
    )]
    TooOld {
        /// The schema that was found.
        found: i64,
        /// The schema that this program needs.
        known: i64,
    },
    /// Rows were being moved into the database, and not all of them have been.
    #[error(
        "rows are being moved into the database, or a move was not finished: `retouch move --anew` begins \
         anew"
    )]
    Unfinished,
    /// A part of the program stopped in the middle of the call: a mistake in the program.
    #[error("the store met a mistake of its own")]
    Panicked,
}

impl Error {
    /// What is said about an account whose books are wrong.
    pub(crate) fn books(account: &AccountId, broken: &Broken) -> Self {
        Self::Corrupt { what: format!("the books of {account}: {broken}") }
    }

    pub(crate) fn files(error: &std::io::Error) -> Self {
        Self::Files { message: error.to_string() }
    }

    /// Whether the transaction it happened in must be undone (a refusal comes before any write).
    pub(crate) const fn is_fault(&self) -> bool {
        matches!(
            self,
            Self::Database { .. } | Self::Corrupt { .. } | Self::Panicked | Self::Unsure { .. }
        ) || self.is_passing()
    }

    /// The error in a word, for counting: what concerns the database and the files by name, all else is
    /// `refused`.
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

    /// Whether the same may work a moment later.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Conflict { .. } | Self::Taken { .. }) || self.is_outage()
    }

    /// Whether the database has no time for anybody at present, whatever is asked of it.
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

/// An amount out of a column.
pub(crate) fn credits(number: i64) -> Result<Credits, Error> {
    Credits::try_from(number).map_err(|error| Error::Corrupt { what: error.to_string() })
}
