//! SQLite's own bulk insert: reads the donations of one database, and their parts for charities, into
//! memory, writes them into another, and prints the seconds that the writing took.
//!
//! The other database has the server's schema and settings. It runs one prepared INSERT per row, `ROWS`
//! rows in a transaction, and nothing besides: no lookups, no statistics.
//!
//! Usage: `bulk FROM INTO ROWS`

use std::env;
use std::error::Error;
use std::time::Instant;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

type Row = Vec<Value>;

/// A table whose rows are written.
struct Table {
    select: &'static str,
    insert: &'static str,
}

/// Both tables, each in the order in which the import records its rows.
const TABLES: [Table; 2] = [
    Table {
        select: "SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at
                 FROM donation ORDER BY rowid",
        insert: "INSERT INTO donation (
                   chain, tx, log_index, revision, token, config, amount, usd_e6, at
                 ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    },
    Table {
        select: "SELECT charity, at, chain, tx, log_index, revision
                 FROM charity_donation ORDER BY at, chain, tx, log_index, revision",
        insert: "INSERT INTO charity_donation (
                   charity, at, chain, tx, log_index, revision
                 ) VALUES (?, ?, ?, ?, ?, ?)",
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [from, into, rows] = arguments.as_slice() else {
        return Err("bulk FROM INTO ROWS".into());
    };
    let tables = contents(from)?;
    let start = Instant::now();
    let mut db = Connection::open(into)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.pragma_update(None, "journal_size_limit", 64 << 20)?;
    db.pragma_update(None, "cell_size_check", true)?;
    for (insert, contents) in &tables {
        for batch in contents.chunks(rows.parse()?) {
            let tx = db.transaction()?;
            for row in batch {
                tx.prepare_cached(insert)?.execute(params_from_iter(row))?;
            }
            tx.commit()?;
        }
    }
    // The last connection to close moves everything into the main file, as the import does.
    db.close().map_err(|(_, error)| error)?;
    println!("{}", start.elapsed().as_secs_f64());
    Ok(())
}

/// The INSERT of each table, and all rows for it.
fn contents(path: &str) -> rusqlite::Result<Vec<(&'static str, Vec<Row>)>> {
    let db = Connection::open(path)?;
    let table = |table: &Table| Ok((table.insert, rows(&db, table.select)?));
    TABLES.iter().map(table).collect()
}

fn rows(db: &Connection, select: &str) -> rusqlite::Result<Vec<Row>> {
    let mut select = db.prepare(select)?;
    let columns = select.column_count();
    let rows = select.query_map([], |row| (0..columns).map(|at| row.get(at)).collect())?;
    rows.collect()
}
