//! Tokens, in SQLite.

use rusqlite::{Connection, Row, named_params};

use super::Token;
use crate::database::StoreError;
use crate::database::sqlite::{column, query};

const TOKENS: &str = "SELECT token.chain, chain.kind, token.address, token.name, token.symbol,
                        token.decimals, token.logo
                      FROM token JOIN chain ON chain.id = token.chain";

/// All tokens, by chain id and then by address.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Token>> {
    query::all(db, &format!("{TOKENS} ORDER BY token.id"), [], read)
}

/// The token with this key; see [`crate::chains::ChainAddress::key`].
pub(crate) fn find(db: &Connection, key: [u8; 40]) -> rusqlite::Result<Option<Token>> {
    query::first(db, &format!("{TOKENS} WHERE token.id = ?1"), [key], read)
}

/// A token that a foreign key says is there.
pub(crate) fn get(db: &Connection, key: [u8; 40]) -> Result<Token, StoreError> {
    find(db, key)?.ok_or_else(|| StoreError::Corrupt("a token is missing".to_owned()))
}

/// Whether there is a token with this key.
pub(crate) fn exists(db: &Connection, key: [u8; 40]) -> rusqlite::Result<bool> {
    query::exists(db, "SELECT 1 FROM token WHERE id = ?1", [key])
}

/// Inserts or updates a token of a known chain.
pub(crate) fn put(db: &Connection, token: &Token) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO token (id, chain, address, name, symbol, decimals, logo)
         VALUES (:id, :chain, :address, :name, :symbol, :decimals, :logo)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name,
           symbol = excluded.symbol,
           decimals = excluded.decimals,
           logo = excluded.logo",
        named_params! {
            ":id": token.id.key(),
            ":chain": token.id.chain,
            ":address": token.id.address.as_str(),
            ":name": token.name,
            ":symbol": token.symbol,
            ":decimals": token.decimals,
            ":logo": token.logo,
        },
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Token> {
    Ok(Token {
        id: column::chain_address(row)?,
        name: row.get("name")?,
        symbol: row.get("symbol")?,
        decimals: row.get("decimals")?,
        logo: row.get("logo")?,
    })
}
