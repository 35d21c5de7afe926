//! Expired certificates of servers that the server needs. Other refusals are tested in `tls`.

use super::fault::Fault;
use super::postgres::{block_on, reachable, unreachable};
use super::redis::degraded;
use crate::folder::Folder;
use crate::instances::execute;
use crate::serving::eventually;
use crate::sharing::redis::RedisServer;
use crate::tls::postgres::{LONG_AGO, Site};
use crate::tls::{ROOT, authority};
use crate::world::{PROJECT, furnish, furnished};

/// Open connections stay open; new ones are verified with the certificate shown then.
pub(super) fn a_postgresql_whose_certificate_is_over(fault: &mut Fault) {
    let Some(site) = Site::new() else {
        return fault.skip();
    };
    let options = format!("sslmode=verify-full&sslrootcert={ROOT}");
    let folder = Folder::on(site.url("localhost", &options));
    folder.write(ROOT, &site.authority.pem);
    folder.ask(&["migrate"]);
    furnish(&folder);
    let secret = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = fault.serve(&folder, &["--lift-limits"]);
    assert_eq!(serving.get("/configs", Some(&secret)).status, 200);

    let expired = site.authority.certify_until(&["localhost"], LONG_AGO);
    block_on(site.instance.certify(&expired));
    let end = || {
        let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                   WHERE application_name = 'donation-catalog'";
        block_on(execute(&site.instance.url("postgres"), sql));
    };
    let readiness = fault.becomes("the operators' `/readyz`", || {
        end();
        serving.operators("/readyz")
    });
    // One may have been opened before the server took its new certificate, and not been asked.
    end();
    unreachable(fault, &serving, &secret);
    let said = fault
        .run("`serve`, from now on", &folder, &["serve"])
        .stderr;
    let log = eventually("the log has it", || {
        Some(serving.log()).filter(|log| log.contains("expired"))
    });
    for text in [readiness.unwrap().body, said, log] {
        assert!(!text.contains("secret"), "{text}");
    }

    let valid = site.authority.certify(&["localhost"]);
    block_on(site.instance.certify(&valid));
    reachable(fault, &serving, &secret);
}

pub(super) fn a_redis_whose_certificate_is_over(fault: &mut Fault) {
    let folder = furnished();
    let expired = authority(&folder).certify_until(&["localhost"], LONG_AGO);
    let Some((_redis, port)) = RedisServer::encrypted(&folder, &expired) else {
        return fault.skip();
    };
    let url = format!("rediss://localhost:{port}");
    let serving = fault.serve(&folder, &["--redis", &url, "--redis-ca", ROOT]);
    for _ in 0..10 {
        assert_eq!(serving.get("/chains", None).status, 200);
    }
    degraded(fault, &serving);
    eventually("the log tells why", || {
        serving.log().contains("expired").then_some(())
    });
}
