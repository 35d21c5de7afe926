//! Projects and keys changed while a server runs.

use std::time::{Duration, Instant};

use crate::answer::denied;
use crate::folder::Folder;
use crate::instances::Instance;
use crate::postgres::unmigrated;
use crate::serving::{eventually, followed, serve};
use crate::world::{PROJECT, catalogue, furnished, text};

fn issue(folder: &Folder) -> String {
    folder.ask(&["key", "issue", "--project", PROJECT])
}

/// The id of the project's key that begins like `key`.
fn id_of(folder: &Folder, key: &str) -> String {
    let list = folder.ask(&["key", "list", "--project", PROJECT]);
    let row = list.lines().find(|row| row.contains(&key[..11]));
    row.unwrap_or_else(|| panic!("{list}"))[..36].to_owned()
}

#[test]
fn a_key_works_and_stops_to_work_while_the_server_runs() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    let key = issue(&folder);
    let status = |expected: u16| {
        let answer = serving.get("/configs", Some(&key));
        (answer.status == expected).then_some(answer)
    };
    followed("a new key works", || status(200));
    folder.ask(&["key", "revoke", &id_of(&folder, &key)]);
    let refused = followed("a revoked key is refused", || status(403));
    assert_eq!(denied(&refused, 403), "INVALID_API_KEY");
    let optional = serving.get("/chains", Some(&key));
    assert_eq!(denied(&optional, 403), "INVALID_API_KEY");
}

#[test]
fn a_leaked_key_is_revoked_without_its_id_and_never_repeated() {
    let folder = furnished();
    let key = issue(&folder);
    for command in ["rotate", "disable", "enable", "revoke"] {
        let outcome = folder.run(&["key", command, &key]);
        assert_eq!(outcome.code, Some(2), "{command}");
        let said = outcome.stderr;
        assert!(!said.contains(&key[3..]), "{command}: {said}");
        assert!(
            said.contains("key list") && said.contains("key revoke -"),
            "{said}"
        );
    }
    let id = id_of(&folder, &key);
    let revoke = |input: &str| folder.run_with_input(&["key", "revoke", "-"], input);
    let revoked = revoke(&format!("{key}\n"));
    assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
    let expected = format!("Revoked the key {id} of the project {PROJECT}.\n");
    assert_eq!(revoked.stderr, expected);
    let list = folder.ask(&["key", "list", "--project", PROJECT]);
    assert!(list.contains("revoked"), "{list}");
    for (input, reason) in [
        (&*key, "create another"),
        ("sk_", "41 characters"),
        (features::keys::demo::FREE, "no project has this key"),
    ] {
        let outcome = revoke(input);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
    }
}

/// How soon a revoked key is refused, and by how much more a machine that runs tests at the same time may be
/// late.
const REFUSED: Duration = Duration::from_secs(1);
const SLACK: Duration = Duration::from_secs(1);

/// A key is revoked, and another disabled, while two servers answer requests from one database.
#[test]
fn every_replica_refuses_a_revoked_key_within_a_second() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::new();
    let url = unmigrated(&instance);
    let ask = |arguments: &[&str]| folder.ask(&[&["--database", &url], arguments].concat());
    ask(&["migrate"]);
    let file = folder.write("catalogue.ndjson", &text(&catalogue()));
    ask(&["import", file]);
    let servers = [(); 2].map(|()| serve(&folder, &["--database", &url, "--lift-limits"]));
    for command in ["revoke", "disable"] {
        let key = ask(&["key", "issue", "--project", PROJECT]);
        let list = ask(&["key", "list", "--project", PROJECT]);
        let row = list.lines().find(|row| row.contains(&key[..11])).unwrap();
        for server in &servers {
            followed("a new key works", || {
                (server.get("/configs", Some(&key)).status == 200).then_some(())
            });
        }
        ask(&["key", command, &row[..36]]);
        let done = Instant::now();
        let waits = servers.each_ref().map(|server| {
            eventually("the key is refused", || {
                (server.get("/configs", Some(&key)).status == 403).then(|| done.elapsed())
            })
        });
        println!("after {command}, the replicas refuse the key within {waits:?}");
        let latest = waits.into_iter().max().unwrap();
        assert!(latest <= REFUSED + SLACK, "{command}: {latest:?}");
    }
}

