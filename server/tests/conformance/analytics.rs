//! Tests on both databases: totals, series and breakdowns, with and without filters.

mod model;

use jiff::civil::date;

use crate::records::{
    at, basic_records, chain, chain_id, charity, charity_id, config, config_id, donation,
    partner_token, project_id, revised, token,
};
use crate::world::{Site, World};
use features::analytics::store;
use features::analytics::{ProjectTotals, Ranked, StatsFilter, StatsScope};
use features::chains::{Chain, ChainAddress, ChainId};
use features::domain::amount::UsdE6;
use features::domain::day::DayRange;
use features::domain::donation_stats::DonationStats;
use features::domain::position::Placed as _;
use features::donations::Donation;
use features::import::Record;
use features::tokens::Token;
pub(crate) use model::Model;

const DAY: i64 = 86_400;

const ALL: StatsFilter = StatsFilter {
    config: None,
    charity: None,
    chain: None,
    token: None,
};

/// All donations of a project.
pub(crate) fn of_project(n: u8) -> StatsScope {
    StatsScope::all(project_id(n))
}

fn of_config(n: u8) -> StatsFilter {
    StatsFilter {
        config: Some(config_id(n)),
        ..ALL
    }
}

fn of_charity(n: u8) -> StatsFilter {
    StatsFilter {
        charity: Some(charity_id(n)),
        ..ALL
    }
}

fn of_chain(n: i64) -> StatsFilter {
    StatsFilter {
        chain: ChainId::new(n),
        ..ALL
    }
}

fn of_token(n: u8) -> StatsFilter {
    StatsFilter {
        token: Some(token(n).id.address.sort_key()),
        ..ALL
    }
}

/// Both filters, which have no field in common.
fn both(one: StatsFilter, two: StatsFilter) -> StatsFilter {
    StatsFilter {
        config: one.config.or(two.config),
        charity: one.charity.or(two.charity),
        chain: one.chain.or(two.chain),
        token: one.token.or(two.token),
    }
}

fn filters() -> Vec<StatsFilter> {
    let mut filters = vec![ALL];
    filters.extend([1, 2, 7, 9].map(of_config));
    filters.extend([1, 2, 3, 10, 29].map(of_charity));
    filters.extend([1, 5, 9].map(of_chain));
    filters.extend([1, 2, 3, 4].map(of_token));
    for (one, two) in [
        (of_token(1), of_chain(1)),
        (of_token(1), of_chain(5)),
        (of_config(1), of_charity(2)),
        (of_config(1), of_chain(1)),
        (of_config(2), of_token(1)),
        (of_config(2), of_charity(1)),
        (of_charity(2), of_token(1)),
        (of_charity(2), of_chain(5)),
        (of_charity(10), of_config(7)),
        (both(of_config(1), of_charity(2)), of_token(1)),
        (
            both(of_config(2), of_charity(2)),
            both(of_token(1), of_chain(1)),
        ),
    ] {
        filters.push(both(one, two));
    }
    filters
}

/// Days 0 to 2 of 1970; project 1 receives 90, 30 and 6, of which charity 1 gets a third.
fn given() -> Vec<Record> {
    let on_day = |n: u32, token, usd| Donation {
        at: at(i64::from(n) * DAY),
        ..donation(n, token, 1, usd)
    };
    let given = [
        on_day(0, 1, 90),
        on_day(1, 2, 30),
        on_day(2, 1, 6),
        donation(9, 1, 2, 1000),
    ];
    given.map(Record::Donation).into()
}

async fn world(site: &Site) -> World {
    let world = World::new(site).await;
    world.record_all(given()).await;
    world
}

fn days(first: i8, last: i8) -> DayRange {
    DayRange::new(date(1970, 1, first), date(1970, 1, last)).unwrap()
}

async fn totals_of_all_time_and_of_days(site: Site) {
    let world = world(&site).await;
    let store = &world.store;
    let all = store::project_totals(store, of_project(1)).await.unwrap();
    assert_eq!((all.stats.usd, all.stats.donations), (UsdE6(126), 3));
    assert_eq!((all.charities, all.tokens, all.configs), (2, 2, 1));
    assert_eq!(
        (all.stats.first, all.stats.last),
        (Some(at(0)), Some(at(2 * DAY)))
    );

    let within = |first, last| StatsScope {
        range: Some(days(first, last)),
        ..of_project(1)
    };
    let some = store::project_totals(store, within(2, 2)).await.unwrap();
    assert_eq!((some.stats.usd, some.tokens), (UsdE6(30), 1));
    let none = store::project_totals(store, within(4, 9)).await.unwrap();
    assert_eq!(none, ProjectTotals::default());
    let days = store::project_days(store, within(2, 9)).await.unwrap();
    assert_eq!(
        days.iter().map(|day| day.usd.0).collect::<Vec<_>>(),
        [30, 6]
    );
}

