//! Tests on both databases: the log of donations.

use std::fmt::Debug;

use jiff::{SignedDuration, Timestamp};

use crate::analytics::of_project;
use crate::records::{
    at, chain_id, charity_id, config_id, donation, partner_token, project_id, revised, token,
};
use crate::world::{Site, World};
use features::chains::ChainId;
use features::domain::amount::UsdE6;
use features::domain::position::{Placed, Position};
use features::domain::recording::{Change, OnRejection, Rule};
use features::donations::{Donation, DonationFilter, ReceivedDonation, SplitDonation};
use features::import::Record;

async fn the_same_donation_counts_once(site: Site) {
    let world = World::new(&site).await;
    let given = donation(1, 1, 1, 10);
    assert_eq!(
        world.record(Record::Donation(given.clone())).await,
        Ok(Change::Inserted)
    );
    assert_eq!(
        world.record(Record::Donation(given.clone())).await,
        Ok(Change::Unchanged)
    );
    let other = Donation {
        usd: UsdE6(11),
        ..given.clone()
    };
    let refused = world.record(Record::Donation(other)).await.unwrap_err();
    assert_eq!(
        (refused.member.as_str(), refused.rule),
        ("/usdE6", Rule::Immutable)
    );
    let other_log = Donation {
        log_index: 1,
        ..given
    };
    assert_eq!(
        world.record(Record::Donation(other_log)).await,
        Ok(Change::Inserted)
    );
    let totals = features::analytics::store::project_totals(&world.store, of_project(1))
        .await
        .unwrap();
    assert_eq!(totals.stats.usd, UsdE6(20));
}

async fn unknown_tokens_and_configs_are_refused(site: Site) {
    let world = World::new(&site).await;
    for (given, member) in [
        (donation(1, 9, 1, 1), "/token"),
        (donation(1, 1, 9, 1), "/config"),
    ] {
        let refused = world.record(Record::Donation(given)).await.unwrap_err();
        assert_eq!(
            (refused.member.as_str(), refused.rule),
            (member, Rule::Unknown)
        );
    }
}

async fn a_revision_takes_back_and_a_further_one_gives_again(site: Site) {
    let world = World::new(&site).await;
    let stats = async || {
        features::analytics::store::project_totals(&world.store, of_project(1))
            .await
            .unwrap()
            .stats
    };
    let (early, late) = (donation(1, 1, 1, 5), donation(2, 1, 1, 10));
    let back = revised(&late);
    let refused = world
        .record(Record::Donation(back.clone()))
        .await
        .unwrap_err();
    assert_eq!(refused.rule, Rule::RevisionMissing);

    world
        .record_all(vec![Record::Donation(early), Record::Donation(late)])
        .await;
    let wrong = Donation {
        usd: UsdE6(9),
        ..back.clone()
    };
    let refused = world.record(Record::Donation(wrong)).await.unwrap_err();
    assert_eq!(
        (refused.member.as_str(), refused.rule),
        ("/usdE6", Rule::RevisionDiffers)
    );
    assert_eq!(
        (stats().await.usd, stats().await.last),
        (UsdE6(15), Some(at(2)))
    );

    assert_eq!(
        world.record(Record::Donation(back.clone())).await,
        Ok(Change::Inserted)
    );
    assert_eq!(
        world.record(Record::Donation(back.clone())).await,
        Ok(Change::Unchanged)
    );
    assert_eq!(
        (stats().await.usd, stats().await.last),
        (UsdE6(5), Some(at(1)))
    );
    world.verify().await;

    let again = Donation {
        at: at(3),
        ..revised(&back)
    };
    assert_eq!(
        world.record(Record::Donation(again)).await,
        Ok(Change::Inserted)
    );
    assert_eq!(
        (stats().await.usd, stats().await.last),
        (UsdE6(15), Some(at(3)))
    );
    world.verify().await;
}

async fn a_sum_that_does_not_fit_is_refused_whole(site: Site) {
    let world = World::new(&site).await;
    world
        .record_all(vec![Record::PartnerToken(partner_token(2, 1, 1))])
        .await;
    // The donation would fit project 2's sums and overflows project 1's, which owns the token.
    let batch = vec![
        Record::Donation(donation(1, 1, 1, i64::MAX)),
        Record::Donation(donation(2, 2, 2, 1)),
        Record::Donation(donation(3, 3, 2, 1)),
    ];
    let outcomes = features::import::store::record(&world.store, batch, OnRejection::Continue)
        .await
        .unwrap();
    assert_eq!(outcomes[0], Ok(Change::Inserted));
    assert_eq!(outcomes[1].as_ref().unwrap_err().rule, Rule::Overflow);
    assert_eq!(outcomes[2], Ok(Change::Inserted));
    world.verify().await;
    let totals = features::analytics::store::project_totals(&world.store, of_project(2))
        .await
        .unwrap();
    assert_eq!(totals.stats.usd, UsdE6(1));
}

