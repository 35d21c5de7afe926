//! The table of rules: policy × key × limit.

use uuid::Uuid;

use super::*;
use crate::clock::manual::ManualClock;
use crate::domain::project::KeyRecord;
use crate::keys::{Key, demo};

const START: &str = "2026-11-20T12:00:00.250Z";
const FREE: Caller = caller(1, Tier::Free, 11);
const PRO: Caller = caller(2, Tier::Pro, 12);

const fn caller(project: u128, tier: Tier, key: u128) -> Caller {
    Caller {
        project: ProjectId(Uuid::from_u128(project)),
        tier,
        key: KeyId(Uuid::from_u128(key)),
    }
}

fn record(text: &str, owner: Caller) -> KeyRecord {
    let key = Key::parse(text).unwrap();
    KeyRecord {
        id: owner.key,
        digest: key.digest(),
        project: owner.project,
        tier: owner.tier,
        display_prefix: key.display_prefix().to_owned(),
        created_at: START.parse().unwrap(),
        expires_at: None,
        revoked_at: None,
    }
}

fn gate(records: Vec<KeyRecord>) -> (Gate, ManualClock) {
    let clock = ManualClock::at(START);
    let gate = Gate::new(
        KeyTable::from_records(records),
        Limiter::new(1000),
        Arc::new(clock.clone()),
    );
    (gate, clock)
}

fn visit(policy: KeyPolicy, presented: Presented) -> Visit {
    Visit {
        policy,
        metered: policy != KeyPolicy::Public,
        presented,
        client: IpAddr::from([192, 0, 2, 1]),
    }
}

fn key(text: &str) -> Presented {
    Presented::Key(Key::parse(text).unwrap())
}

#[test]
fn policy_and_key_decide_the_outcome_and_who_is_charged() {
    use KeyPolicy::{NoRoute, Optional, Public, Required};
    use Outcome::{Admitted, InvalidKey, MissingKey};
    let nothing = || Presented::Nothing;
    let malformed = || Presented::Malformed;
    let unknown = || key(demo::ENTERPRISE);
    let valid = || key(demo::FREE);
    for (policy, presented, outcome, limit) in [
        (Required, nothing(), MissingKey, Some(20)),
        (Required, malformed(), InvalidKey, Some(20)),
        (Required, unknown(), InvalidKey, Some(20)),
        (Required, valid(), Admitted, Some(50)),
        (Optional, nothing(), Admitted, Some(20)),
        (Optional, malformed(), InvalidKey, Some(20)),
        (Optional, unknown(), InvalidKey, Some(20)),
        (Optional, valid(), Admitted, Some(50)),
        (Public, nothing(), Admitted, None),
        (Public, malformed(), Admitted, None),
        (Public, unknown(), Admitted, None),
        (Public, valid(), Admitted, None),
        (NoRoute, nothing(), Admitted, Some(20)),
        (NoRoute, malformed(), Admitted, Some(20)),
        (NoRoute, unknown(), Admitted, Some(20)),
        (NoRoute, valid(), Admitted, Some(50)),
    ] {
        let (gate, _) = gate(vec![record(demo::FREE, FREE)]);
        let visit = visit(policy, presented);
        let decision = gate.admit(&visit);
        assert_eq!(decision.outcome, outcome, "{visit:?}");
        assert_eq!(decision.rate.map(|rate| rate.limit), limit, "{visit:?}");
        let charged_as = if limit == Some(50) { Some(FREE) } else { None };
        assert_eq!(decision.caller, charged_as, "{visit:?}");
        let left = decision.rate.map(|rate| rate.remaining + 1);
        assert_eq!(left, limit, "counted once: {visit:?}");
    }
}

