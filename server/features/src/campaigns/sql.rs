//! Campaigns and the amounts that they have raised.

use std::collections::BTreeSet;

use db::{Batch, DbError, Row, Tx, params};
use jiff::Timestamp;

use super::{Campaign, CampaignBeneficiary, CampaignId, CampaignProgress};
use crate::configs::sql::Configs;
use crate::domain::amount::UsdE6;
use crate::domain::config_id::ConfigId;

const CAMPAIGNS: &str =
    "SELECT id, title, description, charity, config, goal_e6, starts_at, ends_at,
                           raised_e6 FROM campaign";

/// All campaigns, by id.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<CampaignProgress>, DbError> {
    tx.all(&format!("{CAMPAIGNS} ORDER BY id"), &[], read_progress)
}

/// The existing campaigns with some ids.
pub(crate) fn some(
    tx: &Tx<'_>,
    ids: &BTreeSet<CampaignId>,
) -> Result<Vec<CampaignProgress>, DbError> {
    let sql = format!("{CAMPAIGNS} WHERE id IN (SELECT batch.id FROM batch(id uuid))");
    tx.all_of_batch(&sql, &Batch::of_column(ids), &[], read_progress)
}

fn read_progress(row: &Row<'_>) -> Result<CampaignProgress, DbError> {
    Ok(CampaignProgress {
        campaign: read(row)?,
        raised: row.get("raised_e6")?,
    })
}

/// A campaign by its id.
pub(crate) fn find(tx: &Tx<'_>, id: CampaignId) -> Result<Option<Campaign>, DbError> {
    tx.first(&format!("{CAMPAIGNS} WHERE id = $1"), params![id], read)
}

/// Inserts or updates a campaign of a known beneficiary.
pub(crate) fn put(tx: &Tx<'_>, campaign: &Campaign) -> Result<(), DbError> {
    put_row(tx, campaign, raised_so_far(tx, campaign)?)?;
    Ok(())
}

/// The amount that the recorded donations raise for a campaign. It fits, since the sum of donations to its
/// beneficiary does.
fn raised_so_far(tx: &Tx<'_>, campaign: &Campaign) -> Result<UsdE6, DbError> {
    let configs = Configs::load(tx, contributing_configs(tx, campaign)?)?;
    let sql = "SELECT usd_e6, at FROM standing_donation WHERE config = $1";
    let mut raised = UsdE6(0);
    for config in configs.into_vec() {
        let read = |row: &Row<'_>| Ok((row.get("usd_e6")?, row.get::<Timestamp>("at")?));
        for (usd, at) in tx.all::<_, Vec<_>>(sql, params![config.id], read)? {
            if campaign.period().includes(at) {
                let part = campaign.beneficiary.part_of(&config, usd);
                raised.0 = raised.0.saturating_add(part.0);
            }
        }
    }
    Ok(raised)
}

/// The configs whose donations count for a campaign.
fn contributing_configs(tx: &Tx<'_>, campaign: &Campaign) -> Result<Vec<ConfigId>, DbError> {
    let charity = match campaign.beneficiary {
        CampaignBeneficiary::Config(config) => return Ok(vec![config]),
        CampaignBeneficiary::Charity(charity) => charity,
    };
    let sql = "SELECT config FROM config_charity WHERE charity = $1
               AND EXISTS (SELECT 1 FROM donation WHERE donation.config = config_charity.config)";
    tx.all(sql, params![charity], |row| row.get("config"))
}

fn put_row(tx: &Tx<'_>, campaign: &Campaign, raised: UsdE6) -> Result<u64, DbError> {
    let (charity, config) = match campaign.beneficiary {
        CampaignBeneficiary::Charity(charity) => (Some(charity), None),
        CampaignBeneficiary::Config(config) => (None, Some(config)),
    };
    let sql = "INSERT INTO campaign (
                 id, title, description, charity, config, goal_e6, starts_at, ends_at, raised_e6
               ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               ON CONFLICT (id) DO UPDATE SET
                 title = excluded.title, description = excluded.description,
                 charity = excluded.charity, config = excluded.config,
                 goal_e6 = excluded.goal_e6, starts_at = excluded.starts_at,
                 ends_at = excluded.ends_at, raised_e6 = excluded.raised_e6";
    tx.execute(
        sql,
        params![
            campaign.id,
            campaign.title,
            campaign.description,
            charity,
            config,
            campaign.goal,
            campaign.starts_at,
            campaign.ends_at,
            raised
        ],
    )
}

fn read(row: &Row<'_>) -> Result<Campaign, DbError> {
    Ok(Campaign {
        id: row.get("id")?,
        title: row.get("title")?,
        description: row.get("description")?,
        beneficiary: read_beneficiary(row)?,
        goal: row.get("goal_e6")?,
        starts_at: row.get("starts_at")?,
        ends_at: row.get("ends_at")?,
    })
}

/// Reads the beneficiary of a campaign from the columns `charity` and `config`.
pub(crate) fn read_beneficiary(row: &Row<'_>) -> Result<CampaignBeneficiary, DbError> {
    Ok(match row.get("charity")? {
        Some(charity) => CampaignBeneficiary::Charity(charity),
        None => CampaignBeneficiary::Config(row.get("config")?),
    })
}
