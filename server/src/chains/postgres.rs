//! Chains.

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::{Chain, ChainId, NativeCurrency};
use crate::database::error::WriteError;
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, column, query};
use crate::database::versions::Versioned;
use crate::import::{Change, Rule};

const CHAINS: &str =
    "SELECT id, name, kind, currency_name, currency_symbol, currency_decimals, explorer
                      FROM chain";

/// All chains, by id.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<Chain>, Failure> {
    query::all(db, &format!("{CHAINS} ORDER BY id"), &[], read).await
}

/// Whether there is such a chain.
pub(crate) async fn exists(db: &impl GenericClient, chain: ChainId) -> Result<bool, Failure> {
    query::exists(db, "SELECT 1 FROM chain WHERE id = $1", &[&chain]).await
}

/// Refuses a record whose chain is unknown.
pub(crate) async fn require(
    tx: &Transaction<'_>,
    chain: ChainId,
) -> Result<(), WriteError<Failure>> {
    match exists(tx, chain).await? {
        true => Ok(()),
        false => Err(WriteError::rejected("/chainId", Rule::Unknown)),
    }
}

pub(crate) async fn write(
    tx: &Transaction<'_>,
    chain: &Chain,
    changed: &mut Changed,
) -> Result<Change, WriteError<Failure>> {
    let stored = query::first(tx, &format!("{CHAINS} WHERE id = $1"), &[&chain.id], read).await?;
    if stored
        .as_ref()
        .is_some_and(|stored| stored.kind != chain.kind)
    {
        return Err(WriteError::rejected("/type", Rule::Immutable));
    }
    let change = Change::between(stored.as_ref(), chain);
    if change != Change::Unchanged {
        changed.note(Versioned::Catalogue);
        put(tx, chain).await?;
    }
    Ok(change)
}

async fn put(tx: &Transaction<'_>, chain: &Chain) -> Result<u64, Failure> {
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
