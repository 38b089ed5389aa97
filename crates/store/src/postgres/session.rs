//! One connection to the server, used by one thread at a time.
//!
//! It has a small runtime of its own, which runs in the calling thread. So nothing passes between
//! threads, and statements that are issued together are sent together.

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

/// The time limit of a statement on the server, in milliseconds.
const STATEMENT_MS_MAX: u64 = 30_000;
/// The time limit of a statement of a report over the whole database.
const REPORT_MS_MAX: u64 = 600_000;
/// The time limit of a statement of a migration.
const MIGRATION_MS_MAX: u64 = 3_600_000;
/// Acquires the global lock of this schema of the database.
const LOCK_GLOBAL: &str = "SELECT pg_advisory_xact_lock(19521030, hashtext(current_schema()))";
/// How long a statement waits for locks, in milliseconds.
const LOCK_MS_MAX: u64 = 10_000;
/// How long a migration waits for locks. Short, because other transactions queue up behind it.
const LOCK_MS_TABLE_MAX: u64 = 1_000;
/// How long a writing transaction may be idle, in milliseconds. This releases the locks of a node
/// that was stopped in the middle of one.
const IDLE_MS_MAX: u64 = 5_000;
/// How much longer than the server's limit an answer may take, in milliseconds. After that, the
/// connection is considered lost.
const SLACK_MS: u64 = 5_000;
/// Lets the server notice within a minute that a client has vanished, for example after a power
/// failure.
const SILENCE: &str = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10;
    SET tcp_keepalives_count = 3";
/// How long the server may take to answer a trivial statement, in milliseconds.
const GREETING_MS_MAX: u64 = 5_000;
/// Makes sure that commits are on disk, even if the server's settings turn that off.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'";
/// The maximum number of prepared statements that are kept. The store uses about two hundred.
const STATEMENTS_MAX: usize = 512;
/// How many times the runtime polls the connection for data that arrived in the meantime.
const LOOKS: usize = 3;

/// The purpose of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Short transactions that find rows by their keys.
    Writing,
    /// Queries that users wait for, and single statements that need not be durable.
    Reading,
    /// Queries over the whole database.
    Reporting,
    /// Migrations, which may take long.
    Migrating,
}

/// The outcome of a transaction.
pub(super) enum Committed {
    /// It was committed and is durable.
    Done,
    /// It was rolled back.
    Undone(Error),
    /// The answer was lost, so the outcome is unknown.
    Unknown,
}

/// A connection with its prepared statements.
pub(crate) struct Session {
    /// Only `None` while the session is dropped.
    runtime: Option<Runtime>,
    client: Client,
    statements: RefCell<HashMap<String, Statement>>,
    /// What is sent together with the next query, in this order.
    pending: RefCell<Vec<Pending>>,
    /// The rows of the queued queries that have been sent since.
    answers: RefCell<Vec<Vec<Row>>>,
    is_lost: Cell<bool>,
    wait: Duration,
}

/// A statement that has not been sent.
struct Pending {
    statement: Statement,
    values: Vec<Bound>,
    is_query: bool,
}

/// What a statement did.
enum Done {
    /// It changed this many rows.
    Changed(u64),
    /// It is a query and found these.
    Found(Vec<Row>),
}

