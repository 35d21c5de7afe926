//! The printed alert rules: Prometheus takes them, each fires for what it is about, and none for a healthy server.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use super::machine::blocks;
use super::{PAGE, documented, quoted};

/// When the rules are evaluated; samples are taken every 15 s.
const EVALUATED: &str = "30m";

/// An alert, its labels, and series that make it fire.
type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// A counter that appears with its first event has no first sample, so that `increase` is 0.
const FIRST_EVENT: &str = "0x110 1x20";

const CASES: &[Case] = &[
    (
        "Down",
        "job: donation-catalog, instance: a",
        &[(r#"up{job="donation-catalog",instance="a"}"#, "0x130")],
    ),
    (
        "DatabaseDown",
        "instance: a",
        &[(r#"database_up{instance="a"}"#, "1x118 0x10")],
    ),
    (
        "DatabaseReadOnly",
        "instance: a",
        &[(r#"database_read_only{instance="a"}"#, "1x130")],
    ),
    (
        "DatabaseBusy",
        "instance: a",
        &[(
            r#"database_connection_timeouts_total{instance="a"}"#,
            "0+3x130",
        )],
    ),
    (
        "Stale",
        "instance: a, of: keys",
        &[(
            r#"database_stale_seconds{instance="a",of="keys"}"#,
            "11x130",
        )],
    ),
    (
        "Errors",
        "",
        &[
            (r#"http_requests_total{status="200"}"#, "0+90x130"),
            (r#"http_requests_total{status="503"}"#, "0+2x130"),
        ],
    ),
    (
        "Panic",
        "instance: a, reason: panicked",
        &[(
            r#"http_edge_errors_total{instance="a",reason="panicked"}"#,
            FIRST_EVENT,
        )],
    ),
    (
        "Overloaded",
        "instance: a",
        &[(
            r#"http_edge_errors_total{instance="a",reason="timed out"}"#,
            "0+3x130",
        )],
    ),
    (
        "Slow",
        "",
        &[
            (
                r#"http_request_duration_seconds_bucket{le="0.25"}"#,
                "0+97x130",
            ),
            (
                r#"http_request_duration_seconds_bucket{le="1"}"#,
                "0+100x130",
            ),
            (
                r#"http_request_duration_seconds_bucket{le="+Inf"}"#,
                "0+100x130",
            ),
        ],
    ),
    (
        "ConfigurationRefused",
        "instance: a",
        &[(r#"config_last_reload_successful{instance="a"}"#, "0x130")],
    ),
    (
        "ConfigQuota",
        "tier: pro",
        &[(r#"config_quota_refusals_total{tier="pro"}"#, FIRST_EVENT)],
    ),
    (
        "DashboardRefuses",
        "limit: mails",
        &[(r#"dashboard_rejections_total{limit="mails"}"#, "0+4x130")],
    ),
    (
        "PagesRefused",
        "instance: a",
        &[(r#"page_rejections_total{instance="a"}"#, "0+80x130")],
    ),
    (
        "ManyNetworks",
        "instance: a, family: ipv4",
        &[
            (
                r#"rate_limit_networks{instance="a",family="ipv4"}"#,
                "81x130",
            ),
            (r#"rate_limit_networks_max{instance="a"}"#, "100x130"),
        ],
    ),
    (
        "SharedNetworks",
        "instance: a",
        &[(r#"rate_limit_networks_shared{instance="a"}"#, "1x130")],
    ),
    (
        "WithoutRedis",
        "",
        &[(r#"rate_limit_degraded{instance="a"}"#, "1x130")],
    ),
    (
        "RedisEmptied",
        "instance: a, reason: emptied",
        &[(
            r#"rate_limit_redis_lapses_total{instance="a",reason="emptied"}"#,
            FIRST_EVENT,
        )],
    ),
    (
        "WebhooksLate",
        "",
        &[(r#"webhook_delivery_oldest_seconds{instance="a"}"#, "61x130")],
    ),
    (
        "MailWaits",
        "",
        &[(r#"mail_oldest_seconds{instance="a"}"#, "121x130")],
    ),
    (
        "MailGivenUp",
        "reason: late",
        &[(r#"mail_given_up_total{reason="late"}"#, "0+1x130")],
    ),
    (
        "ConnectionsFull",
        "instance: a, listener: api",
        &[
            (
                r#"http_connections_open{instance="a",listener="api"}"#,
                "91x130",
            ),
            (
                r#"http_connections_max{instance="a",listener="api"}"#,
                "100x130",
            ),
        ],
    ),
    (
        "ConnectionsClosed",
        "instance: a",
        &[(
            r#"http_connections_closed_total{instance="a",reason="slow reader"}"#,
            "0+20x130",
        )],
    ),
    (
        "CallerOverloaded",
        "instance: a, reason: overloaded caller",
        &[(
            r#"http_edge_errors_total{instance="a",reason="overloaded caller"}"#,
            "0+20x130",
        )],
    ),
    (
        "ProxyNamesNoClient",
        "instance: a",
        &[(
            r#"http_requests_without_client_total{instance="a"}"#,
            "0+5x130",
        )],
    ),
    (
        "LogDropped",
        "instance: a",
        &[(r#"log_lines_dropped_total{instance="a"}"#, FIRST_EVENT)],
    ),
    (
        "ConnectionsRefused",
        "instance: a",
        &[(
            r#"http_connections_refused_total{instance="a"}"#,
            "0+20x130",
        )],
    ),
];

fn rules() -> (&'static str, Vec<serde_yaml::Value>) {
    let [rules] = blocks("Alerts", "yaml")[..] else {
        panic!("one block");
    };
    let parsed: serde_yaml::Value = serde_yaml::from_str(rules).unwrap();
    (
        rules,
        parsed["groups"][0]["rules"].as_sequence().unwrap().clone(),
    )
}

#[test]
fn alerts_are_about_metrics_that_exist() {
    let metrics = documented();
    let prefixes: BTreeSet<_> = metrics
        .keys()
        .map(|name| name.split('_').next().unwrap())
        .collect();
    for rule in rules().1 {
        assert!(rule["alert"].is_string() && rule["for"].is_string());
        let expression = rule["expr"].as_str().unwrap();
        let words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let is_metric = |word: &&str| {
            *word == "up"
                || word.contains('_') && prefixes.contains(word.split('_').next().unwrap())
        };
        let named: Vec<_> = words.filter(is_metric).collect();
        assert!(!named.is_empty(), "{expression}");
        for name in named
            .into_iter()
            .map(|word| word.trim_end_matches("_bucket"))
        {
            assert!(name == "up" || metrics.contains_key(name), "{name}");
        }
    }
}

#[test]
fn each_alert_fires_for_its_cause_and_none_without() {
    if !installed::present(&["promtool"], &[]) {
        return;
    }
    let (text, rules) = rules();
    let names: Vec<_> = rules
        .iter()
        .map(|rule| rule["alert"].as_str().unwrap())
        .collect();
    let tested: Vec<_> = CASES
        .iter()
        .map(|(name, ..)| format!("DonationCatalog{name}"))
        .collect();
    assert_eq!(names, tested);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rules.yml"), text).unwrap();
    let mut tests = "rule_files: [rules.yml]\nevaluation_interval: 15s\ntests:\n".to_owned();
    for (name, labels, series) in CASES {
        test_of(&mut tests, series);
        let labels = format!("exp_alerts: [{{exp_labels: {{{labels}}}}}]");
        expect(&mut tests, name, &labels);
    }
    let healthy: Vec<_> = CASES.iter().flat_map(|(_, _, series)| *series).collect();
    let healthy: Vec<_> = healthy
        .into_iter()
        .map(|(series, _)| (*series, steady(series)))
        .collect();
    test_of(&mut tests, &healthy);
    for (name, ..) in CASES {
        expect(&mut tests, name, "exp_alerts: []");
    }
    std::fs::write(folder.path().join("tests.yml"), &tests).unwrap();
    let mut promtool = Command::new("promtool");
    let run = promtool
        .args(["test", "rules", "tests.yml"])
        .current_dir(folder.path());
    let output = run.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(quoted(PAGE).any(|said| said == "promtool test rules"));
}

#[test]
fn the_scraped_job_is_the_one_of_the_alerts() {
    if !installed::present(&["promtool"], &[]) {
        return;
    }
    let [scrape] = blocks("Health and metrics", "yaml")[..] else {
        panic!("one block");
    };
    let parsed: serde_yaml::Value = serde_yaml::from_str(scrape).unwrap();
    let job = parsed["scrape_configs"][0]["job_name"].as_str().unwrap();
    assert!(rules().0.contains(&format!("up{{job=\"{job}\"}}")), "{job}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prometheus.yml");
    std::fs::write(&file, scrape).unwrap();
    let output = Command::new("promtool")
        .args(["check", "config"])
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// The samples of a series of a healthy server.
fn steady(series: &str) -> &'static str {
    let healthy_at_one = ["up{", "database_up{", "config_last_reload_successful{"];
    match series {
        _ if healthy_at_one.iter().any(|name| series.starts_with(name)) => "1x130",
        _ if series.contains("_max{") => "100x130",
        _ if series.contains("200") || series.contains("_bucket") => "0+100x130",
        _ => "0x130",
    }
}

fn test_of(tests: &mut String, series: &[(&str, &str)]) {
    tests.push_str("- interval: 15s\n  input_series:\n");
    for (series, values) in series {
        writeln!(tests, "  - series: '{series}'\n    values: '{values}'").unwrap();
    }
    tests.push_str("  alert_rule_test:\n");
}

fn expect(tests: &mut String, name: &str, expected: &str) {
    writeln!(
        tests,
        "  - {{eval_time: {EVALUATED}, alertname: DonationCatalog{name}, {expected}}}"
    )
    .unwrap();
}
