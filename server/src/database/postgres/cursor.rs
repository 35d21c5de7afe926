//! Reads results that do not fit into memory.

use std::collections::VecDeque;

use deadpool_postgres::Transaction;
use tokio_postgres::{Portal, Row};

use super::Failure;
use super::query::Params;

/// The number of rows that are fetched at a time.
const ROWS: i32 = 5000;

/// The rows of a statement, fetched as they are needed. Several cursors may be open at a time.
pub(crate) struct Cursor<'t, T> {
    tx: &'t Transaction<'t>,
    portal: Portal,
    read: fn(&Row) -> Result<T, Failure>,
    fetched: VecDeque<T>,
    ended: bool,
}

impl<'t, T> Cursor<'t, T> {
    /// Begins to read.
    pub(crate) async fn open(
        tx: &'t Transaction<'t>,
        sql: &str,
        params: Params<'_>,
        read: fn(&Row) -> Result<T, Failure>,
    ) -> Result<Self, Failure> {
        Ok(Cursor {
            tx,
            portal: tx.bind(sql, params).await?,
            read,
            fetched: VecDeque::new(),
            ended: false,
        })
    }

    /// The next row; none at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<T>, Failure> {
        self.next_if(|_| true).await
    }

    /// Returns the next row if it satisfies a condition.
    pub(crate) async fn next_if(
        &mut self,
        holds: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, Failure> {
        if self.fetched.is_empty() && !self.ended {
            let rows = self.tx.query_portal(&self.portal, ROWS).await?;
            self.fetched = rows.iter().map(self.read).collect::<Result<_, _>>()?;
            self.ended = self.fetched.is_empty();
        }
        match self.fetched.front() {
            Some(row) if holds(row) => Ok(self.fetched.pop_front()),
            _ => Ok(None),
        }
    }
}
