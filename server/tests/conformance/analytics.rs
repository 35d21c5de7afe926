//! Tests on both databases: totals, days and breakdowns of a small world.

use jiff::civil::date;

use crate::records::{
    at, chain_id, charity_id, config_id, donation, partner_token, project_id, revised, token,
};
use crate::world::{Site, World};
use features::analytics::series::{self, Interval, Point};
use features::analytics::{FilteredSums, ProjectTotals, StatsFilter};
use features::chains::ChainId;
use features::domain::amount::UsdE6;
use features::domain::day::DayRange;
use features::domain::position::Placed as _;
use features::donations::Donation;
use features::import::Record;
use features::projects::ProjectId;

const DAY: i64 = 86_400;

/// Days 0 to 2 of 1970; project 1 receives 90, 30 and 6, of which charity 1 gets a third.
async fn world(site: &Site) -> World {
    let world = World::new(site).await;
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
    world.record_all(given.map(Record::Donation).into()).await;
    world
}

fn days(first: i8, last: i8) -> DayRange {
    DayRange::new(date(1970, 1, first), date(1970, 1, last)).unwrap()
}

async fn totals_of_all_time_and_of_days(site: Site) {
    let world = world(&site).await;
    let store = &world.store;
    let all = features::analytics::store::project_totals(store, project_id(1), None)
        .await
        .unwrap();
    assert_eq!((all.stats.usd, all.stats.donations), (UsdE6(126), 3));
    assert_eq!((all.charities, all.tokens, all.configs), (2, 2, 1));
    assert_eq!(
        (all.stats.first, all.stats.last),
        (Some(at(0)), Some(at(2 * DAY)))
    );

    let some = features::analytics::store::project_totals(store, project_id(1), Some(days(2, 2)))
        .await
        .unwrap();
    assert_eq!((some.stats.usd, some.tokens), (UsdE6(30), 1));
    let none = features::analytics::store::project_totals(store, project_id(1), Some(days(4, 9)))
        .await
        .unwrap();
    assert_eq!(none, ProjectTotals::default());
    let days = features::analytics::store::project_days(store, project_id(1), days(2, 9))
        .await
        .unwrap();
    assert_eq!(
        days.iter().map(|day| day.usd.0).collect::<Vec<_>>(),
        [30, 6]
    );
}

async fn breakdowns_rank_and_page(site: Site) {
    let world = world(&site).await;
    let store = &world.store;
    let project = project_id(1);
    for (range, expected) in [
        (None, [84, 42]),
        (Some(days(1, 9)), [84, 42]),
        (Some(days(2, 3)), [24, 12]),
    ] {
        let first =
            features::analytics::store::charities_of_project(store, project, range, None, 1)
                .await
                .unwrap();
        let rest = features::analytics::store::charities_of_project(
            store,
            project,
            range,
            Some(first[0].position()),
            5,
        )
        .await
        .unwrap();
        assert_eq!(
            (first[0].member, rest[0].member),
            (charity_id(2), charity_id(1))
        );
        assert_eq!([first[0].stats.usd.0, rest[0].stats.usd.0], expected);
        assert_eq!(rest.len(), 1);
    }
    let tokens = features::analytics::store::tokens_of_project(store, project, None, None, 5)
        .await
        .unwrap();
    assert_eq!(
        tokens
            .iter()
            .map(|ranked| &ranked.member)
            .collect::<Vec<_>>(),
        [&token(1), &token(2)]
    );
    assert_eq!(tokens[0].key, token(1).id.key());
    let configs =
        features::analytics::store::configs_of_project(store, project, Some(days(1, 1)), None, 5)
            .await
            .unwrap();
    assert_eq!(
        (configs[0].member.id, configs[0].stats.usd),
        (config_id(1), UsdE6(90))
    );
}

async fn sums(
    world: &World,
    project: ProjectId,
    range: Option<DayRange>,
    filter: StatsFilter,
) -> FilteredSums {
    let sums =
        features::analytics::store::filtered_sums(&world.store, project, range, filter, 1000);
    sums.await.unwrap().unwrap()
}

/// Checks that sums of single donations are those of the roll-ups: without a filter, and for each member
/// of each dimension, whose sums are the whole.
pub(crate) async fn assert_filters_add_up(world: &World) {
    for project in [1, 2].map(project_id) {
        for range in [None, Some(days(1, 1)), Some(days(2, 4)), Some(days(9, 9))] {
            let all = sums(world, project, range, StatsFilter::default()).await;
            let totals = features::analytics::store::project_totals(&world.store, project, range)
                .await
                .unwrap();
            assert_eq!(all.totals(), totals);
            assert_charities_add_up(world, project, range, &all).await;
            assert_tokens_and_configs_add_up(world, project, range, &all).await;
        }
        let range = days(1, 9);
        let all = sums(world, project, Some(range), StatsFilter::default()).await;
        let recorded = features::analytics::store::project_days(&world.store, project, range)
            .await
            .unwrap();
        let recorded: Vec<_> = recorded.into_iter().map(Point::from).collect();
        assert_eq!(
            series::fill(Interval::Day, range, &all.hours()),
            series::fill(Interval::Day, range, &recorded)
        );
    }
}

async fn assert_charities_add_up(
    world: &World,
    project: ProjectId,
    range: Option<DayRange>,
    all: &FilteredSums,
) {
    let ranked =
        features::analytics::store::charities_of_project(&world.store, project, range, None, 100)
            .await
            .unwrap();
    assert_eq!(all.charities(None, 100), ranked);
    let mut whole = 0;
    for entry in ranked {
        let only = StatsFilter {
            charity: Some(entry.member),
            ..StatsFilter::default()
        };
        let of_charity = sums(world, project, range, only).await;
        assert_eq!(of_charity.totals().stats, entry.stats);
        assert_eq!(
            of_charity.charities(None, 100),
            std::slice::from_ref(&entry)
        );
        let by_config = of_charity.configs(None, 100);
        let parts: i64 = by_config.iter().map(|part| part.stats.usd.0).sum();
        assert_eq!(parts, entry.stats.usd.0);
        whole += entry.stats.usd.0;
    }
    assert_eq!(whole, all.totals().stats.usd.0);
}

