//! The database operations that all features share, for SQLite.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Sqlite, versions};
use crate::database::{Database, StoreError, Versions};

#[async_trait]
impl Database for Sqlite {
    async fn versions(&self) -> Result<Versions, StoreError> {
        let file = Arc::clone(&self.file);
        self.read(move |db| {
            file.require_in_place()?;
            versions::current(db)
        })
        .await
    }

    fn close(&self) {
        self.readers.stop();
        // The last connection to close empties the write-ahead log.
        self.writer.stop();
    }
}
