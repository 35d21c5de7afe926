//! SQLite's own bulk insert: reads the donations of one database into memory, writes them into another,
//! and prints the seconds that the writing took.
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

const INSERT: &str = "INSERT INTO donation (
                        chain, tx, log_index, revision, token, config, amount, usd_e6, at
                      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

const SELECT: &str = "SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at
                      FROM donation ORDER BY rowid";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [from, into, rows] = arguments.as_slice() else {
        return Err("bulk FROM INTO ROWS".into());
    };
    let donations = donations(from)?;
    let start = Instant::now();
    let mut db = Connection::open(into)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.pragma_update(None, "journal_size_limit", 64 << 20)?;
    db.pragma_update(None, "cell_size_check", true)?;
    for batch in donations.chunks(rows.parse()?) {
        let tx = db.transaction()?;
        for donation in batch {
            tx.prepare_cached(INSERT)?
                .execute(params_from_iter(donation))?;
        }
        tx.commit()?;
    }
    // The last connection to close moves everything into the main file, as the import does.
    db.close().map_err(|(_, error)| error)?;
    println!("{}", start.elapsed().as_secs_f64());
    Ok(())
}

/// All donations in the order in which they were recorded.
fn donations(path: &str) -> rusqlite::Result<Vec<Vec<Value>>> {
    let db = Connection::open(path)?;
    let mut select = db.prepare(SELECT)?;
    let columns = select.column_count();
    let rows = select.query_map([], |row| (0..columns).map(|at| row.get(at)).collect())?;
    rows.collect()
}
