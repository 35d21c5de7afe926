//! Chains, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::{Chain, ChainId, NativeCurrency};
use crate::database::postgres::{Failure, column, query};

const CHAINS: &str =
    "SELECT id, name, kind, currency_name, currency_symbol, currency_decimals, explorer
                      FROM chain";

/// All chains, by id.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<Chain>, Failure> {
    query::all(db, &format!("{CHAINS} ORDER BY id"), &[], read).await
}

/// A chain by its id.
pub(crate) async fn find(db: &impl GenericClient, id: ChainId) -> Result<Option<Chain>, Failure> {
    query::first(db, &format!("{CHAINS} WHERE id = $1"), &[&id], read).await
}

/// Inserts or updates a chain.
pub(crate) async fn put(tx: &Transaction<'_>, chain: &Chain) -> Result<u64, Failure> {
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
    query::execute(
        tx,
        sql,
        &[
            &chain.id,
            &chain.name,
            &chain.kind,
            &currency.name,
            &currency.symbol,
            &i64::from(currency.decimals),
            &chain.explorer,
        ],
    )
    .await
}

fn read(row: &Row) -> Result<Chain, Failure> {
    Ok(Chain {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        kind: row.try_get("kind")?,
        native_currency: NativeCurrency {
            name: row.try_get("currency_name")?,
            symbol: row.try_get("currency_symbol")?,
            decimals: column::number(row, "currency_decimals")?,
        },
        explorer: row.try_get("explorer")?,
    })
}