async fn a_batch_stops_or_goes_on(site: Site) {
    let batch = || {
        let unknown = donation(2, 9, 1, 10);
        [donation(1, 1, 1, 1), unknown, donation(3, 1, 1, 100)].map(Record::Donation)
    };
    for (on_rejection, outcomes, usd) in
        [(OnRejection::Stop, 2, 1), (OnRejection::Continue, 3, 101)]
    {
        let world = World::new(&site).await;
        let recorded = features::import::store::record(&world.store, batch().into(), on_rejection)
            .await
            .unwrap();
        assert_eq!(recorded.len(), outcomes);
        assert_eq!(recorded[1].as_ref().unwrap_err().rule, Rule::Unknown);
        let totals = features::analytics::store::project_totals(&world.store, of_project(1))
            .await
            .unwrap();
        assert_eq!(totals.stats.usd, UsdE6(usd));
        world.verify().await;
    }
}

async fn a_batch_may_take_back_its_own_donations(site: Site) {
    let world = World::new(&site).await;
    let (one, two) = (donation(1, 1, 1, 5), donation(2, 1, 1, 10));
    let back = revised(&two);
    let batch = vec![
        Record::Donation(back.clone()),
        Record::Donation(two.clone()),
        Record::Donation(one),
        Record::Donation(two.clone()),
        Record::Donation(back.clone()),
        Record::Donation(Donation {
            at: at(200_000),
            ..revised(&back)
        }),
    ];
    let outcomes = features::import::store::record(&world.store, batch, OnRejection::Continue)
        .await
        .unwrap();
    assert_eq!(
        outcomes[0].as_ref().unwrap_err().rule,
        Rule::RevisionMissing
    );
    assert_eq!(
        outcomes[1..],
        [
            Ok(Change::Inserted),
            Ok(Change::Inserted),
            Ok(Change::Unchanged),
            Ok(Change::Inserted),
            Ok(Change::Inserted)
        ]
    );
    let totals = features::analytics::store::project_totals(&world.store, of_project(1))
        .await
        .unwrap();
    assert_eq!(
        (totals.stats.usd, totals.stats.donations, totals.stats.last),
        (UsdE6(15), 2, Some(at(200_000)))
    );
    world.verify().await;
}

/// The whole list of a charity, and the same from pages of each size.
async fn listed(world: &World, charity: u8, filter: DonationFilter) -> Vec<ReceivedDonation> {
    let id = charity_id(charity);
    let page = async |after, limit| {
        let page = features::donations::store::donations_of_charity(
            &world.store,
            id,
            filter,
            after,
            limit,
        );
        page.await.unwrap()
    };
    paged(page).await
}

/// The same of a config; `None` if the project has no such config.
async fn through(
    world: &World,
    project: u8,
    config: u8,
    filter: DonationFilter,
) -> Option<Vec<SplitDonation>> {
    let (project, id) = (project_id(project), config_id(config));
    let page = async |after, limit| {
        let store = &world.store;
        let page = features::donations::store::donations_of_config(
            store, project, id, filter, after, limit,
        );
        page.await.unwrap()
    };
    page(None, 1).await?;
    let of_known = async |after, limit| page(after, limit).await.unwrap();
    Some(paged(of_known).await)
}

/// The whole list, which pages of each size join to.
async fn paged<T: Placed + PartialEq + Debug>(
    page: impl AsyncFn(Option<Position>, usize) -> Vec<T>,
) -> Vec<T> {
    let whole = page(None, 100).await;
    for limit in 1..=3 {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = page(after, limit).await;
            let Some(last) = page.last() else { break };
            after = Some(last.position());
            seen.extend(page);
        }
        assert_eq!(seen, whole, "limit {limit}");
    }
    whole
}

async fn a_charity_lists_its_parts_latest_first(site: Site) {
    let world = World::new(&site).await;
    // Config 1 divides among charities 1 and 2, one to two; config 2 among 2 and 3.
    let tie = |log_index| Donation {
        log_index,
        ..donation(2, 2, 1, 7)
    };
    let given = [
        donation(1, 1, 1, 9),
        tie(300),
        tie(4),
        donation(3, 1, 2, 100),
    ];
    world.record_all(given.map(Record::Donation).into()).await;
    let first = listed(&world, 1, DonationFilter::default()).await;
    let shown = |it: &ReceivedDonation| {
        let given = &it.donation;
        (given.at, given.log_index, given.usd.0, it.received.0)
    };
    assert_eq!(
        first.iter().map(shown).collect::<Vec<_>>(),
        [(at(2), 300, 7, 2), (at(2), 4, 7, 2), (at(1), 0, 9, 3)]
    );
    let (listed_first, given) = (&first[0].donation, donation(2, 2, 1, 7));
    assert_eq!(listed_first.token, token(2));
    assert_eq!(listed_first.transaction, given.transaction.as_str());
    assert_eq!(listed_first.amount, given.amount);
    assert_eq!(listed(&world, 2, DonationFilter::default()).await.len(), 4);
    assert_eq!(listed(&world, 9, DonationFilter::default()).await, []);
}

