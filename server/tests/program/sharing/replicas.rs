//! The program itself, several times.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::metric;
use super::redis::RedisServer;
use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};
use crate::world::{PROJECT, furnished};

/// So many requests with the key to each server, four at a time. Gives how many were admitted; all
/// others were refused as the contract says.
fn ask(servers: &[Serving], key: &str, each: usize) -> usize {
    let admitted = AtomicUsize::new(0);
    let client = |server: &Serving| {
        for _ in 0..each / 4 {
            let answer = server.get("/configs", Some(key));
            match answer.status {
                200 => drop(admitted.fetch_add(1, Ordering::Relaxed)),
                429 => assert!(answer.header("retry-after").is_some(), "{answer:?}"),
                _ => panic!("{answer:?}"),
            }
        }
    };
    thread::scope(|scope| {
        for server in servers {
            for _ in 0..4 {
                scope.spawn(|| client(server));
            }
        }
    });
    admitted.into_inner()
}

fn degraded(server: &Serving) -> bool {
    metric(&server.operators("/metrics").body, "rate_limit_degraded") == 1
}

/// Waits until Redis alone decides for these servers.
pub(crate) fn become_shared(servers: &[Serving]) {
    for server in servers {
        eventually("the limits are shared", || {
            (!degraded(server)).then_some(())
        });
    }
    // Until its first replica is this old, each keeps to its share of the limit as well.
    thread::sleep(Duration::from_millis(1500));
}

fn keyed() -> (Folder, String) {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    (folder, key)
}

#[test]
fn servers_admit_the_limit_together() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let (folder, key) = keyed();
    let url = redis.url();
    let patient = ["--redis", &url, "--redis-timeout", "9s"];
    let servers = [(); 3].map(|()| serve(&folder, &patient));
    become_shared(&servers);
    assert_eq!(ask(&servers, &key, 100), 200);
}

#[test]
fn a_paused_and_a_lost_redis_are_no_error_to_clients() {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    let (folder, key) = keyed();
    let url = redis.url();
    let servers = [(); 2].map(|()| serve(&folder, &["--redis", &url, "--replicas", "2"]));
    become_shared(&servers);
    let mut admitted = ask(&servers, &key, 60);
    redis.signal("STOP");
    admitted += ask(&servers, &key, 160);
    for server in &servers {
        assert!(degraded(server));
        assert_eq!(server.operators("/readyz").status, 200);
    }
    redis.signal("CONT");
    become_shared(&servers);
    admitted += ask(&servers, &key, 160);
    redis.kill();
    admitted += ask(&servers, &key, 160);
    assert!((200..=400).contains(&admitted), "{admitted}");
    for server in &servers {
        assert_eq!(server.operators("/readyz").status, 200);
        let log = server.log();
        let said = log.matches("this replica enforces its share").count();
        assert_eq!(said, 1, "once a minute: {log}");
    }
}

#[test]
fn a_server_starts_without_redis_and_finds_it_later() {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    redis.kill();
    let (folder, key) = keyed();
    let url = redis.url();
    let arguments = ["--redis", &url, "--replicas", "4"];
    let mut servers = [serve(&folder, &arguments)];
    assert_eq!(ask(&servers, &key, 100), 50, "a quarter of the limit");
    redis.restart();
    become_shared(&servers);
    let [server] = &mut servers;
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0), "{}", server.log());
    let replicas: u64 = redis.ask(&["ZCARD", "catalog:limits:replicas"]);
    assert_eq!(replicas, 0);
}
