//! The shared limiter over a model of Redis.

mod model;
mod promises;

use std::future::Future;
use std::sync::Arc;

use uuid::Uuid;

use super::*;
use crate::limits::WINDOW;
use model::{Replica, World};
use remote::DOUBT;

const LIMIT: u32 = 12;

fn caller(id: u128) -> Subject {
    Subject::Caller(Uuid::from_u128(id))
}

/// How many replicas there are, they have to find out.
const OPTIONS: Options = Options {
    timeout: Duration::from_millis(30),
    replicas: 1,
    capacity: Capacity {
        networks: 64,
        networks_per_48: 8,
    },
};

/// A limiter that has found the world.
async fn started(world: &World, number: usize, options: Options) -> Shared<Replica> {
    let shared = Shared::new(world.replica(number), options, Instruments::register());
    shared.maintain(world.now()).await;
    shared
}

/// Limiters that are connected to the same world.
async fn replicas(world: &World, count: usize) -> Vec<Shared<Replica>> {
    let mut replicas = Vec::new();
    for number in 0..count {
        replicas.push(started(world, number, OPTIONS).await);
    }
    for shared in &replicas {
        shared.maintain(world.now()).await;
    }
    replicas
}

/// Runs a test with paused time, which advances only when all tasks wait.
fn with_paused_time<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
        .block_on(test)
}

async fn admitted(shared: &Shared<Replica>, limit: u32, now: Duration, tries: usize) -> usize {
    let mut admitted = 0;
    for _ in 0..tries {
        let verdict = shared.check(caller(1), limit, now).await;
        assert_eq!(verdict.limit, limit);
        admitted += usize::from(verdict.is_admitted());
    }
    admitted
}

#[tokio::test(start_paused = true)]
async fn replicas_count_together() {
    let world = World::default();
    let replicas = replicas(&world, 3).await;
    let mut total = 0;
    for shared in &replicas {
        total += admitted(shared, LIMIT, world.now(), 8).await;
    }
    assert_eq!(total, LIMIT as usize);
}

#[tokio::test(start_paused = true)]
async fn repeated_refusals_do_not_reach_redis() {
    let world = World::default();
    let replicas = replicas(&world, 2).await;
    for _ in 0..600 {
        world.advance(Duration::from_millis(100));
        for shared in &replicas {
            admitted(shared, LIMIT, world.now(), 100).await;
        }
    }
    // In that minute the window has filled once, at once.
    let asked = world.asked();
    assert!(asked <= LIMIT as usize + 2 * 2, "{asked}");
}

