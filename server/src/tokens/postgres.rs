//! Tokens.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::Token;
use crate::chains::{ChainKind, postgres as chains};
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, query};
use crate::database::versions::Versioned;
use crate::import::Change;

const TOKENS: &str = "SELECT token.chain, chain.kind, token.address, token.name, token.symbol,
                        token.decimals, token.logo
                      FROM token JOIN chain ON chain.id = token.chain";

/// Tokens by their keys; see [`crate::chains::ChainAddress::key`].
#[derive(Debug)]
pub(crate) struct Tokens(HashMap<[u8; 40], (Token, ChainKind)>);

impl Tokens {
    /// The existing tokens with some ids.
    pub(crate) async fn load(
        db: &impl GenericClient,
        keys: impl IntoIterator<Item = [u8; 40]>,
    ) -> Result<Tokens, Failure> {
        let keys: Vec<_> = keys.into_iter().map(Bytes).collect();
        let sql = format!("{TOKENS} WHERE token.id = ANY ($1)");
        let read = |row: &Row| {
            let token = read(row)?;
            Ok((token.id.key(), (token, row.try_get("kind")?)))
        };
        Ok(Tokens(query::all(db, &sql, &[&keys], read).await?))
    }

    /// A token that a foreign key says is there, and the kind of its chain.
    pub(crate) fn get(&self, key: [u8; 40]) -> Result<(Token, ChainKind), StoreError> {
        let token = self.0.get(&key).cloned();
        token.ok_or_else(|| StoreError::Corrupt("a token is missing".to_owned()))
    }
}

/// All tokens, by chain id and then by address.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<Token>, Failure> {
    query::all(db, &format!("{TOKENS} ORDER BY token.id"), &[], read).await
}

/// Whether there is a token with this key.
pub(crate) async fn exists(db: &impl GenericClient, key: [u8; 40]) -> Result<bool, Failure> {
    query::exists(db, "SELECT 1 FROM token WHERE id = $1", &[&Bytes(key)]).await
}

pub(crate) async fn write(
    tx: &Transaction<'_>,
    token: &Token,
    changed: &mut Changed,
) -> Result<Change, WriteError<Failure>> {
    chains::require(tx, token.id.chain).await?;
    let sql = format!("{TOKENS} WHERE token.id = $1");
    let stored = query::first(tx, &sql, &[&Bytes(token.id.key())], read).await?;
    let change = Change::between(stored.as_ref(), token);
    if change != Change::Unchanged {
        changed.note(Versioned::Catalogue);
        put(tx, token).await?;
    }
    Ok(change)
}

async fn put(tx: &Transaction<'_>, token: &Token) -> Result<u64, Failure> {
    let sql = "INSERT INTO token (id, chain, address, name, symbol, decimals, logo)
               VALUES ($1, $2, $3, $4, $5, $6, $7)
               ON CONFLICT (id) DO UPDATE SET
                 name = excluded.name,
                 symbol = excluded.symbol,
                 decimals = excluded.decimals,
                 logo = excluded.logo";
    query::execute(
        tx,
        sql,
        &[
            &Bytes(token.id.key()),
            &token.id.chain,
            &token.id.address.as_str(),
            &token.name,
            &token.symbol,
            &i64::from(token.decimals),
            &token.logo,
        ],
    )
    .await
}

fn read(row: &Row) -> Result<Token, Failure> {
    Ok(Token {
        id: column::chain_address(row)?,
        name: row.try_get("name")?,
        symbol: row.try_get("symbol")?,
        decimals: column::number(row, "decimals")?,
        logo: row.try_get("logo")?,
    })
}
