//! The database operations of operators.

use db::{Db, DbError};

use super::{Operator, sql};

/// All operators, by address.
pub async fn operators(db: &Db) -> Result<Vec<Operator>, DbError> {
    db.read(sql::all).await
}
