//! Tokens, in PostgreSQL.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::Token;
use crate::chains::ChainKind;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::{Failure, query};

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

/// A token by its key.
pub(crate) async fn find(db: &impl GenericClient, key: [u8; 40]) -> Result<Option<Token>, Failure> {
    let sql = format!("{TOKENS} WHERE token.id = $1");
    query::first(db, &sql, &[&Bytes(key)], read).await
}

/// Inserts or updates a token of a known chain.
pub(crate) async fn put(tx: &Transaction<'_>, token: &Token) -> Result<u64, Failure> {
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
