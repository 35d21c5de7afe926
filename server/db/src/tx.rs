//! Transactions, and the statements in them.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::postgres::session::{Cursor, PostgresTx};
use crate::row::Row;
use crate::sqlite::statement as sqlite;
use crate::{Batch, Changes, DbError, FailPoint, Lock, Value, batch, changes};

/// A statement that differs between the engines. Where it is used, a comment says why.
#[derive(Debug, Clone, Copy)]
pub struct PerEngine<'a> {
    pub sqlite: &'a str,
    pub postgres: &'a str,
}

/// A transaction. It is committed when the function that it was passed to succeeds, and rolled back
/// otherwise.
///
/// Statements are SQL that both engines understand, with the parameters `$1`, `$2` and so on. They stay
/// prepared on their connection. SQLite, where one transaction writes at a time, does not get
/// locking clauses such as `FOR UPDATE OF api_key`.
pub struct Tx<'c> {
    inner: Inner<'c>,
    /// The counters that the commit increments, with what has changed.
    changed: RefCell<BTreeMap<&'static str, Changes>>,
    fail_point: OnceCell<FailPoint>,
}

enum Inner<'c> {
    Sqlite(&'c rusqlite::Connection),
    Postgres(PostgresTx<'c>),
}

impl<'c> Tx<'c> {
    pub(crate) fn sqlite(connection: &'c rusqlite::Connection) -> Self {
        Tx {
            inner: Inner::Sqlite(connection),
            changed: RefCell::default(),
            fail_point: OnceCell::new(),
        }
    }

    pub(crate) fn postgres(tx: PostgresTx<'c>) -> Self {
        Tx {
            inner: Inner::Postgres(tx),
            changed: RefCell::default(),
            fail_point: OnceCell::new(),
        }
    }

    /// The transaction, whose statements pass a fail point if there is one.
    pub(crate) fn passing(&self, fail_point: &Option<FailPoint>) -> &Self {
        if let Some(fail_point) = fail_point {
            // A transaction has one body.
            let _ = self.fail_point.set(fail_point.clone());
        }
        self
    }

    fn begin_statement(&self) -> Result<(), DbError> {
        self.fail_point.get().map_or(Ok(()), FailPoint::pass)
    }

    pub(crate) fn as_postgres(&self) -> Option<&PostgresTx<'c>> {
        match &self.inner {
            Inner::Postgres(tx) => Some(tx),
            Inner::Sqlite(_) => None,
        }
    }

    /// The variant of a statement for this engine.
    pub fn choose<'a>(&self, statement: PerEngine<'a>) -> &'a str {
        match &self.inner {
            Inner::Sqlite(_) => statement.sqlite,
            Inner::Postgres(_) => statement.postgres,
        }
    }

    /// Runs a statement; returns the number of changed rows.
    pub fn execute(&self, sql: &str, params: &[Value]) -> Result<u64, DbError> {
        self.begin_statement()?;
        match &self.inner {
            Inner::Sqlite(db) => sqlite::execute(db, sql, params),
            Inner::Postgres(tx) => tx.execute(sql, params),
        }
    }

    /// Returns the first row of a query, if there is one.
    ///
    /// # Errors
    /// When the database or `read` fails.
    pub fn first<T>(
        &self,
        sql: &str,
        params: &[Value],
        read: impl FnOnce(&Row<'_>) -> Result<T, DbError>,
    ) -> Result<Option<T>, DbError> {
        self.begin_statement()?;
        match &self.inner {
            Inner::Sqlite(db) => sqlite::first(db, sql, params, read),
            Inner::Postgres(tx) => {
                let rows = tx.query(sql, params)?;
                let read = |row| read(&Row::postgres(row, sql));
                rows.first().map(read).transpose()
            }
        }
    }

    /// Returns the row of a query that always has one, such as a count.
    ///
    /// # Errors
    /// When the database or `read` fails, or there is no row.
    pub fn one<T>(
        &self,
        sql: &str,
        params: &[Value],
        read: impl FnOnce(&Row<'_>) -> Result<T, DbError>,
    ) -> Result<T, DbError> {
        let missing = || DbError::Corrupt(format!("a query has no row: {sql}"));
        self.first(sql, params, read)?.ok_or_else(missing)
    }

    /// Returns all rows of a query in their order.
    ///
    /// # Errors
    /// When the database or `read` fails.
    pub fn all<T, C: FromIterator<T>>(
        &self,
        sql: &str,
        params: &[Value],
        mut read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
    ) -> Result<C, DbError> {
        self.begin_statement()?;
        match &self.inner {
            Inner::Sqlite(db) => sqlite::all(db, sql, params, read),
            Inner::Postgres(tx) => {
                let rows = tx.query(sql, params)?;
                let read = |row| read(&Row::postgres(row, sql));
                rows.iter().map(read).collect()
            }
        }
    }

    /// Returns whether a query has a row.
    pub fn exists(&self, sql: &str, params: &[Value]) -> Result<bool, DbError> {
        Ok(self.first(sql, params, |_| Ok(()))?.is_some())
    }

    /// Runs a statement with the table `batch` once for all rows of a [`Batch`]; returns the number of
    /// changed rows. See there for the SQL.
    pub fn execute_batch(&self, sql: &str, rows: &Batch, params: &[Value]) -> Result<u64, DbError> {
        if rows.is_empty() {
            return Ok(0);
        }
        self.begin_statement()?;
        match &self.inner {
            Inner::Sqlite(db) => sqlite::execute_batch(db, sql, rows, params),
            Inner::Postgres(tx) => tx.execute_batch(&batch::for_all_rows(sql), rows, params),
        }
    }

    /// Runs a query with the table `batch` for all rows of a [`Batch`]. SQLite runs it for each row: the
    /// results come in the order of the batch there, and in any order in PostgreSQL.
    ///
    /// # Errors
    /// When the database or `read` fails.
    pub fn all_of_batch<T, C: FromIterator<T>>(
        &self,
        sql: &str,
        rows: &Batch,
        params: &[Value],
        mut read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
    ) -> Result<C, DbError> {
        if rows.is_empty() {
            return Ok(std::iter::empty().collect());
        }
        self.begin_statement()?;
        match &self.inner {
            Inner::Sqlite(db) => sqlite::all_of_batch(db, sql, rows, params, read),
            Inner::Postgres(tx) => {
                let found = tx.query_batch(&batch::for_all_rows(sql), rows, params)?;
                let read = |row| read(&Row::postgres(row, sql));
                found.iter().map(read).collect()
            }
        }
    }

    /// Prepares a query whose result may not fit into memory. It has no parameters.
    pub fn prepare<'t>(&'t self, sql: &'t str) -> Result<Query<'t>, DbError> {
        let prepared = match &self.inner {
            Inner::Sqlite(db) => Prepared::Sqlite(db.prepare(sql)?),
            Inner::Postgres(tx) => Prepared::Postgres(tx),
        };
        Ok(Query { prepared, sql })
    }

    /// Increments a counter at the end of the transaction, once, and records that any item may have changed.
    /// Every writer locks the rows of the counters, so they are locked last and in the same order everywhere.
    pub fn bump(&self, counter: &'static str) {
        self.changed.borrow_mut().insert(counter, Changes::All);
    }

    /// Increments a counter as [`Self::bump`] does, and records the item that has changed. An item is a key of
    /// the caller's choice, and not empty.
    pub fn bump_item(&self, counter: &'static str, item: &[u8]) {
        let mut changed = self.changed.borrow_mut();
        changed.entry(counter).or_default().add(item);
    }

    /// The counters as this transaction sees them.
    pub fn counters(&self) -> Result<HashMap<String, u64>, DbError> {
        let sql = "SELECT name, number FROM version";
        self.all(sql, &[], |row| Ok((row.get("name")?, row.get("number")?)))
    }

    pub(crate) fn increment_counters(&self) -> Result<(), DbError> {
        for (counter, changes) in self.changed.borrow().iter() {
            changes::record(self, counter, changes)?;
        }
        Ok(())
    }

    /// The items of a counter that have changed since it had the number `since`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn changes(&self, counter: &str, since: u64) -> Result<Changes, DbError> {
        changes::read(self, counter, since)
    }

    /// Takes a lock until the end of the transaction. SQLite needs none: one transaction writes at a time.
    ///
    /// # Errors
    /// When the database fails, or other transactions hold the lock for too long.
    pub fn lock(&self, lock: Lock) -> Result<(), DbError> {
        self.take(&lock, "SELECT pg_advisory_xact_lock($1, $2)")
    }

    /// Takes a lock as [`Self::lock`] does, together with any other transactions that share it.
    ///
    /// # Errors
    /// When the database fails, or another transaction holds the lock for too long.
    pub fn share(&self, lock: Lock) -> Result<(), DbError> {
        self.take(&lock, "SELECT pg_advisory_xact_lock_shared($1, $2)")
    }

    fn take(&self, lock: &Lock, sql: &str) -> Result<(), DbError> {
        match &self.inner {
            Inner::Sqlite(_) => Ok(()),
            Inner::Postgres(tx) => tx.query(sql, &lock.key()).map(drop),
        }
    }

    /// Takes a lock unless another transaction holds it; returns whether it was taken.
    pub fn try_lock(&self, lock: Lock) -> Result<bool, DbError> {
        match &self.inner {
            Inner::Sqlite(_) => Ok(true),
            Inner::Postgres(_) => self.one(
                "SELECT pg_try_advisory_xact_lock($1, $2) AS taken",
                &lock.key(),
                |row| row.get("taken"),
            ),
        }
    }

    /// Takes a lock for each of these ids until the end of the transaction, in an order that prevents
    /// deadlocks.
    ///
    /// # Errors
    /// When the database fails, or another transaction holds one of the locks for too long.
    pub fn lock_ids(&self, ids: impl IntoIterator<Item = uuid::Uuid>) -> Result<(), DbError> {
        let Inner::Postgres(tx) = &self.inner else {
            return Ok(());
        };
        // The last half of an id is random. If two ids share it, their owners wait for each other.
        let keys = ids.into_iter().map(|id| id.as_u64_pair().1.cast_signed());
        for key in keys.collect::<BTreeSet<_>>() {
            let sql = "SELECT pg_advisory_xact_lock($1)";
            tx.query(sql, &[Value::Integer(key)])?;
        }
        Ok(())
    }

    /// Applies settings of PostgreSQL's planner until the end of the transaction. SQLite ignores them.
    pub fn set_local(&self, settings: &str) -> Result<(), DbError> {
        match &self.inner {
            Inner::Sqlite(_) => Ok(()),
            Inner::Postgres(tx) => tx.batch_execute(settings),
        }
    }
}