async fn assert_tokens_and_configs_add_up(
    world: &World,
    project: ProjectId,
    range: Option<DayRange>,
    all: &FilteredSums,
) {
    let store = &world.store;
    let tokens =
        features::analytics::store::tokens_of_project(store, project, range, None, 100).await;
    let tokens = tokens.unwrap();
    let keys: Vec<_> = all.tokens(None, 100).iter().map(|it| it.member).collect();
    let named = features::analytics::store::named_tokens(store, keys)
        .await
        .unwrap();
    assert!(tokens.iter().map(|it| &it.member).eq(&named));
    for entry in tokens {
        let only = StatsFilter {
            token: Some(entry.member.id.address.sort_key()),
            ..StatsFilter::default()
        };
        let of_token = sums(world, project, range, only).await;
        assert_eq!(of_token.totals().stats, entry.stats);
    }
    let configs =
        features::analytics::store::configs_of_project(store, project, range, None, 100).await;
    let configs = configs.unwrap();
    let ids = all.configs(None, 100).iter().map(|it| it.member).collect();
    let named = features::analytics::store::named_configs(store, ids)
        .await
        .unwrap();
    assert!(configs.iter().map(|it| &it.member).eq(&named));
    for entry in configs {
        let only = StatsFilter {
            config: Some(entry.member.id),
            ..StatsFilter::default()
        };
        let of_config = sums(world, project, range, only).await;
        assert_eq!(of_config.totals().stats, entry.stats);
    }
}

/// Of project 1 in project 2's config, of project 2 alone, and one that is taken back.
async fn filters_select_a_projects_donations(site: Site) {
    let world = world(&site).await;
    let back = donation(90, 1, 1, 500);
    let given = [
        Record::PartnerToken(partner_token(3, 1, 1)),
        Record::Donation(donation(50, 3, 2, 70)),
        Record::Donation(back.clone()),
        Record::Donation(revised(&back)),
    ];
    world.record_all(given.into()).await;
    let all = StatsFilter::default();
    let usd = async |project, filter| {
        let sums = sums(&world, project_id(project), None, filter).await;
        (sums.totals().stats.usd.0, sums.totals().stats.donations)
    };
    let config = |n| StatsFilter {
        config: Some(config_id(n)),
        ..all
    };
    let token = |n| StatsFilter {
        token: Some(token(n).id.address.sort_key()),
        ..all
    };
    let chain = |n| StatsFilter {
        chain: ChainId::new(n),
        ..all
    };
    let charity = |n| StatsFilter {
        charity: Some(charity_id(n)),
        ..all
    };
    assert_eq!(usd(1, all).await, (196, 4));
    assert_eq!(usd(1, config(1)).await, (126, 3));
    // Of another project's config, what came in tokens of its own.
    assert_eq!(usd(1, config(2)).await, (70, 1));
    assert_eq!(usd(2, config(2)).await, (1070, 2));
    assert_eq!(usd(2, config(1)).await, (0, 0));
    assert_eq!(usd(1, config(9)).await, (0, 0));
    assert_eq!(usd(1, token(1)).await, (96, 2));
    assert_eq!(usd(1, token(3)).await, (70, 1));
    assert_eq!(usd(1, token(4)).await, (0, 0));
    assert_eq!(usd(1, chain(chain_id().get())).await, (196, 4));
    assert_eq!(usd(1, chain(7)).await, (0, 0));
    assert_eq!(usd(1, charity(1)).await, (42, 3));
    assert_eq!(usd(1, charity(2)).await, (154, 4));
    assert_eq!(usd(1, charity(3)).await, (0, 0));
    let both = StatsFilter {
        charity: Some(charity_id(2)),
        ..config(1)
    };
    assert_eq!(usd(1, both).await, (84, 3));
    assert_filters_add_up(&world).await;

    let project = project_id(1);
    let store = &world.store;
    let bounded = async |filter, most| {
        let sums = features::analytics::store::filtered_sums(store, project, None, filter, most);
        sums.await.unwrap().is_some()
    };
    assert!(bounded(all, 4).await);
    assert!(!bounded(all, 3).await);
    assert!(bounded(config(1), 3).await);
}

/// Pages of filtered sums are those of the roll-ups, equal sums included.
async fn filtered_sums_page(site: Site) {
    let world = World::new(&site).await;
    let given = [(1, 1, 30), (2, 2, 30), (3, 3, 40), (4, 4, 0)];
    let given = given.map(|(n, token, usd)| Record::Donation(donation(n, token, 1, usd)));
    world.record_all(given.into()).await;
    let project = project_id(1);
    let all = sums(&world, project, None, StatsFilter::default()).await;
    let (mut after, mut listed) = (None, Vec::new());
    while let Some(entry) = all.tokens(after.as_ref(), 1).pop() {
        after = Some(entry.position());
        listed.push(entry.member);
    }
    let recorded =
        features::analytics::store::tokens_of_project(&world.store, project, None, None, 9)
            .await
            .unwrap();
    let recorded: Vec<_> = recorded.iter().map(|it| it.member.id.key()).collect();
    assert_eq!(listed, recorded);
    assert_eq!(listed.len(), 4);
}

on_each_database! {
    totals_of_all_time_and_of_days,
    breakdowns_rank_and_page,
    filters_select_a_projects_donations,
    filtered_sums_page,
}
