//! The entries of leaderboards.

use std::collections::BTreeSet;

use db::{Batch, DbError, Row, Tx, params};

use super::EntryKey;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::batch::RollupBatch;
use crate::rollups::effect::DonationEffect;
use crate::rollups::sql::read_stats;
use crate::tokens::PartnerToken;

pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<(EntryKey, DonationStats)>, DbError> {
    let sql = "SELECT token, config, usd_e6, donations, first_at, last_at FROM leaderboard_entry";
    tx.all(sql, &[], read)
}

fn read(row: &Row<'_>) -> Result<(EntryKey, DonationStats), DbError> {
    let key = EntryKey {
        token: row.get("token")?,
        config: row.get("config")?,
    };
    Ok((key, read_stats(row)?))
}

/// Loads the entries that these donations may change. The caller must hold the locks of the projects that
/// own the tokens.
pub(crate) fn load(
    tx: &Tx<'_>,
    effects: &[&DonationEffect],
) -> Result<Vec<(EntryKey, DonationStats)>, DbError> {
    let keys = effects.iter().filter_map(|effect| effect.entry);
    let keys: BTreeSet<_> = keys.map(|(key, _)| key).collect();
    let mut rows = Batch::default();
    for key in keys {
        rows.push(params![key.token, key.config]);
    }
    let sql = "SELECT entry.token, entry.config, entry.usd_e6, entry.donations, entry.first_at,
                 entry.last_at
               FROM batch(token bytea, config bytea)
               JOIN leaderboard_entry AS entry USING (token, config)";
    tx.all_of_batch(sql, &rows, &[], read)
}

/// Writes the entries that have changed. The donations must be in the log already.
pub(crate) fn write(tx: &Tx<'_>, batch: &RollupBatch) -> Result<(), DbError> {
    let (mut rows, mut empty) = (Batch::default(), Batch::default());
    let mut dates_unknown = Vec::new();
    for (key, sum) in batch.changed_entries() {
        let DonationStats {
            usd,
            donations,
            first,
            last,
        } = sum.stats;
        rows.push(params![key.token, key.config, usd, donations, first, last]);
        if donations == 0 {
            empty.push(params![key.token]);
        } else if sum.dates_unknown {
            dates_unknown.push(key);
        }
    }
    let sql = "INSERT INTO leaderboard_entry (
                 token, config, contract, creator, usd_e6, donations, first_at, last_at
               )
               SELECT batch.token, batch.config, partner_token.contract, partner_token.creator,
                 batch.usd_e6, batch.donations, batch.first_at, batch.last_at
               FROM batch(token bytea, config bytea, usd_e6 bigint, donations bigint,
                 first_at bigint, last_at bigint)
               JOIN partner_token ON partner_token.token = batch.token
               WHERE true
               ON CONFLICT (token, config) DO UPDATE SET
                 usd_e6 = excluded.usd_e6, donations = excluded.donations,
                 first_at = excluded.first_at, last_at = excluded.last_at";
    tx.execute_batch(sql, &rows, &[])?;
    delete_empty(tx, &empty)?;
    for key in dates_unknown {
        correct_dates(tx, key)?;
    }
    Ok(())
}

/// Creates the entries of a new partner token, from the donations that it received before.
pub(crate) fn insert_token(tx: &Tx<'_>, token: [u8; 40]) -> Result<u64, DbError> {
    let sql = "INSERT INTO leaderboard_entry (
                 token, config, contract, creator, usd_e6, donations, first_at, last_at
               )
               SELECT partner_token.token, sum.config, partner_token.contract,
                 partner_token.creator, sum.usd_e6, sum.donations, sum.first_at, sum.last_at
               FROM partner_token, (
                 SELECT given.config, CAST(sum(given.usd_e6) AS bigint) AS usd_e6,
                   count(*) AS donations, min(given.at) AS first_at, max(given.at) AS last_at
                 FROM standing_donation AS given WHERE given.token = $1 GROUP BY given.config
               ) AS sum
               WHERE partner_token.token = $1";
    tx.execute(sql, params![token])
}

/// Updates the entries of a partner token that was changed: sets their creator, creates the entry of the
/// active config if it has none, and deletes the entry of its earlier config if that has no donations.
pub(crate) fn update_token(tx: &Tx<'_>, partner: &PartnerToken) -> Result<(), DbError> {
    let (token, creator) = (partner.token.key(), partner.creator.as_str());
    let sql = "UPDATE leaderboard_entry SET creator = $2 WHERE token = $1 AND creator <> $2";
    tx.execute(sql, params![token, creator])?;
    let sql = "INSERT INTO leaderboard_entry (token, config, contract, creator, usd_e6, donations)
               VALUES ($1, $2, $3, $4, 0, 0)
               ON CONFLICT (token, config) DO NOTHING";
    let contract = partner.contract_key();
    let params = params![token, partner.active_config, contract, creator];
    tx.execute(sql, params)?;
    delete_empty(tx, &Batch::of_column([token]))
}

/// Deletes the entries of tokens without donations, except those of the active configs.
fn delete_empty(tx: &Tx<'_>, tokens: &Batch) -> Result<(), DbError> {
    let sql = "DELETE FROM leaderboard_entry
               WHERE token IN (SELECT batch.token FROM batch(token bytea)) AND donations = 0
                 AND config <> (
                   SELECT partner_token.active_config FROM partner_token
                   WHERE partner_token.token = leaderboard_entry.token
                 )";
    tx.execute_batch(sql, tokens, &[])?;
    Ok(())
}

/// Looks up the first and last dates in the log. Taking back can only have made the first later and the
/// last earlier, which bounds the search.
fn correct_dates(tx: &Tx<'_>, key: &EntryKey) -> Result<u64, DbError> {
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
    tx.execute(sql, params![key.token, key.config])
}
