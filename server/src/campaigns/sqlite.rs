//! Campaigns and the amounts that they have raised, in SQLite.

use std::collections::HashMap;

use rusqlite::{Connection, Row, named_params};

use super::{Campaign, CampaignBeneficiary, CampaignId, CampaignProgress, Period};
use crate::configs::{ConfigId, sqlite as configs};
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::domain::amount::UsdE6;
use crate::rollups::batch::CampaignSum;

const CAMPAIGNS: &str =
    "SELECT id, title, description, charity, config, goal_e6, starts_at, ends_at, raised_e6
                         FROM campaign";

/// The amount raised by every campaign.
pub(crate) fn raised(db: &Connection) -> rusqlite::Result<HashMap<CampaignId, UsdE6>> {
    let sql = "SELECT id, raised_e6 FROM campaign";
    let raised = query::all(db, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(raised.into_iter().collect())
}

/// All campaigns.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<CampaignProgress>> {
    query::all(db, &format!("{CAMPAIGNS} ORDER BY id"), [], |row| {
        Ok(CampaignProgress {
            campaign: read(row)?,
            raised: row.get("raised_e6")?,
        })
    })
}

/// A campaign by its id.
pub(crate) fn find(db: &Connection, id: CampaignId) -> rusqlite::Result<Option<Campaign>> {
    query::first(db, &format!("{CAMPAIGNS} WHERE id = ?1"), [id], read)
}

/// Inserts or updates a campaign of a known beneficiary.
pub(crate) fn put(db: &Connection, campaign: &Campaign) -> Result<(), StoreError> {
    put_row(db, campaign, raised_so_far(db, campaign)?)?;
    Ok(())
}

/// The amount that the recorded donations raise for a campaign. It fits, since the sum of donations to its
/// beneficiary does.
fn raised_so_far(db: &Connection, campaign: &Campaign) -> Result<UsdE6, StoreError> {
    let sql = "SELECT usd_e6, at FROM standing_donation WHERE config = ?1";
    let mut select = db.prepare_cached(sql)?;
    let mut raised = UsdE6(0);
    for config in contributing_configs(db, campaign)? {
        let config = configs::get(db, config)?;
        let mut given = select.query([config.id])?;
        while let Some(row) = given.next()? {
            if campaign.period().includes(column::time(row, "at")?) {
                let part = campaign.beneficiary.part_of(&config, row.get("usd_e6")?);
                raised.0 = raised.0.saturating_add(part.0);
            }
        }
    }
    Ok(raised)
}

/// The amounts raised by the campaigns of a beneficiary.
pub(crate) fn sums_of(
    db: &Connection,
    beneficiary: CampaignBeneficiary,
) -> rusqlite::Result<Vec<CampaignSum>> {
    let columns = "SELECT id, starts_at, ends_at, goal_e6, raised_e6 FROM campaign";
    let read = |row: &Row<'_>| {
        Ok(CampaignSum {
            campaign: row.get("id")?,
            beneficiary,
            period: read_period(row)?,
            goal: row.get("goal_e6")?,
            before: row.get("raised_e6")?,
            raised: row.get("raised_e6")?,
            changed: false,
        })
    };
    match beneficiary {
        CampaignBeneficiary::Config(config) => {
            query::all(db, &format!("{columns} WHERE config = ?1"), [config], read)
        }
        CampaignBeneficiary::Charity(charity) => query::all(
            db,
            &format!("{columns} WHERE charity = ?1"),
            [charity],
            read,
        ),
    }
}

fn read_period(row: &Row<'_>) -> rusqlite::Result<Period> {
    Ok(Period {
        starts_at: column::time(row, "starts_at")?,
        ends_at: column::time_if_any(row, "ends_at")?,
    })
}

/// The configs whose donations count for a campaign.
fn contributing_configs(db: &Connection, campaign: &Campaign) -> rusqlite::Result<Vec<ConfigId>> {
    let charity = match campaign.beneficiary {
        CampaignBeneficiary::Config(config) => return Ok(vec![config]),
        CampaignBeneficiary::Charity(charity) => charity,
    };
    let sql = "SELECT config FROM config_charity WHERE charity = ?1
               AND EXISTS (SELECT 1 FROM donation WHERE donation.config = config_charity.config)";
    query::all(db, sql, [charity], |row| row.get(0))
}

fn put_row(db: &Connection, campaign: &Campaign, raised: UsdE6) -> rusqlite::Result<usize> {
    let (charity, config) = match campaign.beneficiary {
        CampaignBeneficiary::Charity(charity) => (Some(charity), None),
        CampaignBeneficiary::Config(config) => (None, Some(config)),
    };
    query::execute(
        db,
        "INSERT INTO campaign (
           id, title, description, charity, config, goal_e6, starts_at, ends_at, raised_e6
         ) VALUES (
           :id, :title, :description, :charity, :config, :goal, :starts, :ends, :raised
         )
         ON CONFLICT (id) DO UPDATE SET
           title = excluded.title, description = excluded.description,
           charity = excluded.charity, config = excluded.config, goal_e6 = excluded.goal_e6,
           starts_at = excluded.starts_at, ends_at = excluded.ends_at,
           raised_e6 = excluded.raised_e6",
        named_params! {
            ":id": campaign.id,
            ":title": campaign.title,
            ":description": campaign.description,
            ":charity": charity,
            ":config": config,
            ":goal": campaign.goal,
            ":starts": Millis(campaign.starts_at),
            ":ends": campaign.ends_at.map(Millis),
            ":raised": raised,
        },
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Campaign> {
    let beneficiary = match row.get("charity")? {
        Some(charity) => CampaignBeneficiary::Charity(charity),
        None => CampaignBeneficiary::Config(row.get("config")?),
    };
    Ok(Campaign {
        id: row.get("id")?,
        title: row.get("title")?,
        description: row.get("description")?,
        beneficiary,
        goal: row.get("goal_e6")?,
        starts_at: column::time(row, "starts_at")?,
        ends_at: column::time_if_any(row, "ends_at")?,
    })
}
