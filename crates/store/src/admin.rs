//! Administration: who administers, what they see of all accounts, what they do, and the log of it.
//!
//! What is done to an account is written down in the transaction that does it: there is no deed
//! without its line in the log, and no line without its deed.

mod audit;
mod deeds;
mod edits;
mod first;
mod operator;
mod roles;
mod users;

use retouch_core::AccountId;

pub(crate) use audit::note;
pub use audit::{AuditAct, AuditEntry};
pub(crate) use deeds::must_exist;
pub use edits::{AnyEdit, AnyEditFilter};
pub use first::Claimed;
pub(crate) use roles::must_administer;
pub use users::{User, UserDetail};

/// Who does something to an account, why, and in which request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The administrator; none: the operator, on the command line.
    pub by: Option<AccountId>,
    /// A sentence for whoever reads the log.
    pub reason: String,
    /// The request in which it was done.
    pub request_id: Option<String>,
}
