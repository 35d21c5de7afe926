//! How donations are counted: in the roll-ups, in the ranks and for campaigns.

use rusqlite::Connection;

use super::column::Millis;
use super::{configs, partners, query, tally, versions};
use crate::domain::donation::Donation;
use crate::domain::project::ProjectId;
use crate::store::error::WriteError;
use crate::store::posting::Posting;
use crate::store::versions::Versioned;

/// Counts a recorded donation, or uncounts it when its revision takes back.
pub(super) fn post(db: &Connection, donation: &Donation) -> Result<(), WriteError> {
    let config = configs::get(db, donation.config)?;
    let posting = Posting::new(&config, donation.token.key(), donation.usd, donation.at);
    let back = donation.revision.takes_back();
    let owner = partners::owner(db, posting.token)?;
    for (cell, usd) in posting.all_cells(config.project, owner) {
        match back {
            false => tally::add(db, &cell, usd, posting.at)?,
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
pub(super) fn post_earlier(
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
            tally::add(db, &cell, usd, at)?;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use crate::domain::amount::UsdE6;
    use crate::domain::campaign::{Campaign, CampaignBeneficiary, CampaignId};
    use crate::store::fixture::{
        World, at, charity_id, config_id, donation, partner_token, project_id, revised,
    };
    use crate::store::{Change, OnRejection, Record};

    async fn usd(world: &World, project: u8) -> i64 {
        world
            .store
            .project_totals(project_id(project), None)
            .await
            .unwrap()
            .stats
            .usd
            .0
    }

    #[tokio::test]
    async fn a_donation_counts_once_for_its_configs_and_its_tokens_project() {
        let world = World::new().await;
        world
            .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
            .await;
        // Both project 1's; project 2's config in project 1's token; project 2's alone.
        let given = [
            donation(1, 1, 1, 1),
            donation(2, 1, 2, 20),
            donation(3, 2, 2, 300),
        ];
        world.record_all(given.map(Record::Donation).into()).await;
        assert_eq!((usd(&world, 1).await, usd(&world, 2).await), (21, 320));
        world.verify().await;
    }

    #[tokio::test]
    async fn a_new_partner_token_brings_its_earlier_donations() {
        let world = World::new().await;
        let given = [
            donation(1, 1, 1, 1),
            donation(2, 1, 2, 20),
            donation(3, 1, 2, 300),
        ];
        let taken_back = revised(&given[2]);
        world.record_all(given.map(Record::Donation).into()).await;
        world.record_all(vec![Record::Donation(taken_back)]).await;
        assert_eq!((usd(&world, 1).await, usd(&world, 2).await), (1, 20));
        world
            .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
            .await;
        assert_eq!((usd(&world, 1).await, usd(&world, 2).await), (21, 20));
        world.verify().await;
    }

    fn campaign(n: u8, beneficiary: CampaignBeneficiary, from: i64, to: i64) -> Campaign {
        Campaign {
            id: CampaignId(Uuid::from_bytes([n; 16])),
            title: "A campaign".to_owned(),
            description: "For a good cause.".to_owned(),
            beneficiary,
            goal: UsdE6(1),
            starts_at: at(from),
            ends_at: Some(at(to)),
        }
    }

    #[tokio::test]
    async fn campaigns_raise_what_their_beneficiary_receives_in_their_time() {
        let world = World::new().await;
        let for_charity = campaign(1, CampaignBeneficiary::Charity(charity_id(1)), 2, 4);
        let for_config = campaign(2, CampaignBeneficiary::Config(config_id(1)), 2, 4);
        let given = [1, 2, 3, 4].map(|n| donation(n, 1, 1, 30));
        let (before, after) = given.split_at(2);
        world
            .record_all(before.iter().cloned().map(Record::Donation).collect())
            .await;
        // What was given before a campaign is recorded counts too, where it is in its time.
        world
            .record_all(vec![
                Record::Campaign(for_charity.clone()),
                Record::Campaign(for_config),
            ])
            .await;
        let versions = world.store.versions().await.unwrap();
        world
            .record_all(after.iter().cloned().map(Record::Donation).collect())
            .await;
        let raised = world.store.raised().await.unwrap();
        assert_eq!(
            raised.get(&CampaignId(Uuid::from_bytes([1; 16]))),
            Some(&UsdE6(20))
        );
        assert_eq!(
            raised.get(&CampaignId(Uuid::from_bytes([2; 16]))),
            Some(&UsdE6(60))
        );
        let later = world.store.versions().await.unwrap();
        assert_eq!(
            (later.raised, later.catalogue),
            (versions.raised + 1, versions.catalogue)
        );

        let longer = Campaign {
            ends_at: None,
            ..for_charity
        };
        assert_eq!(
            world.record(Record::Campaign(longer)).await,
            Ok(Change::Updated)
        );
        world
            .record_all(vec![Record::Donation(revised(&given[2]))])
            .await;
        world.verify().await;
    }

    /// Transaction, token, config, sum, and how often it is revised.
    type Story = Vec<(u32, u8, u8, i64, u8)>;

    fn stories() -> impl Strategy<Value = Story> {
        // Seconds up to three days, so that cells share and differ in days.
        let one = (0..250_000_u32, 1..=4_u8, 1..=2_u8, 0..1000_i64, 0..=3_u8);
        prop::collection::vec(one, 1..24)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn rollups_are_what_the_donations_add_up_to(story in stories()) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let world = World::new().await;
                let campaign = campaign(1, CampaignBeneficiary::Charity(charity_id(2)), 100_000, 200_000);
                let mut records = vec![
                    Record::PartnerToken(partner_token(1, 1, 1)),
                    Record::PartnerToken(partner_token(2, 1, 2)),
                    Record::Campaign(campaign),
                ];
                let mut waiting: Vec<_> = story.iter().map(|(n, token, config, usd, revisions)| {
                    (donation(*n, *token, *config, *usd), *revisions)
                }).collect();
                // Revisions come long after the donations that they are about.
                while !waiting.is_empty() {
                    records.extend(waiting.iter().map(|(donation, _)| Record::Donation(donation.clone())));
                    waiting.retain(|(_, revisions)| *revisions > 0);
                    for (donation, revisions) in &mut waiting {
                        *donation = revised(donation);
                        *revisions -= 1;
                    }
                }
                // Two donations of one transaction differ; the second is refused, and no harm done.
                world.store.record(records, OnRejection::Continue).await.unwrap();
                world.verify().await;
            });
        }
    }
}
