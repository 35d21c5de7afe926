//! Connections that are kept, so that others find no room.

use std::net::{IpAddr, SocketAddr};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::others::{Memory, Others, PAGE, metric};
use crate::faults::fault::Fault;
use crate::faults::requests::{config, get, key, keyed, post};
use crate::serving::{Serving, eventually};
use crate::wire::Wire;
use crate::world::{CHARITY, furnished};

/// Room for few connections, which their clients may keep for as long as they like.
pub(super) const ROOM: [&str; 4] = ["--max-connections", "64", "--head-timeout", "1h"];

/// Connections from one address, each with half a head, as many as the server keeps.
pub(crate) fn hold(to: SocketAddr, from: impl Into<IpAddr>, count: usize) -> Vec<Wire> {
    let from = from.into();
    let open = |_| {
        let mut wire = Wire::connect_from(from, to);
        let _ = wire.try_send(b"GET /api/v1/chains HTTP/1.1\r\n");
        wire
    };
    (0..count).map(open).collect()
}

fn open(serving: &Serving) -> u64 {
    metric(serving, "http_connections_open{listener=\"api\"}").unwrap()
}

pub(super) fn four_addresses_that_keep_connections(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &ROOM);
    let memory = Memory::before(&serving);
    let addresses = (2..6).map(|last| [127, 0, 0, last]);
    let _held: Vec<_> = addresses.map(|from| hold(serving.api, from, 20)).collect();
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    sleep(Duration::from_secs(1));
    others.were_served();
    memory.is_bounded(&serving);
    fault.request("another client", &serving, PAGE);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    let open = open(&serving);
    assert!((16..=20).contains(&open), "{open}");
}

pub(super) fn many_addresses_that_keep_connections(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &ROOM);
    let memory = Memory::before(&serving);
    let addresses = (1..33).map(|last| [127, 0, 1, last]);
    let _held: Vec<_> = addresses.map(|from| hold(serving.api, from, 4)).collect();
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    sleep(Duration::from_secs(2));
    others.were_served();
    memory.is_bounded(&serving);
    fault.request("another client", &serving, PAGE);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    let open = open(&serving);
    assert!((32..=64).contains(&open), "{open}");
}

pub(super) fn a_caller_that_ignores_refusals(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &["--limit-anonymous", "1"]);
    let request = get("/chains", "");
    let memory = Memory::before(&serving);
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    let mut wire = serving.connect();
    assert_eq!(wire.ask(request.as_bytes()).status, 200);
    for _ in 1..8 {
        assert_eq!(wire.ask(request.as_bytes()).status, 429);
    }
    fault.ask("its eighth request above the limit", &mut wire, &request);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(1) {
        let mut wire = serving.connect();
        for _ in 0..8 {
            assert_eq!(wire.ask(request.as_bytes()).status, 429);
        }
    }
    others.were_served();
    memory.is_bounded(&serving);
}

pub(super) fn a_caller_that_waits_for_a_connection(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let flags = ["--max-connections-per-network", "16"];
    let room = fault.serve(&folder, &[&ROOM[..], &flags].concat());
    let memory = Memory::before(&room);
    let addresses = (1..57).map(|last| [127, 0, 1, last]);
    let held: Vec<_> = addresses.map(|from| hold(room.api, from, 1)).collect();
    let places = answering(&room, &secret, 2, 8);
    let waiting: Vec<_> = (0..8).map(|_| half_a_body(&room, &secret, 2)).collect();
    let others = Others::read_and_write(&room, &secret, CHARITY);
    sleep(Duration::from_secs(1));
    fault.request("another client, meanwhile", &room, PAGE);
    others.were_served();
    memory.is_bounded(&room);
    drop((held, places, waiting));
    let few = ["--max-connections", "4", "--head-timeout", "1s"];
    let full = fault.serve(&folder, &[&few[..], &flags].concat());
    let lock = Connection::open(folder.database()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let whole = post(&key(&secret), &config());
    let mut writes: Vec<_> = (0..4).map(|_| full.connect()).collect();
    writes
        .iter_mut()
        .for_each(|wire| wire.send(whole.as_bytes()));
    in_flight(&full, 4);
    let asked = "a client for whom no connection ends";
    fault.ask(asked, &mut full.connect(), PAGE);
    fault.becomes("the operators' `/metrics`", || full.operators("/metrics"));
}

/// Connections from one address whose requests the server is answering, but whose bodies do not come.
fn answering(serving: &Serving, secret: &str, last: u8, count: u64) -> Vec<Wire> {
    let open = |_| half_a_body(serving, secret, last);
    let held = (0..count).map(open).collect();
    in_flight(serving, count);
    held
}

fn in_flight(serving: &Serving, count: u64) {
    eventually("they are in flight", || {
        (metric(serving, "http_requests_in_flight") == Some(count)).then_some(())
    });
}

/// As many addresses as have all connections between them, each as many as it may have.
pub(super) fn bodies_from_many_addresses(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let other = folder.ask(&["project", "create", "Other", "--tier", "pro"]);
    let other = folder.ask(&["key", "issue", "--project", &other]);
    let serving = fault.serve(&folder, &ROOM);
    let memory = Memory::before(&serving);
    let addresses = (2..18).flat_map(|last| [last; 4]);
    let mut held: Vec<_> = addresses
        .map(|last| half_a_body(&serving, &secret, last))
        .collect();
    in_flight(&serving, 64);
    let others = Others::read_and_write(&serving, &other, CHARITY);
    // A byte now and then is no body, which lacks nine.
    for _ in 0..8 {
        sleep(Duration::from_millis(250));
        held.iter_mut().for_each(|wire| _ = wire.try_send(b" "));
    }
    others.were_served();
    memory.is_bounded(&serving);
    fault.request("another client", &serving, PAGE);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}

/// A connection with a request whose body does not come.
fn half_a_body(serving: &Serving, secret: &str, last: u8) -> Wire {
    let mut wire = Wire::connect_from([127, 0, 0, last].into(), serving.api);
    let whole = post(&key(secret), &config());
    let _ = wire.try_send(&whole.as_bytes()[..whole.len() - 9]);
    wire
}

pub(super) fn connections_to_the_operators_port(fault: &mut Fault) {
    let serving = fault.serve(&furnished(), &ROOM);
    let memory = Memory::before(&serving);
    let addresses = (2..6).map(|last| [127, 0, 0, last]);
    let _held: Vec<_> = addresses
        .map(|from| hold(serving.admin, from, 20))
        .collect();
    let request = "GET /livez HTTP/1.1\r\nhost: test\r\n\r\n";
    let others = Others::repeat(serving.admin, [request.to_owned()]);
    sleep(Duration::from_secs(1));
    others.were_served();
    memory.is_bounded(&serving);
    fault.request(
        "the operators' `/livez`, from elsewhere",
        serving.admin,
        request,
    );
    fault.request("another client", &serving, PAGE);
}
