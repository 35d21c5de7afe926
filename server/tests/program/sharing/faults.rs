//! Limits while Redis does not answer, and after that.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::proxy::Proxy;
use super::redis::RedisServer;
use super::{LONG_TIMEOUT, Load, Replica, SHORT_TIMEOUT, most, project};

/// A window that tests can wait for.
const WINDOW: Duration = Duration::from_millis(800);

const LIMIT: u32 = 40;

/// Checks of as many projects at once; how long each took, in order.
async fn at_once(replica: &Arc<Replica>, count: usize) -> Vec<Duration> {
    let check = |id| {
        let replica = Arc::clone(replica);
        tokio::spawn(async move {
            let began = Instant::now();
            replica.ask(project(id), LIMIT).await.unwrap();
            began.elapsed()
        })
    };
    let checks: Vec<_> = (0..count as u128).map(check).collect();
    let mut took = Vec::new();
    for check in checks {
        took.push(check.await.unwrap());
    }
    took.sort();
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_redis_holds_a_handful_and_goes_on_where_it_was() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let replica = Arc::new(Replica::at(&redis.url(), WINDOW * 100, SHORT_TIMEOUT).await);
    // A hiccup of the machine is no fault to be tested.
    replica.becomes(false).await;
    redis.signal("STOP");
    let took = at_once(&replica, 500).await;
    // The model is exact about who waits for how long; this machine has other things to do.
    assert!(took[400] < Duration::from_millis(30), "{:?}", took[400]);
    assert!(took[499] < Duration::from_secs(1), "{:?}", took[499]);
    assert!(replica.is_degraded());
    let failed = r#"rate_limit_redis_calls_total{outcome="failed"}"#;
    assert!((1..=8).contains(&replica.metric(failed)));
    assert_eq!(
        replica.admitted(project(1_000), LIMIT, 100).await,
        LIMIT as usize
    );
    for _ in 0..3 {
        replica.maintain().await;
        assert!(replica.is_degraded());
    }
    redis.signal("CONT");
    replica.becomes(false).await;
    let alone = replica.metric("rate_limit_local_decisions_total");
    assert!(replica.ask(project(2_000), LIMIT).await.is_ok());
    assert_eq!(replica.metric("rate_limit_local_decisions_total"), alone);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_redis_is_done_without_until_it_is_fast() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let proxy = Proxy::to(redis.port);
    let replica = Arc::new(Replica::at(&proxy.url(), WINDOW * 100, SHORT_TIMEOUT).await);
    replica.becomes(false).await;
    proxy.delay(Duration::from_millis(150));
    let took = at_once(&replica, 300).await;
    assert!(took[250] < Duration::from_millis(30), "{:?}", took[250]);
    assert!(replica.is_degraded());
    replica.maintain().await;
    assert!(replica.is_degraded());
    proxy.delay(Duration::ZERO);
    replica.becomes(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_connection_is_noticed_at_once_and_replaced() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let proxy = Proxy::to(redis.port);
    let replica = Replica::at(&proxy.url(), WINDOW * 100, LONG_TIMEOUT).await;
    assert_eq!(replica.admitted(project(1), LIMIT, 10).await, 10);
    proxy.break_off();
    // It is the only replica, and has its own admissions in memory.
    assert_eq!(replica.admitted(project(1), LIMIT, 100).await, 30);
    assert!(replica.is_degraded());
    proxy.restore();
    replica.becomes(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_not_there_is_found_when_it_comes() {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    redis.kill();
    let replica = Replica::at(&redis.url(), WINDOW, LONG_TIMEOUT).await;
    assert!(replica.is_degraded());
    assert_eq!(
        replica.admitted(project(1), LIMIT, 100).await,
        LIMIT as usize
    );
    redis.restart();
    replica.becomes(false).await;
}

/// The admissions of clients of three replicas while `fault` happens to Redis, twice.
async fn under_load(fault: impl Fn(&mut RedisServer)) {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    let mut replicas = Vec::new();
    for _ in 0..3 {
        replicas.push(Arc::new(
            Replica::at(&redis.url(), WINDOW, SHORT_TIMEOUT).await,
        ));
    }
    for replica in &replicas {
        replica.becomes(false).await;
        replica.maintain().await;
    }
    let tending = replicas.clone();
    let tending = tokio::spawn(async move {
        loop {
            for replica in &tending {
                replica.maintain().await;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let load = Load::on(&replicas, 2, LIMIT);
    tokio::time::sleep(WINDOW / 2).await;
    for _ in 0..2 {
        fault(&mut redis);
        tokio::time::sleep(WINDOW).await;
    }
    let admitted = load.stopped().await;
    tending.abort();
    let most = most(&admitted, WINDOW);
    assert!(most <= 2 * LIMIT as usize, "{most}");
    assert!(admitted.len() >= LIMIT as usize, "{}", admitted.len());
    for replica in &replicas {
        replica.becomes(false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn emptied_under_load_it_admits_no_more_than_twice_the_limit() {
    under_load(|redis| redis.ask(&["FLUSHALL"])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restarted_under_load_it_admits_no_more_than_twice_the_limit() {
    under_load(RedisServer::restart).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_under_load_it_admits_no_more_than_twice_the_limit() {
    under_load(|redis| {
        redis.signal("STOP");
        std::thread::sleep(WINDOW / 4);
        redis.signal("CONT");
    })
    .await;
}

#[tokio::test]
async fn a_clock_of_redis_that_is_stepped_back_prolongs_no_refusal() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let replica = Replica::at(&redis.url(), WINDOW, LONG_TIMEOUT).await;
    assert_eq!(replica.admitted(project(1), LIMIT, 10).await, 10);
    let key: Vec<String> = redis.ask(&["KEYS", "*:project:*"]);
    // As if the requests had been counted an hour from now.
    let last: u64 = redis.ask(&["LINDEX", &key[0], "-1"]);
    let _: u64 = redis.ask(&["RPUSH", &key[0], &(last + 3_600_000_000).to_string()]);
    assert_eq!(
        replica.admitted(project(1), LIMIT, 100).await,
        LIMIT as usize
    );
    let epoch: String = redis.ask(&["GET", "catalog:limits:epoch"]);
    let (run, _) = epoch.split_once(':').unwrap();
    let ahead = format!("{run}:{}:0", last + 3_600_000_000);
    let _: String = redis.ask(&["SET", "catalog:limits:epoch", &ahead]);
    replica.maintain().await;
    assert!(
        replica.is_degraded(),
        "a memory of another time does not decide"
    );
    replica.becomes(false).await;
}

#[tokio::test]
async fn an_emptied_redis_decides_after_a_whole_window() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let one = Replica::at(&redis.url(), WINDOW, LONG_TIMEOUT).await;
    let other = Replica::at(&redis.url(), WINDOW, LONG_TIMEOUT).await;
    one.maintain().await;
    assert_eq!(one.admitted(project(1), LIMIT, 100).await, LIMIT as usize);
    redis.ask::<()>(&["FLUSHALL"]);
    let half = LIMIT as usize / 2;
    assert_eq!(other.admitted(project(1), LIMIT, 100).await, half);
    assert_eq!(
        one.admitted(project(1), LIMIT, 100).await,
        0,
        "it knows what it did"
    );
    one.maintain().await;
    assert!(one.is_degraded());
    let began = Instant::now();
    one.becomes(false).await;
    assert!(began.elapsed() > WINDOW / 2, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_memory_from_before_a_restart_does_not_decide() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let _: String = redis.ask(&["SET", "catalog:limits:epoch", "0123456789abcdef:1:0"]);
    let replica = Replica::at(&redis.url(), WINDOW, LONG_TIMEOUT).await;
    assert!(replica.is_degraded());
    replica.becomes(false).await;
}

#[tokio::test]
async fn foreign_values_in_redis_are_tolerated() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let replica = Replica::at(&redis.url(), WINDOW, LONG_TIMEOUT).await;
    assert_eq!(replica.admitted(project(1), LIMIT, 1).await, 1);
    let key: Vec<String> = redis.ask(&["KEYS", "*:project:*"]);
    let _: String = redis.ask(&["SET", &key[0], "no list"]);
    assert_eq!(
        replica.admitted(project(1), LIMIT, 100).await,
        LIMIT as usize - 1
    );
    assert!(replica.is_degraded());
    let _: u64 = redis.ask(&["DEL", &key[0]]);
    replica.becomes(false).await;
}
