//! Conformance cases of several processes on one database at the same time.

use futures_util::future::join_all;

use crate::analytics::of_project;
use crate::records::{
    at, charity, charity_id, config, config_id, donation, partner_token, project, project_id,
    revised, token,
};
use crate::world::{Site, World};
use db::Db;
use features::analytics::StatsScope;
use features::charities::Charity;
use features::configs::{Config, Creation};
use features::domain::recording::{Change, OnRejection};
use features::donations::Donation;
use features::idempotency::Idempotency;
use features::import::Record;
use features::projects::Actor;

async fn see_each_others_writes(site: Site) {
    let world = World::new(&site).await;
    let other = world.another().await;
    let before = features::database::versions(&other).await.unwrap();
    let renamed = Charity {
        name: "Another".to_owned(),
        ..charity(1)
    };
    world
        .record_all(vec![
            Record::Charity(Box::new(renamed.clone())),
            Record::Donation(donation(1, 1, 1, 10)),
        ])
        .await;
    let after = features::database::versions(&other).await.unwrap();
    assert_eq!(after.charities, before.charities + 1);
    let catalogue = crate::world::catalogue(&other).await;
    assert_eq!(
        (catalogue.charities.rows()[0].clone(), catalogue.versions),
        (renamed, after)
    );
    let totals = features::analytics::store::project_totals(&other, of_project(1))
        .await
        .unwrap();
    assert_eq!(totals.stats.usd.0, 10);
    assert!(
        features::configs::store::delete_config(
            &other,
            crate::records::BY_KEY,
            project_id(1),
            config_id(1),
            None,
            at(9)
        )
        .await
        .unwrap()
    );
    assert_eq!(
        features::rollups::store::config_with_stats(&world.store, project_id(1), config_id(1))
            .await
            .unwrap(),
        None
    );
}

/// Asks for config `n` of project 1.
async fn create(store: &Db, n: u8, key: &str, body: u8) -> Creation {
    let config = Config {
        created_at: at(5),
        ..config(n, 1, &[(1, 1)])
    };
    let idempotency = Idempotency {
        key: key.to_owned(),
        fingerprint: [body; 32],
    };
    let encode = |config: &Config, _: &[Charity]| Ok(config.id.to_string().into_bytes());
    features::configs::store::create_config(
        store,
        crate::records::BY_KEY,
        config,
        Some(idempotency),
        u32::MAX,
        encode,
    )
    .await
    .unwrap()
}

/// The later request waits for the first one, on whichever replica, and gets the same response.
async fn twins_in_flight_make_one_config(site: Site) {
    let world = World::new(&site).await;
    let replicas = [
        world.store.clone(),
        world.another().await,
        world.another().await,
    ];
    for round in 0..10_u8 {
        let key = round.to_string();
        let twins = (0..9_u8).zip(replicas.iter().cycle());
        let create = |(n, store)| create(store, 10 + round * 9 + n, &key, 1);
        let answers = join_all(twins.map(create)).await;
        let made: Vec<_> = answers.iter().filter_map(made).collect();
        let [made] = made[..] else {
            panic!("{answers:?}")
        };
        let same = |answer: &Creation| match answer {
            Creation::Created(answer) | Creation::Replayed { answer, .. } => answer == made,
        };
        assert!(answers.iter().all(same), "{answers:?}");
    }
    let configs = features::configs::store::configs(&world.store, project_id(1), None, None, 100)
        .await
        .unwrap();
    assert_eq!(configs.len(), 11);
}

/// However many ask for the last place on however many replicas, one gets it.
async fn the_last_place_of_a_quota_makes_one_config(site: Site) {
    let world = World::new(&site).await;
    let replicas = [world.store.clone(), world.another().await];
    for round in 0..10_u8 {
        // One is the world's own, and one is made in each round.
        let quota = u32::from(round) + 2;
        let ask = async |n: u8, store: &Db| {
            let config = Config {
                created_at: at(5),
                ..config(10 + round * 8 + n, 1, &[(1, 1)])
            };
            let encode = |_: &Config, _: &[Charity]| Ok(Vec::new());
            features::configs::store::create_config(
                store,
                crate::records::BY_KEY,
                config,
                None,
                quota,
                encode,
            )
            .await
        };
        let asked = (0..8_u8).zip(replicas.iter().cycle());
        let answers = join_all(asked.map(|(n, store)| ask(n, store))).await;
        assert_eq!(
            answers.iter().flatten().filter_map(made).count(),
            1,
            "{answers:?}"
        );
    }
    let configs = features::configs::store::configs(&world.store, project_id(1), None, None, 100)
        .await
        .unwrap();
    assert_eq!(configs.len(), 11);
}