/// A prepared query that is read row by row.
pub struct Query<'t> {
    prepared: Prepared<'t>,
    sql: &'t str,
}

enum Prepared<'t> {
    Sqlite(rusqlite::Statement<'t>),
    Postgres(&'t PostgresTx<'t>),
}

impl Query<'_> {
    /// Starts to read the rows. Several streams may be open at a time.
    pub fn stream<T>(
        &mut self,
        read: fn(&Row<'_>) -> Result<T, DbError>,
    ) -> Result<Stream<'_, T>, DbError> {
        let source = match &mut self.prepared {
            Prepared::Sqlite(statement) => Source::Sqlite(statement.raw_query()),
            Prepared::Postgres(tx) => Source::Postgres {
                cursor: tx.open_cursor(self.sql)?,
                fetched: Vec::new().into_iter(),
            },
        };
        Ok(Stream {
            source,
            sql: self.sql,
            read,
            next: None,
        })
    }
}

/// The rows of a [`Query`].
pub struct Stream<'q, T> {
    source: Source<'q>,
    sql: &'q str,
    read: fn(&Row<'_>) -> Result<T, DbError>,
    /// A row that was read and not returned yet.
    next: Option<T>,
}

enum Source<'q> {
    Sqlite(rusqlite::Rows<'q>),
    Postgres {
        cursor: Cursor<'q>,
        fetched: std::vec::IntoIter<tokio_postgres::Row>,
    },
}

