//! The entries of leaderboards in SQLite.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row};

use super::EntryKey;
use crate::contracts::PartnerToken;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::donations::DonationStats;
use crate::donations::effect::DonationEffect;
use crate::rollups::batch::RollupBatch;

/// All entries.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<(EntryKey, DonationStats)>> {
    let sql = "SELECT token, config, usd_e6, donations, first_at, last_at FROM leaderboard_entry";
    query::all(db, sql, [], |row| Ok((read_key(row)?, column::stats(row)?)))
}

/// The keys of the entries that exist also without donations.
pub(crate) fn active(db: &Connection) -> rusqlite::Result<Vec<EntryKey>> {
    let sql = "SELECT token, active_config AS config FROM partner_token";
    query::all(db, sql, [], read_key)
}

fn read_key(row: &Row<'_>) -> rusqlite::Result<EntryKey> {
    Ok(EntryKey {
        token: row.get("token")?,
        config: row.get("config")?,
    })
}

/// Loads the entries that these donations may change.
pub(crate) fn load(
    db: &Connection,
    effects: &[&DonationEffect],
) -> rusqlite::Result<Vec<(EntryKey, DonationStats)>> {
    let keys = effects.iter().filter_map(|effect| effect.entry);
    let keys: BTreeSet<_> = keys.map(|(key, _)| key).collect();
    let sql = "SELECT usd_e6, donations, first_at, last_at FROM leaderboard_entry
               WHERE token = ?1 AND config = ?2";
    let mut entries = Vec::with_capacity(keys.len());
    for key in keys {
        let stats = query::first(db, sql, (key.token, key.config), column::stats)?;
        entries.push((key, stats.unwrap_or_default()));
    }
    Ok(entries)
}

/// Writes the entries that have changed. The donations must be in the log already.
pub(crate) fn write(db: &Connection, batch: &RollupBatch) -> rusqlite::Result<()> {
    for (key, sum) in batch.changed_entries() {
        let DonationStats {
            usd,
            donations,
            first,
            last,
        } = sum.stats;
        let sql = "INSERT INTO leaderboard_entry (
                     token, config, contract, creator, usd_e6, donations, first_at, last_at
                   )
                   SELECT token, ?2, contract, creator, ?3, ?4, ?5, ?6 FROM partner_token WHERE token = ?1
                   ON CONFLICT (token, config) DO UPDATE SET
                     usd_e6 = excluded.usd_e6, donations = excluded.donations,
                     first_at = excluded.first_at, last_at = excluded.last_at";
        let (first, last) = (first.map(Millis), last.map(Millis));
        let params = (key.token, key.config, usd, donations, first, last);
        query::execute(db, sql, params)?;
        if donations == 0 {
            delete_empty(db, key.token)?;
        } else if sum.dates_unknown {
            correct_dates(db, key)?;
        }
    }
    Ok(())
}

/// Creates the entries of a new partner token, from the donations that it received before.
pub(crate) fn insert_token(db: &Connection, token: [u8; 40]) -> rusqlite::Result<usize> {
    let sql = "INSERT INTO leaderboard_entry (
                 token, config, contract, creator, usd_e6, donations, first_at, last_at
               )
               SELECT given.token, given.config, partner_token.contract, partner_token.creator,
                 sum(given.usd_e6), count(*), min(given.at), max(given.at)
               FROM standing_donation AS given
               JOIN partner_token ON partner_token.token = given.token
               WHERE given.token = ?1
               GROUP BY given.config";
    query::execute(db, sql, [token])
}

/// Updates the entries of a partner token that was changed: sets their creator, creates the entry of the
/// active config if it has none, and deletes the entry of its earlier config if that has no donations.
pub(crate) fn update_token(db: &Connection, partner: &PartnerToken) -> rusqlite::Result<()> {
    let (token, creator) = (partner.token.key(), partner.creator.as_str());
    let sql = "UPDATE leaderboard_entry SET creator = ?2 WHERE token = ?1 AND creator <> ?2";
    query::execute(db, sql, (token, creator))?;
    let sql = "INSERT INTO leaderboard_entry (token, config, contract, creator, usd_e6, donations)
               VALUES (?1, ?2, ?3, ?4, 0, 0)
               ON CONFLICT (token, config) DO NOTHING";
    let (config, contract) = (partner.active_config, partner.contract_key());
    query::execute(db, sql, (token, config, contract, creator))?;
    delete_empty(db, token)
}

/// Deletes the entries of a token without donations, except that of the active config.
fn delete_empty(db: &Connection, token: [u8; 40]) -> rusqlite::Result<()> {
    let sql = "DELETE FROM leaderboard_entry
               WHERE token = ?1 AND donations = 0
                 AND config <> (SELECT active_config FROM partner_token WHERE token = ?1)";
    query::execute(db, sql, [token])?;
    Ok(())
}

/// Looks up the first and last dates in the log. Taking back can only have made the first later and the
/// last earlier, which bounds the search.
fn correct_dates(db: &Connection, key: &EntryKey) -> rusqlite::Result<usize> {
    let sql = "UPDATE leaderboard_entry SET
                 first_at = (
                   SELECT given.at FROM standing_donation AS given
                   WHERE given.token = ?1 AND given.config = ?2
                     AND given.at >= leaderboard_entry.first_at
                   ORDER BY given.at LIMIT 1
                 ),
                 last_at = (
                   SELECT given.at FROM standing_donation AS given
                   WHERE given.token = ?1 AND given.config = ?2
                     AND given.at <= leaderboard_entry.last_at
                   ORDER BY given.at DESC LIMIT 1
                 )
               WHERE token = ?1 AND config = ?2";
    query::execute(db, sql, (key.token, key.config))
}
