//! The log of donations. Rows are added once and never changed.

use rusqlite::{Connection, named_params};

use super::column::{self, Millis};
use super::{configs, posting, query, tokens};
use crate::domain::donation::{Donation, Revision};
use crate::store::Change;
use crate::store::entry::{self, Entry};
use crate::store::error::{Rule, WriteError};

/// Records a donation and counts it; one that is there must be the same.
pub(super) fn write(db: &Connection, donation: &Donation) -> Result<Change, WriteError> {
    if let Some(stored) = find(db, donation, donation.revision)? {
        return Ok(stored.repeated_by(donation)?);
    }
    if !tokens::exists(db, donation.token.key())? {
        return Err(WriteError::rejected("/token", Rule::Unknown));
    }
    if !configs::exists(db, donation.config)? {
        return Err(WriteError::rejected("/config", Rule::Unknown));
    }
    let previous = donation.revision.previous();
    let previous = previous.map(|revision| find(db, donation, revision));
    entry::check_revision(donation, previous.transpose()?.flatten().as_ref())?;
    insert(db, donation)?;
    posting::post(db, donation)?;
    Ok(Change::Inserted)
}

fn find(
    db: &Connection,
    donation: &Donation,
    revision: Revision,
) -> rusqlite::Result<Option<Entry>> {
    query::first(
        db,
        "SELECT token, config, amount, abs(usd_e6) AS usd, at FROM donation
         WHERE chain = ?1 AND tx = ?2 AND log_index = ?3 AND revision = ?4",
        (
            donation.token.chain,
            donation.transaction.as_str(),
            donation.log_index,
            revision,
        ),
        |row| {
            Ok(Entry {
                token: row.get("token")?,
                config: row.get("config")?,
                amount: row.get("amount")?,
                usd: row.get("usd")?,
                at: column::time(row, "at")?,
            })
        },
    )
}

fn insert(db: &Connection, donation: &Donation) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO donation VALUES (
           :chain, :tx, :log_index, :revision, :token, :config, :amount, :usd_e6, :at
         )",
        named_params! {
            ":chain": donation.token.chain,
            ":tx": donation.transaction.as_str(),
            ":log_index": donation.log_index,
            ":revision": donation.revision,
            ":token": donation.token.key(),
            ":config": donation.config,
            ":amount": donation.amount,
            ":usd_e6": donation.signed_usd(),
            ":at": Millis(donation.at),
        },
    )
}
