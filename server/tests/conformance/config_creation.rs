//! Tests on both databases: making a config on request.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::records::{at, charity, config, config_id, project_id};
use crate::world::{Site, World};
use features::charities::Charity;
use features::configs::{Config, ConfigError, ConfigRejection, Creation};
use features::idempotency::Idempotency;
use features::import::Record;

const DAY: i64 = 86_400;

/// Asks project `project` for config `n`, made at second `second`.
async fn create(
    world: &World,
    n: u8,
    project: u8,
    second: i64,
    key: Option<(&str, u8)>,
) -> Result<Creation, ConfigError> {
    create_within(u32::MAX, world, n, project, second, key).await
}

/// The same, where a project may have `quota` configs.
pub(crate) async fn create_within(
    quota: u32,
    world: &World,
    n: u8,
    project: u8,
    second: i64,
    key: Option<(&str, u8)>,
) -> Result<Creation, ConfigError> {
    let config = Config {
        created_at: at(second),
        ..config(n, project, &[(2, 1), (1, 3)])
    };
    let idempotency = key.map(|(key, body)| Idempotency {
        key: key.to_owned(),
        fingerprint: [body; 32],
    });
    let encode = |config: &Config, charities: &[Charity]| {
        let [first, second] = [&charities[0].slug, &charities[1].slug];
        Ok(format!("{} {first} {second}", config.id).into_bytes())
    };
    features::configs::store::create_config(
        &world.store,
        crate::records::BY_KEY,
        config,
        idempotency,
        quota,
        encode,
    )
    .await
}

fn quota_exceeded() -> Result<Creation, ConfigError> {
    Err(ConfigRejection::QuotaExceeded(3).into())
}

fn answer(n: u8) -> Vec<u8> {
    format!("{} charity-2 charity-1", config_id(n)).into_bytes()
}

async fn a_key_makes_one_config(site: Site) {
    let world = World::new(&site).await;
    let key = Some(("k", 1));
    assert_eq!(
        create(&world, 10, 1, DAY, key).await,
        Ok(Creation::Created(answer(10)))
    );
    let replayed = Ok(Creation::Replayed {
        config: config_id(10),
        answer: answer(10),
    });
    assert_eq!(create(&world, 11, 1, DAY + 1, key).await, replayed);
    assert_eq!(
        create(&world, 12, 1, DAY + 1, Some(("k", 2))).await,
        Err(ConfigRejection::KeyReused.into())
    );
    // Keys are a project's own, and no key is no key.
    assert_eq!(
        create(&world, 13, 2, DAY, key).await,
        Ok(Creation::Created(answer(13)))
    );
    assert_eq!(
        create(&world, 14, 1, DAY, None).await,
        Ok(Creation::Created(answer(14)))
    );
    let configs = features::configs::store::configs(&world.store, project_id(1), None, None, 10)
        .await
        .unwrap();
    assert_eq!(
        configs
            .iter()
            .map(|config| config.id.0[0])
            .collect::<Vec<_>>(),
        [14, 10, 1]
    );
}

async fn an_answer_is_kept_for_24_hours(site: Site) {
    let world = World::new(&site).await;
    create(&world, 10, 1, 0, Some(("k", 1))).await.unwrap();
    let late = create(&world, 11, 1, DAY - 1, Some(("k", 1))).await;
    assert!(matches!(late, Ok(Creation::Replayed { .. })));
    assert_eq!(
        create(&world, 12, 1, DAY, Some(("k", 2))).await,
        Ok(Creation::Created(answer(12)))
    );
}

/// Expired responses are deleted a hundred at a time, and those that still exist are not replayed.
async fn forgotten_answers_are_cleared_away_bit_by_bit(site: Site) {
    let world = World::new(&site).await;
    create(&world, 10, 1, 0, Some(("k", 1))).await.unwrap();
    for letter in "abcdefgh".chars() {
        let double = format!(
            "INSERT INTO idempotency (project, key, fingerprint, resource, response, created_at)
             SELECT project, key || '{letter}', fingerprint, resource, response, created_at - 1
             FROM idempotency"
        );
        world.tamper(&double).await;
    }
    // Of 256 it is the latest.
    let key = Some(("k", 2));
    let made = create(&world, 11, 1, DAY, key).await;
    assert_eq!(made, Ok(Creation::Created(answer(11))));
    let again = create(&world, 12, 1, DAY + 1, key).await;
    assert!(matches!(again, Ok(Creation::Replayed { .. })), "{again:?}");
    create(&world, 13, 1, DAY + 2, Some(("other", 1)))
        .await
        .unwrap();
    // There is such a row already, so that this fails where one is left.
    let none = "INSERT INTO version (name, number)
                SELECT 'keys', 0 FROM idempotency WHERE created_at <= 0";
    world.tamper(none).await;
}

