//! PostgreSQL's statistics about its own work.

use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use super::Total;
use crate::Fallible;

/// The totals that are current immediately: the position of the WAL, the number of transactions
/// that have written something (the next transaction ID, which only those use), and the size of the
/// schema. PostgreSQL 15: "System Administration Functions", "Database Object Size Functions".
const NOW: &str = "
    SELECT (pg_current_wal_insert_lsn() - '0/0')::float8,
           pg_snapshot_xmax(pg_current_snapshot())::text::float8,
           COALESCE(SUM(pg_table_size(oid)), 0)::float8,
           COALESCE(SUM(pg_indexes_size(oid)), 0)::float8
    FROM pg_class
    WHERE relkind = 'r' AND relnamespace = $1::text::regnamespace";
/// What sessions count and report when they become idle: PostgreSQL 15, "The Cumulative Statistics
/// System".
const LATE: &str = "
    SELECT (SELECT SUM(xact_commit) FROM pg_stat_database)::float8,
           wal_fpi::float8, wal_write::float8, wal_sync::float8
    FROM pg_stat_wal";

/// A connection for the measurement itself.
pub(crate) struct Postgres {
    runtime: Runtime,
    client: Client,
    schema: String,
    // Drives the connection, which ends when this value is dropped.
    _driven: JoinSet<Result<(), tokio_postgres::Error>>,
}

impl Postgres {
    /// Connects, to ask about `schema`.
    ///
    /// # Errors
    /// If the server does not respond.
    pub(crate) fn connect(server: &str, schema: &str) -> Fallible<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (client, connection) = runtime.block_on(tokio_postgres::connect(server, NoTls))?;
        let mut driven = JoinSet::new();
        driven.spawn_on(connection, runtime.handle());
        Ok(Self { runtime, client, schema: schema.to_owned(), _driven: driven })
    }

    /// Runs statements.
    ///
    /// # Errors
    /// If one of them fails.
    pub(crate) fn run(&self, sql: &str) -> Fallible<()> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }

    /// The totals that are current immediately.
    ///
    /// # Errors
    /// If the server does not respond.
    pub(super) fn totals_now(&self) -> Fallible<Vec<Total>> {
        let row = self.runtime.block_on(self.client.query_one(NOW, &[&self.schema]))?;
        Ok(vec![
            Total::new("PostgreSQL's log", "B/edit", row.try_get(0)?),
            Total::new("writing transactions", "1/edit", row.try_get(1)?),
            Total::new("tables' growth", "B/edit", row.try_get(2)?),
            Total::new("indexes' growth", "B/edit", row.try_get(3)?),
        ])
    }

    /// The totals that are current once the sessions have been idle; empty if this server counts
    /// them elsewhere.
    ///
    /// # Errors
    /// If the server does not respond.
    pub(super) fn totals_late(&self) -> Fallible<Vec<Total>> {
        let asked = self.runtime.block_on(self.client.query_one(LATE, &[]));
        let row = match asked {
            Ok(row) => row,
            Err(error) if error.as_db_error().is_some() => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        Ok(vec![
            Total::new("PostgreSQL's commits", "1/edit", row.try_get(0)?),
            Total::new("log's page images", "1/edit", row.try_get(1)?),
            Total::new("log's writes", "1/edit", row.try_get(2)?),
            Total::new("log's syncs", "1/edit", row.try_get(3)?),
        ])
    }
}
