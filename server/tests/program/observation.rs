//! Metrics, health and logs, for operators.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::instances::free_port;
use crate::serving::{Serving, eventually, serve};
use crate::wire::Wire;
use crate::world::{PROJECT, furnished};

/// The lines of the access log, once there are `count`.
fn access_log(serving: &Serving, count: usize) -> Vec<Value> {
    eventually("the requests are logged", || {
        let log = serving.log();
        let lines: Vec<Value> = log
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        assert_eq!(
            lines.len(),
            log.lines().count(),
            "not all of it is JSON: {log}"
        );
        let access: Vec<_> = lines
            .into_iter()
            .filter(|line| line["target"] == "access")
            .collect();
        (access.len() == count).then_some(access)
    })
}

#[test]
fn a_log_line_ties_request_operation_and_key_together() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &["--log-format", "json"]);
    let answer = serving.get("/configs?limit=1", Some(&key));
    let unmatched = serving.get(&format!("/{key}?k={key}"), Some(&key));
    let lines = access_log(&serving, 2);
    assert_eq!(lines[0]["method"], "GET");
    assert!(!serving.log().contains(&key[3..20]), "{}", serving.log());
    assert_eq!(
        lines[0]["request_id"],
        answer.header("x-request-id").unwrap()
    );
    assert_eq!(lines[0]["operation"], "configs.list");
    assert_eq!(lines[0]["status"], "200");
    assert_eq!(lines[0]["project"], PROJECT);
    assert_eq!(lines[0]["client"], "127.0.0.1");
    let listed = folder.ask(&["key", "list", "--project", PROJECT]);
    assert!(
        listed.contains(lines[0]["key"].as_str().unwrap()),
        "{listed}"
    );
    assert_eq!(
        lines[1]["request_id"],
        unmatched.header("x-request-id").unwrap()
    );
    assert_eq!(lines[1]["operation"], "<unmatched>");
}

#[test]
fn access_lines_shorten_addresses_or_leave_them_out() {
    let folder = furnished();
    for (part, shown) in [
        ("whole", json!("127.0.0.1")),
        ("network", json!("127.0.0.0/24")),
        ("none", json!(null)),
    ] {
        let serving = serve(&folder, &["--log-clients", part, "--log-format", "json"]);
        assert_eq!(serving.get("/chains", None).status, 200);
        assert_eq!(access_log(&serving, 1)[0]["client"], shown, "{part}");
        let whole = serving.log().contains("127.0.0.1\"");
        assert_eq!(whole, part == "whole", "{}", serving.log());
    }
}

#[test]
fn a_trusted_proxy_that_names_no_client_is_reported() {
    let serving = serve(&furnished(), &["--trusted-proxies", "127.0.0.1"]);
    let ask = |field: &str| {
        let head = format!("GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n{field}\r\n");
        assert_eq!(serving.connect().ask(head.as_bytes()).status, 200);
    };
    let counted = |count: usize| {
        let line = format!("http_requests_without_client_total {count}\n");
        let metrics = serving.operators("/metrics").body;
        assert!(metrics.contains(&line), "{metrics}");
    };
    ask("x-forwarded-for: 192.0.2.1\r\n");
    // A request from the proxy's own machine.
    ask("x-forwarded-for: 127.0.0.1\r\n");
    counted(0);
    ask("");
    ask("x-forwarded-for: unknown\r\n");
    counted(2);
    let warnings = || {
        serving
            .log()
            .matches("sends no readable X-Forwarded-For")
            .count()
    };
    eventually("it is logged", || (warnings() > 0).then_some(()));
    assert_eq!(warnings(), 1, "once a minute: {}", serving.log());
}

#[test]
fn a_request_above_the_limit_of_its_project_is_logged() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &["--limit-pro", "1", "--log-format", "json"]);
    assert_eq!(serving.get("/configs?limit=1", Some(&key)).status, 200);
    let refused = serving.get(&format!("/configs?k={key}"), Some(&key));
    assert_eq!(refused.status, 429);
    let line = &access_log(&serving, 2)[1];
    assert_eq!(line["request_id"], refused.header("x-request-id").unwrap());
    assert_eq!(line["operation"], "configs.list");
    assert_eq!(line["method"], "GET");
    assert_eq!(line["status"], "429");
    assert_eq!(line["client"], "127.0.0.1");
    assert_eq!(line["project"], PROJECT);
    let listed = folder.ask(&["key", "list", "--project", PROJECT]);
    assert!(listed.contains(line["key"].as_str().unwrap()), "{listed}");
    assert!(!serving.log().contains(&key[3..20]), "{}", serving.log());
}

#[test]
fn logs_have_no_colours_where_there_is_no_terminal() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    serving.get("/chains", None);
    eventually("it is logged", || {
        serving.log().contains("chains.list").then_some(())
    });
    assert!(!serving.log().contains('\u{1b}'), "{}", serving.log());
}

#[test]
fn metrics_name_operations_and_no_text_of_clients() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    serving.get("/charities/fictional-rivers-trust?surprise=1", None);
    serving.get("/made/up", None);
    serving
        .connect()
        .ask(b"BREW /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n");
    let answer = serving.operators("/metrics");
    assert_eq!(answer.status, 200);
    assert!(
        answer
            .header("content-type")
            .unwrap()
            .starts_with("text/plain; version=0.0.4")
    );
    for said in [
        r#"http_requests_total{operation="charities.get",method="GET",status="400"} 1"#,
        r#"http_requests_total{operation="<unmatched>",method="GET",status="404"} 1"#,
        r#"http_requests_total{operation="<unmatched>",method="<other>",status="405"} 1"#,
        r#"http_request_duration_seconds_count{operation="charities.get",method="GET"} 1"#,
        "http_requests_in_flight 0",
    ] {
        assert!(
            answer.body.lines().any(|line| line == said),
            "{said}\n{}",
            answer.body
        );
    }
    for made_up in ["surprise", "rivers", "made/up", "BREW"] {
        assert!(!answer.body.contains(made_up), "{}", answer.body);
    }
}

#[test]
fn the_operators_address_serves_no_other_path() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    assert_eq!(serving.operators("/livez").body, "alive");
    assert_eq!(serving.operators("/readyz").body, "ready");
    assert_eq!(serving.operators("/api/v1/chains").status, 404);
    assert_eq!(serving.get("/metrics", None).status, 404);
    let mut wire = Wire::connect(serving.admin);
    let refused = wire.ask(b"POST /metrics HTTP/1.1\r\nhost: test\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(
        (refused.status, refused.header("allow")),
        (405, Some("GET, HEAD"))
    );
}

#[test]
fn a_server_goes_on_when_its_log_is_not_read() {
    let folder = furnished();
    let api = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()));
    let listen = api.to_string();
    let mut command = folder.command(&[
        "serve",
        "--listen",
        &listen,
        "--admin-listen",
        "127.0.0.1:0",
    ]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    eventually("it listens", || std::net::TcpStream::connect(api).ok());
    for _ in 0..3 {
        let answer = Wire::connect(api).ask(b"GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n");
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
