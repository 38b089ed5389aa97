//! One connection to the server, used by one thread at a time.
//!
//! It has a small runtime of its own, which runs in the thread that asks: nothing is handed from
//! thread to thread, and what is asked in one go is sent in one go.

mod copy;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use futures_util::TryStreamExt;
use futures_util::future::try_join_all;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row, Statement};

use super::Address;
use super::bind::Bound;
use crate::Error;
use crate::rows::Value;

/// How long a single statement may take on the server, in milliseconds.
const STATEMENT_MS_MAX: u64 = 30_000;
/// The same for a report on everything that there is.
const REPORT_MS_MAX: u64 = 600_000;
/// The same for a step of the schema.
const MIGRATION_MS_MAX: u64 = 3_600_000;
/// Takes the lock of whoever changes what is everybody's, in this schema of the database.
const LOCK_HOUSE: &str = "SELECT pg_advisory_xact_lock(19521030, hashtext(current_schema()))";
/// How long a statement waits for the locks of others, in milliseconds.
const LOCK_MS_MAX: u64 = 10_000;
/// The same while the schema is changed: whoever comes to the table meanwhile waits too.
const LOCK_MS_TABLE_MAX: u64 = 1_000;
/// How long a transaction that writes may be left alone, in milliseconds: a node that was stopped in
/// the middle of one keeps its locks no longer.
const IDLE_MS_MAX: u64 = 5_000;
/// How long an answer may take beyond the server's own limits, in milliseconds; then the way to the
/// server is taken for cut.
const SLACK_MS: u64 = 5_000;
/// Has the server notice within a minute that the other side has lost its power.
const SILENCE: &str = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10;
    SET tcp_keepalives_count = 3";
/// How long a server may take to say that it is there, in milliseconds.
const GREETING_MS_MAX: u64 = 5_000;
/// What was committed is on the disk, whatever the server's settings say.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'";
/// Statements that are kept prepared; the verbs have about two hundred.
const STATEMENTS_MAX: usize = 512;
/// How often the network is looked at for what has come while nobody asked.
const LOOKS: usize = 3;

/// What a session is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Short transactions that find rows by their names.
    Writing,
    /// Queries for people who wait, and single statements of which nothing has to be durable.
    Reading,
    /// Queries over everything that there is.
    Reporting,
    /// Changing the schema, for as long as it takes.
    Migrating,
}

/// What became of a transaction.
pub(super) enum Committed {
    /// It is durable.
    Done,
    /// It has changed nothing.
    Undone(Error),
    /// The answer was lost.
    Unknown,
}

/// A connection with its prepared statements.
pub(crate) struct Session {
    /// None only while it is dropped.
    runtime: Option<Runtime>,
    client: Client,
    statements: RefCell<HashMap<String, Statement>>,
    /// What is sent with the next question.
    pending: RefCell<Vec<(Statement, Vec<Bound>)>>,
    is_lost: Cell<bool>,
    wait: Duration,
}

