//! Tests that are specific to PostgreSQL: versions of the schema, plans, locks and connections.

mod pressure;
mod scans;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_postgres::{Client, NoTls};

use crate::instances::Instance;
use crate::records::{at, donation};
use crate::world::{Site, World};
use db::{DbError, Location};
use features::analytics::sql as analytics;
use features::configs::sql as configs;
use features::contracts::leaderboard::sql as leaderboard;
use features::database;
use features::database::SCHEMA;
use features::domain::recording::OnRejection;
use features::import::Record;
use features::project_lifecycle::ProjectChangeError;
use features::projects::Actor;

fn instance(site: &Site) -> Arc<Instance> {
    match site {
        Site::Instance(instance) => Arc::clone(instance),
        Site::Files | Site::Shared(_) => panic!("these cases are PostgreSQL's"),
    }
}

/// An empty database, not migrated.
async fn unmigrated(site: &Site) -> String {
    instance(site).copy("template1").await
}

/// A connection of a test's own.
async fn connected(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn several_processes_may_migrate_at_once(site: Site) {
    let location: Location = unmigrated(&site).await.parse().unwrap();
    let migrate = || database::migrate(&location);
    let done = tokio::try_join!(migrate(), migrate(), migrate(), migrate(), migrate());
    let (one, two, three, four, five) = done.unwrap();
    let newest = one.to;
    let mut from = [one, two, three, four, five].map(|migrated| migrated.from);
    from.sort_unstable();
    assert_eq!(from, [0, newest, newest, newest, newest]);
    let store = database::connect(&location).await.unwrap();
    assert_eq!(
        features::projects::store::projects(&store).await.unwrap(),
        []
    );
}

async fn an_unmigrated_database_is_refused(site: Site) {
    let location = unmigrated(&site).await.parse().unwrap();
    let refused = database::connect(&location).await.unwrap_err();
    assert_eq!(
        refused,
        DbError::OlderSchema {
            found: 0,
            known: SCHEMA.newest()
        }
    );
    assert!(refused.to_string().contains("run the command `migrate`"));
}

async fn a_newer_schema_and_another_one_are_refused(site: Site) {
    let url = unmigrated(&site).await;
    let location = url.parse().unwrap();
    database::migrate(&location).await.unwrap();
    let client = connected(&url).await;
    let both = async || {
        let connected = database::connect(&location).await.unwrap_err();
        assert_eq!(database::migrate(&location).await.unwrap_err(), connected);
        connected
    };
    let found = SCHEMA.newest() + 1;
    let newer = &format!("INSERT INTO schema_migrations (version, checksum) VALUES ({found}, '')");
    client.batch_execute(newer).await.unwrap();
    let newer = DbError::NewerSchema {
        found,
        known: SCHEMA.newest(),
    };
    // The checksum of a version that is not known is not looked at.
    let fixed = "UPDATE schema_migrations SET checksum = decode(repeat('00', 32), 'hex')";
    client.batch_execute(fixed).await.unwrap();
    assert_eq!(both().await, newer);
    let gone = &format!("DELETE FROM schema_migrations WHERE version = {found}");
    client.batch_execute(gone).await.unwrap();
    assert!(matches!(both().await, DbError::Corrupt(_)));
}

/// Fills the tables that pages are read from with `rows` rows each, as if there had been as many
/// donations. The rows refer to records that do not exist, which no query reads.
async fn fill(client: &Client, rows: u32) {
    let key = "decode(lpad(to_hex(n), 80, '0'), 'hex')";
    let sql = format!(
        "SET session_replication_role = replica;
         TRUNCATE leaderboard_entry, tally, config CASCADE;
         INSERT INTO leaderboard_entry (
             token, config, contract, creator, usd_e6, donations, first_at, last_at
           )
           SELECT {key}, '', {CONTRACT}, '', n % 1000, 1, 0, 0 FROM generate_series(1, {rows}) AS n;
         INSERT INTO tally (project, facet, member, usd_e6, donations, first_at, last_at)
           SELECT {PROJECT}, 2, {key}, n % 1000, 1, 0, 0 FROM generate_series(1, {rows}) AS n;
         INSERT INTO config (id, project, created_at)
           SELECT sha256(n::text::bytea), {PROJECT}, n FROM generate_series(1, {rows}) AS n"
    );
    client.batch_execute(&sql).await.unwrap();
    // Not in a transaction, which a batch of several statements is.
    for table in ["leaderboard_entry", "tally", "config"] {
        let vacuum = format!("VACUUM (ANALYZE) {table}");
        client.batch_execute(&vacuum).await.unwrap();
    }
}

/// The plan of a page below a position in the middle or at the top, with the number of rows read.
/// `limit` are the parameters behind the position.
async fn plan(client: &Client, page: &str, of: &str, place: &str, limit: &str) -> String {
    let sql = format!("PREPARE page AS {page}");
    client.batch_execute(&sql).await.unwrap();
    let explain = format!(
        "EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, BUFFERS off)
         EXECUTE page ({of}, {place}, {limit})"
    );
    let rows = client.simple_query(&explain).await.unwrap();
    client.batch_execute("DEALLOCATE page").await.unwrap();
    let lines = rows.iter().filter_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

const TOP: &str = "9223372036854775807, decode(repeat('ff', 41), 'hex')";
const MIDDLE: &str = "500, decode(repeat('00', 40), 'hex')";

const CONTRACT: &str =
    "decode('0000000000000001' || repeat('00', 19) || '65' || repeat('00', 12), 'hex')";
const FACET: &str = "'01010101-0101-0101-0101-010101010101'::uuid, 2";
const PROJECT: &str = "'01010101-0101-0101-0101-010101010101'::uuid";

async fn pages_read_their_index_and_sort_nothing(site: Site) {
    let world = World::new(&site).await;
    let client = connected(&world.url()).await;
    fill(&client, 5000).await;
    for (page, of, limit, index) in [
        (
            leaderboard::PAGE,
            CONTRACT,
            "decode(repeat('00', 32), 'hex'), 51",
            "Index Only Scan using leaderboard on",
        ),
        (
            analytics::EVER,
            FACET,
            "51",
            "Index Only Scan using tally_by_usd on",
        ),
        (
            configs::PAGE.postgres,
            PROJECT,
            "NULL, NULL, 51",
            "Index Scan using config_of_project on",
        ),
    ] {
        for place in [TOP, MIDDLE] {
            let plan = plan(&client, page, of, place, limit).await;
            assert!(plan.contains(index) && !plan.contains("Sort"), "{plan}");
            assert!(plan.contains("(actual rows=51"), "{plan}");
            assert!(plan.contains("< ROW("), "{plan}");
            assert!(!plan.contains("Rows Removed by Filter"), "{plan}");
        }
    }
}

/// Both plans read the same rows, but for those that the server does not yet know to be skippable.
async fn a_page_reads_as_many_rows_among_a_thousand_times_more(site: Site) {
    let world = World::new(&site).await;
    let client = connected(&world.url()).await;
    let settings = "SET enable_seqscan = off; SET enable_bitmapscan = off";
    client.batch_execute(settings).await.unwrap();
    let mut plans = Vec::new();
    for rows in [60, 60_000] {
        fill(&client, rows).await;
        let limit = "decode(repeat('ff', 33), 'hex'), 51";
        let mut plan = plan(&client, leaderboard::PAGE, CONTRACT, TOP, limit).await;
        plan.truncate(plan.find("Heap Fetches").unwrap());
        plans.push(plan);
    }
    assert_eq!(plans[0], plans[1]);
}

/// A transaction holds rows that a write needs. The write fails before its caller gives up, and leaves
/// no trace.
async fn a_write_that_waits_too_long_fails(site: Site) {
    let world = World::new(&site).await;
    let holder = connected(&world.url()).await;
    holder
        .batch_execute("BEGIN; LOCK TABLE donation")
        .await
        .unwrap();
    let start = Instant::now();
    let tier = features::projects::Tier::Pro;
    let project = crate::records::project_id(1);
    // Operations that write no donations go on.
    assert!(
        features::project_lifecycle::set_tier(&world.store, Actor::Operator, project, tier, at(1))
            .await
            .is_ok()
    );
    holder
        .batch_execute("ROLLBACK; BEGIN; LOCK TABLE project")
        .await
        .unwrap();
    let waited =
        features::project_lifecycle::set_tier(&world.store, Actor::Operator, project, tier, at(1))
            .await;
    assert!(
        matches!(waited, Err(ProjectChangeError::Db(DbError::Unavailable(_)))),
        "{waited:?}"
    );
    assert!(start.elapsed() < Duration::from_secs(8));
    holder.batch_execute("ROLLBACK").await.unwrap();
    assert!(
        features::project_lifecycle::set_tier(&world.store, Actor::Operator, project, tier, at(1))
            .await
            .is_ok()
    );
}

/// The server ends all connections, as it does when it is restarted.
async fn lost_connections_are_replaced(site: Site) {
    let world = World::new(&site).await;
    features::database::versions(&world.store).await.unwrap();
    let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    world.tamper(all).await;
    let start = Instant::now();
    while let Err(error) = features::database::versions(&world.store).await {
        assert!(matches!(error, DbError::Unavailable(_)), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{error}");
    }
    let given = vec![Record::Donation(donation(1, 1, 1, 1))];
    let outcomes = features::import::store::record(&world.store, given, OnRejection::Stop)
        .await
        .unwrap();
    assert!(outcomes[0].is_ok());
    world.verify().await;
}

async fn a_server_that_is_not_there_is_named(_: Site) {
    let start = Instant::now();
    for url in [
        "postgres://nobody@127.0.0.1:1/none",
        "postgres://nobody@%2Fnowhere/none",
    ] {
        let refused = database::connect(&url.parse().unwrap()).await.unwrap_err();
        assert!(matches!(refused, DbError::Unavailable(_)), "{refused}");
        assert!(
            refused.to_string().contains("error connecting to server"),
            "{refused}"
        );
    }
    assert!(start.elapsed() < Duration::from_secs(5));
}

async fn a_statement_that_takes_too_long_is_given_up(site: Site) {
    let world = World::new(&site).await;
    // A view in the place of a table makes the counters slow.
    world
        .tamper(
            "ALTER TABLE version RENAME TO counters;
             CREATE VIEW version AS SELECT name, number FROM counters, pg_sleep(60)",
        )
        .await;
    let start = Instant::now();
    let slow = features::database::versions(&world.store).await;
    assert!(matches!(slow, Err(DbError::Unavailable(_))), "{slow:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    // Other queries are not slow.
    assert_eq!(
        features::projects::store::projects(&world.store)
            .await
            .unwrap()
            .len(),
        2
    );
}

on_postgres! {
    several_processes_may_migrate_at_once,
    an_unmigrated_database_is_refused,
    a_newer_schema_and_another_one_are_refused,
    pages_read_their_index_and_sort_nothing,
    a_page_reads_as_many_rows_among_a_thousand_times_more,
    a_write_that_waits_too_long_fails,
    lost_connections_are_replaced,
    a_server_that_is_not_there_is_named,
    a_statement_that_takes_too_long_is_given_up,
}
