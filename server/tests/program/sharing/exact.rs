//! While Redis answers.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::redis::RedisServer;
use super::{LONG_TIMEOUT, Load, Replica, project};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn no_interleaving_admits_more_than_the_limit_in_any_window() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let (limit, window) = (40, Duration::from_millis(700));
    let mut replicas = Vec::new();
    for _ in 0..4 {
        replicas.push(Arc::new(
            Replica::at(&redis.url(), window, LONG_TIMEOUT).await,
        ));
    }
    let recorded = redis.admissions();
    let load = Load::on(&replicas, 4, limit);
    tokio::time::sleep(window * 6).await;
    let admitted = load.stopped().await.len();
    let times: Vec<u64> = recorded
        .take(admitted)
        .into_iter()
        .map(|(_, at)| at)
        .collect();
    assert!(times.is_sorted());
    let full = limit as usize;
    // One more of them in a window would be the first of a window's length that has too many.
    let width = u64::try_from(window.as_micros()).unwrap();
    let close = times
        .windows(full + 1)
        .find(|some| some[full] - some[0] < width);
    assert_eq!(close, None);
    assert!(admitted >= 6 * full, "{admitted}");
    for replica in &replicas {
        assert_eq!(replica.metric("rate_limit_local_decisions_total"), 0);
    }
}

#[tokio::test]
async fn waiting_for_retry_in_is_enough() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let window = Duration::from_millis(150);
    let replicas = [
        Replica::at(&redis.url(), window, LONG_TIMEOUT).await,
        Replica::at(&redis.url(), window, LONG_TIMEOUT).await,
    ];
    let mut kept = 0;
    for round in 0..60 {
        let (asks, another) = (&replicas[round % 2], &replicas[(round + 1) % 2]);
        if let Err(wait) = asks.ask(project(1), 3).await {
            tokio::time::sleep(wait).await;
            assert!(asks.ask(project(1), 3).await.is_ok());
            kept += 1;
        }
        let _ = another.ask(project(1), 3).await;
    }
    assert!(kept > 10, "{kept}");
}

#[tokio::test]
async fn a_tier_holds_from_the_next_request() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let one = Replica::at(&redis.url(), MINUTE, LONG_TIMEOUT).await;
    let other = Replica::at(&redis.url(), MINUTE, LONG_TIMEOUT).await;
    assert_eq!(one.admitted(project(1), 50, 60).await, 50);
    let pause = Duration::from_millis(100);
    tokio::time::sleep(pause).await;
    assert_eq!(other.admitted(project(1), 200, 20).await, 20);
    assert_eq!(one.admitted(project(1), 200, 200).await, 130);
    assert_eq!(other.admitted(project(1), 50, 1).await, 0);
    // For a limit of 200 a place is freed by the first request to leave, for 50 by the 151st, which
    // came after the pause.
    let full = one.ask(project(1), 200).await.unwrap_err();
    let lowered = one.ask(project(1), 50).await.unwrap_err();
    assert!(lowered > full + pause / 2, "{lowered:?} {full:?}");
}

#[tokio::test]
async fn refusals_are_not_counted_and_windows_end() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let replica = Replica::at(&redis.url(), MINUTE, LONG_TIMEOUT).await;
    assert_eq!(replica.admitted(project(1), 50, 50).await, 50);
    let changes = || redis.info("persistence", "rdb_changes_since_last_save");
    let before = changes();
    for limit in 1..=50 {
        // Another limit each time, so that none of them is spared.
        assert!(replica.ask(project(1), limit).await.is_err());
    }
    assert_eq!(changes(), before);
    let calls = r#"rate_limit_redis_calls_total{outcome="refused"}"#;
    assert_eq!(replica.metric(calls), 50);
    let keys: HashSet<String> = redis.ask(&["KEYS", "*:project:*"]);
    assert_eq!(keys.len(), 1);
    for key in keys {
        let left: i64 = redis.ask(&["PTTL", &key]);
        assert!((50_000..=62_000).contains(&left), "{left}");
        let bytes: u64 = redis.ask(&["MEMORY", "USAGE", &key]);
        assert!(bytes < 1024, "{bytes} for 50 admissions");
    }
}

#[tokio::test]
async fn repeated_refusals_do_not_reach_redis() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let mut replicas = Vec::new();
    for _ in 0..4 {
        replicas.push(Replica::at(&redis.url(), MINUTE, LONG_TIMEOUT).await);
    }
    assert_eq!(replicas[0].admitted(project(1), 50, 50).await, 50);
    let calls = || redis.info("commandstats", "cmdstat_evalsha:calls");
    let before = calls();
    for replica in &replicas {
        assert_eq!(replica.admitted(project(1), 50, 10_000).await, 0);
    }
    assert_eq!(calls() - before, 4, "once for each replica");
    assert_eq!(
        replicas[1].metric("rate_limit_cached_refusals_total"),
        9_999
    );
}

#[tokio::test]
async fn networks_are_counted_together_and_a_flood_of_them_is_bounded() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let one = Replica::at(&redis.url(), MINUTE, LONG_TIMEOUT).await;
    let other = Replica::at(&redis.url(), MINUTE, LONG_TIMEOUT).await;
    let network = |text: &str| text.parse::<std::net::IpAddr>().unwrap().into();
    for address in ["192.0.2.1", "2001:db8::1"] {
        assert_eq!(one.admitted(network(address), 20, 15).await, 15);
        assert_eq!(other.admitted(network(address), 20, 15).await, 5);
    }
    for low in 0..5_000_u32 {
        let address = std::net::Ipv6Addr::from((0x2001_0db8_u128 << 96) | (u128::from(low) << 64));
        one.admitted(std::net::IpAddr::from(address).into(), 20, 1)
            .await;
    }
    let keys: u64 = redis.ask(&["DBSIZE"]);
    assert!(keys < 1_300, "{keys}");
}
