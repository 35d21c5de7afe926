//! The configuration file, read again while the server serves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};
use crate::sharing::redis::RedisServer;
use crate::wire::Wire;
use crate::world::furnished;

const FILE: &str = "settings.toml";

/// Tells the server to read its file again, and waits until it has.
fn reload(folder: &Folder, serving: &Serving, text: &str) {
    let done = |log: &str| log.matches("the configuration ").count();
    let before = done(&serving.log());
    folder.write(FILE, text);
    serving.signal("HUP");
    eventually("the file is read", || {
        (done(&serving.log()) > before).then_some(())
    });
}

/// The number of admitted requests of `tries` without a key.
fn admitted(serving: &Serving, tries: usize) -> usize {
    let get = b"GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n";
    let mut wire = serving.connect();
    let admitted = (0..tries).filter(|_| wire.ask(get).status == 200);
    admitted.count()
}

fn metric(serving: &Serving, name: &str) -> String {
    let metrics = serving.operators("/metrics").body;
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("{metrics}"))
        .trim()
        .to_owned()
}

#[test]
fn no_request_fails_while_the_file_is_read_over_and_over() {
    let folder = furnished();
    let settings = |limit: u32| format!("limit-anonymous = {limit}\nlog = 'warn,server=info'\n");
    folder.write(FILE, &settings(90_000));
    let serving = serve(&folder, &["--config", FILE]);
    let (over, asked) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
    );
    let callers = [(); 2].map(|()| {
        let (over, asked, to) = (Arc::clone(&over), Arc::clone(&asked), serving.api);
        thread::spawn(move || {
            let get = b"GET /api/v1/charities?limit=1 HTTP/1.1\r\nhost: test\r\n\r\n";
            while !over.load(Ordering::Relaxed) {
                let mut wire = Wire::connect(to);
                for _ in 0..20 {
                    let answer = wire.ask(get);
                    assert_eq!(answer.status, 200, "{answer:?}");
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            }
        })
    });
    for turn in 0..20 {
        let before = asked.load(Ordering::Relaxed);
        reload(&folder, &serving, &settings(80_000 + turn));
        eventually("requests are answered after it", || {
            (asked.load(Ordering::Relaxed) > before + 2).then_some(())
        });
    }
    over.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.join().unwrap();
    }
    let answer = serving.get("/chains", None);
    assert_eq!(answer.header("x-ratelimit-limit"), Some("80019"));
}

/// Never more than the new limit, with all that was admitted before it.
fn a_limit_changes_in_the_middle_of_a_window(flags: &[&str]) {
    let folder = furnished();
    folder.write(FILE, "");
    let serving = serve(&folder, &[&["--config", FILE], flags].concat());
    assert_eq!(admitted(&serving, 5), 5);
    reload(&folder, &serving, "limit-anonymous = 8");
    assert_eq!(admitted(&serving, 10), 3);
    reload(&folder, &serving, "limit-anonymous = 12");
    assert_eq!(admitted(&serving, 10), 4);
    reload(&folder, &serving, "limit-anonymous = 6");
    assert_eq!(admitted(&serving, 2), 0);
    reload(&folder, &serving, "limit-anonymous = 13");
    assert_eq!(admitted(&serving, 4), 1);
}

#[test]
fn a_changed_limit_counts_earlier_admissions() {
    a_limit_changes_in_the_middle_of_a_window(&[]);
}

#[test]
fn a_changed_limit_counts_earlier_admissions_in_redis() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let url = redis.url();
    let patient = ["--redis", &url, "--redis-timeout", "2s"];
    a_limit_changes_in_the_middle_of_a_window(&patient);
}

#[test]
fn a_wrong_file_changes_no_setting_and_is_reported() {
    let folder = furnished();
    folder.write(FILE, "limit-anonymous = 100");
    let serving = serve(&folder, &["--config", FILE]);
    // The valid settings of the file do not apply either.
    for (wrong, told) in [
        (
            "limit-anonymous = 50\nlimit-free = 0",
            "settings.toml:2: expected a number",
        ),
        (
            "limit-anonymous = 50\n\nlog = 'wran'",
            "settings.toml:3: `wran` is neither",
        ),
        (
            "limit-anonymous = 50\nlissten = 1",
            "settings.toml:2: unknown field `lissten`",
        ),
        ("limit-anonymous = 50\n'", "settings.toml:2: "),
    ] {
        reload(&folder, &serving, wrong);
        assert!(serving.log().contains(told), "{}", serving.log());
        let answer = serving.get("/chains", None);
        assert_eq!(answer.header("x-ratelimit-limit"), Some("100"), "{wrong}");
        let ready = serving.operators("/readyz");
        assert_eq!(ready.status, 200, "{ready:?}");
        assert!(ready.body.contains(told), "{ready:?}");
        assert_eq!(metric(&serving, "config_last_reload_successful"), "0");
    }
    reload(&folder, &serving, "limit-anonymous = 60");
    let answer = serving.get("/chains", None);
    assert_eq!(answer.header("x-ratelimit-limit"), Some("60"));
    assert_eq!(serving.operators("/readyz").body, "ready");
    assert_eq!(metric(&serving, "config_last_reload_successful"), "1");
}

#[test]
fn settings_that_need_a_restart_are_named_and_not_applied() {
    let folder = furnished();
    folder.write(FILE, "database = 'donation-catalog.db'\nlimit-free = 10");
    let serving = serve(&folder, &["--config", FILE]);
    let changed = "database = 'another.db'\nlisten = '127.0.0.1:1'\nmax-body = 7";
    reload(&folder, &serving, &format!("{changed}\nlimit-free = 11"));
    // The listen address was given as a flag, which outweighs the file.
    eventually("it is told", || {
        let log = serving.log();
        log.contains("take effect at a restart").then_some(log)
    });
    let log = serving.log();
    assert!(log.contains("database, max-body"), "{log}");
    assert_eq!(metric(&serving, "config_restart_pending"), "2");
    assert_eq!(serving.get("/chains", None).status, 200);
    assert!(!folder.path().join("another.db").exists());
}

#[test]
fn log_lines_follow_the_filter() {
    let folder = furnished();
    folder.write(FILE, "log = 'info,access=off'");
    let serving = serve(&folder, &["--config", FILE]);
    serving.get("/chains", None);
    reload(&folder, &serving, "log = 'info'");
    let id = |answer: crate::wire::Answer| answer.header("x-request-id").unwrap().to_owned();
    let logged = id(serving.get("/tokens", None));
    eventually("it is logged", || {
        serving.log().contains(&logged).then_some(())
    });
    assert!(!serving.log().contains("chains.list"), "{}", serving.log());
}

#[test]
fn a_reload_without_a_file_has_no_effect() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    serving.signal("HUP");
    eventually("it is told", || {
        let told = serving
            .log()
            .contains("there is no --config file to reload");
        told.then_some(())
    });
    assert_eq!(serving.get("/chains", None).status, 200);
}