#[tokio::test(start_paused = true)]
async fn a_changed_tier_applies_from_the_next_request_despite_refusals() {
    let world = World::default();
    let replicas = replicas(&world, 1).await;
    let [shared] = &replicas[..] else { panic!() };
    assert_eq!(admitted(shared, LIMIT, world.now(), 20).await, 12);
    assert_eq!(admitted(shared, LIMIT + 5, world.now(), 20).await, 5);
    let refused = shared.check(caller(1), LIMIT, world.now()).await;
    assert_eq!(refused.retry_in, Some(WINDOW));
    world.advance(WINDOW);
    assert_eq!(admitted(shared, LIMIT, world.now(), 20).await, 12);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_retry_in_is_enough() {
    let world = World::default();
    let replicas = replicas(&world, 2).await;
    for step in 0..500 {
        let shared = &replicas[step % 2];
        world.advance(Duration::from_millis(1700));
        if let Some(wait) = shared.check(caller(1), LIMIT, world.now()).await.retry_in {
            let early = wait - Duration::from_nanos(1);
            world.advance(early);
            assert_eq!(admitted(shared, LIMIT, world.now(), 1).await, 0);
            world.advance(wait - early);
            assert_eq!(admitted(shared, LIMIT, world.now(), 1).await, 1);
        }
        admitted(&replicas[(step + 1) % 2], LIMIT, world.now(), 3).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_networks_is_bounded_here_and_there() {
    let world = World::default();
    let replicas = replicas(&world, 1).await;
    for id in 0..20_000_u32 {
        let network = std::net::IpAddr::from(std::net::Ipv4Addr::from_bits(id)).into();
        replicas[0].check(network, 20, world.now()).await;
    }
    let windows = world.windows();
    assert!(windows <= 2 * crate::limits::sharded::SHARDS, "{windows}");
    let own = (0..1000).map(caller);
    for caller in own {
        assert!(
            replicas[0]
                .check(caller, 1, world.now())
                .await
                .is_admitted()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_memory_that_hangs_holds_a_handful_for_a_moment() {
    let world = World::default();
    let shared = Arc::new(replicas(&world, 1).await.remove(0));
    world.hang();
    let mut waits = Vec::new();
    let checks: Vec<_> = (0..1000_u64)
        .map(|number| {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(number / 10)).await;
                let began = Instant::now();
                shared
                    .check(caller(number.into()), LIMIT, Duration::ZERO)
                    .await;
                began.elapsed()
            })
        })
        .collect();
    for check in checks {
        waits.push(check.await.unwrap());
    }
    // Paused timers round up to whole milliseconds.
    let longest = waits.iter().max().unwrap();
    assert!(*longest <= Duration::from_millis(31), "{longest:?}");
    let waited = |least| waits.iter().filter(|wait| **wait > least).count();
    assert_eq!(waited(Duration::from_millis(6)), TURNS);
    // Ten arrive in a millisecond; those that find no turn wait for five, or not at all.
    assert!(waited(Duration::ZERO) < 80, "{}", waited(Duration::ZERO));
    assert_eq!(
        world.asked(),
        TURNS,
        "nobody asks again before it is maintained"
    );
}

#[tokio::test(start_paused = true)]
async fn one_replica_is_exact_when_redis_goes() {
    let world = World::default();
    let replicas = replicas(&world, 1).await;
    assert_eq!(admitted(&replicas[0], LIMIT, world.now(), 7).await, 7);
    world.cut(0);
    assert_eq!(admitted(&replicas[0], LIMIT, world.now(), 20).await, 5);
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_starts_on_an_emptied_memory_keeps_to_its_share_at_first() {
    let options = Options {
        replicas: 3,
        ..OPTIONS
    };
    let world = World::default();
    let first = started(&world, 0, options.clone()).await;
    let second = started(&world, 1, options.clone()).await;
    world.advance(DOUBT);
    let mut total = admitted(&first, LIMIT, world.now(), 20).await;
    assert_eq!(total, LIMIT as usize);
    world.flush();
    let third = started(&world, 2, options).await;
    for shared in [&first, &second, &third] {
        total += admitted(shared, LIMIT, world.now(), 20).await;
    }
    assert!(total <= 2 * LIMIT as usize, "{total}");
}

#[tokio::test(start_paused = true)]
async fn a_first_memory_of_redis_soon_decides_alone() {
    let options = Options {
        replicas: 3,
        ..OPTIONS
    };
    let world = World::default();
    let shared = started(&world, 0, options).await;
    assert_eq!(admitted(&shared, LIMIT, world.now(), 20).await, 4);
    world.advance(DOUBT);
    assert_eq!(admitted(&shared, LIMIT, world.now(), 20).await, 8);
}

#[tokio::test(start_paused = true)]
async fn a_pause_is_over_at_once_and_a_lost_memory_after_a_window() {
    let world = World::default();
    let replicas = replicas(&world, 2).await;
    world.cut(0);
    admitted(&replicas[0], LIMIT, world.now(), 1).await;
    assert!(replicas[0].session.load().is_none());
    world.recover(0);
    replicas[0].maintain(world.now()).await;
    assert!(replicas[0].session.load().is_some());
    world.flush();
    admitted(&replicas[0], LIMIT, world.now(), 1).await;
    for passed in [Duration::ZERO, WINDOW - Duration::from_secs(1)] {
        world.advance(passed);
        replicas[0].maintain(world.now()).await;
        replicas[1].maintain(world.now()).await;
        assert!(replicas[0].session.load().is_none());
        assert!(replicas[1].session.load().is_none());
    }
    world.advance(Duration::from_secs(1));
    replicas[0].maintain(world.now()).await;
    assert!(replicas[0].session.load().is_some());
}
