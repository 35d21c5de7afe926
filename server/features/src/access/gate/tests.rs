//! The table of rules: key × limit.

use crate::manual_clock::ManualClock;
use edge::limits::{Capacity, Windows};
use futures_util::FutureExt;
use uuid::Uuid;

use super::*;
use crate::keys::{KeyRecord, NewKey, demo};

const START: &str = "2026-11-20T12:00:00.250Z";
const FREE: Principal = principal(1, Tier::Free, 11);
const PRO: Principal = principal(2, Tier::Pro, 12);

const fn principal(project: u128, tier: Tier, key: u128) -> Principal {
    Principal {
        project: ProjectId(Uuid::from_u128(project)),
        tier,
        key: KeyId(Uuid::from_u128(key)),
    }
}

fn record(text: &str, owner: Principal) -> KeyRecord {
    let key = Key::parse(text).unwrap();
    KeyRecord::from_new_key(
        NewKey::issued(
            owner.key,
            key.digest(),
            key.display_prefix(),
            START.parse().unwrap(),
        ),
        owner.project,
        owner.tier,
    )
}

fn gate(records: Vec<KeyRecord>) -> (Gate, ManualClock) {
    let clock = ManualClock::at(START);
    let gate = Gate::new(
        KeyTable::default().updated(Update::All(records)),
        Reloadable::new(RateLimits::default()),
        Limiter::Memory(Box::new(Windows::new(Capacity::default()))),
        Arc::new(clock.clone()),
    );
    (gate, clock)
}

/// Decides without waiting: windows in memory are always ready.
fn decide(gate: &Gate, request: &AdmissionRequest) -> Decision {
    gate.admit(request).now_or_never().unwrap()
}

fn request(key: Option<&str>) -> AdmissionRequest {
    AdmissionRequest {
        metered: true,
        key: key.map(|text| Key::parse(text).unwrap()),
        client: IpAddr::from([192, 0, 2, 1]),
    }
}

#[test]
fn the_key_decides_which_subject_is_charged() {
    for (key, metered, principal, limit) in [
        (None, true, None, Some(20)),
        (Some(demo::ENTERPRISE), true, None, Some(20)),
        (Some(demo::FREE), true, Some(FREE), Some(50)),
        (None, false, None, None),
        (Some(demo::FREE), false, Some(FREE), None),
    ] {
        let (gate, _) = gate(vec![record(demo::FREE, FREE)]);
        let request = AdmissionRequest {
            metered,
            ..request(key)
        };
        let decision = decide(&gate, &request);
        assert_eq!(decision.outcome, Outcome::Admitted, "{request:?}");
        assert_eq!(decision.principal, principal, "{request:?}");
        assert_eq!(decision.rate.map(|rate| rate.limit), limit, "{request:?}");
        let left = decision.rate.map(|rate| rate.remaining + 1);
        assert_eq!(left, limit, "counted once: {request:?}");
    }
}

#[test]
fn a_wrong_key_is_charged_to_its_network() {
    let (gate, _) = gate(vec![]);
    for _ in 0..20 {
        let admitted = decide(&gate, &request(Some(demo::FREE)));
        assert_eq!(admitted.outcome, Outcome::Admitted);
    }
    for key in [None, Some(demo::FREE)] {
        let refused = decide(&gate, &request(key));
        assert_eq!(refused.outcome, Outcome::RateLimited { retry_after: 60 });
    }
    let free = AdmissionRequest {
        metered: false,
        ..request(None)
    };
    assert_eq!(decide(&gate, &free).outcome, Outcome::Admitted);
}

#[test]
fn a_valid_key_is_not_held_back_by_its_network() {
    let (gate, _) = gate(vec![record(demo::FREE, FREE)]);
    for _ in 0..21 {
        decide(&gate, &request(None));
    }
    let keyed = decide(&gate, &request(Some(demo::FREE)));
    assert_eq!(keyed.principal, Some(FREE));
    assert_eq!(keyed.outcome, Outcome::Admitted);
}