fn made(creation: &Creation) -> Option<&Vec<u8>> {
    match creation {
        Creation::Created(answer) => Some(answer),
        Creation::Replayed { .. } => None,
    }
}

/// Donations to both projects, in all tokens, on several days, some of them of two projects.
fn donations(numbers: impl Iterator<Item = u32>) -> Vec<Record> {
    let donation = |n: u32| {
        let (token, config) = ((n % 4) as u8 + 1, (n / 4 % 2) as u8 + 1);
        Record::Donation(Donation {
            at: at(i64::from(n) * 20_000),
            ..donation(n, token, config, i64::from(n))
        })
    };
    numbers.map(donation).collect()
}

async fn the_same_donations_from_several_importers_count_once(site: Site) {
    let world = World::new(&site).await;
    let tokens = [1, 3].map(|n| Record::PartnerToken(partner_token(n, 1, 1)));
    world.record_all(tokens.into()).await;
    let import = async |store: Db, backwards: bool| {
        let mut inserted = 0;
        let (mut batches, batch) = (Vec::new(), 25);
        for first in (0..200).step_by(batch) {
            let numbers = first..first + u32::try_from(batch).unwrap();
            batches.push(match backwards {
                false => donations(numbers),
                true => donations(numbers.rev()),
            });
        }
        if backwards {
            batches.reverse();
        }
        for batch in batches {
            let outcomes = features::import::store::record(&store, batch, OnRejection::Stop)
                .await
                .unwrap();
            let new = outcomes.iter().filter(|it| **it == Ok(Change::Inserted));
            inserted += new.count();
            assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        }
        inserted
    };
    let (one, two) = (world.another().await, world.another().await);
    let counts = tokio::join!(
        import(world.store.clone(), false),
        import(one, true),
        import(two, false)
    );
    assert_eq!(counts.0 + counts.1 + counts.2, 200);
    world.verify().await;
}

/// Batches that lock the same rows in opposite orders.
async fn importers_of_everything_do_not_deadlock(site: Site) {
    let world = World::new(&site).await;
    let import = async |store: Db, name: &str, backwards: bool| {
        for round in 0..10_u32 {
            let mut batch: Vec<_> = [1, 2]
                .map(|n| Record::Project(named(n, name, round)))
                .into();
            batch.extend([1, 2, 3].map(|n| {
                Record::Charity(Box::new(Charity {
                    name: format!("{name} {round}"),
                    ..charity(n)
                }))
            }));
            batch.extend([1, 2].map(|n| Record::Token(token(n))));
            batch.extend(donations(round * 8..round * 8 + 8));
            if backwards {
                batch.reverse();
            }
            let outcomes = features::import::store::record(&store, batch, OnRejection::Stop)
                .await
                .unwrap();
            assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        }
    };
    let (one, two) = (world.another().await, world.another().await);
    tokio::join!(
        import(world.store.clone(), "one", false),
        import(one, "two", true),
        async {
            for n in 10..60 {
                let key = n.to_string();
                assert!(made(&create(&two, n, &key, 1).await).is_some());
                features::project_lifecycle::set_tier(
                    &two,
                    Actor::Operator,
                    project_id(1),
                    project(1).tier,
                    at(1),
                )
                .await
                .unwrap();
            }
        }
    );
    world.verify().await;
}

