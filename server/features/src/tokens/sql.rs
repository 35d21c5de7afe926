//! Tokens.

use std::collections::HashMap;

use db::{Batch, DbError, Row, Tx, params};

use super::Token;
use crate::chains::ChainKind;

const TOKENS: &str = "SELECT token.chain, chain.kind, token.address, token.name, token.symbol,
                        token.decimals, token.logo
                      FROM token JOIN chain ON chain.id = token.chain";

/// Tokens by their keys; see [`crate::chains::ChainAddress::key`].
#[derive(Debug)]
pub(crate) struct Tokens(HashMap<[u8; 40], (Token, ChainKind)>);

impl Tokens {
    /// The existing tokens with some ids.
    pub(crate) fn load(
        tx: &Tx<'_>,
        keys: impl IntoIterator<Item = [u8; 40]>,
    ) -> Result<Tokens, DbError> {
        let sql = format!("{TOKENS} WHERE token.id IN (SELECT batch.id FROM batch(id bytea))");
        let read = |row: &Row<'_>| {
            let token = read(row)?;
            Ok((token.id.key(), (token, row.get("kind")?)))
        };
        Ok(Tokens(tx.all_of_batch(
            &sql,
            &Batch::of_column(keys),
            &[],
            read,
        )?))
    }

    /// A token that a foreign key says is there, and the kind of its chain.
    pub(crate) fn get(&self, key: [u8; 40]) -> Result<(Token, ChainKind), DbError> {
        let token = self.0.get(&key).cloned();
        token.ok_or_else(|| DbError::Corrupt("a token is missing".to_owned()))
    }
}

/// All tokens, by chain id and then by address.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Token>, DbError> {
    tx.all(&format!("{TOKENS} ORDER BY token.id"), &[], read)
}

pub(crate) fn find(tx: &Tx<'_>, key: [u8; 40]) -> Result<Option<Token>, DbError> {
    let sql = format!("{TOKENS} WHERE token.id = $1");
    tx.first(&sql, params![key], read)
}

/// Inserts or updates a token of a known chain.
pub(crate) fn put(tx: &Tx<'_>, token: &Token) -> Result<u64, DbError> {
    let sql = "INSERT INTO token (id, chain, address, name, symbol, decimals, logo)
               VALUES ($1, $2, $3, $4, $5, $6, $7)
               ON CONFLICT (id) DO UPDATE SET
                 name = excluded.name,
                 symbol = excluded.symbol,
                 decimals = excluded.decimals,
                 logo = excluded.logo";
    tx.execute(
        sql,
        params![
            token.id.key(),
            token.id.chain,
            token.id.address.as_str(),
            token.name,
            token.symbol,
            i64::from(token.decimals),
            token.logo
        ],
    )
}

fn read(row: &Row<'_>) -> Result<Token, DbError> {
    Ok(Token {
        id: crate::chains::sql::read_chain_address(row)?,
        name: row.get("name")?,
        symbol: row.get("symbol")?,
        decimals: row.get("decimals")?,
        logo: row.get("logo")?,
    })
}