impl Session {
    /// Connects, and sets limits and options for this use.
    pub(super) fn connect(address: &Address, used: Use) -> Result<Box<Self>, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Unreachable {
            message: format!("could not start a runtime: {error}"),
        })?;
        let connected = runtime.block_on(address.connect());
        let (client, connection) = match connected {
            Ok(connected) => connected,
            Err(error) => {
                // A normal shutdown would wait for a DNS lookup that may hang.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        // The task ends when the client is dropped. The client reports its errors.
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
            answers: RefCell::default(),
            is_lost: Cell::new(false),
            wait: Duration::from_millis(statement_ms + SLACK_MS),
        });
        session.set_up(used, statement_ms)?;
        Ok(session)
    }

    /// Whether the session can no longer be used.
    pub(super) fn is_lost(&self) -> bool {
        // Data that arrived in the meantime, such as the end of the connection, is only noticed
        // when the runtime polls.
        let looked = self.run(async {
            for _ in 0..LOOKS {
                tokio::task::yield_now().await;
            }
            Ok(())
        });
        looked.is_err() || self.is_lost.get() || self.client.is_closed()
    }

    /// Whether the server answers.
    pub(super) fn is_there(&self) -> bool {
        self.greet("").is_ok()
    }

    /// Runs SQL text as it is, without values. May contain several statements.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), Error> {
        self.run(async { Ok(self.client.batch_execute(sql).await?) })
    }

    /// Runs a statement. Returns how many rows it changed.
    pub(crate) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<usize, Error> {
        self.put(sql, values)?;
        Ok(usize::try_from(self.flush()?).unwrap_or(usize::MAX))
    }

    /// Queues a statement, which is sent with the next query.
    pub(crate) fn put(&self, sql: &str, values: &[Value<'_>]) -> Result<(), Error> {
        let values: Vec<Bound> = values.iter().map(Bound::from).collect();
        let statement = self.statement(sql, &values)?;
        self.pending.borrow_mut().push(Pending { statement, values, is_query: false });
        Ok(())
    }

    /// Like [`Self::put`], for values that are already bound.
    pub(crate) fn put_bound(&self, sql: String, values: Vec<Bound>) -> Result<(), Error> {
        let known = self.statements.borrow().get(&sql).cloned();
        let statement = match known {
            Some(known) => known,
            None => self.prepare(sql, &values)?,
        };
        self.pending.borrow_mut().push(Pending { statement, values, is_query: false });
        Ok(())
    }

    /// Queues queries whose only value is a list of accounts. The next query is sent right after
    /// them, and sees the state after the locks that they wait for.
    pub(crate) fn ask_later(&self, questions: &[(&str, &[&str])]) -> Result<(), Error> {
        for (sql, accounts) in questions {
            let values = vec![names(accounts)];
            let statement = self.statement(sql, &values)?;
            self.pending.borrow_mut().push(Pending { statement, values, is_query: true });
        }
        Ok(())
    }

    /// The rows of the queued queries, which are sent now if no other query has come since.
    pub(crate) fn answers(&self) -> Result<Vec<Vec<Row>>, Error> {
        if self.pending.borrow().iter().any(|it| it.is_query) {
            self.flush()?;
        }
        Ok(self.answers.take())
    }

    /// Sends the queued statements. Returns how many rows the last one changed.
    pub(super) fn flush(&self) -> Result<u64, Error> {
        let pending = self.pending.take();
        let done = self.run(try_join_all(pending.iter().map(|it| self.send(it))))?;
        Ok(self.keep_answers(done))
    }

    /// Runs a query and returns its rows.
    pub(crate) fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Error> {
        let values: Vec<Bound> = values.iter().map(Bound::from).collect();
        self.ask(sql, &values)
    }

    /// Queues the start of a transaction.
    pub(super) fn begin(&self) -> Result<(), Error> {
        self.put("BEGIN ISOLATION LEVEL READ COMMITTED", &[])
    }

    /// Makes the transaction wait for the global lock, which it holds until it ends.
    pub(super) fn lock_global(&self) -> Result<(), Error> {
        self.put(LOCK_GLOBAL, &[])
    }

    /// Lets the transaction commit faster, at the risk of losing it if the server crashes right
    /// afterwards.
    pub(super) fn be_hasty(&self) -> Result<(), Error> {
        self.put("SET LOCAL synchronous_commit = off", &[])
    }

    /// Sends the queued statements and commits. The server reports a commit after a failed
    /// statement as successful, so the answers to all statements are checked.
    pub(super) fn commit(&self) -> Committed {
        let done = self.put("COMMIT", &[]).and_then(|()| self.flush());
        self.answers.take();
        match done {
            Ok(_) => Committed::Done,
            Err(Error::Unreachable { .. }) => Committed::Unknown,
            Err(fault) => Committed::Undone(fault),
        }
    }

    /// Rolls back the open transaction, if there is one.
    pub(super) fn undo(&self) {
        self.pending.take();
        self.answers.take();
        if !self.is_lost.get() {
            // If the rollback fails, the connection is lost, and the transaction with it.
            let _ = self.batch("ROLLBACK").inspect_err(|_| self.is_lost.set(true));
        }
    }

    fn set_up(&self, used: Use, statement_ms: u64) -> Result<(), Error> {
        let lock_ms = if used == Use::Migrating { LOCK_MS_TABLE_MAX } else { LOCK_MS_MAX };
        // A plan that was made while a table was empty would keep using sequential scans, so they
        // are disabled. That makes an unavoidable sequential scan look expensive, which would
        // trigger JIT compilation, so JIT is disabled too.
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
        let (before, rows) = self.run(async {
            // Both are polled from the start, with the earlier statements first, so they are sent
            // in this order.
            let answer = self.answer(&statement, values);
            futures_util::try_join!(before, answer)
        })?;
        self.keep_answers(before);
        Ok(rows)
    }

    async fn answer(&self, statement: &Statement, values: &[Bound]) -> Result<Vec<Row>, Error> {
        let rows = self.client.query_raw(statement, values).await?;
        Ok(rows.try_collect().await?)
    }

    async fn send(&self, Pending { statement, values, is_query }: &Pending) -> Result<Done, Error> {
        Ok(match is_query {
            true => Done::Found(self.answer(statement, values).await?),
            false => Done::Changed(self.client.execute_raw(statement, values).await?),
        })
    }

    /// Keeps the rows of queries. Returns how many rows the last statement changed.
    fn keep_answers(&self, done: Vec<Done>) -> u64 {
        done.into_iter().fold(0, |_, done| match done {
            Done::Changed(rows) => rows,
            Done::Found(rows) => {
                self.answers.borrow_mut().push(rows);
                0
            }
        })
    }

    /// The prepared statement for SQL with `?1` placeholders.
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

    /// Runs SQL that takes the server no time, with a short limit.
    fn greet(&self, sql: &str) -> Result<(), Error> {
        let limit = Duration::from_millis(GREETING_MS_MAX);
        self.run_within(limit, async { Ok(self.client.batch_execute(sql).await?) })
    }

    /// Drives the connection until `work` is done or the time limit has passed.
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
        // The timeout must be created inside the runtime, which provides its timer.
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
            // A normal shutdown blocks, which is not allowed in a thread of an outer runtime.
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Session").field("is_lost", &self.is_lost.get()).finish()
    }
}
