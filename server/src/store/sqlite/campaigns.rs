//! Campaigns and what they have raised.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::column::{self, Millis};
use super::{charities, configs, query, versions};
use crate::domain::amount::UsdE6;
use crate::domain::campaign::{Campaign, CampaignBeneficiary, CampaignId};
use crate::domain::charity::CharityId;
use crate::domain::config::ConfigId;
use crate::domain::share;
use crate::store::error::{Rule, WriteError};
use crate::store::versions::Versioned;
use crate::store::{CampaignProgress, Change, StoreError};

/// What every campaign has raised.
pub(super) fn raised(db: &Connection) -> rusqlite::Result<HashMap<CampaignId, UsdE6>> {
    let sql = "SELECT id, raised_e6 FROM campaign";
    let raised = query::all(db, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(raised.into_iter().collect())
}

/// All campaigns.
pub(super) fn all(db: &Connection) -> rusqlite::Result<Vec<CampaignProgress>> {
    query::all(db, "SELECT * FROM campaign ORDER BY id", [], |row| {
        Ok(CampaignProgress {
            campaign: read(row)?,
            raised: row.get("raised_e6")?,
        })
    })
}

pub(super) fn write(db: &Connection, campaign: &Campaign) -> Result<Change, WriteError> {
    require_beneficiary(db, campaign)?;
    let stored = query::first(
        db,
        "SELECT * FROM campaign WHERE id = ?1",
        [campaign.id],
        read,
    )?;
    let change = Change::between(stored.as_ref(), campaign);
    if change != Change::Unchanged {
        versions::advance(db, Versioned::Catalogue)?;
        put(db, campaign, raised_before(db, campaign)?)?;
    }
    Ok(change)
}

fn require_beneficiary(db: &Connection, campaign: &Campaign) -> Result<(), WriteError> {
    let (known, member) = match campaign.beneficiary {
        CampaignBeneficiary::Charity(charity) => (charities::exists(db, charity)?, "/charity"),
        CampaignBeneficiary::Config(config) => (configs::exists(db, config)?, "/config"),
    };
    if known {
        Ok(())
    } else {
        Err(WriteError::rejected(member, Rule::Unknown))
    }
}

/// What the donations that are recorded already raise for a campaign.
fn raised_before(db: &Connection, campaign: &Campaign) -> Result<UsdE6, WriteError> {
    let too_much = || WriteError::rejected("", Rule::Overflow);
    let mut raised = UsdE6(0);
    for part in parts(db, campaign)? {
        raised.0 = raised.0.checked_add(part.0).ok_or_else(too_much)?;
    }
    Ok(raised)
}

/// What each standing donation within a campaign's time gives to its beneficiary.
pub(super) fn parts(db: &Connection, campaign: &Campaign) -> Result<Vec<UsdE6>, StoreError> {
    let (start, end) = (
        campaign.starts_at,
        campaign.ends_at.unwrap_or(Timestamp::MAX),
    );
    let within = (Millis(start), Millis(end));
    match campaign.beneficiary {
        CampaignBeneficiary::Config(config) => {
            let sql = "SELECT usd_e6 FROM standing_donation
                       WHERE config = ?1 AND at >= ?2 AND at < ?3";
            Ok(query::all(db, sql, (config, within.0, within.1), |row| {
                row.get(0)
            })?)
        }
        CampaignBeneficiary::Charity(charity) => {
            let sql = "SELECT given.config, given.usd_e6 FROM config_charity
                       JOIN standing_donation AS given ON given.config = config_charity.config
                       WHERE config_charity.charity = ?1 AND given.at >= ?2 AND given.at < ?3";
            let given = query::all(db, sql, (charity, within.0, within.1), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            given
                .into_iter()
                .map(|(config, usd)| share_of(db, charity, config, usd))
                .collect()
        }
    }
}

fn share_of(
    db: &Connection,
    charity: CharityId,
    config: ConfigId,
    usd: UsdE6,
) -> Result<UsdE6, StoreError> {
    let config = configs::get(db, config)?;
    let shares = share::split(usd, &config.weights());
    let of_charity = config
        .beneficiaries
        .iter()
        .zip(shares)
        .find(|(beneficiary, _)| beneficiary.charity == charity);
    Ok(of_charity.map_or(UsdE6(0), |(_, share)| share))
}

fn put(db: &Connection, campaign: &Campaign, raised: UsdE6) -> rusqlite::Result<usize> {
    let (charity, config) = match campaign.beneficiary {
        CampaignBeneficiary::Charity(charity) => (Some(charity), None),
        CampaignBeneficiary::Config(config) => (None, Some(config)),
    };
    query::execute(
        db,
        "INSERT INTO campaign VALUES (
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
