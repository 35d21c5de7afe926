//! Campaigns and what they have raised.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::column::{self, Millis};
use super::configs::Configs;
use super::versions::Changed;
use super::{Failure, charities, configs, query};
use crate::domain::amount::UsdE6;
use crate::domain::campaign::{Campaign, CampaignBeneficiary, CampaignId};
use crate::domain::charity::CharityId;
use crate::domain::config::{Config, ConfigId};
use crate::domain::share;
use crate::store::error::{Rule, WriteError};
use crate::store::versions::Versioned;
use crate::store::{CampaignProgress, Change};

const CAMPAIGNS: &str =
    "SELECT id, title, description, charity, config, goal_e6, starts_at, ends_at,
                           raised_e6 FROM campaign";

/// What every campaign has raised.
pub(super) async fn raised(db: &impl GenericClient) -> Result<HashMap<CampaignId, UsdE6>, Failure> {
    query::all(db, "SELECT id, raised_e6 FROM campaign", &[], |row| {
        Ok((row.try_get("id")?, row.try_get("raised_e6")?))
    })
    .await
}

/// All campaigns, by id.
pub(super) async fn all(db: &impl GenericClient) -> Result<Vec<CampaignProgress>, Failure> {
    query::all(db, &format!("{CAMPAIGNS} ORDER BY id"), &[], |row| {
        Ok(CampaignProgress {
            campaign: read(row)?,
            raised: row.try_get("raised_e6")?,
        })
    })
    .await
}

pub(super) async fn write(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    changed: &mut Changed,
) -> Result<Change, WriteError<Failure>> {
    require_beneficiary(tx, campaign).await?;
    let sql = format!("{CAMPAIGNS} WHERE id = $1");
    let stored = query::first(tx, &sql, &[&campaign.id], read).await?;
    let change = Change::between(stored.as_ref(), campaign);
    if change != Change::Unchanged {
        put(tx, campaign, raised_before(tx, campaign).await?).await?;
        changed.note(Versioned::Catalogue);
    }
    Ok(change)
}

async fn require_beneficiary(
    tx: &Transaction<'_>,
    campaign: &Campaign,
) -> Result<(), WriteError<Failure>> {
    let (known, member) = match campaign.beneficiary {
        CampaignBeneficiary::Charity(charity) => {
            (charities::exists(tx, charity).await?, "/charity")
        }
        CampaignBeneficiary::Config(config) => (configs::exists(tx, config).await?, "/config"),
    };
    if known {
        Ok(())
    } else {
        Err(WriteError::rejected(member, Rule::Unknown))
    }
}

/// What the donations that are recorded already raise for a campaign.
async fn raised_before(
    tx: &Transaction<'_>,
    campaign: &Campaign,
) -> Result<UsdE6, WriteError<Failure>> {
    let too_much = || WriteError::rejected("", Rule::Overflow);
    let mut raised = UsdE6(0);
    for part in parts(tx, campaign).await? {
        raised.0 = raised.0.checked_add(part.0).ok_or_else(too_much)?;
    }
    Ok(raised)
}

/// What each standing donation within a campaign's time gives to its beneficiary.
pub(super) async fn parts(
    tx: &Transaction<'_>,
    campaign: &Campaign,
) -> Result<Vec<UsdE6>, Failure> {
    let start = Millis(campaign.starts_at);
    let end = Millis(campaign.ends_at.unwrap_or(Timestamp::MAX));
    match campaign.beneficiary {
        CampaignBeneficiary::Config(config) => {
            let sql = "SELECT usd_e6 FROM standing_donation
                       WHERE config = $1 AND at >= $2 AND at < $3";
            query::all(tx, sql, &[&config, &start, &end], |row| {
                Ok(row.try_get("usd_e6")?)
            })
            .await
        }
        CampaignBeneficiary::Charity(charity) => {
            let sql = "SELECT given.config, given.usd_e6 FROM config_charity
                       JOIN standing_donation AS given ON given.config = config_charity.config
                       WHERE config_charity.charity = $1 AND given.at >= $2 AND given.at < $3";
            let given: Vec<(ConfigId, UsdE6)> =
                query::all(tx, sql, &[&charity, &start, &end], |row| {
                    Ok((row.try_get("config")?, row.try_get("usd_e6")?))
                })
                .await?;
            let mut named: Vec<_> = given.iter().map(|(config, _)| *config).collect();
            named.sort_unstable();
            named.dedup();
            let configs = Configs::load(tx, named).await?;
            let part = |(config, usd)| Ok(share_of(charity, configs.get(config)?, usd));
            given.into_iter().map(part).collect()
        }
    }
}

fn share_of(charity: CharityId, config: &Config, usd: UsdE6) -> UsdE6 {
    let shares = share::split(usd, &config.weights());
    let mut of_charity = config.beneficiaries.iter().zip(shares);
    let share = of_charity.find(|(beneficiary, _)| beneficiary.charity == charity);
    share.map_or(UsdE6(0), |(_, share)| share)
}

async fn put(tx: &Transaction<'_>, campaign: &Campaign, raised: UsdE6) -> Result<u64, Failure> {
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