/// Importers of different projects work at the same time for the same charities, and take some donations back.
async fn importers_of_different_projects_share_charities(site: Site) {
    let world = World::new(&site).await;
    // The same charities as project 1's, in another order.
    let config = Record::Config(config(3, 2, &[(2, 1), (1, 1)]));
    world.record_all(vec![config]).await;
    let import = async |store: Db, config: u8| {
        for round in 0..20_u32 {
            let numbers = round * 10..round * 10 + 10;
            let given = numbers.map(|n| donation(u32::from(config) * 1000 + n, 1, config, 3));
            let given: Vec<_> = given.collect();
            let back = given.iter().step_by(2).map(revised);
            let batch = given.iter().cloned().chain(back).map(Record::Donation);
            let outcomes =
                features::import::store::record(&store, batch.collect(), OnRejection::Stop).await;
            assert!(outcomes.unwrap().iter().all(Result::is_ok));
        }
    };
    let other = world.another().await;
    tokio::join!(import(world.store.clone(), 1), import(other, 3));
    let received = crate::world::received(&world.store).await;
    for charity in [1, 2] {
        assert_eq!(received[&charity_id(charity)].donations, 200);
    }
    world.verify().await;
}

fn named(n: u8, name: &str, round: u32) -> features::projects::Project {
    features::projects::Project {
        name: format!("{name} {round}"),
        ..project(n)
    }
}

/// A token comes to be a contract's while donations are made in it: each counts for the contract's
/// project, either as one that came before or as one that came after.
async fn a_new_partner_token_misses_no_donation(site: Site) {
    let world = World::new(&site).await;
    let other = world.another().await;
    let give = async {
        for n in 0..60 {
            let given = Record::Donation(donation(n, 1, 2, 1));
            world.record_all(vec![given]).await;
        }
    };
    let own = async {
        while features::analytics::store::project_totals(&other, of_project(2))
            .await
            .unwrap()
            .stats
            .donations
            < 10
        {
            tokio::task::yield_now().await;
        }
        let partner = vec![Record::PartnerToken(partner_token(1, 1, 1))];
        let outcomes = features::import::store::record(&other, partner, OnRejection::Stop)
            .await
            .unwrap();
        assert_eq!(outcomes, [Ok(Change::Inserted)]);
    };
    tokio::join!(give, own);
    let totals = features::analytics::store::project_totals(&world.store, of_project(1))
        .await
        .unwrap();
    assert_eq!(totals.stats.donations, 60);
    world.verify().await;
}

/// A client that hangs up cancels the request, at any point.
async fn cancelled_requests_leave_no_trace(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    for n in 0..100_u8 {
        let deadline = std::time::Duration::from_micros(u64::from(n) * 37);
        let given = vec![Record::Donation(donation(n.into(), 1, 1, 1))];
        let project = project_id(1);
        // Each call is cancelled when its time is up.
        let _ = tokio::time::timeout(
            deadline,
            features::import::store::record(store, given, OnRejection::Stop),
        )
        .await;
        let _ =
            tokio::time::timeout(deadline, features::catalogue::store::update(store, None)).await;
        let _ = tokio::time::timeout(
            deadline,
            features::analytics::store::project_totals(store, StatsScope::all(project)),
        )
        .await;
        let _ = tokio::time::timeout(
            deadline,
            features::configs::store::configs(store, project, None, None, 10),
        )
        .await;
    }
    let page = features::analytics::store::charities_of_project(store, of_project(1), None, 10);
    assert!(
        page.await
            .unwrap()
            .iter()
            .all(|it| it.member != charity_id(3))
    );
    // A write that was begun completes, and one that was not has no effect.
    let import = |n| vec![Record::Donation(donation(n, 1, 1, 1))];
    for n in 0..100 {
        let outcomes = features::import::store::record(store, import(n), OnRejection::Stop)
            .await
            .unwrap();
        assert!(outcomes[0].is_ok());
    }
    let totals = features::analytics::store::project_totals(store, of_project(1))
        .await
        .unwrap();
    assert_eq!(totals.stats.donations, 100);
    world.verify().await;
}

on_each_database! {
    see_each_others_writes,
    twins_in_flight_make_one_config,
    the_last_place_of_a_quota_makes_one_config,
    the_same_donations_from_several_importers_count_once,
    importers_of_everything_do_not_deadlock,
    importers_of_different_projects_share_charities,
    a_new_partner_token_misses_no_donation,
    cancelled_requests_leave_no_trace,
}
