//! Log lines and metrics, and what must not be in them.

use std::io::{self, Write};
use std::sync::Mutex;

use tracing_subscriber::fmt::MakeWriter;
use uuid::Uuid;

use super::*;
use crate::access::{Decision, Outcome, Principal};
use crate::keys::{KeyId, demo};
use crate::projects::{ProjectId, Tier};

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Notes that a Pro project is above its limit, and answers so.
async fn refuse(_: Request<Body>) -> Response {
    let decision = Decision {
        outcome: Outcome::RateLimited { retry_after: 1 },
        principal: Some(Principal {
            project: ProjectId(Uuid::from_u128(1)),
            tier: Tier::Pro,
            key: KeyId(Uuid::from_u128(2)),
        }),
        rate: None,
    };
    let target = Target {
        operation: None,
        keyless: false,
    };
    RequestContext::current().unwrap().note(target, decision);
    let mut response = plain(429, "");
    response
        .extensions_mut()
        .insert(OperationId("tests.refuse"));
    response
}

#[tokio::test]
async fn a_line_names_everything_but_the_key() {
    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_writer(lines.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let running = Running::start(edge(refuse, options(), &metrics()), LIMITS).await;
    let key = demo::PRO;
    let answer = running
        .get(&format!(
            "GET /{key}?k={key} HTTP/1.1\r\nservice-api-key: {key}"
        ))
        .await;
    let logged = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let line = logged
        .lines()
        .find(|line| line.contains("\"access\""))
        .expect(&logged);
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(
        line["request_id"],
        answer.headers["x-request-id"].to_str().unwrap()
    );
    assert_eq!(line["operation"], "tests.refuse");
    assert_eq!(line["method"], "GET");
    assert_eq!(line["status"], "429");
    assert_eq!(line["client"], "127.0.0.1");
    assert_eq!(line["project"], Uuid::from_u128(1).to_string());
    assert_eq!(line["key"], Uuid::from_u128(2).to_string());
    assert!(!logged.contains(&key[3..20]), "{logged}");
}

#[tokio::test]
async fn refusals_are_counted_by_tier() {
    let metrics = metrics();
    let running = Running::start(edge(refuse, options(), &metrics), LIMITS).await;
    running.get("GET / HTTP/1.1").await;
    let rendered = metrics.render();
    assert!(
        rendered.contains("rate_limit_rejections_total{tier=\"pro\"} 1"),
        "{rendered}"
    );
}

#[tokio::test]
async fn made_up_paths_and_methods_add_no_series() {
    let metrics = metrics();
    let api = |_| async { plain(404, "") };
    let running = Running::start(edge(api, options(), &metrics), LIMITS).await;
    let mut client = running.connect().await;
    for n in 0..50 {
        client.ask(&format!("M{n} /path-{n} HTTP/1.1")).await;
    }
    let series =
        "http_requests_total{operation=\"<unmatched>\",method=\"<other>\",status=\"404\"} 50";
    let rendered = metrics.render();
    assert!(rendered.contains(series), "{rendered}");
    let lines = rendered
        .lines()
        .filter(|line| line.starts_with("http_requests_total"))
        .count();
    assert_eq!(lines, 1);
}

#[tokio::test]
async fn latencies_fall_into_buckets() {
    let metrics = metrics();
    let api = |_| async { plain(200, "") };
    let running = Running::start(edge(api, options(), &metrics), LIMITS).await;
    running.get("GET / HTTP/1.1").await;
    metrics.run_upkeep();
    let bucket = "http_request_duration_seconds_bucket{operation=\"<unmatched>\",method=\"GET\",le=\"+Inf\"} 1";
    let rendered = metrics.render();
    assert!(rendered.contains(bucket), "{rendered}");
}
