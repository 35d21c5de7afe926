//! The entries of leaderboards in PostgreSQL.

use std::collections::BTreeSet;

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::EntryKey;
use crate::contracts::PartnerToken;
use crate::database::postgres::column::{self, Bytes, Millis};
use crate::database::postgres::{Failure, query};
use crate::donations::DonationStats;
use crate::donations::effect::DonationEffect;
use crate::rollups::batch::RollupBatch;

/// All entries.
pub(crate) async fn all(
    db: &impl GenericClient,
) -> Result<Vec<(EntryKey, DonationStats)>, Failure> {
    let sql = "SELECT token, config, usd_e6, donations, first_at, last_at FROM leaderboard_entry";
    query::all(db, sql, &[], read).await
}

fn read(row: &Row) -> Result<(EntryKey, DonationStats), Failure> {
    let key = EntryKey {
        token: row.try_get::<_, Bytes<40>>("token")?.0,
        config: row.try_get("config")?,
    };
    Ok((key, column::stats(row)?))
}

/// Loads the entries that these donations may change. The caller must hold the locks of the projects that
/// own the tokens.
pub(crate) async fn load(
    tx: &Transaction<'_>,
    effects: &[&DonationEffect],
) -> Result<Vec<(EntryKey, DonationStats)>, Failure> {
    let keys = effects.iter().filter_map(|effect| effect.entry);
    let keys: BTreeSet<_> = keys.map(|(key, _)| key).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let (tokens, configs): (Vec<_>, Vec<_>) = keys
        .iter()
        .map(|key| (Bytes(key.token), key.config))
        .unzip();
    let sql = "SELECT entry.token, entry.config, entry.usd_e6, entry.donations, entry.first_at,
                 entry.last_at
               FROM unnest($1::bytea[], $2::bytea[]) AS asked (token, config)
               JOIN leaderboard_entry AS entry USING (token, config)";
    query::all(tx, sql, &[&tokens, &configs], read).await
}

/// Writes the entries that have changed. The donations must be in the log already.
pub(crate) async fn write(tx: &Transaction<'_>, batch: &RollupBatch) -> Result<(), Failure> {
    let (mut tokens, mut configs) = (Vec::new(), Vec::new());
    let (mut usd, mut donations) = (Vec::new(), Vec::new());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let (mut empty, mut dates_unknown) = (Vec::new(), Vec::new());
    for (key, sum) in batch.changed_entries() {
        tokens.push(Bytes(key.token));
        configs.push(key.config);
        usd.push(sum.stats.usd);
        donations.push(i64::try_from(sum.stats.donations).unwrap_or(i64::MAX));
        first.push(sum.stats.first.map(Millis));
        last.push(sum.stats.last.map(Millis));
        if sum.stats.donations == 0 {
            empty.push(Bytes(key.token));
        } else if sum.dates_unknown {
            dates_unknown.push(key);
        }
    }
    if tokens.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO leaderboard_entry (
                 token, config, contract, creator, usd_e6, donations, first_at, last_at
               )
               SELECT sum.token, sum.config, partner_token.contract, partner_token.creator,
                 sum.usd_e6, sum.donations, sum.first_at, sum.last_at
               FROM unnest(
                 $1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]
               ) AS sum (token, config, usd_e6, donations, first_at, last_at)
               JOIN partner_token ON partner_token.token = sum.token
               ON CONFLICT (token, config) DO UPDATE SET
                 usd_e6 = excluded.usd_e6, donations = excluded.donations,
                 first_at = excluded.first_at, last_at = excluded.last_at";
    let params: query::Params<'_> = &[&tokens, &configs, &usd, &donations, &first, &last];
    query::execute(tx, sql, params).await?;
    if !empty.is_empty() {
        delete_empty(tx, &empty).await?;
    }
    for key in dates_unknown {
        correct_dates(tx, key).await?;
    }
    Ok(())
}

/// Creates the entries of a new partner token, from the donations that it received before.
pub(crate) async fn insert_token(tx: &Transaction<'_>, token: [u8; 40]) -> Result<u64, Failure> {
    let sql = "INSERT INTO leaderboard_entry (
                 token, config, contract, creator, usd_e6, donations, first_at, last_at
               )
               SELECT partner_token.token, sum.config, partner_token.contract, partner_token.creator,
                 sum.usd_e6, sum.donations, sum.first_at, sum.last_at
               FROM partner_token, (
                 SELECT given.config, sum(given.usd_e6)::bigint AS usd_e6, count(*) AS donations,
                   min(given.at) AS first_at, max(given.at) AS last_at
                 FROM standing_donation AS given WHERE given.token = $1 GROUP BY given.config
               ) AS sum
               WHERE partner_token.token = $1";
    query::execute(tx, sql, &[&Bytes(token)]).await
}

/// Updates the entries of a partner token that was changed: sets their creator, creates the entry of the
/// active config if it has none, and deletes the entry of its earlier config if that has no donations.
pub(crate) async fn update_token(
    tx: &Transaction<'_>,
    partner: &PartnerToken,
) -> Result<(), Failure> {
    let (token, creator) = (Bytes(partner.token.key()), partner.creator.as_str());
    let sql = "UPDATE leaderboard_entry SET creator = $2 WHERE token = $1 AND creator <> $2";
    query::execute(tx, sql, &[&token, &creator]).await?;
    let sql = "INSERT INTO leaderboard_entry (token, config, contract, creator, usd_e6, donations)
               VALUES ($1, $2, $3, $4, 0, 0)
               ON CONFLICT (token, config) DO NOTHING";
    let contract = Bytes(partner.contract_key());
    let params: query::Params<'_> = &[&token, &partner.active_config, &contract, &creator];
    query::execute(tx, sql, params).await?;
    delete_empty(tx, &[token]).await
}

/// Deletes the entries of tokens without donations, except those of the active configs.
async fn delete_empty(tx: &Transaction<'_>, tokens: &[Bytes<40>]) -> Result<(), Failure> {
    let sql = "DELETE FROM leaderboard_entry AS entry USING partner_token
               WHERE entry.token = ANY ($1) AND entry.donations = 0
                 AND partner_token.token = entry.token
                 AND entry.config <> partner_token.active_config";
    query::execute(tx, sql, &[&tokens]).await?;
    Ok(())
}

/// Looks up the first and last dates in the log. Taking back can only have made the first later and the
/// last earlier, which bounds the search.
async fn correct_dates(tx: &Transaction<'_>, key: &EntryKey) -> Result<u64, Failure> {
    let sql = "UPDATE leaderboard_entry AS entry SET
                 first_at = (
                   SELECT given.at FROM standing_donation AS given
                   WHERE given.token = $1 AND given.config = $2 AND given.at >= entry.first_at
                   ORDER BY given.at LIMIT 1
                 ),
                 last_at = (
                   SELECT given.at FROM standing_donation AS given
                   WHERE given.token = $1 AND given.config = $2 AND given.at <= entry.last_at
                   ORDER BY given.at DESC LIMIT 1
                 )
               WHERE entry.token = $1 AND entry.config = $2";
    query::execute(tx, sql, &[&Bytes(key.token), &key.config]).await
}
