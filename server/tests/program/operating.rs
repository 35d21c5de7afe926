//! The operators' guide: its metrics are those of a running server, its alerts fire, and its commands work.

mod alerts;
mod commands;
mod machine;
mod rolling;

use std::collections::{BTreeMap, BTreeSet};

use crate::faults::postgres::keyed;
use crate::serving::{Serving, serve};
use crate::sharing::redis::RedisServer;
use crate::wire::Wire;
use crate::world::furnished;

const PAGE: &str = include_str!("../../docs/operating.md");

/// Metrics by name, each with its labels.
type Metrics = BTreeMap<String, BTreeSet<String>>;

/// The texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

fn documented() -> Metrics {
    let (_, table) = PAGE.split_once("| metric | labels | meaning |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let metric = |row: &str| {
        let cells: Vec<_> = row.split('|').collect();
        (quoted(cells[1]).next().unwrap(), quoted(cells[2]).collect())
    };
    rows.map(metric).collect()
}

fn exported(text: &str) -> Metrics {
    let mut metrics = Metrics::new();
    let mut name = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            name = declared.split(' ').next().unwrap();
        }
        if line.starts_with('#') {
            continue;
        }
        assert!(line.starts_with(name), "{line} is not of {name}");
        // Every other part is a value, which follows a comma or a brace, and a label.
        let before = line.split('"').step_by(2);
        let labels = before.filter_map(|part| part.strip_suffix('=')?.rsplit([',', '{']).next());
        let known = metrics.entry(name.to_owned()).or_default();
        known.extend(labels.filter(|label| *label != "le").map(str::to_owned));
    }
    metrics
}

/// Makes the server count everything that it counts now and then only.
fn bother(serving: &Serving, key: &str) {
    let mut held: Vec<Wire> = Vec::new();
    for _ in 0..3 {
        let mut wire = serving.connect();
        // The connection beyond those that a network may have is closed without an answer.
        let _ = wire.try_send(b"GET /livez HTTP/1.1\r\n");
        held.push(wire);
    }
    assert!(held.iter_mut().last().unwrap().is_closed());
    drop(held);
    crate::serving::eventually("the connections are free again", || {
        let mut wire = Wire::try_connect(serving.api).ok()?;
        wire.try_ask(b"GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n")
    });
    let mut wire = serving.connect();
    let head = "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n";
    let half = format!("{head}service-api-key: {key}\r\ncontent-length: 9\r\n\r\n{{");
    assert_eq!(wire.ask(half.as_bytes()).status, 503);
    drop(wire);
    let get = b"GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n";
    let mut wire = serving.connect();
    // Refusals follow until the server closes the connection.
    let last = std::iter::from_fn(|| wire.try_ask(get)).last();
    assert_eq!(last.unwrap().status, 429);
}

#[test]
fn the_page_and_a_running_server_name_the_same_metrics() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let Some((_instance, folder, key)) = keyed() else {
        return;
    };
    let url = redis.url();
    let flags = ["--redis", &url, "--request-timeout", "500ms"];
    let network = ["--max-connections-per-network", "2"];
    let dashboard = ["--dashboard", "--mail", "console"];
    let keys = folder.path().join("webhook-keys");
    std::fs::write(&keys, "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=\n").unwrap();
    let webhooks = ["--webhook-key-file", keys.to_str().unwrap()];
    let serving = serve(
        &folder,
        &[&flags[..], &network, &dashboard, &webhooks].concat(),
    );
    bother(&serving, &key);
    let metrics = serving.operators("/metrics").body;
    assert_eq!(exported(&metrics), documented(), "{metrics}");
    let alone = serve(&furnished(), &[]).operators("/metrics").body;
    let named: Vec<_> = exported(&alone).into_keys().collect();
    assert!(named.iter().all(|name| documented().contains_key(name)));
    for value in [
        "timed out",
        "admitted",
        "refused",
        "failed",
        "keys",
        "catalogue",
        "idle",
        "busy",
        "late",
        "unreachable",
        "emptied",
        "refused",
    ] {
        assert!(metrics.contains(&format!("=\"{value}\"")), "{value}");
        assert!(quoted(PAGE).any(|said| said == value), "{value}");
    }
}
