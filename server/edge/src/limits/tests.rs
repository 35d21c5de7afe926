//! The limiter against its definition.

use std::net::{IpAddr, Ipv4Addr};

use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use super::sharded::SHARDS;
use super::*;

const MS: Duration = Duration::from_millis(1);

fn caller(id: u128) -> Subject {
    Subject::Caller(Uuid::from_u128(id))
}

fn network(id: u32) -> Subject {
    IpAddr::V4(Ipv4Addr::from_bits(id)).into()
}

/// Windows with room for so many networks of each family.
fn windows(networks: usize) -> Windows {
    Windows::new(Capacity {
        networks,
        ..Capacity::default()
    })
}

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[test]
fn counts_down_refuses_and_slides() {
    let limiter = windows(1);
    let subject = caller(1);
    let first = limiter.check(subject, 2, secs(10));
    assert_eq!(
        (first.remaining, first.reset_in, first.retry_in),
        (1, secs(60), None)
    );
    let second = limiter.check(subject, 2, secs(30));
    assert_eq!(
        (second.remaining, second.reset_in, second.retry_in),
        (0, secs(40), None)
    );
    let third = limiter.check(subject, 2, secs(50));
    assert_eq!(
        (third.remaining, third.reset_in, third.retry_in),
        (0, secs(20), Some(secs(20)))
    );
    assert!(
        !limiter
            .check(subject, 2, secs(70) - Duration::from_nanos(1))
            .is_admitted()
    );
    let fourth = limiter.check(subject, 2, secs(70));
    assert_eq!(
        (fourth.remaining, fourth.reset_in, fourth.retry_in),
        (0, secs(20), None)
    );
}

#[tokio::test]
async fn a_lifted_limiter_counts_nothing() {
    let limiter = Limiter::Lifted;
    for _ in 0..3 {
        let verdict = limiter.check(caller(1), 1, secs(10)).await;
        assert_eq!(
            (verdict.limit, verdict.remaining, verdict.retry_in),
            (1, 0, None)
        );
    }
}

#[test]
fn subjects_do_not_share_a_window() {
    let limiter = windows(10);
    for subject in [caller(1), caller(2), network(1), network(2)] {
        assert!(limiter.check(subject, 1, secs(0)).is_admitted());
        assert!(!limiter.check(subject, 1, secs(0)).is_admitted());
    }
}

#[test]
fn a_lowered_limit_waits_for_as_many_as_are_too_many() {
    let limiter = windows(1);
    for second in 0..5 {
        assert!(limiter.check(caller(1), 5, secs(second)).is_admitted());
    }
    let refused = limiter.check(caller(1), 2, secs(10));
    assert_eq!(refused.remaining, 0);
    assert_eq!(refused.reset_in, secs(50), "the oldest was admitted at 0 s");
    assert_eq!(
        refused.retry_in,
        Some(secs(53)),
        "the fourth was admitted at 3 s"
    );
    assert!(!limiter.check(caller(1), 2, secs(63) - MS).is_admitted());
    assert!(limiter.check(caller(1), 2, secs(63)).is_admitted());
}

#[test]
fn a_raised_limit_holds_at_once() {
    let limiter = windows(1);
    assert!(limiter.check(caller(1), 1, secs(0)).is_admitted());
    assert!(!limiter.check(caller(1), 1, secs(0)).is_admitted());
    assert_eq!(limiter.check(caller(1), 3, secs(0)).remaining, 1);
}

#[test]
fn a_clock_read_too_early_does_not_disorder_the_log() {
    let limiter = windows(1);
    limiter.check(caller(1), 2, secs(10));
    limiter.check(caller(1), 2, secs(9));
    assert!(!limiter.check(caller(1), 2, secs(70) - MS).is_admitted());
    assert_eq!(limiter.check(caller(1), 2, secs(70)).remaining, 1);
}

#[test]
fn months_of_uptime_change_nothing() {
    // 2³² ms and 2⁶² ns are where narrower counters would wrap.
    for start in [MS * u32::MAX, Duration::from_nanos(1 << 62)] {
        let limiter = windows(1);
        assert!(limiter.check(caller(1), 1, start - secs(30)).is_admitted());
        let refused = limiter.check(caller(1), 1, start + secs(29));
        assert_eq!(refused.retry_in, Some(secs(1)));
        assert!(limiter.check(caller(1), 1, start + secs(30)).is_admitted());
    }
}

