//! More work than there are connections, and connections that end at the worst time.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio_postgres::Client;

use super::connected;
use crate::records::{at, config, config_id, donation, partner_token, project_id};
use crate::world::{Site, World};
use db::DbError;
use features::configs::Creation;
use features::domain::recording::OnRejection;
use features::import::Record;
use features::project_lifecycle::ProjectChangeError;
use features::projects::{Actor, Tier};

/// Polls until a query returns this number of rows.
async fn these_are(client: &Client, sql: &str, rows: usize) {
    let start = Instant::now();
    while client.query(sql, &[]).await.unwrap().len() != rows {
        assert!(start.elapsed() < Duration::from_secs(10), "{sql}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn is_unavailable<T: std::fmt::Debug>(answer: &Result<T, DbError>) -> bool {
    matches!(answer, Err(DbError::Unavailable(_)))
}

async fn a_request_waits_half_a_second_for_a_connection(site: Site) {
    let world = World::new(&site).await;
    world
        .tamper(
            "ALTER TABLE version RENAME TO counters;
             CREATE VIEW version AS SELECT name, number FROM counters, pg_sleep(2)",
        )
        .await;
    let asked = |number: usize| {
        let store = world.store.clone();
        async move {
            // All connections are taken when the last requests come.
            tokio::time::sleep(Duration::from_millis(if number < 16 { 0 } else { 300 })).await;
            let start = Instant::now();
            (features::database::versions(&store).await, start.elapsed())
        }
    };
    let answers = join_all((0..24).map(asked)).await;
    let (lent, late) = answers.split_at(16);
    assert!(lent.iter().all(|(answer, _)| answer.is_ok()), "{lent:?}");
    for (answer, took) in late {
        assert!(is_unavailable(answer), "{answer:?}");
        assert!(*took < Duration::from_millis(1500), "{took:?}");
    }
    assert_eq!(
        features::projects::store::projects(&world.store)
            .await
            .unwrap()
            .len(),
        2
    );
}

async fn writers_leave_readers_their_connections(site: Site) {
    let world = World::new(&site).await;
    let holder = connected(&world.url()).await;
    let hold = "BEGIN; LOCK TABLE project IN ROW EXCLUSIVE MODE; SELECT 1 FROM project FOR UPDATE";
    holder.batch_execute(hold).await.unwrap();
    let writes = join_all((0..40).map(|_| {
        let store = world.store.clone();
        tokio::spawn(async move {
            features::project_lifecycle::set_tier(
                &store,
                Actor::Operator,
                project_id(1),
                Tier::Pro,
                at(1),
            )
            .await
        })
    }));
    let reads = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        for _ in 0..50 {
            assert_eq!(
                features::projects::store::projects(&world.store)
                    .await
                    .unwrap()
                    .len(),
                2
            );
        }
    };
    let (written, ()) = tokio::join!(writes, reads);
    // Writers with a turn wait for the row until it is released, the others for a turn.
    assert!(
        written
            .iter()
            .map(|write| write.as_ref().unwrap())
            .all(|write| matches!(write, Err(ProjectChangeError::Db(DbError::Unavailable(_)))))
    );
    holder.batch_execute("ROLLBACK").await.unwrap();
    let set = features::project_lifecycle::set_tier(
        &world.store,
        Actor::Operator,
        project_id(1),
        Tier::Pro,
        at(1),
    );
    assert_eq!(set.await, Ok(()));
}

/// The row of a project is held, as by a slow write on another replica, while many of its writes come.
async fn a_project_that_waits_for_its_row_leaves_others_their_turns(site: Site) {
    let world = World::new(&site).await;
    let holder = connected(&world.url()).await;
    let hold = format!(
        "BEGIN; SELECT 1 FROM project WHERE id = '{}' FOR UPDATE",
        project_id(1).0
    );
    holder.batch_execute(&hold).await.unwrap();
    let create = |n, project| {
        let store = world.store.clone();
        let config = config(n, project, &[(1, 1)]);
        async move {
            features::configs::store::create_config(
                &store,
                crate::records::BY_KEY,
                config,
                None,
                100,
                |_, _| Ok(Vec::new()),
            )
            .await
        }
    };
    let _waiting: JoinSet<_> = (10..50).map(|n| create(n, 1)).collect();
    let other = tokio::spawn(create(50, 2)).await.unwrap();
    assert_eq!(other, Ok(Creation::Created(Vec::new())));
}

/// The connection ends in the middle of a batch, as in a failover of the server.
async fn a_connection_that_ends_within_a_write_leaves_nothing(site: Site) {
    let world = World::new(&site).await;
    let holder = connected(&world.url()).await;
    // Donations are in the log by then, and their sums are not.
    let hold = "BEGIN; LOCK TABLE tally IN SHARE MODE";
    holder.batch_execute(hold).await.unwrap();
    let given: Vec<_> = (1..=50)
        .map(|n| Record::Donation(donation(n, 1, 1, 10)))
        .collect();
    let writing = tokio::spawn({
        let (store, given) = (world.store.clone(), given.clone());
        async move { features::import::store::record(&store, given, OnRejection::Stop).await }
    });
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    these_are(&holder, end, 1).await;
    let written = writing.await.unwrap();
    assert!(is_unavailable(&written), "{written:?}");
    holder.batch_execute("ROLLBACK").await.unwrap();
    // The pool may hand it out once more before its end is known.
    let start = Instant::now();
    while let Err(error) = features::database::versions(&world.store).await {
        assert!(start.elapsed() < Duration::from_secs(10), "{error}");
    }
    world.verify().await;
    let outcomes = features::import::store::record(&world.store, given, OnRejection::Stop)
        .await
        .unwrap();
    assert!(
        outcomes
            .iter()
            .all(|outcome| *outcome == Ok(features::domain::recording::Change::Inserted))
    );
    world.verify().await;
}

/// A batch with a record of the catalogue is paused in its middle. Meanwhile configs are deleted,
/// except the one that it assigns to a partner token: that deletion waits, and then counts as a change
/// of the catalogue.
async fn a_config_is_deleted_while_a_batch_is_recorded(site: Site) {
    let world = World::new(&site).await;
    let holder = connected(&world.url()).await;
    // Within a transaction, later connections are not seen.
    let observer = connected(&world.url()).await;
    let hold = "BEGIN; LOCK TABLE tally IN SHARE MODE";
    holder.batch_execute(hold).await.unwrap();
    let catalogue = async || {
        features::database::versions(&world.store)
            .await
            .unwrap()
            .tokens
    };
    let before = catalogue().await;
    let batch = vec![
        Record::PartnerToken(partner_token(1, 1, 1)),
        Record::Donation(donation(1, 1, 1, 10)),
    ];
    let store = world.store.clone();
    let recording = tokio::spawn(async move {
        features::import::store::record(&store, batch, OnRejection::Stop).await
    });
    let waiting = "SELECT 1 FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    these_are(&observer, waiting, 1).await;

    let (project, config) = (project_id(2), config_id(2));
    let deleted = features::configs::store::delete_config(
        &world.store,
        crate::records::BY_KEY,
        project,
        config,
        None,
        at(9),
    );
    assert!(deleted.await.unwrap());
    let store = world.store.clone();
    let (project, config) = (project_id(1), config_id(1));
    let deleting = tokio::spawn(async move {
        features::configs::store::delete_config(
            &store,
            crate::records::BY_KEY,
            project,
            config,
            None,
            at(9),
        )
        .await
    });
    these_are(&observer, waiting, 2).await;
    assert_eq!(catalogue().await, before);

    holder.batch_execute("ROLLBACK").await.unwrap();
    let outcomes = recording.await.unwrap().unwrap();
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert!(deleting.await.unwrap().unwrap());
    assert_eq!(catalogue().await, before + 2);
}

on_postgres! {
    a_request_waits_half_a_second_for_a_connection,
    writers_leave_readers_their_connections,
    a_project_that_waits_for_its_row_leaves_others_their_turns,
    a_connection_that_ends_within_a_write_leaves_nothing,
    a_config_is_deleted_while_a_batch_is_recorded,
}
