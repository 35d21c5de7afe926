//! Metrics of requests.

use uuid::Uuid;

use super::*;

/// Notes that a caller of the tier `pro` is above its limit, and answers so.
async fn refuse(_: Request<Body>) -> Response {
    RequestContext::current().unwrap().record(Admission {
        target: Target {
            operation: None,
            keyless: false,
            misplaced_key: None,
        },
        caller: Some(Caller {
            id: Uuid::from_u128(1),
            key: Uuid::from_u128(2),
            tier: "pro",
        }),
        outcome: Outcome::RateLimited { retry_after: 1 },
        rate: None,
        counted: None,
    });
    let mut response = plain(429, "");
    response
        .extensions_mut()
        .insert(OperationId("tests.refuse"));
    response
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

/// `increase()` of a counter that appears with its first event misses that event.
#[test]
fn counters_start_at_zero() {
    let rendered = metrics().render();
    for series in [
        "http_connections_refused_total 0",
        "http_edge_errors_total{reason=\"panicked\"} 0",
        "http_connections_closed_total{reason=\"slow reader\"} 0",
        "rate_limit_rejections_total{tier=\"anonymous\"} 0",
        "log_lines_dropped_total 0",
    ] {
        assert!(rendered.contains(series), "{series} in {rendered}");
    }
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
