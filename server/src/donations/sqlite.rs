//! The log of donations. Rows are added once and never changed.

use rusqlite::{Connection, named_params};

use super::entry::{self, Entry};
use super::{Donation, Revision};
use crate::configs::sqlite as configs;
use crate::database::error::WriteError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::import::{Change, OnRejection, Outcome, Rule};
use crate::rollups::sqlite::ledger::Ledger;
use crate::rollups::sqlite::posting;
use crate::tokens::sqlite as tokens;

/// Records a donation and counts it; one that is there must be the same.
pub(crate) fn write(db: &Connection, donation: &Donation) -> Result<Change, WriteError> {
    let change = judge(db, donation)?;
    if change == Change::Inserted {
        insert(db, donation)?;
        posting::post(db, donation)?;
    }
    Ok(change)
}

/// Records a run of donations that take nothing back, in order, and counts them together.
///
/// # Errors
/// A rejection where a sum does not fit. Whose doing it is is not known then, and the run is to be
/// undone.
pub(crate) fn write_run(
    db: &Connection,
    run: &[&Donation],
    on_rejection: OnRejection,
) -> Result<Vec<Outcome>, WriteError> {
    let mut ledger = Ledger::default();
    let mut outcomes = Vec::with_capacity(run.len());
    for donation in run {
        let outcome = write_next(db, &mut ledger, donation)?;
        let stop = outcome.is_err() && on_rejection == OnRejection::Stop;
        outcomes.push(outcome);
        if stop {
            break;
        }
    }
    ledger.settle(db)?;
    Ok(outcomes)
}

fn write_next(
    db: &Connection,
    ledger: &mut Ledger,
    donation: &Donation,
) -> Result<Outcome, WriteError> {
    // Most donations are new and have nothing wrong with them; the others are looked at in detail.
    let is_first = donation.revision.previous().is_none();
    if is_first && ledger.knows(db, donation)? && insert(db, donation)? > 0 {
        ledger.count(db, donation)?;
        return Ok(Ok(Change::Inserted));
    }
    match judge(db, donation) {
        Ok(Change::Inserted) => {
            insert(db, donation)?;
            ledger.count(db, donation)?;
            Ok(Ok(Change::Inserted))
        }
        Ok(change) => Ok(Ok(change)),
        Err(WriteError::Rejected(rejection)) => Ok(Err(rejection)),
        Err(failed) => Err(failed),
    }
}

/// What writing a donation is going to do.
fn judge(db: &Connection, donation: &Donation) -> Result<Change, WriteError> {
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

/// Adds a donation unless it is there; how many were added.
fn insert(db: &Connection, donation: &Donation) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO donation VALUES (
           :chain, :tx, :log_index, :revision, :token, :config, :amount, :usd_e6, :at
         ) ON CONFLICT DO NOTHING",
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
