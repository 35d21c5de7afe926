//! Chains, in SQLite.

use rusqlite::{Connection, Row, named_params};

use super::{Chain, ChainId, ChainKind, NativeCurrency};
use crate::database::sqlite::query;

const CHAINS: &str =
    "SELECT id, name, kind, currency_name, currency_symbol, currency_decimals, explorer
                      FROM chain";

/// All chains, by id.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Chain>> {
    query::all(db, &format!("{CHAINS} ORDER BY id"), [], read)
}

/// The chain's kind; `None` for an unknown chain.
pub(crate) fn kind(db: &Connection, chain: ChainId) -> rusqlite::Result<Option<ChainKind>> {
    query::first(db, "SELECT kind FROM chain WHERE id = ?1", [chain], |row| {
        row.get(0)
    })
}

/// A chain by its id.
pub(crate) fn find(db: &Connection, id: ChainId) -> rusqlite::Result<Option<Chain>> {
    query::first(db, &format!("{CHAINS} WHERE id = ?1"), [id], read)
}

/// Inserts or updates a chain.
pub(crate) fn put(db: &Connection, chain: &Chain) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO chain (
           id, name, kind, currency_name, currency_symbol, currency_decimals, explorer
         ) VALUES (:id, :name, :kind, :currency, :symbol, :decimals, :explorer)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name,
           currency_name = excluded.currency_name,
           currency_symbol = excluded.currency_symbol,
           currency_decimals = excluded.currency_decimals,
           explorer = excluded.explorer",
        named_params! {
            ":id": chain.id,
            ":name": chain.name,
            ":kind": chain.kind,
            ":currency": chain.native_currency.name,
            ":symbol": chain.native_currency.symbol,
            ":decimals": chain.native_currency.decimals,
            ":explorer": chain.explorer,
        },
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Chain> {
    Ok(Chain {
        id: row.get("id")?,
        name: row.get("name")?,
        kind: row.get("kind")?,
        native_currency: NativeCurrency {
            name: row.get("currency_name")?,
            symbol: row.get("currency_symbol")?,
            decimals: row.get("currency_decimals")?,
        },
        explorer: row.get("explorer")?,
    })
}
