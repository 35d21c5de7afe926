//! The tokens of a partner contract, by what was donated in them.

use rusqlite::Connection;

use super::{chains, column, configs, partners, query, tokens};
use crate::domain::address::{Address, ChainAddress};
use crate::domain::config::ConfigId;
use crate::domain::position::Position;
use crate::domain::project::ProjectId;
use crate::domain::stats::DonationStats;
use crate::store::{LeaderboardEntry, StoreError};

/// The columns that the index holds, so that a page reads nothing but its own rows.
const PAGE: &str = "SELECT token, creator, active_config, usd_e6, donations, first_at, last_at
                    FROM partner_token
                    WHERE contract = ?1 AND (usd_e6, token) < (?2, ?3)
                    ORDER BY usd_e6 DESC, token DESC LIMIT ?4";

/// The tokens of a contract after a position; `None` for a contract that is not the project's.
pub(super) fn page(
    db: &Connection,
    project: ProjectId,
    contract: &ChainAddress,
    after: Option<Position<32>>,
    limit: usize,
) -> Result<Option<Vec<LeaderboardEntry>>, StoreError> {
    if partners::project_of(db, contract.key())? != Some(project) {
        return Ok(None);
    }
    let (usd, address) = query::below(after);
    // All tokens of a contract are on its chain, so that their keys order as addresses do.
    let token = [&contract.chain.get().to_be_bytes(), address.as_slice()].concat();
    let ranked = query::all(db, PAGE, (contract.key(), usd, token, limit), |row| {
        let keys = (
            row.get("token")?,
            row.get("creator")?,
            row.get("active_config")?,
        );
        Ok((keys, column::stats(row)?))
    })?;
    let entries = ranked
        .into_iter()
        .map(|(keys, stats)| entry(db, keys, stats));
    entries.collect::<Result<_, _>>().map(Some)
}

/// Token, creator and active config, as the index holds them.
type Keys = ([u8; 40], String, ConfigId);

fn entry(
    db: &Connection,
    (token, creator, config): Keys,
    stats: DonationStats,
) -> Result<LeaderboardEntry, StoreError> {
    let token = tokens::get(db, token)?;
    let kind = chains::kind(db, token.id.chain)?;
    let creator = kind.and_then(|kind| Address::parse(kind, &creator).ok());
    Ok(LeaderboardEntry {
        token,
        creator: creator
            .ok_or_else(|| StoreError::Corrupt("a creator is no address".to_owned()))?,
        config: configs::get(db, config)?,
        stats,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::amount::UsdE6;
    use crate::store::Record;
    use crate::store::fixture::{
        World, at, contract, donation, partner_token, place, project_id, token,
    };

    async fn world() -> World {
        let world = World::new().await;
        world
            .record_all(
                (1..=4)
                    .map(|n| Record::PartnerToken(partner_token(n, 1, 1)))
                    .collect(),
            )
            .await;
        // Tokens 1 and 2 tie, token 4 leads, token 3 has nothing.
        let given = [(1, 1, 50), (2, 2, 20), (3, 2, 30), (4, 4, 90)];
        let records = given.map(|(n, token, usd)| Record::Donation(donation(n, token, 1, usd)));
        world.record_all(records.into()).await;
        world
    }

    #[tokio::test]
    async fn every_page_size_gives_the_same_order() {
        let world = world().await;
        for limit in 1..=5 {
            let mut seen = Vec::new();
            let mut after = None;
            loop {
                let page = world
                    .store
                    .leaderboard(project_id(1), contract(1, 1).id, after, limit);
                let page = page.await.unwrap().unwrap();
                let Some(last) = page.last() else { break };
                after = Some(last.position());
                seen.extend(page);
            }
            let order: Vec<_> = seen
                .iter()
                .map(|entry| (entry.token.id.address.sort_key()[19], entry.stats.usd.0))
                .collect();
            assert_eq!(order, [(4, 90), (2, 50), (1, 50), (3, 0)], "limit {limit}");
        }
    }

    #[tokio::test]
    async fn an_entry_tells_token_creator_config_and_sum() {
        let world = world().await;
        let page = world
            .store
            .leaderboard(project_id(1), contract(1, 1).id, None, 9)
            .await
            .unwrap()
            .unwrap();
        let second = &page[1];
        assert_eq!(second.token, token(2));
        assert_eq!(second.config.beneficiaries.len(), 2);
        assert_eq!(
            (second.stats.first, second.stats.last),
            (Some(at(2)), Some(at(3)))
        );
        assert_eq!(
            page[3].stats,
            DonationStats {
                usd: UsdE6(0),
                donations: 0,
                first: None,
                last: None
            }
        );
    }

    #[tokio::test]
    async fn is_its_projects_only() {
        let world = world().await;
        let asked = [
            (2, contract(1, 1).id),
            (1, contract(2, 1).id),
            (1, place(1)),
        ];
        for (project, contract) in asked {
            let page = world
                .store
                .leaderboard(project_id(project), contract, None, 9)
                .await
                .unwrap();
            assert_eq!(page, None);
        }
    }

    #[tokio::test]
    async fn a_page_reads_the_index_alone() {
        let world = world().await;
        let plan = world
            .sqlite
            .read(|db| query::plan(db, PAGE, ([0; 40], 0, [0; 40], 0)));
        let plan = plan.await.unwrap();
        assert!(
            plan.contains("USING COVERING INDEX leaderboard (contract=? AND (usd_e6,token)<(?,?))"),
            "{plan}"
        );
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