async fn breakdowns_rank_and_page(site: Site) {
    let world = world(&site).await;
    let store = &world.store;
    for (range, expected) in [
        (None, [84, 42]),
        (Some(days(1, 9)), [84, 42]),
        (Some(days(2, 3)), [24, 12]),
    ] {
        let scope = StatsScope {
            range,
            ..of_project(1)
        };
        let first = store::charities_of_project(store, scope, None, 1);
        let first = first.await.unwrap();
        let rest = store::charities_of_project(store, scope, Some(first[0].position()), 5);
        let rest = rest.await.unwrap();
        assert_eq!(
            (first[0].member, rest[0].member),
            (charity_id(2), charity_id(1))
        );
        assert_eq!([first[0].stats.usd.0, rest[0].stats.usd.0], expected);
        assert_eq!(rest.len(), 1);
    }
    let tokens = store::tokens_of_project(store, of_project(1), None, 5);
    let tokens = tokens.await.unwrap();
    let members: Vec<_> = tokens.iter().map(|ranked| &ranked.member).collect();
    assert_eq!(members, [&token(1), &token(2)]);
    assert_eq!(tokens[0].key, token(1).id.key());
    let first_day = StatsScope {
        range: Some(days(1, 1)),
        ..of_project(1)
    };
    let configs = store::configs_of_project(store, first_day, None, 5);
    let configs = configs.await.unwrap();
    assert_eq!(
        (configs[0].member.id, configs[0].stats.usd),
        (config_id(1), UsdE6(90))
    );
}

/// Checks that all statistics are those of the model, for many filters and ranges.
pub(crate) async fn assert_equal_model(world: &World, model: &Model) {
    for project in [1, 2] {
        for range in [None, Some(days(1, 1)), Some(days(2, 31))] {
            for filter in filters() {
                let scope = StatsScope {
                    range,
                    filter,
                    ..of_project(project)
                };
                assert_scope_equals_model(world, model, scope).await;
            }
        }
    }
}

async fn assert_scope_equals_model(world: &World, model: &Model, scope: StatsScope) {
    let (store, expected) = (&world.store, model.sums(scope));
    let totals = store::project_totals(store, scope).await.unwrap();
    assert_eq!(totals, expected.totals(), "{scope:?}");
    let days = store::project_days(store, scope).await.unwrap();
    assert_eq!(days, expected.days(), "{scope:?}");
    let hours = store::project_hours(store, scope).await.unwrap();
    assert_eq!(hours, expected.hours(), "{scope:?}");
    let charities = store::charities_of_project(store, scope, None, 100).await;
    assert_eq!(sums(&charities.unwrap()), expected.charities(), "{scope:?}");
    let tokens = store::tokens_of_project(store, scope, None, 100).await;
    assert_eq!(sums(&tokens.unwrap()), expected.tokens(), "{scope:?}");
    let configs = store::configs_of_project(store, scope, None, 100).await;
    assert_eq!(sums(&configs.unwrap()), expected.configs(), "{scope:?}");
}

fn sums<M>(ranked: &[Ranked<M>]) -> Vec<(Vec<u8>, DonationStats)> {
    let sums = ranked.iter().map(|it| (it.key.clone(), it.stats));
    sums.collect()
}

/// Of project 1 in project 2's config, of project 2 alone, and one that is taken back.
async fn filters_select_a_projects_donations(site: Site) {
    let world = world(&site).await;
    let back = donation(90, 1, 1, 500);
    let records = [
        Record::PartnerToken(partner_token(3, 1, 1)),
        Record::Donation(donation(50, 3, 2, 70)),
        Record::Donation(back.clone()),
        Record::Donation(revised(&back)),
    ];
    world.record_all(records.to_vec()).await;
    let usd = async |project, filter| {
        let scope = StatsScope {
            filter,
            ..of_project(project)
        };
        let stats = store::project_totals(&world.store, scope).await;
        let stats = stats.unwrap().stats;
        (stats.usd.0, stats.donations)
    };
    assert_eq!(usd(1, ALL).await, (196, 4));
    assert_eq!(usd(1, of_config(1)).await, (126, 3));
    // Of another project's config, what came in tokens of its own.
    assert_eq!(usd(1, of_config(2)).await, (70, 1));
    assert_eq!(usd(2, of_config(2)).await, (1070, 2));
    assert_eq!(usd(2, of_config(1)).await, (0, 0));
    assert_eq!(usd(1, of_config(9)).await, (0, 0));
    assert_eq!(usd(1, of_token(1)).await, (96, 2));
    assert_eq!(usd(1, of_token(3)).await, (70, 1));
    assert_eq!(usd(1, of_token(4)).await, (0, 0));
    assert_eq!(usd(1, of_chain(chain_id().get())).await, (196, 4));
    assert_eq!(usd(1, of_chain(7)).await, (0, 0));
    assert_eq!(usd(1, of_charity(1)).await, (42, 3));
    assert_eq!(usd(1, of_charity(2)).await, (154, 4));
    assert_eq!(usd(1, of_charity(3)).await, (0, 0));
    assert_eq!(usd(1, both(of_charity(2), of_config(1))).await, (84, 3));
    let all = [basic_records(), given(), records.into()].concat();
    assert_equal_model(&world, &Model::of(&all)).await;
}

