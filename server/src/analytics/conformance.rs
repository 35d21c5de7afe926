//! Totals, days and breakdowns of a small world.

use jiff::civil::date;

use super::ProjectTotals;
use crate::database::conformance::world::{
    Site, World, at, charity_id, config_id, donation, project_id, token,
};
use crate::domain::amount::UsdE6;
use crate::domain::day::DayRange;
use crate::domain::position::Placed as _;
use crate::donations::Donation;
use crate::import::Record;

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
    let all = store.project_totals(project_id(1), None).await.unwrap();
    assert_eq!((all.stats.usd, all.stats.donations), (UsdE6(126), 3));
    assert_eq!((all.charities, all.tokens, all.configs), (2, 2, 1));
    assert_eq!(
        (all.stats.first, all.stats.last),
        (Some(at(0)), Some(at(2 * DAY)))
    );

    let some = store
        .project_totals(project_id(1), Some(days(2, 2)))
        .await
        .unwrap();
    assert_eq!((some.stats.usd, some.tokens), (UsdE6(30), 1));
    let none = store
        .project_totals(project_id(1), Some(days(4, 9)))
        .await
        .unwrap();
    assert_eq!(none, ProjectTotals::default());
    let days = store.project_days(project_id(1), days(2, 9)).await.unwrap();
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
        let first = store
            .charities_of_project(project, range, None, 1)
            .await
            .unwrap();
        let rest = store
            .charities_of_project(project, range, Some(first[0].position()), 5)
            .await
            .unwrap();
        assert_eq!(
            (first[0].member, rest[0].member),
            (charity_id(2), charity_id(1))
        );
        assert_eq!([first[0].stats.usd.0, rest[0].stats.usd.0], expected);
        assert_eq!(rest.len(), 1);
    }
    let tokens = store
        .tokens_of_project(project, None, None, 5)
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
    let configs = store
        .configs_of_project(project, Some(days(1, 1)), None, 5)
        .await
        .unwrap();
    assert_eq!(
        (configs[0].member.id, configs[0].stats.usd),
        (config_id(1), UsdE6(90))
    );
}

crate::database::conformance::on_each_database! {
    totals_of_all_time_and_of_days,
    breakdowns_rank_and_page,
}
