//! How donations are counted: in the roll-ups, in the ranks and for campaigns.

use rusqlite::Connection;

use crate::configs::sqlite as configs;
use crate::contracts::sqlite as partners;
use crate::database::error::WriteError;
use crate::database::sqlite::column::Millis;
use crate::database::sqlite::{query, versions};
use crate::database::versions::Versioned;
use crate::donations::Donation;
use crate::donations::effect::Posting;
use crate::projects::ProjectId;
use crate::rollups::sqlite as tally;

/// Counts a recorded donation, or uncounts it when its revision takes back.
pub(crate) fn post(db: &Connection, donation: &Donation) -> Result<(), WriteError> {
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
pub(crate) fn post_earlier(
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