async fn refusals_are_not_kept(site: Site) {
    let world = World::new(&site).await;
    let inactive = Charity {
        active: false,
        ..charity(1)
    };
    world
        .record_all(vec![Record::Charity(Box::new(inactive))])
        .await;
    let refused = create(&world, 10, 1, 0, Some(("k", 1))).await;
    let unknown = ConfigRejection::UnknownCharities(vec![charity(1).id]);
    assert_eq!(refused, Err(unknown.into()));
    world
        .record_all(vec![Record::Charity(Box::new(charity(1)))])
        .await;
    assert_eq!(
        create(&world, 11, 1, 1, Some(("k", 2))).await,
        Ok(Creation::Created(answer(11)))
    );
}

async fn twins_in_flight_make_one_config(site: Site) {
    let world = World::new(&site).await;
    let key = Some(("k", 1));
    let twins = tokio::join!(create(&world, 10, 1, 5, key), create(&world, 11, 1, 5, key));
    let made = |made: &Result<_, _>| matches!(made, Ok(Creation::Created(_)));
    assert!(made(&twins.0) ^ made(&twins.1), "{twins:?}");
}

async fn a_quota_counts_what_was_deleted_of_late_and_no_replays(site: Site) {
    let world = World::new(&site).await;
    let create = |n, second, key| create_within(3, &world, n, 1, second, key);
    let delete = async |n, second| {
        let deleted = features::configs::store::delete_config(
            &world.store,
            crate::records::BY_KEY,
            project_id(1),
            config_id(n),
            None,
            at(second),
        );
        assert!(deleted.await.unwrap());
    };
    // One is the world's own.
    assert_eq!(create(10, 0, None).await, Ok(Creation::Created(answer(10))));
    let key = Some(("k", 1));
    assert_eq!(create(11, 1, key).await, Ok(Creation::Created(answer(11))));
    assert_eq!(create(12, 2, None).await, quota_exceeded());
    let replayed = Ok(Creation::Replayed {
        config: config_id(11),
        answer: answer(11),
    });
    assert_eq!(create(12, 2, key).await, replayed);
    // A refusal is not kept, and the other project has a quota of its own.
    assert_eq!(create(12, 2, Some(("l", 1))).await, quota_exceeded());
    let other = create_within(3, &world, 13, 2, 2, None).await;
    assert_eq!(other, Ok(Creation::Created(answer(13))));
    delete(10, 3).await;
    assert_eq!(create(12, DAY + 2, Some(("l", 1))).await, quota_exceeded());
    assert_eq!(
        create(12, DAY + 3, Some(("l", 1))).await,
        Ok(Creation::Created(answer(12)))
    );
    assert_eq!(create(14, DAY + 4, None).await, quota_exceeded());
}

/// A project sends as many requests as it may have in flight, then another project sends one: it is
/// answered before half of those that came before it.
async fn the_writes_of_one_project_leave_others_their_turn(site: Site) {
    const IN_FLIGHT: u8 = 64;
    let world = World::new(&site).await;
    let requests = (0..IN_FLIGHT).map(|n| (10 + n, 1)).chain([(200, 2)]);
    let answers = requests.map(async |(n, project)| {
        let created = create(&world, n, project, DAY, None).await;
        assert_eq!(created, Ok(Creation::Created(answer(n))));
        project
    });
    let answered: Vec<u8> = answers.collect::<FuturesUnordered<_>>().collect().await;
    let before = answered.iter().take_while(|project| **project == 1).count();
    assert_eq!(answered.len(), usize::from(IN_FLIGHT) + 1);
    let half = usize::from(IN_FLIGHT) / 2;
    assert!(before < half, "{before} were answered before it");
}

on_each_database! {
    the_writes_of_one_project_leave_others_their_turn,
    a_quota_counts_what_was_deleted_of_late_and_no_replays,
    a_key_makes_one_config,
    an_answer_is_kept_for_24_hours,
    refusals_are_not_kept,
    forgotten_answers_are_cleared_away_bit_by_bit,
    twins_in_flight_make_one_config,
}
