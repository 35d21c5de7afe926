//! Connections to Redis over TLS.

use super::{ROOT, authority};
use crate::folder::Folder;
use crate::instances::Authority;
use crate::serving::{Serving, eventually, serve, serve_among};
use crate::sharing::redis::RedisServer;
use crate::sharing::replicas::become_shared;
use crate::world::furnish;

/// A furnished folder with an authority's certificate, and a Redis that it has certified as
/// `localhost`, with its port for TLS.
#[track_caller]
fn site() -> Option<(Folder, RedisServer, u16)> {
    let folder = Folder::new();
    let certified = authority(&folder).certify(&["localhost"]);
    let (redis, port) = RedisServer::encrypted(&folder, &certified)?;
    redis.ask::<String>(&["CONFIG", "SET", "requirepass", "secret"]);
    furnish(&folder);
    Some((folder, redis, port))
}

fn url(host: &str, port: u16) -> String {
    format!("rediss://:secret@{host}:{port}")
}

/// The server serves, alone, and its log says why.
#[track_caller]
fn is_alone(serving: &Serving, why: &str) {
    let log = eventually("the log tells why", || {
        Some(serving.log()).filter(|log| log.contains(why))
    });
    assert!(log.contains("this replica enforces its share"), "{log}");
    assert!(!log.contains("secret"), "{log}");
    assert_eq!(serving.operators("/readyz").status, 200);
    assert_eq!(serving.get("/chains", None).status, 200);
    let metrics = serving.operators("/metrics").body;
    assert!(metrics.contains("\nrate_limit_degraded 1\n"), "{metrics}");
}

#[test]
fn limits_are_shared_over_tls() {
    let Some((folder, _redis, port)) = site() else {
        return;
    };
    let url = url("localhost", port);
    // A server that waits for less counts alone on a machine that is slow just then.
    let patient = ["--redis", &url, "--redis-timeout", "9s"];
    let named = serve(&folder, &[&patient[..], &["--redis-ca", ROOT]].concat());
    let system = serve_among(&folder, &patient, &[("SSL_CERT_FILE", ROOT)]);
    let servers = [named, system];
    become_shared(&servers);
    let admitted = |server: &Serving| {
        let statuses = (0..12).map(|_| server.get("/chains", None).status);
        statuses.filter(|status| *status == 200).count()
    };
    assert_eq!(servers.iter().map(admitted).sum::<usize>(), 20);
}

#[test]
fn an_impostor_of_redis_receives_no_data() {
    let Some((folder, redis, port)) = site() else {
        return;
    };
    let serving = |host, port, root| {
        let url = url(host, port);
        serve(&folder, &["--redis", &url, "--redis-ca", root])
    };
    is_alone(&serving("127.0.0.1", port, ROOT), "not valid for name");
    folder.write("other.crt", &Authority::new().pem);
    let place = format!("no TLS with localhost:{port}");
    is_alone(&serving("localhost", port, "other.crt"), &place);
    is_alone(&serving("localhost", port, "other.crt"), "UnknownIssuer");
    let url = url("localhost", port);
    is_alone(&serve(&folder, &["--redis", &url]), "UnknownIssuer");
    // A port that does not speak TLS.
    is_alone(
        &serving("localhost", redis.port, ROOT),
        "this replica enforces its share",
    );
}

#[test]
fn invalid_tls_settings_are_refused_at_the_start() {
    let folder = Folder::new();
    authority(&folder);
    furnish(&folder);
    let check = |url: &str, root: &str, why: &str| {
        let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        let redis = ["--redis", url, "--redis-ca", root];
        let outcome = folder.run(&[&["serve"][..], &flags, &redis].concat());
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
    };
    check("rediss://:secret@localhost:1", "missing.crt", "missing.crt");
    check("redis://:secret@localhost:1", ROOT, "rediss://");
    folder.write("empty.crt", "");
    check(
        "rediss://:secret@localhost:1",
        "empty.crt",
        "no certificate",
    );
}