#[test]
fn an_empty_key_is_an_absent_one() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    let optional = serving.get("/chains", Some(""));
    assert_eq!(optional.status, 200, "{optional:?}");
    let required = serving.get("/configs", Some(""));
    assert_eq!(denied(&required, 400), "MISSING_API_KEY");
}

#[test]
fn a_served_document_names_the_servers_own_host() {
    let folder = furnished();
    let serving = serve(&folder, &["--public-base-url", "https://api.example.org"]);
    for path in ["/openapi", "/postman"] {
        let served = serving.get(path, None).body;
        assert!(served.contains("https://api.example.org/api/v1"), "{path}");
        assert!(!served.contains("127.0.0.1"), "{path}");
        assert!(!served.contains("\"/api/v1\""), "{path}");
    }
}

#[test]
fn a_new_key_works_at_once_for_a_crowd() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    // Fewer than the limit of a network without a key, which applies as long as the key is unknown.
    let mut crowd: Vec<_> = (0..16).map(|_| serving.connect()).collect();
    let key = issue(&folder);
    let request =
        format!("GET /api/v1/configs HTTP/1.1\r\nhost: api\r\nservice-api-key: {key}\r\n\r\n");
    for caller in &mut crowd {
        caller.send(request.as_bytes());
    }
    for caller in &mut crowd {
        let answer = caller.answer();
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

#[test]
fn rotation_overlaps_and_then_the_old_key_expires() {
    let folder = furnished();
    let old = issue(&folder);
    let serving = serve(&folder, &[]);
    let works = |key: &str| serving.get("/configs", Some(key)).status == 200;
    let rotated = folder.run(&["key", "rotate", &id_of(&folder, &old), "--overlap", "2s"]);
    let new = rotated.stdout.trim().to_owned();
    assert!(
        rotated.stderr.contains("The old key expires at 20"),
        "{}",
        rotated.stderr
    );
    followed("the successor works", || works(&new).then_some(()));
    assert!(works(&old), "the old key must go on working");
    eventually("the old key expires", || (!works(&old)).then_some(()));
    assert!(works(&new));
    let list = folder.ask(&["key", "list", "--project", PROJECT]);
    let states: Vec<_> = list
        .lines()
        .skip(1)
        .map(|row| row[73..].split(' ').next().unwrap())
        .collect();
    assert_eq!(states, ["expired", "valid"], "{list}");
}

#[test]
fn a_tier_is_followed() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    let key = issue(&folder);
    let limit = |limit: &str| {
        let answer = serving.get("/configs", Some(&key));
        (answer.header("x-ratelimit-limit") == Some(limit)).then_some(())
    };
    followed("the key works", || limit("200"));
    folder.ask(&["project", "set-tier", PROJECT, "enterprise"]);
    followed("the new tier holds", || limit("1000"));
}

#[test]
fn a_key_is_nowhere_but_where_it_was_shown() {
    let folder = furnished();
    let outcome = folder.run(&["key", "issue", "--project", PROJECT]);
    let key = outcome.stdout.trim_end().to_owned();
    assert!(!outcome.stderr.contains(&key));
    let serving = serve(&folder, &["--log", "trace", "--log-format", "json"]);
    let head = format!(
        "GET /api/v1/configs/{key}?service-api-key={key}&{key}=1 HTTP/1.1\r\nhost: {key}\r\n\
         service-api-key: {key}\r\nauthorization: Bearer {key}\r\nx-request-id: {key}\r\n\
         x-forwarded-for: {key}\r\n\r\n"
    );
    assert_eq!(serving.connect().ask(head.as_bytes()).status, 400);
    assert_eq!(serving.get("/configs", Some(&key)).status, 200);
    assert_eq!(
        serving.get("/configs", Some(&format!("{key}x"))).status,
        403
    );
    assert_eq!(serving.get(&format!("/{key}"), Some(&key)).status, 404);
    eventually("the requests are logged", || {
        (serving
            .log()
            .matches("\"operation\":\"configs.list\"")
            .count()
            == 2)
            .then_some(())
    });
    assert!(!serving.log().contains(&key), "{}", serving.log());
    assert!(!serving.operators("/metrics").body.contains(&key));
    assert!(!folder.holds(&key));
    serving.kill();
    assert!(!folder.holds(&key));
}
