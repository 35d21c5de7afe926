//! The roll-ups recomputed from the log of donations, to prove that they are what they should be.

use std::collections::HashMap;
use std::pin::pin;

use deadpool_postgres::Transaction;
use futures_util::TryStreamExt;
use tokio_postgres::Row;

use super::column::{self, Bytes};
use super::configs::Configs;
use super::{Failure, campaigns, query};
use crate::domain::config::ConfigId;
use crate::domain::project::ProjectId;
use crate::domain::stats::DonationStats;
use crate::store::Drift;
use crate::store::posting::Posting;
use crate::store::verification::{Key, Sums, campaign_drift};

/// A partner token, who owns it, and what it is ranked by.
type Ranked = ([u8; 40], ProjectId, DonationStats);

/// Recomputes every roll-up from the donations and tells which differ.
pub(super) async fn drifts(tx: &Transaction<'_>) -> Result<Vec<Drift>, Failure> {
    let ranked = ranked(tx).await?;
    let owners = ranked
        .iter()
        .map(|(token, owner, _)| (*token, *owner))
        .collect();
    let expected = expected_sums(tx, &owners).await?;
    let mut drifts = expected.drifts(&recorded_sums(tx).await?);
    for (token, owner, recorded) in ranked {
        drifts.extend(expected.partner_drift(token, Some(owner), recorded));
    }
    for progress in campaigns::all(tx).await? {
        let parts = campaigns::parts(tx, &progress.campaign).await?;
        drifts.extend(campaign_drift(
            progress.campaign.id,
            progress.raised,
            &parts,
        ));
    }
    Ok(drifts)
}

async fn ranked(tx: &Transaction<'_>) -> Result<Vec<Ranked>, Failure> {
    let sql = "SELECT partner_token.token, contract.project, partner_token.usd_e6,
                 partner_token.donations, partner_token.first_at, partner_token.last_at
               FROM partner_token JOIN contract ON contract.id = partner_token.contract";
    query::all(tx, sql, &[], |row| {
        let token = row.try_get::<_, Bytes<40>>("token")?.0;
        Ok((token, row.try_get("project")?, column::stats(row)?))
    })
    .await
}

/// Reads the log as a stream: it is the one table that does not fit into memory.
async fn expected_sums(
    tx: &Transaction<'_>,
    owners: &HashMap<[u8; 40], ProjectId>,
) -> Result<Sums, Failure> {
    let used = "SELECT DISTINCT config FROM donation";
    let used: Vec<ConfigId> = query::all(tx, used, &[], |row| Ok(row.try_get("config")?)).await?;
    let configs = Configs::load(tx, used).await?;
    let sql = "SELECT token, config, usd_e6, at FROM standing_donation";
    let params: [i64; 0] = [];
    let mut rows = pin!(tx.query_raw(sql, params).await?);
    let mut sums = Sums::default();
    while let Some(row) = rows.try_next().await? {
        let config = configs.get(row.try_get("config")?)?;
        let token = row.try_get::<_, Bytes<40>>("token")?.0;
        let at = column::time(&row, "at")?;
        let posting = Posting::new(config, token, row.try_get("usd_e6")?, at);
        sums.count(&posting, config.project, owners.get(&token).copied());
    }
    Ok(sums)
}

async fn recorded_sums(tx: &Transaction<'_>) -> Result<Sums, Failure> {
    let totals = "SELECT project, facet, member, NULL::bigint AS day,
                    usd_e6, donations, first_at, last_at FROM tally";
    let days = "SELECT project, facet, member, day, usd_e6, donations, first_at, last_at
                FROM tally_of_day";
    let mut sums: Vec<_> = query::all(tx, totals, &[], read).await?;
    sums.extend::<Vec<_>>(query::all(tx, days, &[], read).await?);
    Ok(sums.into_iter().collect())
}

fn read(row: &Row) -> Result<(Key, DonationStats), Failure> {
    let key = (
        row.try_get("project")?,
        row.try_get("facet")?,
        row.try_get("member")?,
        row.try_get("day")?,
    );
    Ok((key, column::stats(row)?))
}