#[test]
fn sweeping_frees_the_idle_and_spares_the_rest() {
    let limiter = windows(1000);
    limiter.check(network(1), 20, secs(0));
    limiter.check(caller(2), 1, secs(30));
    (0..SHARDS).for_each(|_| limiter.sweep(secs(60)));
    assert_eq!(limiter.subjects(), 1);
    assert!(!limiter.check(caller(2), 1, secs(60)).is_admitted());
}

#[test]
fn too_many_networks_share_windows_and_callers_with_keys_never_do() {
    let limiter = windows(SHARDS);
    let admitted = (0..10_000)
        .filter(|id| limiter.check(network(*id), 1, secs(0)).is_admitted())
        .count();
    assert!(limiter.subjects() <= SHARDS);
    assert!(admitted <= 2 * SHARDS, "{admitted}");
    assert!((0..1000).all(|id| limiter.check(caller(id), 1, secs(0)).is_admitted()));
    (0..SHARDS).for_each(|_| limiter.sweep(secs(60)));
    assert!(
        limiter.check(network(20_000), 2, secs(60)).remaining > 0,
        "room was made"
    );
}

#[test]
fn threads_together_do_not_exceed_the_limit() {
    let limiter = windows(1);
    let admit = || limiter.check(caller(1), 700, secs(0)).is_admitted();
    let admitted: usize = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(|| (0..500).filter(|_| admit()).count()));
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    assert_eq!(admitted, 700);
}

proptest! {
    /// At every instant the verdict agrees with the definition, and waiting `retry_in` is enough.
    #[test]
    fn is_exactly_the_definition(steps in vec((0_u64..30_000, 0_u128..2, 1_u32..6), 1..200)) {
        let limiter = windows(1);
        let mut admitted: Vec<(u128, Duration)> = Vec::new();
        let mut now = Duration::ZERO;
        for (pause, subject, limit) in steps {
            now += Duration::from_millis(pause);
            let counted: Vec<Duration> = admitted
                .iter()
                .filter(|(owner, at)| *owner == subject && now - *at < WINDOW)
                .map(|(_, at)| *at)
                .collect();
            let verdict = limiter.check(caller(subject), limit, now);
            prop_assert_eq!(verdict.is_admitted(), counted.len() < limit as usize);
            prop_assert_eq!(verdict.reset_in, counted.first().map_or(WINDOW, |at| *at + WINDOW - now));
            if let Some(retry_in) = verdict.retry_in {
                let left = |at: Duration| counted.iter().filter(|c| at - **c < WINDOW).count();
                prop_assert!(left(now + retry_in) < limit as usize);
                prop_assert!(left(now + retry_in - Duration::from_nanos(1)) >= limit as usize);
            } else {
                admitted.push((subject, now));
                prop_assert_eq!(verdict.remaining as usize, limit as usize - counted.len() - 1);
            }
        }
    }

    /// Admissions by another limiter count from their own times, whatever order they are heard of in.
    #[test]
    fn admissions_by_another_limiter_count(heard in vec(0_u64..120_000, 1..50), later in 0_u64..90_000) {
        let limiter = windows(1);
        let heard: Vec<Duration> = heard.into_iter().map(Duration::from_millis).collect();
        for at in &heard {
            limiter.record(caller(1), *at);
        }
        let last = heard.iter().max().copied().unwrap_or_default();
        let now = last + Duration::from_millis(later);
        let counted = heard.iter().filter(|at| now - **at < WINDOW);
        let verdict = limiter.check(caller(1), 100, now);
        prop_assert_eq!(verdict.remaining as usize, 99 - counted.clone().count());
        prop_assert_eq!(verdict.reset_in, counted.min().map_or(WINDOW, |first| *first + WINDOW - now));
    }

    /// No window of 60 s, wherever it starts, holds more admissions than the limit.
    #[test]
    fn no_window_exceeds_the_limit(pauses in vec(0_u64..8_000, 1..400), limit in 1_u32..20) {
        let limiter = windows(1);
        let mut now = Duration::ZERO;
        let mut admitted = Vec::new();
        for pause in pauses {
            now += Duration::from_millis(pause);
            if limiter.check(caller(1), limit, now).is_admitted() {
                admitted.push(now);
            }
        }
        for burst in admitted.windows(limit as usize + 1) {
            prop_assert!(burst[limit as usize] - burst[0] >= WINDOW);
        }
    }
}