#[test]
fn the_keys_of_a_project_share_its_window_and_projects_do_not() {
    let twin = Principal {
        key: KeyId(Uuid::from_u128(99)),
        ..FREE
    };
    let (gate, _) = gate(vec![
        record(demo::FREE, FREE),
        record(demo::ENTERPRISE, twin),
        record(demo::PRO, PRO),
    ]);
    let remaining = |text| decide(&gate, &request(Some(text))).rate.unwrap().remaining;
    assert_eq!(remaining(demo::FREE), 49);
    assert_eq!(remaining(demo::ENTERPRISE), 48);
    assert_eq!(remaining(demo::PRO), 199);
}

#[test]
fn the_window_slides_and_the_headers_tell_how() {
    let (gate, clock) = gate(vec![]);
    let request = request(None);
    let start = START.parse::<Timestamp>().unwrap().as_second();
    let first = decide(&gate, &request).rate.unwrap();
    assert_eq!(
        first,
        RateHeaders {
            limit: 20,
            remaining: 19,
            reset: start + 61
        }
    );
    clock.advance(Duration::from_millis(30_000));
    (0..19).for_each(|_| assert_eq!(decide(&gate, &request).outcome, Outcome::Admitted));
    clock.advance(Duration::from_millis(500));
    let refused = decide(&gate, &request);
    assert_eq!(refused.outcome, Outcome::RateLimited { retry_after: 30 });
    assert_eq!(
        refused.rate.unwrap(),
        RateHeaders {
            remaining: 0,
            ..first
        }
    );
    clock.advance(Duration::from_secs(30));
    let after = decide(&gate, &request);
    assert_eq!(after.outcome, Outcome::Admitted);
    assert_eq!(after.rate.unwrap().remaining, 0, "19 others still count");
}

#[test]
fn a_key_ends_when_it_expires_or_is_revoked_or_replaced() {
    let ends = |after: i64| {
        Some(START.parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_secs(after))
    };
    let expiring = KeyRecord {
        expires_at: ends(10),
        ..record(demo::FREE, FREE)
    };
    let revoked = KeyRecord {
        revoked_at: ends(-1),
        ..record(demo::PRO, PRO)
    };
    let (gate, clock) = gate(vec![expiring, revoked]);
    let principal = |text| decide(&gate, &request(Some(text))).principal;
    assert_eq!(principal(demo::FREE), Some(FREE));
    assert_eq!(principal(demo::PRO), None);
    clock.advance(Duration::from_secs(10));
    assert_eq!(principal(demo::FREE), None);
    gate.update_keys(Update::Some {
        changed: [PRO.project].into(),
        rows: vec![record(demo::PRO, PRO)],
    });
    assert_eq!(principal(demo::PRO), Some(PRO));
}

#[test]
fn a_key_is_refused_while_it_is_disabled_or_its_project_suspended() {
    let disabled = KeyRecord {
        disabled_at: Some(START.parse().unwrap()),
        ..record(demo::FREE, FREE)
    };
    let suspended = KeyRecord {
        is_suspended: true,
        ..record(demo::PRO, PRO)
    };
    let (gate, _) = gate(vec![disabled, suspended]);
    for text in [demo::FREE, demo::PRO] {
        assert_eq!(decide(&gate, &request(Some(text))).principal, None);
        assert!(gate.knows(&Key::parse(text).unwrap()));
    }
}

#[test]
fn addresses_of_one_ipv6_network_are_limited_together() {
    let (gate, _) = gate(vec![]);
    let from = |client: &str| {
        let client = client.parse().unwrap();
        decide(
            &gate,
            &AdmissionRequest {
                client,
                ..request(None)
            },
        )
        .rate
        .unwrap()
        .remaining
    };
    assert_eq!(from("2001:db8::1"), 19);
    assert_eq!(from("2001:db8::ffff:1"), 18);
    assert_eq!(from("2001:db8:0:1::1"), 19);
}
