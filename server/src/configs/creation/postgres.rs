//! Making a config on request, once for each idempotency key.

use std::collections::HashMap;

use deadpool_postgres::Transaction;

use super::StoredAnswer;
use crate::charities::postgres as charities;
use crate::configs::{Config, Creation, Encode, Idempotency, creation, postgres as configs};
use crate::database::postgres::column::{Bytes, Millis};
use crate::database::postgres::{Failure, query};

/// Creates a config and, if the request has a key, stores the response, unless there is one for the
/// key.
///
/// Of two concurrent requests with one key, on any replica, the one that inserts the key second waits
/// for the first, and then fails with a conflict; its second attempt finds the response.
pub(crate) async fn create(
    tx: &Transaction<'_>,
    config: &Config,
    idempotency: Option<&Idempotency>,
    encode: Encode,
) -> Result<Creation, Failure> {
    if let Some(idempotency) = idempotency
        && let Some(stored) = find_answer(tx, config, idempotency).await?
    {
        return Ok(stored.answer_to(idempotency));
    }
    let ids: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let known = charities::some(tx, &ids).await?;
    let mut known: HashMap<_, _> = known.into_iter().map(|it| (it.id, it)).collect();
    let found = ids.iter().map(|id| known.remove(id)).collect();
    let charities = match creation::active_charities(found) {
        Ok(charities) => charities,
        Err(unknown) => return Ok(Creation::UnknownCharities(unknown)),
    };
    configs::insert(tx, config).await?;
    let answer = encode(config, &charities)?;
    if let Some(idempotency) = idempotency {
        store_answer(tx, config, idempotency, &answer).await?;
    }
    Ok(Creation::Created(answer))
}

async fn find_answer(
    tx: &Transaction<'_>,
    config: &Config,
    idempotency: &Idempotency,
) -> Result<Option<StoredAnswer>, Failure> {
    delete_expired(tx, config, idempotency).await?;
    let sql = "SELECT fingerprint, config, answer FROM idempotency WHERE project = $1 AND key = $2";
    query::first(tx, sql, &[&config.project, &idempotency.key], |row| {
        Ok(StoredAnswer {
            fingerprint: row.try_get::<_, Bytes<32>>("fingerprint")?.0,
            config: row.try_get("config")?,
            answer: row.try_get("answer")?,
        })
    })
    .await
}

/// Deletes the key's own response if it has expired, and some other expired responses that no other
/// transaction is deleting.
async fn delete_expired(
    tx: &Transaction<'_>,
    config: &Config,
    idempotency: &Idempotency,
) -> Result<(), Failure> {
    let expired = Millis(creation::expired_until(config.created_at));
    let sql = "DELETE FROM idempotency WHERE project = $1 AND key = $2 AND created_at <= $3";
    query::execute(tx, sql, &[&config.project, &idempotency.key, &expired]).await?;
    let sql = "DELETE FROM idempotency WHERE (project, key) IN (
                 SELECT old.project, old.key FROM idempotency AS old WHERE old.created_at <= $1
                 ORDER BY old.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
               )";
    query::execute(tx, sql, &[&expired, &creation::MOST_DELETED]).await?;
    Ok(())
}

async fn store_answer(
    tx: &Transaction<'_>,
    config: &Config,
    idempotency: &Idempotency,
    answer: &[u8],
) -> Result<u64, Failure> {
    let sql = "INSERT INTO idempotency (project, key, fingerprint, config, answer, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    query::execute(
        tx,
        sql,
        &[
            &config.project,
            &idempotency.key,
            &Bytes(idempotency.fingerprint),
            &config.id,
            &answer,
            &Millis(config.created_at),
        ],
    )
    .await
}