#[test]
fn the_limit_speaks_before_the_key() {
    let (gate, _) = gate(vec![]);
    let wrong = visit(KeyPolicy::Required, Presented::Malformed);
    for _ in 0..20 {
        assert_eq!(gate.admit(&wrong).outcome, Outcome::InvalidKey);
    }
    for policy in [KeyPolicy::Required, KeyPolicy::Optional, KeyPolicy::NoRoute] {
        let refused = gate.admit(&visit(policy, Presented::Nothing));
        assert_eq!(refused.outcome, Outcome::RateLimited { retry_after: 60 });
    }
    let public = gate.admit(&visit(KeyPolicy::Public, Presented::Nothing));
    assert_eq!(public.outcome, Outcome::Admitted);
}

#[test]
fn a_valid_key_is_not_held_back_by_its_network() {
    let (gate, _) = gate(vec![record(demo::FREE, FREE)]);
    for _ in 0..21 {
        gate.admit(&visit(KeyPolicy::Optional, Presented::Nothing));
    }
    let keyed = gate.admit(&visit(KeyPolicy::Optional, key(demo::FREE)));
    assert_eq!(keyed.caller, Some(FREE));
    assert_eq!(keyed.outcome, Outcome::Admitted);
}

#[test]
fn the_keys_of_a_project_share_its_window_and_projects_do_not() {
    let twin = Caller {
        key: KeyId(Uuid::from_u128(99)),
        ..FREE
    };
    let (gate, _) = gate(vec![
        record(demo::FREE, FREE),
        record(demo::ENTERPRISE, twin),
        record(demo::PRO, PRO),
    ]);
    let remaining = |text| {
        gate.admit(&visit(KeyPolicy::Required, key(text)))
            .rate
            .unwrap()
            .remaining
    };
    assert_eq!(remaining(demo::FREE), 49);
    assert_eq!(remaining(demo::ENTERPRISE), 48);
    assert_eq!(remaining(demo::PRO), 199);
}

#[test]
fn the_window_slides_and_the_headers_tell_how() {
    let (gate, clock) = gate(vec![]);
    let visit = visit(KeyPolicy::Optional, Presented::Nothing);
    let start = START.parse::<Timestamp>().unwrap().as_second();
    let first = gate.admit(&visit).rate.unwrap();
    assert_eq!(
        first,
        RateHeaders {
            limit: 20,
            remaining: 19,
            reset: start + 61
        }
    );
    clock.advance(Duration::from_millis(30_000));
    (0..19).for_each(|_| assert_eq!(gate.admit(&visit).outcome, Outcome::Admitted));
    clock.advance(Duration::from_millis(500));
    let refused = gate.admit(&visit);
    assert_eq!(refused.outcome, Outcome::RateLimited { retry_after: 30 });
    assert_eq!(
        refused.rate.unwrap(),
        RateHeaders {
            remaining: 0,
            ..first
        }
    );
    clock.advance(Duration::from_secs(30));
    let after = gate.admit(&visit);
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
    let outcome = |text| gate.admit(&visit(KeyPolicy::Optional, key(text))).outcome;
    assert_eq!(outcome(demo::FREE), Outcome::Admitted);
    assert_eq!(outcome(demo::PRO), Outcome::InvalidKey);
    clock.advance(Duration::from_secs(10));
    assert_eq!(outcome(demo::FREE), Outcome::InvalidKey);
    gate.replace_keys(KeyTable::from_records(vec![record(demo::PRO, PRO)]));
    assert_eq!(outcome(demo::PRO), Outcome::Admitted);
}

#[test]
fn addresses_of_one_ipv6_network_are_limited_together() {
    let (gate, _) = gate(vec![]);
    let from = |client: &str| {
        let client = client.parse().unwrap();
        gate.admit(&Visit {
            client,
            ..visit(KeyPolicy::Optional, Presented::Nothing)
        })
        .rate
        .unwrap()
        .remaining
    };
    assert_eq!(from("2001:db8::1"), 19);
    assert_eq!(from("2001:db8::ffff:1"), 18);
    assert_eq!(from("2001:db8:0:1::1"), 19);
}
