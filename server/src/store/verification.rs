//! The roll-ups recomputed from the log of donations, to prove that they are what they should be.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, Row};

use super::posting::Posting;
use super::tally::Cell;
use super::{Store, StoreError, campaigns, column, configs, partners, query};
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::domain::project::ProjectId;
use crate::domain::stats::DonationStats;

/// A roll-up that differs from what the donations add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Which roll-up it is.
    pub rollup: String,
    /// What it says.
    pub recorded: DonationStats,
    /// What the donations say.
    pub expected: DonationStats,
}

/// Project, facet, member, and the day where it is not all time.
type Key = (ProjectId, i64, Vec<u8>, Option<Day>);

type Sums = BTreeMap<Key, DonationStats>;

impl Store {
    /// Recomputes every roll-up from the donations and tells which differ. Reads the whole log.
    pub async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError> {
        self.read(|db| {
            let expected = expected_sums(db)?;
            let mut drifts = tally_drifts(&recorded_sums(db)?, &expected);
            drifts.extend(partner_drifts(db, &expected)?);
            drifts.extend(campaign_drifts(db)?);
            Ok(drifts)
        })
        .await
    }
}

fn expected_sums(db: &Connection) -> Result<Sums, StoreError> {
    let mut statement = db.prepare("SELECT token, config, usd_e6, at FROM standing_donation")?;
    let mut rows = statement.query([])?;
    let mut sums = Sums::new();
    while let Some(row) = rows.next()? {
        let config = configs::get(db, row.get("config")?)?;
        let at = column::time(row, "at")?;
        let posting = Posting::new(&config, row.get("token")?, row.get("usd_e6")?, at);
        let owner = partners::owner(db, posting.token)?;
        let projects: BTreeSet<_> = owner.into_iter().chain([config.project]).collect();
        for (cell, usd) in projects
            .into_iter()
            .flat_map(|project| posting.cells(project))
        {
            for day in [None, Some(Day::of(at))] {
                let sum = sums.entry(key(&cell, day)).or_default();
                sum.usd.0 = sum.usd.0.saturating_add(usd.0);
                sum.donations += 1;
                sum.first = Some(sum.first.map_or(at, |first| first.min(at)));
                sum.last = Some(sum.last.map_or(at, |last| last.max(at)));
            }
        }
    }
    Ok(sums)
}

fn key(cell: &Cell, day: Option<Day>) -> Key {
    (cell.project, cell.facet.number(), cell.member.clone(), day)
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

fn tally_drifts(recorded: &Sums, expected: &Sums) -> Vec<Drift> {
    let keys: BTreeSet<_> = recorded.keys().chain(expected.keys()).collect();
    let drift = |key: &Key| {
        drift(
            format!("tally {key:?}"),
            sum(recorded, key),
            sum(expected, key),
        )
    };
    keys.into_iter().filter_map(drift).collect()
}

fn sum(sums: &Sums, key: &Key) -> DonationStats {
    sums.get(key).copied().unwrap_or_default()
}

fn drift(rollup: String, recorded: DonationStats, expected: DonationStats) -> Option<Drift> {
    (recorded != expected).then_some(Drift {
        rollup,
        recorded,
        expected,
    })
}

fn partner_drifts(db: &Connection, expected: &Sums) -> Result<Vec<Drift>, StoreError> {
    let ranked = query::all(db, "SELECT * FROM partner_token", [], |row| {
        Ok((row.get::<_, [u8; 40]>("token")?, column::stats(row)?))
    })?;
    let mut drifts = Vec::new();
    for (token, recorded) in ranked {
        let owner = partners::owner(db, token)?;
        let cell = owner.map(|owner| key(&Cell::token(owner, token), None));
        let expected = cell.map(|cell| sum(expected, &cell)).unwrap_or_default();
        drifts.extend(drift(
            format!("partner token {token:?}"),
            recorded,
            expected,
        ));
    }
    Ok(drifts)
}

fn campaign_drifts(db: &Connection) -> Result<Vec<Drift>, StoreError> {
    let mut drifts = Vec::new();
    for progress in campaigns::all(db)? {
        let parts = campaigns::parts(db, &progress.campaign)?;
        let raised = |usd| DonationStats {
            usd,
            ..DonationStats::default()
        };
        let expected = UsdE6(parts.iter().fold(0, |sum, part| part.0.saturating_add(sum)));
        let rollup = format!("campaign {}", progress.campaign.slug);
        drifts.extend(drift(rollup, raised(progress.raised), raised(expected)));
    }
    Ok(drifts)
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::super::fixture::{World, donation, partner_token};

    #[tokio::test]
    async fn tells_a_rollup_that_is_off() {
        let world = World::new().await;
        let partner = Record::PartnerToken(partner_token(1, 1, 1));
        world
            .record_all(vec![partner, Record::Donation(donation(1, 1, 1, 10))])
            .await;
        world.verify().await;
        for damage in [
            "UPDATE tally SET usd_e6 = usd_e6 + 1 WHERE facet = 0",
            "DELETE FROM tally_of_day WHERE facet = 1",
            "UPDATE partner_token SET donations = 0",
        ] {
            let before = world.store.verify_rollups().await.unwrap().len();
            world
                .store
                .write(move |tx| Ok(tx.execute(damage, [])?))
                .await
                .unwrap();
            assert!(
                world.store.verify_rollups().await.unwrap().len() > before,
                "{damage}"
            );
        }
    }
}