async fn a_list_of_donations_is_filtered(site: Site) {
    let world = World::new(&site).await;
    let given = [1, 2, 3].map(|n| Record::Donation(donation(n, 1, 1, 9)));
    world.record_all(given.into()).await;
    let count = async |filter: DonationFilter| {
        let of_config = through(&world, 1, 1, filter).await.unwrap();
        let of_charity = listed(&world, 1, filter).await;
        assert_eq!(of_charity.len(), of_config.len(), "{filter:?}");
        of_charity.len()
    };
    let made = async |from: Option<Timestamp>, to: Option<Timestamp>| {
        let all = DonationFilter::default();
        count(DonationFilter { from, to, ..all }).await
    };
    let nanosecond = |at: Timestamp| at + SignedDuration::from_nanos(1);
    assert_eq!(made(Some(at(2)), None).await, 2);
    assert_eq!(made(Some(nanosecond(at(2))), None).await, 1);
    assert_eq!(made(Some(nanosecond(at(3))), None).await, 0);
    assert_eq!(made(Some(Timestamp::MIN), Some(Timestamp::MAX)).await, 3);
    assert_eq!(made(None, Some(at(2))).await, 1);
    assert_eq!(made(None, Some(nanosecond(at(2)))).await, 2);
    assert_eq!(made(Some(at(2)), Some(at(3))).await, 1);
    assert_eq!(made(Some(at(3)), Some(at(2))).await, 0);
    let on = |id: i64, from: Option<Timestamp>| DonationFilter {
        chain: ChainId::new(id),
        from,
        to: None,
    };
    assert_eq!(count(on(chain_id().get(), None)).await, 3);
    assert_eq!(count(on(chain_id().get(), Some(at(3)))).await, 1);
    assert_eq!(count(on(chain_id().get() + 1, None)).await, 0);
}

async fn a_config_lists_what_it_split(site: Site) {
    let world = World::new(&site).await;
    let tie = |log_index| Donation {
        log_index,
        ..donation(2, 2, 1, 7)
    };
    let back = revised(&donation(4, 1, 1, 50));
    let given = [
        donation(1, 1, 1, 9),
        tie(300),
        tie(4),
        donation(3, 1, 2, 100),
        donation(4, 1, 1, 50),
        back,
    ];
    world.record_all(given.map(Record::Donation).into()).await;
    let all = DonationFilter::default();
    let first = through(&world, 1, 1, all).await.unwrap();
    let shown = |it: &SplitDonation| (it.donation.at, it.donation.log_index, it.shares.clone());
    // Config 1 divides among charities 1 and 2, one to two.
    let parts = |one, two| vec![(charity_id(1), UsdE6(one)), (charity_id(2), UsdE6(two))];
    assert_eq!(
        first.iter().map(shown).collect::<Vec<_>>(),
        [
            (at(2), 300, parts(2, 5)),
            (at(2), 4, parts(2, 5)),
            (at(1), 0, parts(3, 6))
        ]
    );
    assert_eq!(through(&world, 2, 2, all).await.unwrap().len(), 1);
    assert_eq!(through(&world, 2, 1, all).await, None);
    assert_eq!(through(&world, 1, 9, all).await, None);
    let (key, now) = (crate::records::BY_KEY, at(9));
    let deleted = features::configs::store::delete_config(
        &world.store,
        key,
        project_id(1),
        config_id(1),
        None,
        now,
    );
    assert!(deleted.await.unwrap());
    assert_eq!(through(&world, 1, 1, all).await, None);
}

async fn a_list_has_standing_donations_only(site: Site) {
    let world = World::new(&site).await;
    let (one, two) = (donation(1, 1, 1, 9), donation(2, 1, 1, 9));
    let back = revised(&two);
    let batch = [one, two, back.clone()].map(Record::Donation);
    world.record_all(batch.into()).await;
    let times = async || {
        let listed = listed(&world, 1, DonationFilter::default()).await;
        listed.iter().map(|it| it.donation.at).collect::<Vec<_>>()
    };
    assert_eq!(times().await, [at(1)]);
    let again = Donation {
        at: at(5),
        ..revised(&back)
    };
    world.record_all(vec![Record::Donation(again)]).await;
    assert_eq!(times().await, [at(5), at(1)]);
}

on_each_database! {
    a_charity_lists_its_parts_latest_first,
    a_config_lists_what_it_split,
    a_list_of_donations_is_filtered,
    a_list_has_standing_donations_only,
    the_same_donation_counts_once,
    unknown_tokens_and_configs_are_refused,
    a_revision_takes_back_and_a_further_one_gives_again,
    a_sum_that_does_not_fit_is_refused_whole,
    a_batch_stops_or_goes_on,
    a_batch_may_take_back_its_own_donations,
}
