//! Chains.

use super::{Address, ChainAddress, ChainKind};
use db::{DbError, Row, Tx, params};

use super::{Chain, ChainId, NativeCurrency};

const CHAINS: &str =
    "SELECT id, name, kind, currency_name, currency_symbol, currency_decimals, explorer
                      FROM chain";

/// All chains, by id.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Chain>, DbError> {
    tx.all(&format!("{CHAINS} ORDER BY id"), &[], read)
}

pub(crate) fn find(tx: &Tx<'_>, id: ChainId) -> Result<Option<Chain>, DbError> {
    tx.first(&format!("{CHAINS} WHERE id = $1"), params![id], read)
}

/// Inserts or updates a chain.
pub(crate) fn put(tx: &Tx<'_>, chain: &Chain) -> Result<u64, DbError> {
    let currency = &chain.native_currency;
    let sql = "INSERT INTO chain (
                 id, name, kind, currency_name, currency_symbol, currency_decimals, explorer
               ) VALUES ($1, $2, $3, $4, $5, $6, $7)
               ON CONFLICT (id) DO UPDATE SET
                 name = excluded.name,
                 currency_name = excluded.currency_name,
                 currency_symbol = excluded.currency_symbol,
                 currency_decimals = excluded.currency_decimals,
                 explorer = excluded.explorer";
    tx.execute(
        sql,
        params![
            chain.id,
            chain.name,
            chain.kind,
            currency.name,
            currency.symbol,
            i64::from(currency.decimals),
            chain.explorer
        ],
    )
}

fn read(row: &Row<'_>) -> Result<Chain, DbError> {
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

/// Reads an address that was written in its canonical spelling.
pub(crate) fn read_address(
    row: &Row<'_>,
    kind: ChainKind,
    column: &str,
) -> Result<Address, DbError> {
    let text: String = row.get(column)?;
    let parsed = Address::parse(kind, &text);
    parsed.map_err(|error| DbError::Corrupt(format!("{column} {error}")))
}

/// Reads the columns `chain`, `kind` and `address`.
pub(crate) fn read_chain_address(row: &Row<'_>) -> Result<ChainAddress, DbError> {
    Ok(ChainAddress {
        chain: row.get("chain")?,
        address: read_address(row, row.get("kind")?, "address")?,
    })
}
