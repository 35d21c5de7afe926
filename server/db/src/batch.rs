//! Statements for many rows at a time.

use crate::{ToValue, Value};

/// Rows that a statement reads as a table.
///
/// The SQL names the table with its columns and their types:
///
/// ```sql
/// INSERT INTO charity_total (charity, usd_e6)
/// SELECT charity, usd_e6 FROM batch(charity uuid, usd_e6 bigint) WHERE true
/// ON CONFLICT (charity) DO UPDATE SET usd_e6 = excluded.usd_e6
/// ```
///
/// PostgreSQL gets all rows at once, as one array for each column. SQLite runs the statement for each
/// row. `WHERE true` is what SQLite needs between `SELECT` and `ON CONFLICT`. The parameters that all
/// rows share follow those of the columns: here they would start with `$3`.
#[derive(Debug, Default)]
pub struct Batch {
    columns: usize,
    values: Vec<Value>,
}

impl Batch {
    /// Adds a row: `batch.push(params![id, amount])`. All rows have the same number of values.
    pub fn push(&mut self, row: &[Value]) {
        self.columns = row.len();
        self.values.extend_from_slice(row);
    }

    pub fn of_column<T: ToValue>(values: impl IntoIterator<Item = T>) -> Batch {
        Batch {
            columns: 1,
            values: values.into_iter().map(|value| value.to_value()).collect(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Value]> {
        self.values.chunks(self.columns.max(1))
    }

    /// The values of each column.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Vec<&Value>> {
        let column = |start| {
            self.values
                .iter()
                .skip(start)
                .step_by(self.columns)
                .collect()
        };
        (0..self.columns).map(column)
    }
}

impl<'a> FromIterator<&'a [Value]> for Batch {
    fn from_iter<I: IntoIterator<Item = &'a [Value]>>(rows: I) -> Self {
        let mut batch = Batch::default();
        rows.into_iter().for_each(|row| batch.push(row));
        batch
    }
}

/// The table in a statement: the text before it, its columns with their types, and the text after it.
struct Table<'s> {
    before: &'s str,
    columns: Vec<(&'s str, &'s str)>,
    after: &'s str,
}

impl<'s> Table<'s> {
    /// The parts of `INSERT … SELECT items FROM batch(…) WHERE true …` around `SELECT` and `WHERE true`.
    fn inserted(&self) -> Option<(&'s str, &'s str, &'s str)> {
        let after = self.after.trim_start().strip_prefix("WHERE true")?;
        // One row needs no order.
        let conflict = after.find("ON CONFLICT").and_then(|at| after.get(at..));
        let (insert, items) = self.before.split_once("SELECT ")?;
        let items = items.trim_end().strip_suffix("FROM")?;
        (!items.contains('(')).then_some((insert, items, conflict.unwrap_or_default()))
    }
}

fn table(sql: &str) -> Option<Table<'_>> {
    let (before, rest) = sql.split_once("batch(")?;
    let (columns, after) = rest.split_once(')')?;
    let columns = columns
        .split(',')
        .filter_map(|it| it.trim().split_once(' '));
    Some(Table {
        before,
        columns: columns.collect(),
        after,
    })
}

/// The statement for the rows as arrays.
pub(crate) fn for_all_rows(sql: &str) -> String {
    let Some(table) = table(sql) else {
        return sql.to_owned();
    };
    let numbered = (1..).zip(&table.columns);
    let arrays: Vec<_> = numbered
        .map(|(number, (_, of))| format!("${number}::{of}[]"))
        .collect();
    let names: Vec<_> = table.columns.iter().map(|(name, _)| *name).collect();
    format!(
        "{}unnest({}) AS batch ({}){}",
        table.before,
        arrays.join(", "),
        names.join(", "),
        table.after
    )
}

/// The statement for one row. An `INSERT` gets its `VALUES`, because SQLite copies all pages that an
/// `INSERT … SELECT` changes, in case that it fails halfway.
pub(crate) fn for_one_row(sql: &str) -> String {
    let Some(table) = table(sql) else {
        return sql.to_owned();
    };
    let numbered = || (1..).zip(&table.columns);
    if let Some((insert, items, after)) = table.inserted() {
        let parameter = |item: &str| {
            let found = numbered().find(|(_, (name, _))| *name == item);
            found.map_or(item.to_owned(), |(number, _)| format!("${number}"))
        };
        let values: Vec<_> = items
            .split(',')
            .map(|item| parameter(item.trim()))
            .collect();
        return format!("{insert}VALUES ({}) {after}", values.join(", "));
    }
    let values = numbered().map(|(number, (name, _))| format!("${number} AS {name}"));
    let values: Vec<_> = values.collect();
    format!(
        "{}(SELECT {}) AS batch{}",
        table.before,
        values.join(", "),
        table.after
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQL: &str =
        "UPDATE a SET b = batch.b FROM batch(id uuid, b bigint) WHERE a.id = batch.id AND c < $3";

    #[test]
    fn a_statement_is_written_for_one_row_and_for_all() {
        assert_eq!(
            for_all_rows(SQL),
            "UPDATE a SET b = batch.b FROM unnest($1::uuid[], $2::bigint[]) AS batch (id, b) \
             WHERE a.id = batch.id AND c < $3"
        );
        assert_eq!(
            for_one_row(SQL),
            "UPDATE a SET b = batch.b FROM (SELECT $1 AS id, $2 AS b) AS batch \
             WHERE a.id = batch.id AND c < $3"
        );
    }

    #[test]
    fn an_insert_of_one_row_has_values() {
        let sql = "INSERT INTO a (b, c, d) SELECT b, 0, d FROM batch(d text, b uuid) WHERE true ORDER BY b ON CONFLICT (b) DO NOTHING";
        assert_eq!(
            for_one_row(sql),
            "INSERT INTO a (b, c, d) VALUES ($2, 0, $1) ON CONFLICT (b) DO NOTHING"
        );
    }

    #[test]
    fn columns_are_the_rows_transposed() {
        let batch: Batch = [crate::params![1, "a"], crate::params![2, "b"]]
            .into_iter()
            .collect();
        let columns: Vec<Vec<Value>> = batch
            .columns()
            .map(|it| it.into_iter().cloned().collect())
            .collect();
        assert_eq!(columns, [crate::params![1, 2], crate::params!["a", "b"]]);
    }
}
