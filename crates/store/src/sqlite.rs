//! SQLite: connections, the writer that puts many callers' commands into one transaction, and
//! the readers beside it.

mod books;
mod connection;
mod load;
mod migrate;
mod query;
mod readers;
mod save;
mod unit;
mod writer;

pub(crate) use connection::connect;
pub(crate) use load::{balance_from_row, bucket_from_row, hold_from_row, legs_from_text};
pub(crate) use migrate::migrate;
pub(crate) use query::{all, column, one};
pub(crate) use readers::Readers;
pub(crate) use unit::Unit;
pub(crate) use writer::Writer;
