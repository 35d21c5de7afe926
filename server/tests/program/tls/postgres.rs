//! A PostgreSQL that takes no password but over TLS.

use std::path::PathBuf;

use tokio::runtime::Builder;
use tokio_postgres::NoTls;

use super::{ROOT, authority};
use crate::faults::requests::{config, get, key, post};
use crate::folder::{Folder, Outcome};
use crate::instances::{Authority, Instance, execute};
use crate::serving::{eventually, serve};
use crate::sharing::proxy::Proxy;
use crate::world::{CHARITY, PROJECT, donations, furnish, text};

pub(crate) const LONG_AGO: i32 = 2001;

/// A server with a certificate for `localhost` only, its authority, and a folder with the certificate.
pub(crate) struct Site {
    pub(crate) folder: Folder,
    pub(crate) authority: Authority,
    pub(crate) instance: Instance,
    database: String,
}

impl Site {
    #[track_caller]
    pub(crate) fn new() -> Option<Site> {
        let folder = Folder::new();
        let authority = authority(&folder);
        let instance = Instance::encrypted(&authority.certify(&["localhost"]))?;
        let local = block_on(async {
            let local = instance.copy("template1").await;
            execute(&local, "ALTER ROLE postgres PASSWORD 'secret'").await;
            local
        });
        let (_, database) = local.rsplit_once('/').unwrap();
        Some(Site {
            folder,
            authority,
            database: database.to_owned(),
            instance,
        })
    }

    pub(crate) fn url(&self, host: &str, options: &str) -> String {
        let (port, database) = (self.instance.port(), &self.database);
        format!("postgres://postgres:secret@{host}:{port}/{database}?{options}")
    }

    fn migrate(&self, url: &str) -> Outcome {
        let outcome = self.folder.run(&["migrate", "--database", url]);
        for said in [&outcome.stdout, &outcome.stderr] {
            assert!(!said.contains("secret"), "{said}");
        }
        outcome
    }

    #[track_caller]
    fn taken(&self, host: &str, options: &str) {
        let outcome = self.migrate(&self.url(host, options));
        assert_eq!(outcome.code, Some(0), "{options}: {}", outcome.stderr);
    }

    /// The command fails and says so; it also says where.
    #[track_caller]
    fn refused(&self, host: &str, options: &str, why: &str) {
        let Outcome { code, stderr, .. } = self.migrate(&self.url(host, options));
        assert_eq!(code, Some(1), "{options}: {stderr}");
        assert!(stderr.contains(why), "{options}: {stderr}");
        let place = format!("{host}:{}", self.instance.port());
        assert!(stderr.contains(&place), "{options}: {stderr}");
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}

#[test]
fn each_mode_verifies_certificates_as_libpq_does() {
    let Some(site) = Site::new() else { return };
    let root = format!("sslrootcert={ROOT}");
    let with = |mode: &str| format!("sslmode={mode}&{root}");
    site.taken("localhost", &with("verify-full"));
    // The password exchange is bound to the server's certificate.
    let bound = format!("{}&channel_binding=require", with("verify-full"));
    site.taken("localhost", &bound);
    site.taken("127.0.0.1", &with("verify-ca"));
    site.taken("127.0.0.1", &with("require"));
    site.taken("127.0.0.1", "sslmode=require");
    let system = site.url("localhost", "sslmode=verify-full");
    let mut command = site.folder.command(&["migrate", "--database", &system]);
    let outcome = Outcome::of(&command.env("SSL_CERT_FILE", ROOT).output().unwrap());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);

    site.refused("127.0.0.1", &with("verify-full"), "not valid for name");
    site.refused("localhost", "sslmode=verify-full", "UnknownIssuer");
    site.folder.write("other.crt", &Authority::new().pem);
    for mode in ["require", "verify-ca", "verify-full"] {
        let other = format!("sslmode={mode}&sslrootcert=other.crt");
        site.refused("localhost", &other, "UnknownIssuer");
    }
    site.refused("localhost", "", "no encryption");
    site.refused("localhost", "sslmode=disable", "no encryption");
    let missing = "sslmode=verify-full&sslrootcert=missing.crt";
    site.refused("localhost", missing, "missing.crt");
    for mode in ["allow", "prefer"] {
        let said = site.migrate(&site.url("localhost", &with(mode)));
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("sslmode"), "{}", said.stderr);
    }
}

#[test]
fn a_certificate_that_is_over_is_refused() {
    let Some(site) = Site::new() else { return };
    let expired = site.authority.certify_until(&["localhost"], LONG_AGO);
    block_on(site.instance.certify(&expired));
    let options = format!("sslmode=verify-full&sslrootcert={ROOT}");
    eventually("the certificate is shown", || {
        let outcome = site.migrate(&site.url("localhost", &options));
        (outcome.code != Some(0)).then_some(())
    });
    site.refused("localhost", &options, "expired");
    let any_name = format!("sslmode=verify-ca&sslrootcert={ROOT}");
    site.refused("localhost", &any_name, "expired");
    site.taken("localhost", "sslmode=require");
}

/// A server without TLS, or an attacker who pretends to be one.
#[test]
fn a_server_without_tls_receives_no_data() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::new();
    authority(&folder);
    let local = block_on(instance.copy("template1"));
    let (_, place) = local.split_once('@').unwrap();
    let (socket, database) = place.rsplit_once('/').unwrap();
    let socket = PathBuf::from(socket.replace("%2F", "/")).join(".s.PGSQL.5432");
    let proxy = Proxy::to_socket(socket);
    let root = format!("sslrootcert={ROOT}");
    for options in [
        "sslmode=require",
        &format!("sslmode=verify-ca&{root}"),
        &format!("sslmode=verify-full&{root}"),
    ] {
        let url = format!(
            "postgres://postgres:secret@{}/{database}?{options}",
            proxy.address
        );
        let outcome = folder.run(&["migrate", "--database", &url]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.stdout);
        let said = outcome.stderr;
        assert!(said.contains("server does not support TLS"), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
}

#[test]
fn everything_is_done_over_tls() {
    let Some(site) = Site::new() else { return };
    let options = format!("sslmode=verify-full&sslrootcert={ROOT}");
    let url = site.url("localhost", &options);
    let ask = |command: &[&str]| site.folder.ask(&[&["--database", &url], command].concat());
    ask(&["migrate"]);
    let folder = Folder::on(url.clone());
    folder.write(ROOT, &site.authority.pem);
    furnish(&folder);
    let file = folder.write("donations.ndjson", &text(&donations(3000)));
    folder.ask(&["import", file]);
    folder.ask(&["verify"]);
    let secret = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &["--lift-limits"]);
    let ask = |request: &str| serving.connect().ask(request.as_bytes());
    let shown = ask(&get("/charities", ""));
    assert!(shown.body.contains(CHARITY), "{}", shown.body);
    let key = key(&secret);
    let created = ask(&post(&key, &config()));
    assert_eq!(created.status, 201, "{}", created.body);
    let listed = ask(&get("/configs", &key));
    assert_eq!(listed.status, 200);
    assert_eq!(ask(&get("/analytics", &key)).status, 200);

    let plain = "SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
                 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                 WHERE application_name = 'donation-catalog'";
    let (encrypted, plain) = block_on(counts(&site.instance.url("postgres"), plain));
    assert!(encrypted > 0);
    assert_eq!(plain, 0);
}

async fn counts(url: &str, sql: &str) -> (i64, i64) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let row = client.query_one(sql, &[]).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    (row.get(0), row.get(1))
}
