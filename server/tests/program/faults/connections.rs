//! Clients that hold connections and do not use them as they should.

use std::time::Instant;

use rusqlite::Connection;

use super::fault::Fault;
use super::requests::{config, get, key, keyed, post};
use super::system::limit;
use crate::attacks::connections::hold;
use crate::serving::{eventually, serve_limited};
use crate::wire::Wire;
use crate::world::furnished;

pub(super) fn hanging_up_in_mid_request(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let key = key(&secret);
    let few = [
        "--max-connections-per-network",
        "16",
        "--max-in-flight",
        "4",
    ];
    let serving = fault.serve(&folder, &few);
    let again = format!("{key}idempotency-key: same\r\n");
    let whole = post(&again, &config());
    let starts = [
        "GET /api/v1/con",
        &get("/configs", &key),
        &whole[..whole.len() - 9],
    ];
    for start in starts.iter().cycle().take(100) {
        let _ = serving.connect().try_send(start.as_bytes());
    }
    let next = get("/configs", &key);
    // It takes the server a moment to notice that a client is gone.
    fault.becomes("the next request, after a hundred of them", || {
        serving.connect().try_ask(next.as_bytes())
    });
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}

pub(super) fn half_a_head(fault: &mut Fault) {
    let folder = furnished();
    let serving = fault.serve(&folder, &["--head-timeout", "1s"]);
    let started = Instant::now();
    let mut silent = serving.connect();
    let mut half = serving.connect();
    half.send(b"GET /api/v1/chains HT");
    let mut slow = serving.connect();
    slow.send(b"GET /api/v1/chains HTTP/1.1\r\n");
    fault.request("another client", &serving, get("/chains", ""));
    // It cannot buy time by going on slowly.
    eventually("it is dropped", || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        slow.try_send(b"a: b\r\n").err()
    });
    fault.await_answer("a field now and then, never the last", &mut slow, started);
    fault.await_answer("half a head", &mut half, started);
    fault.await_answer("no bytes", &mut silent, started);
}

pub(super) fn an_answer_that_nobody_reads(fault: &mut Fault) {
    let folder = furnished();
    let flags = ["--head-timeout", "1s", "--max-connections-per-network", "2"];
    let last = [&flags[..], &["--max-connections", "1"]].concat();
    let serving = fault.serve(&folder, &last);
    let greed = get("/openapi", "").repeat(300);
    let mut greedy = serving.connect();
    greedy.send(greed.as_bytes());
    fault.request(
        "another client, when this takes the last connection",
        &serving,
        get("/chains", ""),
    );
    let serving = fault.serve(&folder, &flags);
    let mut greedy = serving.connect();
    greedy.send(greed.as_bytes());
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}

/// A write that waits for the database has the only place.
pub(super) fn more_requests_than_there_is_room_for(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &["--max-in-flight", "1"]);
    let other = Connection::open(folder.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut first = serving.connect();
    first.send(post(&key(&secret), &config()).as_bytes());
    eventually("the write waits", || {
        let metrics = serving.operators("/metrics").body;
        metrics
            .contains("\nhttp_requests_in_flight 1\n")
            .then_some(())
    });
    fault.request("one more", &serving, get("/chains", ""));
    other.execute_batch("COMMIT").unwrap();
    fault.await_answer("those that were there first", &mut first, Instant::now());
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}

pub(super) fn thousands_of_sockets(fault: &mut Fault) {
    const OPENED: usize = 3_000;
    limit(std::process::id(), "--nofile=8192:");
    let folder = furnished();
    let serving = fault.serve(&folder, &["--head-timeout", "1h"]);
    let held: Vec<_> = (0..OPENED).map(|_| serving.connect()).collect();
    let request = get("/chains", "");
    fault.ask(
        "the same address, once more",
        &mut serving.connect(),
        &request,
    );
    let mut other = Wire::connect_from([127, 0, 0, 2].into(), serving.api);
    fault.ask("another address", &mut other, &request);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    drop(held);
    fault.becomes("the same address, once they are closed", || {
        serving.connect().try_ask(request.as_bytes())
    });
}

/// The process may open 400 files, half of which are reserved.
pub(super) fn few_files_that_may_be_open(fault: &mut Fault) {
    let serving = serve_limited(&furnished(), "--nofile=400:400", &[]);
    let log = serving.log();
    assert!(
        log.contains("exceeds the limit of open files and is lowered to 200"),
        "{log}"
    );
    let addresses = (10..20).map(|last| [127, 0, 0, last]);
    let _held: Vec<_> = addresses.map(|from| hold(serving.api, from, 30)).collect();
    let another = "another client, when the API has all the connections that it may";
    fault.request(another, &serving, get("/chains", ""));
    let livez = "GET /livez HTTP/1.1\r\nhost: test\r\n\r\n";
    fault.request("the operators' `/livez`", serving.admin, livez);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}
