//! Checks at the start that a database is set up as this program needs it.

use tokio_postgres::{Client, SimpleQueryMessage};

use super::connection::Peer;
use super::error::{ENCODING, POOLER};
use crate::DbError;

/// Identifies the session of the server that runs the statement.
const SESSION: &str =
    "SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()";

/// Rejects a database whose encoding is not UTF8, and a pooler that gives sessions to several connections.
///
/// `client` must have no open transaction.
pub(crate) async fn check(client: &Client, peer: &Peer) -> Result<(), DbError> {
    let encoding = ask(client, "SHOW server_encoding").await?;
    if encoding != "UTF8" {
        let reason = format!("its encoding is {encoding}: {ENCODING}");
        return Err(DbError::Misconfigured(reason));
    }
    // Two idle connections at once: a pooler in transaction mode gives the session that is free to either.
    let (other, _connection) = peer.open_first().await?;
    let first = ask(client, SESSION).await?;
    let of_other = ask(&other, SESSION).await?;
    for _ in 0..2 {
        if of_other == first || ask(client, SESSION).await? != first {
            return Err(DbError::Misconfigured(POOLER.to_owned()));
        }
    }
    Ok(())
}

/// The only value of a statement that is not prepared.
async fn ask(client: &Client, sql: &str) -> Result<String, DbError> {
    let messages = client.simple_query(sql).await?;
    let value = messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    Ok(value.unwrap_or_default().to_owned())
}
