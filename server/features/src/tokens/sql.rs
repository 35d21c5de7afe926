//! Tokens.

use std::collections::HashMap;

use db::{Batch, DbError, Row, Tx, params};

use super::{Token, TokenFilter};
use crate::chains::ChainKind;
use crate::domain::position::Position;

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
        // A join from the batch: PostgreSQL reads all tokens for `IN`.
        let sql = "SELECT token.chain, chain.kind, token.address, token.name, token.symbol,
                     token.decimals, token.logo
                   FROM batch(id bytea)
                     JOIN token ON token.id = batch.id JOIN chain ON chain.id = token.chain";
        let read = |row: &Row<'_>| {
            let token = read(row)?;
            Ok((token.id.key(), (token, row.get("kind")?)))
        };
        Ok(Tokens(tx.all_of_batch(
            sql,
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

/// The tokens after a key, by chain id and then by address.
const PAGE: &str = "WHERE token.id > $1 ORDER BY token.id LIMIT $2";

/// Those of a chain, whose keys begin with its id.
const PAGE_OF_CHAIN: &str = "WHERE token.id > $1 AND token.id <= $3 ORDER BY token.id LIMIT $2";

/// Those with a symbol.
const PAGE_OF_SYMBOL: &str =
    "WHERE token.symbol_key = $3 AND token.id > $1 ORDER BY token.id LIMIT $2";

/// Those of a chain with a symbol.
const PAGE_OF_CHAIN_AND_SYMBOL: &str =
    "WHERE token.symbol_key = $3 AND token.id > $1 AND token.id <= $4 ORDER BY token.id LIMIT $2";

/// The first tokens that match a filter, after a position, by chain id and then by address.
pub(crate) fn page(
    tx: &Tx<'_>,
    filter: &TokenFilter,
    after: Option<&Position>,
    limit: usize,
) -> Result<Vec<Token>, DbError> {
    let (first, last) = filter.chain.map_or((Vec::new(), Vec::new()), |chain| {
        let chain = chain.get().to_be_bytes();
        (chain.to_vec(), [chain.as_slice(), &[u8::MAX; 32]].concat())
    });
    let after = after.map(|it| [it.ordinal.to_be_bytes().as_slice(), &it.key].concat());
    let after = after.unwrap_or_default().max(first);
    let condition = match (filter.chain, &filter.symbol) {
        (None, None) => PAGE,
        (Some(_), None) => PAGE_OF_CHAIN,
        (None, Some(_)) => PAGE_OF_SYMBOL,
        (Some(_), Some(_)) => PAGE_OF_CHAIN_AND_SYMBOL,
    };
    let sql = format!("{TOKENS} {condition}");
    match (filter.chain, &filter.symbol) {
        (None, None) => tx.all(&sql, params![after, limit], read),
        (Some(_), None) => tx.all(&sql, params![after, limit, last], read),
        (None, Some(symbol)) => tx.all(&sql, params![after, limit, symbol], read),
        (Some(_), Some(symbol)) => tx.all(&sql, params![after, limit, symbol, last], read),
    }
}

pub(crate) fn find(tx: &Tx<'_>, key: [u8; 40]) -> Result<Option<Token>, DbError> {
    let sql = format!("{TOKENS} WHERE token.id = $1");
    tx.first(&sql, params![key], read)
}

/// Inserts or updates a token of a known chain.
pub(crate) fn put(tx: &Tx<'_>, token: &Token) -> Result<u64, DbError> {
    let sql = "INSERT INTO token (id, chain, address, name, symbol, symbol_key, decimals, logo)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
               ON CONFLICT (id) DO UPDATE SET
                 name = excluded.name,
                 symbol = excluded.symbol,
                 symbol_key = excluded.symbol_key,
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
            token.symbol.to_lowercase(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn pages_read_their_index_and_sort_nothing() {
        let key = "token USING PRIMARY KEY (id>?";
        for (page, index) in [
            (PAGE, key),
            (PAGE_OF_CHAIN, key),
            (
                PAGE_OF_SYMBOL,
                "token USING INDEX token_by_symbol (symbol_key=? AND id>?",
            ),
            (
                PAGE_OF_CHAIN_AND_SYMBOL,
                "token USING INDEX token_by_symbol (symbol_key=? AND id>? AND id<?)",
            ),
        ] {
            assert_reads_index(&format!("{TOKENS} {page}"), index);
        }
    }
}
