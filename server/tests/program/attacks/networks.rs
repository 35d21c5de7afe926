//! Callers who have many networks.

use std::ops::Range;

use super::others::{Memory, Others};
use crate::faults::fault::Fault;
use crate::faults::requests::{get, keyed};
use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};
use crate::sharing::redis::RedisServer;
use crate::world::CHARITY;

/// A server behind a proxy, with room for 512 networks of each family.
fn serving(folder: &Folder, further: &[&str]) -> Serving {
    let mut arguments = vec!["--trusted-proxies", "127.0.0.1", "--max-networks", "512"];
    arguments.extend(further);
    serve(folder, &arguments)
}

/// Requests from addresses that a proxy reports, over one connection: how many are refused.
fn refused(serving: &Serving, addresses: impl Iterator<Item = String>) -> usize {
    let mut wire = serving.connect();
    let mut refused = 0;
    for address in addresses {
        let head = format!(
            "GET /api/v1/chains HTTP/1.1\r\nhost: test\r\nx-forwarded-for: {address}\r\n\r\n"
        );
        match wire.ask(head.as_bytes()).status {
            200 => {}
            429 => refused += 1,
            status => panic!("{address}: {status}"),
        }
    }
    refused
}

/// 2,000 /64s, of ten /48s of one provider.
fn attacking() -> impl Iterator<Item = String> {
    (0..2000).map(|n| format!("2001:db8:{:x}:{:x}::1", n % 10, n / 10))
}

/// Makes the requests of the attacker, and how many of them are refused. Meanwhile, others are served, and
/// afterwards those too whom nobody has seen before.
fn attack(serving: &Serving, secret: &str) -> usize {
    let memory = Memory::before(serving);
    let customers = Others::read_and_write(serving, secret, CHARITY);
    let refused_attacker = refused(serving, attacking());
    customers.were_served();
    memory.is_bounded(serving);
    assert_eq!(refused(serving, others(0..50)), 0, "others are refused");
    refused_attacker
}

/// Callers whom nobody has seen before, of both families and as many providers.
fn others(numbers: Range<u32>) -> impl Iterator<Item = String> {
    numbers.flat_map(|n| [format!("203.0.{n}.1"), format!("2a00:{n:x}::1")])
}

pub(super) fn the_networks_of_eight_providers(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = serving(&folder, &[]);
    let memory = Memory::before(&serving);
    let customers = Others::read_and_write(&serving, &secret, CHARITY);
    // Of each, more than it may have windows.
    let filling = (0..800).map(|n| format!("198.{}.0.{}", n % 8, n / 8));
    refused(&serving, filling);
    customers.were_served();
    memory.is_bounded(&serving);
    let mut wire = serving.connect();
    for caller in 0..25 {
        let from = format!("x-forwarded-for: 203.0.113.{caller}\r\n");
        let asked = "each of 25 others, of one provider";
        fault.ask(asked, &mut wire, get("/chains", &from));
    }
}

#[test]
fn a_caller_with_many_ipv6_networks_locks_nobody_else_out() {
    let (folder, secret) = keyed();
    let serving = serving(&folder, &[]);
    let refused_attacker = attack(&serving, &secret);
    // The provider has 52 windows: less than an eighth of the room. Its other networks share one.
    assert_eq!(refused_attacker, 2000 - 52 - 20);
    eventually("operators see it", || {
        let metrics = serving.operators("/metrics").body;
        metrics
            .contains("rate_limit_networks_shared 1\n")
            .then_some(())
    });
}

#[test]
fn a_caller_with_many_ipv6_networks_locks_nobody_out_of_redis() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let (folder, secret) = keyed();
    // A busy machine may take longer than the default, and the server would then decide by itself.
    let patient = ["--redis", &redis.url(), "--redis-timeout", "1s"];
    let serving = serving(&folder, &patient);
    eventually("the limits are shared", || {
        let metrics = serving.operators("/metrics").body;
        metrics.contains("rate_limit_degraded 0\n").then_some(())
    });
    let refused_attacker = attack(&serving, &secret);
    assert!(refused_attacker >= 2000 - 52 - 20, "{refused_attacker}");
    let windows: usize = redis.ask(&["DBSIZE"]);
    assert!(windows < 52 + 1 + 100 + 5, "{windows}");
}
