//! Usage: the counts that are stored of the requests of clients, where servers stop or are killed.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::runtime::Builder;
use tokio_postgres::NoTls;

use crate::folder::Folder;
use crate::instances::Instance;
use crate::postgres::unmigrated;
use crate::serving::{Serving, eventually, serve};
use crate::wire::Wire;
use crate::world::{PROJECT, catalogue, furnished, text};

/// The most that a server which is killed may lose: the answers of the last second, to which a machine that runs
/// tests at the same time may add another.
const LOST: Duration = Duration::from_secs(1 + 1);

/// The requests of all minutes in a SQLite file.
fn stored_in(folder: &Folder) -> u64 {
    let db = Connection::open(folder.database()).unwrap();
    let sql = "SELECT sum(requests) FROM usage_minute";
    let sum = db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    u64::try_from(sum).unwrap()
}

/// A request of a client, over one connection.
fn request(key: &str) -> String {
    format!("GET /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\r\n")
}

#[test]
fn a_server_that_stops_has_stored_every_request() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let mut serving = serve(&folder, &["--lift-limits"]);
    let mut sent = 0;
    for _ in 0..3 {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut wire = serving.connect();
                    for _ in 0..250 {
                        assert_eq!(wire.ask(request(&key).as_bytes()).status, 200);
                    }
                });
            }
        });
        sent += 1000;
        serving.signal("TERM");
        assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
        assert_eq!(stored_in(&folder), sent);
        serving = serve(&folder, &["--lift-limits"]);
    }
}

#[test]
fn requests_are_counted_in_constant_memory() {
    counts_in_constant_memory(1_250);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn a_million_requests_are_counted_in_constant_memory() {
    counts_in_constant_memory(125_000);
}

/// Sends so many requests from each of eight clients.
fn counts_in_constant_memory(each: u64) {
    const CLIENTS: u64 = 8;
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let mut serving = serve(&folder, &["--lift-limits", "--log", "warn"]);
    let ask = |requests| {
        thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| {
                    let mut wire = serving.connect();
                    for _ in 0..requests {
                        assert_eq!(wire.ask(request(&key).as_bytes()).status, 200);
                    }
                });
            }
        });
    };
    ask(each / 10);
    let before = resident(&serving);
    let began = Instant::now();
    ask(each - each / 10);
    let (took, after) = (began.elapsed(), resident(&serving));
    println!(
        "{took:?} for {}; {before} KiB before, {after} KiB after",
        CLIENTS * each * 9 / 10
    );
    assert!(
        after < before + 16 * 1024,
        "{before} KiB before, {after} KiB after"
    );
    serving.signal("TERM");
    assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
    assert_eq!(stored_in(&folder), CLIENTS * each);
}

/// The memory of a server in KiB.
fn resident(serving: &Serving) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", serving.id())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn only_requests_with_a_valid_key_are_counted_and_each_by_its_status() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let mut serving = serve(&folder, &["--limit-pro", "5"]);
    for path in [
        "/charities",
        "/configs",
        "/no-such-path",
        "/charities?limit=x",
    ] {
        serving.get(path, Some(&key));
        serving.get(path, None);
        serving.get(path, Some("sk_wrong"));
    }
    for _ in 0..3 {
        serving.get("/configs", Some(&key));
    }
    serving.signal("TERM");
    assert_eq!(serving.ended().0, Some(0));
    let db = Connection::open(folder.database()).unwrap();
    let sql = "SELECT operation, class, sum(requests) FROM usage_minute
               GROUP BY operation, class ORDER BY operation, class";
    let mut query = db.prepare(sql).unwrap();
    let rows = query.query_map([], |row| {
        let text = |column| row.get::<_, String>(column);
        Ok(format!(
            "{} {} {}",
            text(0)?,
            text(1)?,
            row.get::<_, i64>(2)?
        ))
    });
    let rows: Vec<_> = rows.unwrap().map(Result::unwrap).collect();
    assert_eq!(
        rows,
        [
            "<unmatched> 4xx 1",
            "charities.list 2xx 1",
            "charities.list 4xx 1",
            "configs.list 2xx 2",
            "configs.list 429 2",
        ]
    );
}

/// Clients of one server.
#[derive(Default)]
struct Load {
    sent: AtomicU64,
    /// When each request was answered.
    answered: Mutex<Vec<Instant>>,
    is_over: AtomicBool,
}

impl Load {
    /// Asks until the server is gone or the load is over.
    fn run(&self, serving: SocketAddr, key: &str) {
        let Ok(mut wire) = Wire::try_connect(serving) else {
            return;
        };
        while !self.is_over.load(Ordering::Relaxed) {
            self.sent.fetch_add(1, Ordering::Relaxed);
            let Some(answer) = wire.try_ask(request(key).as_bytes()) else {
                return;
            };
            assert_eq!(answer.status, 200, "{answer:?}");
            self.answered.lock().unwrap().push(Instant::now());
        }
    }

    fn answered(&self) -> u64 {
        self.answered.lock().unwrap().len() as u64
    }

    fn answered_before(&self, at: Instant) -> u64 {
        let answered = self.answered.lock().unwrap();
        answered.iter().filter(|it| **it < at).count() as u64
    }
}

/// Two replicas on one database, under load. One is killed and started again, twice; then both stop.
#[test]
fn a_killed_replica_loses_no_more_than_its_last_moment_and_nothing_is_counted_twice() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::new();
    let url = unmigrated(&instance);
    let ask = |arguments: &[&str]| folder.ask(&[&["--database", &url], arguments].concat());
    ask(&["migrate"]);
    let file = folder.write("catalogue.ndjson", &text(&catalogue()));
    ask(&["import", file]);
    let key = ask(&["key", "issue", "--project", PROJECT]);
    let replica = || serve(&folder, &["--database", &url, "--lift-limits"]);
    let mut lasting = replica();
    let (kept, mut least, mut most) = (Load::default(), 0, 0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| kept.run(lasting.api, &key));
        }
        for _ in 0..2 {
            let killed = replica();
            let address = killed.api;
            let load = Load::default();
            thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| load.run(address, &key));
                }
                eventually("requests are answered", || {
                    (load.answered() > 500).then_some(())
                });
                let before = stored(&url);
                eventually("they are stored", || {
                    (stored(&url) > before + 200).then_some(())
                });
                let at = Instant::now();
                killed.kill();
                least += load.answered_before(at.checked_sub(LOST).unwrap());
            });
            most += load.sent.load(Ordering::Relaxed);
        }
        kept.is_over.store(true, Ordering::Relaxed);
    });
    lasting.signal("TERM");
    assert_eq!(lasting.ended().0, Some(0), "{}", lasting.log());
    let total = stored(&url);
    let kept = kept.answered();
    assert!(total >= kept + least, "{total} {kept} {least}");
    assert!(total <= kept + most, "{total} {kept} {most}");
    println!("{total} stored of {kept} by the lasting and at most {most} by the killed");
}

/// The requests of all minutes in a PostgreSQL database.
fn stored(url: &str) -> u64 {
    let sql = "SELECT coalesce(sum(requests), 0)::bigint FROM usage_minute";
    let ask = async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let row = client.query_one(sql, &[]).await.unwrap();
        u64::try_from(row.get::<_, i64>(0)).unwrap()
    };
    let mut runtime = Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(ask)
}
