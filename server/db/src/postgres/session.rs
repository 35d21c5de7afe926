//! A connection to PostgreSQL that a thread owns, and the transactions on it.
//!
//! The thread drives its connection itself, in a runtime of its own, so that a statement needs no other
//! thread.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use bytes::BytesMut;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, Kind, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Row, Statement};

use super::connection::Peer;
use super::error::is_conflict;
use crate::{Batch, DbError, Timeouts, Tx, Value};

/// The number of rows that a cursor fetches at a time.
const ROWS: u32 = 5000;

/// The time in which a connection is closed in order.
const CLOSE: Duration = Duration::from_secs(1);

/// The access mode and isolation of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Reads; each statement sees the changes that others have committed.
    Read,
    /// Reads one state of the database throughout.
    Snapshot,
    /// Writes; each statement sees the changes that others have committed.
    Write,
}

impl Mode {
    fn begin(self) -> &'static str {
        match self {
            Mode::Read => "",
            Mode::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }
}

/// A thread's connection, which is opened when it is first needed.
pub(crate) struct Session {
    pub(crate) runtime: Runtime,
    peer: Peer,
    open: Option<Open>,
}

struct Open {
    client: Client,
    connection: JoinHandle<()>,
    statements: RefCell<HashMap<String, Statement>>,
}

impl Session {
    pub(crate) fn new(runtime: Runtime, peer: Peer) -> Self {
        Session {
            runtime,
            peer,
            open: None,
        }
    }

    /// Runs `work` in a transaction, which is committed if it succeeds.
    ///
    /// `gone` resolves when the caller has stopped waiting; `None` for work that runs to its end anyway.
    pub(crate) fn run<T, E: From<DbError>>(
        &mut self,
        mode: Mode,
        limits: Timeouts,
        gone: Option<oneshot::Receiver<()>>,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
    ) -> Attempt<T, E> {
        let deadline = Instant::now() + limits.total();
        if let Err(error) = self.connect() {
            return Attempt::failed(error);
        }
        let Some(open) = &self.open else {
            return Attempt::failed(DbError::unavailable("the connection is closed"));
        };
        let tx = Tx::postgres(PostgresTx {
            runtime: &self.runtime,
            open,
            deadline,
            gone: RefCell::new(gone),
            failure: Cell::new(None),
            cursors: Cell::new(0),
        });
        let result = transact(&tx, mode, limits, work);
        let failure = tx.as_postgres().and_then(|tx| tx.failure.get());
        match (failure, mode, &result) {
            // The next connection may lead to a host that takes writes.
            (Some(Failure::NoResponse | Failure::ReadOnly), ..) => self.give_up(),
            // Waits for the statement whose response no one needs.
            (Some(Failure::CallerGone), Mode::Read, _) => self.finish(""),
            (_, Mode::Snapshot | Mode::Write, Err(_)) => self.finish("ROLLBACK"),
            _ => {}
        }
        Attempt {
            conflict: failure == Some(Failure::Conflict),
            result,
        }
    }

    /// Opens a connection unless one is open.
    fn connect(&mut self) -> Result<(), DbError> {
        if self.open.as_ref().is_some_and(|it| it.client.is_closed()) {
            self.give_up();
        }
        if self.open.is_none() {
            let (client, connection) = self.runtime.block_on(self.peer.open())?;
            self.open = Some(Open {
                client,
                connection,
                statements: RefCell::default(),
            });
        }
        Ok(())
    }

    /// Runs a last statement after failed work, so that the next work finds the connection idle.
    fn finish(&mut self, statement: &str) {
        let Some(open) = &self.open else { return };
        let limit = Timeouts::Request.total();
        let finished = self
            .runtime
            .block_on(async { timeout(limit, open.client.batch_execute(statement)).await });
        if !matches!(finished, Ok(Ok(()))) {
            self.give_up();
        }
    }

    /// Closes a connection that does not respond or is in an unknown state.
    pub(crate) fn give_up(&mut self) {
        if let Some(open) = self.open.take() {
            open.connection.abort();
        }
    }

    /// Whether a connection is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(Open {
            client, connection, ..
        }) = self.open.take()
        {
            drop(client);
            // The server reports connections that end without a word.
            let _ = self
                .runtime
                .block_on(async { timeout(CLOSE, connection).await });
        }
    }
}

/// The result of a transaction.
pub(crate) struct Attempt<T, E> {
    /// Whether it failed because of another transaction, so that a retry may succeed.
    pub(crate) conflict: bool,
    pub(crate) result: Result<T, E>,
}

impl<T, E: From<DbError>> Attempt<T, E> {
    fn failed(error: DbError) -> Self {
        Attempt {
            conflict: false,
            result: Err(error.into()),
        }
    }
}

fn transact<T, E: From<DbError>>(
    tx: &Tx<'_>,
    mode: Mode,
    limits: Timeouts,
    work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let Some(postgres) = tx.as_postgres() else {
        return work(tx);
    };
    postgres.begin(mode, limits)?;
    let done = work(tx)?;
    if postgres.failure.get().is_some() {
        let swallowed = "a transaction went on after a statement that failed";
        return Err(DbError::Rejected(swallowed.to_owned()).into());
    }
    tx.increment_counters()?;
    if mode != Mode::Read {
        postgres.batch_execute("COMMIT")?;
    }
    Ok(done)
}

/// How a statement failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// It conflicted with another transaction.
    Conflict,
    /// The server takes no writes.
    ReadOnly,
    /// No response came in time.
    NoResponse,
    /// The caller stopped waiting before the response came.
    CallerGone,
    Other,
}