impl Session {
    /// Connects; what it commits is on the server's disk as the server's settings say.
    pub(super) fn connect(address: &Address, used: Use) -> Result<Box<Self>, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Unreachable {
            message: format!("could not start a runtime: {error}"),
        })?;
        let connected = runtime.block_on(address.connect());
        let (client, connection) = match connected {
            Ok(connected) => connected,
            Err(error) => {
                // The plain end waits for a name server that may be silent.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        // It ends with the client, and reports nothing that the client does not.
        drop(runtime.spawn(connection));
        let statement_ms = match used {
            Use::Writing | Use::Reading => STATEMENT_MS_MAX,
            Use::Reporting => REPORT_MS_MAX,
            Use::Migrating => MIGRATION_MS_MAX,
        };
        let session = Box::new(Self {
            runtime: Some(runtime),
            client,
            statements: RefCell::default(),
            pending: RefCell::default(),
            is_lost: Cell::new(false),
            wait: Duration::from_millis(statement_ms + SLACK_MS),
        });
        session.set_up(used, statement_ms)?;
        Ok(session)
    }

    /// Whether nothing more can be asked.
    pub(super) fn is_lost(&self) -> bool {
        // What came meanwhile, the end of the connection perhaps, is only seen by looking.
        let looked = self.run(async {
            for _ in 0..LOOKS {
                tokio::task::yield_now().await;
            }
            Ok(())
        });
        looked.is_err() || self.is_lost.get() || self.client.is_closed()
    }

    /// Whether the server says that it is there.
    pub(super) fn is_there(&self) -> bool {
        self.greet("").is_ok()
    }

    /// Runs statements as they are written, each by itself.
    pub(super) fn batch(&self, sql: &str) -> Result<(), Error> {
        self.run(async { Ok(self.client.batch_execute(sql).await?) })
    }

    /// Runs a statement; how many rows it has changed.
    pub(crate) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<usize, Error> {
        self.put(sql, values)?;
        Ok(usize::try_from(self.flush()?).unwrap_or(usize::MAX))
    }

    /// Has a statement sent with whatever comes next.
    pub(crate) fn put(&self, sql: &str, values: &[Value<'_>]) -> Result<(), Error> {
        let values: Vec<Bound> = values.iter().map(Bound::from).collect();
        let statement = self.statement(sql, &values)?;
        self.pending.borrow_mut().push((statement, values));
        Ok(())
    }

    /// Like [`Self::put`] for values that are bound already.
    pub(crate) fn put_bound(&self, sql: String, values: Vec<Bound>) -> Result<(), Error> {
        let known = self.statements.borrow().get(&sql).cloned();
        let statement = match known {
            Some(known) => known,
            None => self.prepare(sql, &values)?,
        };
        self.pending.borrow_mut().push((statement, values));
        Ok(())
    }

    /// Sends what was put; how many rows the last of it has changed.
    pub(super) fn flush(&self) -> Result<u64, Error> {
        let pending = self.pending.take();
        let counts = self.run(try_join_all(pending.iter().map(|it| self.send(it))))?;
        Ok(counts.last().copied().unwrap_or(0))
    }

    /// The rows of a query.
    pub(crate) fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Error> {
        let values: Vec<Bound> = values.iter().map(Bound::from).collect();
        self.ask(sql, &values)
    }

    /// The rows of queries whose one value is accounts; asked in one go, and answered one after the other,
    /// so that each sees what those before have waited for.
    pub(crate) fn of_accounts(
        &self,
        questions: &[(&str, &[&str])],
    ) -> Result<Vec<Vec<Row>>, Error> {
        let mut asked = Vec::with_capacity(questions.len());
        for (sql, accounts) in questions {
            let names = [names(accounts)];
            asked.push((self.statement(sql, &names)?, names));
        }
        let pending = self.pending.take();
        let before = try_join_all(pending.iter().map(|it| self.send(it)));
        let answers = try_join_all(asked.iter().map(|(sql, names)| self.answer(sql, names)));
        self.run(async { futures_util::try_join!(before, answers).map(|(_, rows)| rows) })
    }

    /// Has a transaction begun with whatever comes next.
    pub(super) fn begin(&self) -> Result<(), Error> {
        self.put("BEGIN ISOLATION LEVEL READ COMMITTED", &[])
    }

    /// Has the transaction wait until it is the only one that changes what is everybody's.
    pub(super) fn lock_house(&self) -> Result<(), Error> {
        self.put(LOCK_HOUSE, &[])
    }

    /// Has the transaction lost if the server stops within the next moment, which makes it quicker.
    pub(super) fn be_hasty(&self) -> Result<(), Error> {
        self.put("SET LOCAL synchronous_commit = off", &[])
    }

    /// Sends what is still to be sent, and commits. A commit after a failed statement is answered as
    /// if it had been done: what counts is the answer to every statement.
    pub(super) fn commit(&self) -> Committed {
        match self.put("COMMIT", &[]).and_then(|()| self.flush()) {
            Ok(_) => Committed::Done,
            Err(Error::Unreachable { .. }) => Committed::Unknown,
            Err(fault) => Committed::Undone(fault),
        }
    }

    /// Undoes the transaction that is open, if there is one.
    pub(super) fn undo(&self) {
        self.pending.take();
        if !self.is_lost.get() {
            // Where it cannot be undone the connection is lost, and it with it.
            let _ = self.batch("ROLLBACK").inspect_err(|_| self.is_lost.set(true));
        }
    }

    fn set_up(&self, used: Use, statement_ms: u64) -> Result<(), Error> {
        let lock_ms = if used == Use::Migrating { LOCK_MS_TABLE_MAX } else { LOCK_MS_MAX };
        // A plan that was made while a table was empty reads all of it for ever after. And a plan that
        // reads all of a table must not be compiled first, as one that looks that dear would be.
        let (by_name, idle_ms) = match used {
            Use::Writing => ("off", IDLE_MS_MAX),
            Use::Reading | Use::Reporting | Use::Migrating => ("on", statement_ms),
        };
        self.greet(&format!(
            "SET statement_timeout = {statement_ms}; SET lock_timeout = {lock_ms};
             SET idle_in_transaction_session_timeout = {idle_ms};
             SET enable_seqscan = {by_name}; SET jit = {by_name};
             SET default_transaction_isolation = 'read committed';
             SET client_min_messages = warning; {SILENCE}; {DURABLE}"
        ))
    }

    fn ask(&self, sql: &str, values: &[Bound]) -> Result<Vec<Row>, Error> {
        let statement = self.statement(sql, values)?;
        let pending = self.pending.take();
        let before = try_join_all(pending.iter().map(|it| self.send(it)));
        self.run(async {
            // Both are polled from the start, those before first: they are sent in this order.
            let answer = self.answer(&statement, values);
            futures_util::try_join!(before, answer).map(|(_, rows)| rows)
        })
    }

    async fn answer(&self, statement: &Statement, values: &[Bound]) -> Result<Vec<Row>, Error> {
        let rows = self.client.query_raw(statement, values).await?;
        Ok(rows.try_collect().await?)
    }

    async fn send(&self, (statement, values): &(Statement, Vec<Bound>)) -> Result<u64, Error> {
        Ok(self.client.execute_raw(statement, values).await?)
    }

    /// The prepared statement of a text in the portable form.
    fn statement(&self, sql: &str, values: &[Bound]) -> Result<Statement, Error> {
        let known = self.statements.borrow().get(sql).cloned();
        known.map_or_else(|| self.prepare(sql.to_owned(), values), Ok)
    }

    fn prepare(&self, sql: String, values: &[Bound]) -> Result<Statement, Error> {
        let types: Vec<Type> = values.iter().map(Bound::declared).collect();
        let text = sql.replace('?', "$");
        let statement = self.run(async { Ok(self.client.prepare_typed(&text, &types).await?) })?;
        let mut statements = self.statements.borrow_mut();
        if statements.len() >= STATEMENTS_MAX {
            statements.clear();
        }
        statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Runs statements that take no time.
    fn greet(&self, sql: &str) -> Result<(), Error> {
        let limit = Duration::from_millis(GREETING_MS_MAX);
        self.run_within(limit, async { Ok(self.client.batch_execute(sql).await?) })
    }

    /// Drives the connection until `work` is done, within its time.
    fn run<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        self.run_within(self.wait, work)
    }

    fn run_within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let closed = || Error::Unreachable { message: "the connection was lost".into() };
        let runtime = self.runtime.as_ref().filter(|_| !self.is_lost.get()).ok_or_else(closed)?;
        // Within the runtime, since it is what measures the time.
        let limited = async { tokio::time::timeout(limit, work).await };
        let done = runtime.block_on(limited).unwrap_or_else(|_| {
            let message = format!("no answer within {} ms", limit.as_millis());
            Err(Error::Unreachable { message })
        });
        if matches!(done, Err(Error::Unreachable { .. })) {
            self.is_lost.set(true);
        }
        done
    }
}

fn names(accounts: &[&str]) -> Bound {
    Bound::Texts(accounts.iter().map(|name| Some((*name).to_owned())).collect())
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The plain end waits, which a thread of an outer runtime must not.
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Session").field("is_lost", &self.is_lost.get()).finish()
    }
}
