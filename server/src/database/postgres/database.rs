//! The database operations that all features share, for PostgreSQL.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use futures_util::FutureExt;

use super::{Postgres, versions};
use crate::database::{Database, PoolUse, StoreError, Versions};

#[async_trait]
impl Database for Postgres {
    async fn versions(&self) -> Result<Versions, StoreError> {
        self.query(|db| versions::current(db).boxed()).await
    }

    fn pool(&self) -> Option<PoolUse> {
        let status = self.pool.status();
        Some(PoolUse {
            most: status.max_size,
            open: status.size,
            idle: status.available,
            waiting: status.waiting,
            timeouts: self.timeouts.load(Ordering::Relaxed),
        })
    }

    fn close(&self) {
        self.pool.close();
    }
}
