//! PostgreSQL: several processes (nodes) on one database.
//!
//! What belongs to an account is changed by whoever has locked its balance, so that commands on one
//! account follow one another whichever nodes they come from. A node has few connections that write,
//! and each account has one of them: a hot account costs a lock for each node, not for each caller.
//! What is everybody's is changed by whoever has the lock of the house. Locks are taken in one order:
//! the house, then balances by the names of their accounts, then the counts of the day.

mod address;
mod bind;
mod clock;
mod fault;
mod lane;
mod mark;
mod migrate;
mod node;
mod readers;
mod session;
mod tls;

pub use address::{Address, BadAddress};
pub(crate) use bind::{Bound, without_nul};
pub(crate) use migrate::{connect, look, migrate, missing_steps, take_missing, wait_for_lock};
pub(crate) use node::Node;
pub(crate) use session::Session;