impl<T> Stream<'_, T> {
    /// Returns the next row; `None` at the end.
    ///
    /// # Errors
    /// When the database fails, or a row cannot be read.
    pub fn next_row(&mut self) -> Result<Option<T>, DbError> {
        self.next_row_if(|_| true)
    }

    /// Returns the next row if it satisfies a condition.
    ///
    /// # Errors
    /// When the database fails, or a row cannot be read.
    pub fn next_row_if(&mut self, holds: impl Fn(&T) -> bool) -> Result<Option<T>, DbError> {
        if self.next.is_none() {
            self.next = self.fetch()?;
        }
        Ok(self.next.take_if(|row| holds(row)))
    }

    fn fetch(&mut self) -> Result<Option<T>, DbError> {
        let sql = self.sql;
        match &mut self.source {
            Source::Sqlite(rows) => {
                let read = |row| (self.read)(&Row::sqlite(row, sql));
                rows.next()?.map(read).transpose()
            }
            Source::Postgres { cursor, fetched } => {
                let row = match fetched.next() {
                    Some(row) => Some(row),
                    None => {
                        *fetched = cursor.fetch()?.into_iter();
                        fetched.next()
                    }
                };
                let read = |row| (self.read)(&Row::postgres(&row, sql));
                row.map(read).transpose()
            }
        }
    }
}
