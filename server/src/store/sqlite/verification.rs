//! The roll-ups recomputed from the log of donations, to prove that they are what they should be.

use rusqlite::{Connection, Row};

use super::{campaigns, column, configs, partners, query};
use crate::store::StoreError;
use crate::store::posting::Posting;
use crate::store::verification::{Drift, Sums, campaign_drift};

/// Recomputes every roll-up from the donations and tells which differ.
pub(super) fn drifts(db: &Connection) -> Result<Vec<Drift>, StoreError> {
    let expected = expected_sums(db)?;
    let mut drifts = expected.drifts(&recorded_sums(db)?);
    drifts.extend(partner_drifts(db, &expected)?);
    drifts.extend(campaign_drifts(db)?);
    Ok(drifts)
}

fn expected_sums(db: &Connection) -> Result<Sums, StoreError> {
    let mut statement = db.prepare("SELECT token, config, usd_e6, at FROM standing_donation")?;
    let mut rows = statement.query([])?;
    let mut sums = Sums::default();
    while let Some(row) = rows.next()? {
        let config = configs::get(db, row.get("config")?)?;
        let at = column::time(row, "at")?;
        let posting = Posting::new(&config, row.get("token")?, row.get("usd_e6")?, at);
        sums.count(
            &posting,
            config.project,
            partners::owner(db, posting.token)?,
        );
    }
    Ok(sums)
}

fn recorded_sums(db: &Connection) -> Result<Sums, StoreError> {
    let read = |row: &Row<'_>| {
        let key = (
            row.get("project")?,
            row.get("facet")?,
            row.get("member")?,
            row.get("day")?,
        );
        Ok((key, column::stats(row)?))
    };
    let mut sums = query::all(db, "SELECT *, NULL AS day FROM tally", [], read)?;
    sums.extend(query::all(db, "SELECT * FROM tally_of_day", [], read)?);
    Ok(sums.into_iter().collect())
}

fn partner_drifts(db: &Connection, expected: &Sums) -> Result<Vec<Drift>, StoreError> {
    let ranked = query::all(db, "SELECT * FROM partner_token", [], |row| {
        Ok((row.get::<_, [u8; 40]>("token")?, column::stats(row)?))
    })?;
    let mut drifts = Vec::new();
    for (token, recorded) in ranked {
        drifts.extend(expected.partner_drift(token, partners::owner(db, token)?, recorded));
    }
    Ok(drifts)
}

fn campaign_drifts(db: &Connection) -> Result<Vec<Drift>, StoreError> {
    let mut drifts = Vec::new();
    for progress in campaigns::all(db)? {
        let parts = campaigns::parts(db, &progress.campaign)?;
        drifts.extend(campaign_drift(
            progress.campaign.id,
            progress.raised,
            &parts,
        ));
    }
    Ok(drifts)
}
