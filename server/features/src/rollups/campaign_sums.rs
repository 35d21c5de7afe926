//! The amounts that campaigns have raised, as a batch of donations changes them.

use std::collections::BTreeSet;

use db::{Batch, DbError, Row, Tx, params};

use super::batch::CampaignSum;
use crate::campaigns::sql::read_beneficiary;
use crate::campaigns::{CampaignBeneficiary, CampaignId, Period};

/// Locks the amounts raised by the campaigns of these beneficiaries until the end of the transaction,
/// and returns them. They are locked in order, after the projects.
pub(super) fn lock(
    tx: &Tx<'_>,
    beneficiaries: &BTreeSet<CampaignBeneficiary>,
) -> Result<Vec<CampaignSum>, DbError> {
    let (mut configs, mut charities) = (Batch::default(), Batch::default());
    for beneficiary in beneficiaries {
        match beneficiary {
            CampaignBeneficiary::Config(config) => configs.push(params![config]),
            CampaignBeneficiary::Charity(charity) => charities.push(params![charity]),
        }
    }
    let of_config =
        "SELECT campaign.id FROM batch(id bytea) JOIN campaign ON campaign.config = batch.id";
    let of_charity =
        "SELECT campaign.id FROM batch(id uuid) JOIN campaign ON campaign.charity = batch.id";
    let read_id = |row: &Row<'_>| row.get::<CampaignId>("id");
    let mut campaigns: BTreeSet<_> = tx.all_of_batch(of_config, &configs, &[], read_id)?;
    campaigns.extend(tx.all_of_batch::<_, Vec<_>>(of_charity, &charities, &[], read_id)?);
    let sql = "SELECT campaign.id, charity, config, starts_at, ends_at, goal_e6, raised_e6
               FROM batch(id uuid) JOIN campaign ON campaign.id = batch.id
               ORDER BY campaign.id FOR NO KEY UPDATE OF campaign";
    tx.all_of_batch(sql, &Batch::of_column(campaigns), &[], read_sum)
}

fn read_sum(row: &Row<'_>) -> Result<CampaignSum, DbError> {
    Ok(CampaignSum {
        campaign: row.get("id")?,
        beneficiary: read_beneficiary(row)?,
        period: Period {
            starts_at: row.get("starts_at")?,
            ends_at: row.get("ends_at")?,
        },
        goal: row.get("goal_e6")?,
        before: row.get("raised_e6")?,
        raised: row.get("raised_e6")?,
        changed: false,
    })
}