/// The first `count` /64s of a network.
fn rotating(network: &str, count: u64) -> impl Iterator<Item = Subject> {
    let IpAddr::V6(first) = network.parse().unwrap() else {
        panic!("{network}")
    };
    (0..count).map(move |n| {
        let address = first.to_bits() + (u128::from(n) << 64);
        IpAddr::V6(address.into()).into()
    })
}

/// The number of subjects whose first request is refused, and of all requests that are admitted, when
/// each sends `each` of them.
fn sent(windows: &Windows, subjects: impl Iterator<Item = Subject>, each: usize) -> (usize, usize) {
    let (mut refused, mut admitted) = (0, 0);
    for subject in subjects {
        for request in 0..each {
            match windows.check(subject, 20, secs(1)).is_admitted() {
                true => admitted += 1,
                false if request == 0 => refused += 1,
                false => {}
            }
        }
    }
    (refused, admitted)
}

#[test]
fn many_networks_of_one_provider_lock_nobody_else_out() {
    let windows = Windows::new(Capacity::default());
    let (_, admitted) = sent(&windows, rotating("2001:db8::", 140_000), 1);
    let other_v4 = (0..3000).map(|n| network(0xcb00_7100 + n * 7919));
    let (refused_v4, _) = sent(&windows, other_v4, 1);
    let (refused_v6, _) = sent(&windows, rotating("2001:4860::", 60), 1);
    assert_eq!((refused_v4, refused_v6), (0, 0));
    // Three /48s are more than 131 072 /64s: 64 windows of /64s and a shared one in each.
    assert_eq!(admitted, 3 * (64 + 20));
    // Neither do all the /48s of a provider.
    let sites = (0..70_000).map(|site| {
        let address = (0x2a00_u128 << 112) + (site << 80);
        IpAddr::V6(address.into()).into()
    });
    sent(&windows, sites, 1);
    let (refused_v6, _) = sent(&windows, rotating("2001:4860:1::", 60), 1);
    assert_eq!(refused_v6, 0);
    assert!(
        windows.occupancy().ipv6 < 3 * 65_536 / 8,
        "{:?}",
        windows.occupancy()
    );
}

#[test]
fn who_has_the_networks_of_many_providers_leaves_room_for_those_of_the_next() {
    let windows = windows(4096);
    let of = |provider: u32, count: u32| (0..count).map(move |n| network((provider << 16) + n));
    for provider in 0..32 {
        sent(&windows, of(provider, 4096), 1);
    }
    assert_eq!(sent(&windows, of(32, 16), 20), (0, 16 * 20));
}

#[test]
fn further_networks_of_a_site_share_a_window_and_make_room_again() {
    let windows = Windows::new(Capacity {
        networks: 1000,
        networks_per_48: 4,
    });
    let (refused, admitted) = sent(&windows, rotating("2001:db8:1::", 10), 20);
    assert_eq!((refused, admitted), (5, 5 * 20));
    // Another site of the same provider, and those of the first site that have windows of their own.
    assert_eq!(sent(&windows, rotating("2001:db8:2::", 4), 20), (0, 4 * 20));
    assert_eq!(windows.occupancy().shared, 1);
    (0..SHARDS).for_each(|_| windows.sweep(secs(61)));
    let free = Occupancy {
        ipv4: 0,
        ipv6: 0,
        shared: 0,
        most: 1000,
    };
    assert_eq!(windows.occupancy(), free);
    assert_eq!(windows.subjects(), 0);
    let last = rotating("2001:db8:1::", 10).last().unwrap();
    assert_eq!(windows.check(last, 20, secs(62)).remaining, 19);
}

#[test]
fn where_all_is_full_providers_share_a_window_each() {
    let windows = windows(64);
    let many = (0..256).map(|n| network(n << 16));
    assert_eq!(
        sent(&windows, many, 1).0,
        0,
        "none is refused its first request"
    );
    // 64 addresses, 64 /16s, and further ones share those of all addresses, one in each shard.
    let most = 64 + 64 + SHARDS;
    assert!((128..=most).contains(&windows.occupancy().ipv4));
    assert_eq!(sent(&windows, rotating("2001:db8::", 8), 1).0, 0);
}
