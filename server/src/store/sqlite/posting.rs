//! How donations are counted: in the roll-ups, in the ranks and for campaigns.

use rusqlite::Connection;

use super::column::Millis;
use super::{configs, partners, query, tally, versions};
use crate::domain::donation::Donation;
use crate::domain::project::ProjectId;
use crate::store::error::WriteError;
use crate::store::posting::Posting;
use crate::store::versions::Versioned;

/// Counts a recorded donation, or uncounts it when its revision takes back.
pub(super) fn post(db: &Connection, donation: &Donation) -> Result<(), WriteError> {
    let config = configs::get(db, donation.config)?;
    let posting = Posting::new(&config, donation.token.key(), donation.usd, donation.at);
    let back = donation.revision.takes_back();
    let owner = partners::owner(db, posting.token)?;
    for (cell, usd) in posting.all_cells(config.project, owner) {
        match back {
            false => tally::add_one(db, &cell, usd, posting.at)?,
            true => tally::take(db, &cell, usd, posting.at)?,
        }
    }
    if owner.is_some() {
        partners::rank(db, posting.token)?;
    }
    raise(db, &posting, if back { -1 } else { 1 })
}

/// Counts the donations that a token received before it became a partner token for the project
/// that owns it now.
pub(super) fn post_earlier(
    db: &Connection,
    token: [u8; 40],
    owner: ProjectId,
) -> Result<(), WriteError> {
    let sql = "SELECT given.config, given.usd_e6, given.at FROM standing_donation AS given
               JOIN config ON config.id = given.config
               WHERE given.token = ?1 AND config.project <> ?2";
    let earlier = query::all(db, sql, (token, owner), |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, Millis>(2)?.0))
    })?;
    for (config, usd, at) in earlier {
        let posting = Posting::new(&configs::get(db, config)?, token, usd, at);
        for (cell, usd) in posting.cells(owner) {
            tally::add_one(db, &cell, usd, at)?;
        }
    }
    Ok(())
}

/// Adds a donation's parts, times `sign`, to the campaigns that ran when it was given.
fn raise(db: &Connection, posting: &Posting, sign: i64) -> Result<(), WriteError> {
    let of_config = "UPDATE campaign SET raised_e6 = raised_e6 + ?3
                     WHERE config = ?1 AND starts_at <= ?2 AND (ends_at IS NULL OR ?2 < ends_at)";
    let of_charity = "UPDATE campaign SET raised_e6 = raised_e6 + ?3
                      WHERE charity = ?1 AND starts_at <= ?2 AND (ends_at IS NULL OR ?2 < ends_at)";
    let at = Millis(posting.at);
    let mut raised = query::execute(db, of_config, (posting.config, at, sign * posting.usd.0))?;
    for (charity, share) in &posting.shares {
        raised += query::execute(db, of_charity, (charity, at, sign * share.0))?;
    }
    if raised > 0 {
        versions::advance(db, Versioned::Raised)?;
    }
    Ok(())
}
