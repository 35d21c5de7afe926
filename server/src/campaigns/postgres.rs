//! Campaigns and the amounts that they have raised, in PostgreSQL.

use std::collections::{BTreeSet, HashMap};

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::{Campaign, CampaignBeneficiary, CampaignId, CampaignProgress, Period};
use crate::configs::ConfigId;
use crate::configs::postgres::Configs;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::cursor::Cursor;
use crate::database::postgres::{Failure, query};
use crate::domain::amount::UsdE6;
use crate::rollups::batch::CampaignSum;

const CAMPAIGNS: &str =
    "SELECT id, title, description, charity, config, goal_e6, starts_at, ends_at,
                           raised_e6 FROM campaign";

/// The amount raised by every campaign.
pub(crate) async fn raised(db: &impl GenericClient) -> Result<HashMap<CampaignId, UsdE6>, Failure> {
    query::all(db, "SELECT id, raised_e6 FROM campaign", &[], |row| {
        Ok((row.try_get("id")?, row.try_get("raised_e6")?))
    })
    .await
}

/// All campaigns, by id.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<CampaignProgress>, Failure> {
    query::all(db, &format!("{CAMPAIGNS} ORDER BY id"), &[], |row| {
        Ok(CampaignProgress {
            campaign: read(row)?,
            raised: row.try_get("raised_e6")?,
        })
    })
    .await
}

/// A campaign by its id.
pub(crate) async fn find(
    db: &impl GenericClient,
    id: CampaignId,
) -> Result<Option<Campaign>, Failure> {
    query::first(db, &format!("{CAMPAIGNS} WHERE id = $1"), &[&id], read).await
}

/// Inserts or updates a campaign of a known beneficiary.
pub(crate) async fn put(tx: &Transaction<'_>, campaign: &Campaign) -> Result<(), Failure> {
    put_row(tx, campaign, raised_so_far(tx, campaign).await?).await?;
    Ok(())
}

/// The amount that the recorded donations raise for a campaign. It fits, since the sum of donations to its
/// beneficiary does.
async fn raised_so_far(tx: &Transaction<'_>, campaign: &Campaign) -> Result<UsdE6, Failure> {
    let configs = Configs::load(tx, contributing_configs(tx, campaign).await?).await?;
    let sql = "SELECT config, usd_e6, at FROM standing_donation WHERE config = ANY ($1)";
    let ids: Vec<ConfigId> = configs.ids().collect();
    let mut given = Cursor::open(tx, sql, &[&ids], |row| {
        let at = column::time(row, "at")?;
        Ok((row.try_get("config")?, row.try_get("usd_e6")?, at))
    })
    .await?;
    let mut raised = UsdE6(0);
    while let Some((config, usd, at)) = given.next().await? {
        if campaign.period().includes(at) {
            let config = configs.get(config)?;
            let part = campaign.beneficiary.part_of(config, usd);
            raised.0 = raised.0.saturating_add(part.0);
        }
    }
    Ok(raised)
}

/// Locks the amounts raised by the campaigns of these beneficiaries until the end of the transaction,
/// and returns them. They are locked in order, after the projects.
pub(crate) async fn lock_sums(
    tx: &Transaction<'_>,
    beneficiaries: &BTreeSet<CampaignBeneficiary>,
) -> Result<Vec<CampaignSum>, Failure> {
    let (mut configs, mut charities) = (Vec::new(), Vec::new());
    for beneficiary in beneficiaries {
        match beneficiary {
            CampaignBeneficiary::Config(config) => configs.push(*config),
            CampaignBeneficiary::Charity(charity) => charities.push(*charity),
        }
    }
    let sql = "SELECT id, charity, config, starts_at, ends_at, goal_e6, raised_e6 FROM campaign
               WHERE config = ANY ($1) OR charity = ANY ($2)
               ORDER BY id FOR NO KEY UPDATE";
    query::all(tx, sql, &[&configs, &charities], read_sum).await
}

fn read_sum(row: &Row) -> Result<CampaignSum, Failure> {
    Ok(CampaignSum {
        campaign: row.try_get("id")?,
        beneficiary: column::beneficiary(row)?,
        period: Period {
            starts_at: column::time(row, "starts_at")?,
            ends_at: column::time_if_any(row, "ends_at")?,
        },
        goal: row.try_get("goal_e6")?,
        before: row.try_get("raised_e6")?,
        raised: row.try_get("raised_e6")?,
        changed: false,
    })
}

/// The configs whose donations count for a campaign.
async fn contributing_configs(
    tx: &Transaction<'_>,
    campaign: &Campaign,
) -> Result<Vec<ConfigId>, Failure> {
    let charity = match campaign.beneficiary {
        CampaignBeneficiary::Config(config) => return Ok(vec![config]),
        CampaignBeneficiary::Charity(charity) => charity,
    };
    let sql = "SELECT config FROM config_charity WHERE charity = $1
               AND EXISTS (SELECT 1 FROM donation WHERE donation.config = config_charity.config)";
    query::all(tx, sql, &[&charity], |row| Ok(row.try_get("config")?)).await
}

async fn put_row(tx: &Transaction<'_>, campaign: &Campaign, raised: UsdE6) -> Result<u64, Failure> {
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
    query::execute(
        tx,
        sql,
        &[
            &campaign.id,
            &campaign.title,
            &campaign.description,
            &charity,
            &config,
            &campaign.goal,
            &Millis(campaign.starts_at),
            &campaign.ends_at.map(Millis),
            &raised,
        ],
    )
    .await
}

fn read(row: &Row) -> Result<Campaign, Failure> {
    Ok(Campaign {
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        description: row.try_get("description")?,
        beneficiary: column::beneficiary(row)?,
        goal: row.try_get("goal_e6")?,
        starts_at: column::time(row, "starts_at")?,
        ends_at: column::time_if_any(row, "ends_at")?,
    })
}