/// A token address on two chains, 20 charities that divide amounts with remainders, a token that becomes project 1's
/// after it has donations, first and last donations of a day that are taken back, and a deleted config.
async fn cells_have_the_sums_of_the_log(site: Site) {
    let world = World::new(&site).await;
    let other = ChainId::new(5).unwrap();
    let elsewhere = ChainAddress {
        chain: other,
        ..token(1).id
    };
    let mut records: Vec<_> = (10..30)
        .map(|n| Record::Charity(Box::new(charity(n))))
        .collect();
    let weights: Vec<_> = (10..30).map(|n| (n, 7 + u32::from(n) * 3)).collect();
    records.extend([
        Record::Config(config(7, 1, &weights)),
        Record::Chain(Chain {
            id: other,
            ..chain()
        }),
        Record::Token(Token {
            id: elsewhere.clone(),
            ..token(1)
        }),
    ]);
    for (n, (tokens, config, usd)) in (1..).zip([
        (1, 7, 1),
        (1, 7, 999_999_937),
        (2, 7, 19),
        (2, 2, 5),
        (3, 7, 333),
        (3, 2, 1_000_003),
        (4, 1, 100),
    ]) {
        for (day, second) in [(0, 3600), (0, 3601), (0, 80_000), (1, 5), (30, 9)] {
            let one = Donation {
                at: at(day * DAY + second + i64::from(n)),
                log_index: u32::try_from(day * DAY + second).unwrap(),
                ..donation(n, tokens, config, usd)
            };
            records.push(Record::Donation(one.clone()));
            records.push(Record::Donation(Donation {
                token: elsewhere.clone(),
                ..one.clone()
            }));
            if second == 3600 || (day, second) == (1, 5) {
                records.push(Record::Donation(revised(&one)));
            }
        }
    }
    records.push(Record::PartnerToken(partner_token(3, 1, 1)));
    let later = donation(50, 3, 2, 77);
    records.push(Record::Donation(later.clone()));
    world.record_all(records.clone()).await;
    world.verify().await;
    let all = [basic_records(), records.clone()].concat();
    assert_equal_model(&world, &Model::of(&all)).await;

    // In another batch, which loads the cells.
    let last = Record::Donation(revised(&later));
    let taken: Vec<_> = records.iter().rev().take(30).cloned().collect();
    let more = taken.iter().filter_map(|record| match record {
        Record::Donation(it) if it.revision.0 == 0 && it.token.chain == other => {
            Some(Record::Donation(revised(it)))
        }
        _ => None,
    });
    let more: Vec<_> = more.chain([last]).collect();
    assert!(more.len() > 10);
    world.record_all(more.clone()).await;
    let (requester, project) = (crate::records::BY_KEY, project_id(1));
    let deleted = features::configs::store::delete_config(
        &world.store,
        requester,
        project,
        config_id(7),
        None,
        at(9),
    );
    assert!(deleted.await.unwrap());
    world.verify().await;
    let all = [all, more].concat();
    assert_equal_model(&world, &Model::of(&all)).await;
}

/// Pages of filtered sums have the order of the rollups', equal sums included.
async fn filtered_sums_page(site: Site) {
    let world = World::new(&site).await;
    let given = [(1, 1, 30), (2, 2, 30), (3, 3, 40), (4, 4, 0)];
    let given = given.map(|(n, token, usd)| Record::Donation(donation(n, token, 1, usd)));
    world.record_all(given.into()).await;
    let recorded = store::tokens_of_project(&world.store, of_project(1), None, 9);
    let recorded = sums(&recorded.await.unwrap());
    assert_eq!(recorded.len(), 4);
    for filter in [of_config(1), of_chain(1), of_charity(2)] {
        let scope = StatsScope {
            filter,
            ..of_project(1)
        };
        let (mut after, mut listed) = (None, Vec::new());
        loop {
            let page = store::tokens_of_project(&world.store, scope, after, 1);
            let Some(entry) = page.await.unwrap().pop() else {
                break;
            };
            after = Some(entry.position());
            listed.push(entry.key);
        }
        let keys = recorded.iter().map(|(key, _)| key);
        assert!(listed.iter().eq(keys), "{filter:?}");
    }
}

on_each_database! {
    totals_of_all_time_and_of_days,
    breakdowns_rank_and_page,
    filters_select_a_projects_donations,
    cells_have_the_sums_of_the_log,
    filtered_sums_page,
}
