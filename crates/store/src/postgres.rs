//! PostgreSQL: several processes (nodes) share one database.
//!
//! The rows of an account are only changed by a transaction that has locked the account's balance,
//! so commands on one account run one after another, whichever nodes they come from. A node has
//! few connections that write, and each account always uses the same one, so a busy account costs
//! one lock per node rather than one per caller. Rows that all accounts share are only changed
//! under the global lock. Locks are taken in one order: the global lock, then balances in the
//! order of their account IDs, then the daily counts.

mod address;
mod bind;
mod clock;
mod fault;
mod mark;
mod migrate;
mod node;
mod readers;
mod session;
mod tls;
mod writer;

pub use address::{Address, BadAddress};
pub(crate) use bind::{Bound, without_nul};
pub(crate) use migrate::{connect, migrate, run_missing, wait_for_lock};
pub(crate) use node::Node;
pub(crate) use session::Session;