/// A transaction on a session's connection.
pub(crate) struct PostgresTx<'c> {
    runtime: &'c Runtime,
    open: &'c Open,
    deadline: Instant,
    gone: RefCell<Option<oneshot::Receiver<()>>>,
    failure: Cell<Option<Failure>>,
    cursors: Cell<u32>,
}

impl PostgresTx<'_> {
    fn begin(&self, mode: Mode, limits: Timeouts) -> Result<(), DbError> {
        if mode == Mode::Read {
            return Ok(());
        }
        let begin = mode.begin();
        match limits {
            // The connection's own setting.
            Timeouts::Request => self.batch_execute(begin),
            _ => {
                let most = limits.statement().map_or(0, |most| most.as_millis());
                self.batch_execute(&format!("{begin}; SET LOCAL statement_timeout = {most}"))
            }
        }
    }

    /// Waits for the response to a statement, until the deadline or until the caller has gone.
    fn wait<T>(
        &self,
        response: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, DbError> {
        let mut gone = self.gone.borrow_mut();
        let cancelled = async {
            match gone.as_mut() {
                Some(gone) => drop(gone.await),
                None => std::future::pending().await,
            }
        };
        let (failure, error) = match self.runtime.block_on(async {
            tokio::select! {
                biased;
                response = timeout_at(self.deadline, response) => Some(response),
                () = cancelled => None,
            }
        }) {
            Some(Ok(Ok(response))) => return Ok(response),
            Some(Ok(Err(error))) if error.code().is_some_and(is_conflict) => {
                (Failure::Conflict, error.into())
            }
            Some(Ok(Err(error))) if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => {
                (Failure::ReadOnly, error.into())
            }
            Some(Ok(Err(error))) => (Failure::Other, error.into()),
            Some(Err(_)) => {
                let late = "it did not respond in time";
                (Failure::NoResponse, DbError::unavailable(late))
            }
            None => (
                Failure::CallerGone,
                DbError::unavailable("its caller is gone"),
            ),
        };
        self.failure.set(Some(failure));
        Err(error)
    }

    fn prepared(&self, sql: &str) -> Result<Statement, DbError> {
        if let Some(statement) = self.open.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(self.open.client.prepare(sql))?;
        let mut statements = self.open.statements.borrow_mut();
        statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub(crate) fn execute(&self, sql: &str, params: &[Value]) -> Result<u64, DbError> {
        let statement = self.prepared(sql)?;
        self.wait(self.open.client.execute(&statement, &as_params(params)))
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, DbError> {
        let statement = self.prepared(sql)?;
        self.wait(self.open.client.query(&statement, &as_params(params)))
    }

    pub(crate) fn execute_batch(
        &self,
        sql: &str,
        rows: &Batch,
        params: &[Value],
    ) -> Result<u64, DbError> {
        let statement = self.prepared(sql)?;
        let columns: Vec<_> = rows.columns().collect();
        let params = with_columns(&columns, params);
        self.wait(self.open.client.execute(&statement, &params))
    }

    pub(crate) fn query_batch(
        &self,
        sql: &str,
        rows: &Batch,
        params: &[Value],
    ) -> Result<Vec<Row>, DbError> {
        let statement = self.prepared(sql)?;
        let columns: Vec<_> = rows.columns().collect();
        let params = with_columns(&columns, params);
        self.wait(self.open.client.query(&statement, &params))
    }

    pub(crate) fn batch_execute(&self, sql: &str) -> Result<(), DbError> {
        self.wait(self.open.client.batch_execute(sql))
    }

    pub(crate) fn open_cursor(&self, sql: &str) -> Result<Cursor<'_>, DbError> {
        let number = self.cursors.get();
        self.cursors.set(number + 1);
        self.batch_execute(&format!(
            "DECLARE cursor_{number} NO SCROLL CURSOR FOR {sql}"
        ))?;
        Ok(Cursor { tx: self, number })
    }
}

/// An open cursor.
pub(crate) struct Cursor<'t> {
    tx: &'t PostgresTx<'t>,
    number: u32,
}

impl Cursor<'_> {
    /// The next rows; none at the end.
    pub(crate) fn fetch(&self) -> Result<Vec<Row>, DbError> {
        let fetch = format!("FETCH {ROWS} FROM cursor_{}", self.number);
        self.tx.wait(self.tx.open.client.query(&fetch, &[]))
    }
}

type Params<'p> = Vec<&'p (dyn ToSql + Sync)>;

fn as_params(values: &[Value]) -> Params<'_> {
    values.iter().map(|value| value as _).collect()
}

fn with_columns<'p>(columns: &'p [Vec<&'p Value>], params: &'p [Value]) -> Params<'p> {
    let columns = columns.iter().map(|column| column as &(dyn ToSql + Sync));
    columns.chain(as_params(params)).collect()
}

impl ToSql for Value {
    fn to_sql(
        &self,
        column: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Boolean(value) => value.to_sql_checked(column, out),
            Value::Integer(value) if *column == Type::INT4 => {
                i32::try_from(*value)?.to_sql_checked(column, out)
            }
            Value::Integer(value) => value.to_sql_checked(column, out),
            Value::Text(text) => text.to_sql_checked(column, out),
            Value::Bytes(bytes) => bytes.to_sql_checked(column, out),
            Value::Uuid(id) => id.to_sql_checked(column, out),
        }
    }

    fn accepts(column: &Type) -> bool {
        // The value decides.
        !matches!(column.kind(), Kind::Array(_))
    }

    to_sql_checked!();
}
