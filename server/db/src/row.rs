//! Rows of results.

use rusqlite::types::ValueRef;
use tokio_postgres::types::{FromSql, Type};

use crate::{DbError, FromValue, Value};

/// A row of a result.
pub struct Row<'r> {
    inner: RowOf<'r>,
    sql: &'r str,
}

enum RowOf<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    pub(crate) fn sqlite(row: &'r rusqlite::Row<'r>, sql: &'r str) -> Self {
        let inner = RowOf::Sqlite(row);
        Row { inner, sql }
    }

    pub(crate) fn postgres(row: &'r tokio_postgres::Row, sql: &'r str) -> Self {
        let inner = RowOf::Postgres(row);
        Row { inner, sql }
    }

    /// Reads a column by name.
    ///
    /// # Errors
    /// When there is no such column, or its value is not valid for the type. The error names the location
    /// and not the value, which may be confidential.
    pub fn get<T: FromValue>(&self, column: &str) -> Result<T, DbError> {
        let value = match &self.inner {
            RowOf::Sqlite(row) => row.get_ref(column).ok().and_then(from_sqlite),
            RowOf::Postgres(row) => row.try_get(column).ok(),
        };
        let converted = value.and_then(T::from_value);
        converted.ok_or_else(|| DbError::Corrupt(self.location(column)))
    }

    fn location(&self, column: &str) -> String {
        let mut words = self
            .sql
            .split_whitespace()
            .skip_while(|word| *word != "FROM");
        let table = words.nth(1).unwrap_or("?");
        let id = match self.first() {
            Some(Value::Integer(id)) => id.to_string(),
            Some(Value::Uuid(id)) => id.to_string(),
            Some(Value::Bytes(id)) => {
                let digits = id.iter().map(|byte| format!("{byte:02x}"));
                format!("0x{}", digits.collect::<String>())
            }
            _ => "?".to_owned(),
        };
        format!("column {column} of table {table} cannot be read in row {id}")
    }

    /// The value of the first column, which identifies most rows.
    fn first(&self) -> Option<Value> {
        match &self.inner {
            RowOf::Sqlite(row) => row.get_ref(0).ok().and_then(from_sqlite),
            RowOf::Postgres(row) => row.try_get(0).ok(),
        }
    }
}

fn from_sqlite(value: ValueRef<'_>) -> Option<Value> {
    Some(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(_) => return None,
        ValueRef::Text(text) => Value::Text(str::from_utf8(text).ok()?.to_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_owned()),
    })
}

impl<'r> FromSql<'r> for Value {
    fn from_sql(
        column: &Type,
        raw: &'r [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(match *column {
            Type::BOOL => Value::Boolean(FromSql::from_sql(column, raw)?),
            Type::INT8 => Value::Integer(FromSql::from_sql(column, raw)?),
            Type::INT4 => Value::Integer(<i32 as FromSql>::from_sql(column, raw)?.into()),
            Type::BYTEA => Value::Bytes(FromSql::from_sql(column, raw)?),
            Type::UUID => Value::Uuid(FromSql::from_sql(column, raw)?),
            _ => Value::Text(FromSql::from_sql(column, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Value::Null)
    }

    fn accepts(column: &Type) -> bool {
        matches!(
            *column,
            Type::BOOL | Type::INT8 | Type::INT4 | Type::BYTEA | Type::UUID
        ) || <String as FromSql>::accepts(column)
    }
}
