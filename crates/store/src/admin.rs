//! Administration: who the administrators are, what they see of all accounts, what they do, and the
//! audit log.
//!
//! Every action is logged in the transaction that performs it, so there is no action without its
//! entry in the log and no entry without its action.

mod audit;
mod deeds;
mod edits;
mod figures;
mod first_administrator;
mod operator;
mod roles;
mod terms;
mod transactions;
mod users;

use retouch_core::AccountId;

pub(crate) use audit::note;
pub use audit::{AuditAct, AuditEntry};
pub(crate) use deeds::must_exist;
pub use edits::{AnyEdit, AnyEditFilter};
pub(crate) use figures::oldest_day;
pub use figures::{DayFigures, DayOfGrants, DayOfSignUps};
pub use first_administrator::Claimed;
pub(crate) use roles::must_administer;
pub use terms::AccountTerms;
pub(crate) use terms::{forget as forget_terms, limited};
pub use transactions::AnyEntry;
pub use users::{User, UserDetail};

/// Who acts on an account, why, and in which request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The administrator. `None`: the operator, on the command line.
    pub by: Option<AccountId>,
    /// The reason, for readers of the log.
    pub reason: String,
    /// The request that did it.
    pub request_id: Option<String>,
}
