//! SQLite: connections, the writer that groups many callers' commands into one transaction, and the
//! readers.

mod connection;
mod log;
mod migrate;
mod readers;
mod writer;

pub(crate) use connection::connect;
pub(crate) use log::Log;
pub(crate) use migrate::{make_folder, migrate, prepare};
pub(crate) use readers::Readers;
pub(crate) use writer::start;
