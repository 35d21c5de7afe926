//! PostgreSQL, behind a network that can be made bad.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio_postgres::NoTls;

use super::database::{POISON, stale};
use super::fault::Fault;
use super::requests::{config, get, key, post};
use super::{importers, killed};
use crate::folder::Folder;
use crate::instances::{self, Instance, PgBouncer};
use crate::serving::{Serving, eventually, serve};
use crate::sharing::proxy::Proxy;
use crate::wire::Wire;
use crate::world::{CHARITY, PROJECT, donations, furnish, text};

/// More batches than are recorded before the first check.
const DONATIONS: usize = 12_000;

/// An empty database in a PostgreSQL of the test's own, and its URL.
fn database() -> Option<(Instance, String)> {
    let instance = Instance::start()?;
    let url = block_on(instance.copy("template1"));
    Some((instance, url))
}

/// The small world in such a database, and a key of its project.
pub(crate) fn keyed() -> Option<(Instance, Folder, String)> {
    let (instance, url) = database()?;
    let folder = Folder::on(url);
    folder.ask(&["migrate"]);
    furnish(&folder);
    let secret = folder.ask(&["key", "issue", "--project", PROJECT]);
    Some((instance, folder, secret))
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}

/// A network before the folder's database, and the database's URL there.
pub(super) fn network(folder: &Folder) -> (Proxy, String) {
    let url = folder.elsewhere();
    let (_, host) = url.split_once('@').unwrap();
    let (folder, database) = host.rsplit_once('/').unwrap();
    let folder = PathBuf::from(folder.replace("%2F", "/"));
    let proxy = Proxy::to_socket(folder.join(".s.PGSQL.5432"));
    let url = format!("postgres://postgres@{}/{database}", proxy.address);
    (proxy, url)
}

pub(super) fn a_postgresql_that_is_not_there_at_the_start(fault: &mut Fault) {
    let Some((_instance, folder, _)) = keyed() else {
        return fault.skip();
    };
    let (proxy, url) = network(&folder);
    proxy.break_off();
    let serve = ["serve", "--database", &url];
    let said = fault.run("`serve`", &folder, &serve).stderr;
    assert!(said.contains(&proxy.address.to_string()), "{said}");
}

pub(super) fn a_postgresql_that_does_not_answer_at_the_start(fault: &mut Fault) {
    let Some((_instance, folder, _)) = keyed() else {
        return fault.skip();
    };
    let (proxy, url) = network(&folder);
    proxy.delay(Duration::from_secs(3600));
    let serve = ["serve", "--database", &url];
    fault.run("`serve`", &folder, &serve);
}

pub(super) fn a_postgresql_that_is_lost(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = keyed() else {
        return fault.skip();
    };
    let (proxy, url) = network(&folder);
    let serving = fault.serve(&folder, &["--database", &url, "--lift-limits"]);
    assert_eq!(serving.get("/configs", Some(&secret)).status, 200);
    proxy.break_off();
    unreachable(fault, &serving, &secret);
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    proxy.restore();
    reachable(fault, &serving, &secret);
}

pub(super) fn a_slow_postgresql(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = keyed() else {
        return fault.skip();
    };
    let (proxy, url) = network(&folder);
    let hasty = [
        "--database",
        &url,
        "--request-timeout",
        "1s",
        "--lift-limits",
    ];
    let serving = fault.serve(&folder, &hasty);
    proxy.delay(Duration::from_secs(3));
    unreachable(fault, &serving, &secret);
    proxy.delay(Duration::ZERO);
    reachable(fault, &serving, &secret);
}

/// The same database behind two addresses, one of which fails during its use.
pub(super) fn a_postgresql_that_another_host_takes_over_from(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = keyed() else {
        return fault.skip();
    };
    let ((first, url), (second, _)) = (network(&folder), network(&folder));
    let both = format!("{},{}", first.address, second.address);
    let url = url.replace(&first.address.to_string(), &both);
    let serving = fault.serve(&folder, &["--database", &url, "--lift-limits"]);
    second.break_off();
    assert_eq!(serving.get("/configs", Some(&secret)).status, 200);
    second.restore();
    first.break_off();
    reachable(fault, &serving, &secret);
}

pub(super) fn a_postgresql_that_is_lost_during_an_import(fault: &mut Fault) {
    let Some((_instance, folder, _)) = keyed() else {
        return fault.skip();
    };
    let (proxy, url) = network(&folder);
    let file = folder.write("donations.ndjson", &text(&donations(DONATIONS)));
    let count = |sql| block_on(count(folder.elsewhere(), sql));
    let recorded = || count("SELECT count(*) FROM donation");
    let import = ["import", file, "--database", &url];
    thread::scope(|scope| {
        let running = scope.spawn(|| fault.run("`import`", &folder, &import));
        eventually("a batch is recorded", || (recorded() > 0).then_some(()));
        proxy.break_off();
        running.join().unwrap();
    });
    // Requests that were sent before may still be executed.
    let connected = "SELECT count(*) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()";
    eventually("nobody is connected", || {
        (count(connected) == 0).then_some(())
    });
    let partial = recorded();
    assert!(partial < DONATIONS, "it was not lost in its middle");
    fault.run("`verify`, after that", &folder, &["verify"]);
    let again = fault.run("`import`, again", &folder, &["import", file]);
    let expected = format!(
        "resumes after line {partial}\ndonations.ndjson: {} new, 0 changed, 0 unchanged",
        DONATIONS - partial
    );
    assert!(again.stderr.contains(&expected), "{}", again.stderr);
    fault.run("`verify`, in the end", &folder, &["verify"]);
}

/// The number that a database answers.
async fn count(url: &str, sql: &str) -> usize {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let count = client.query_one(sql, &[]).await.unwrap().get::<_, i64>(0);
    drop(client);
    connection.await.unwrap().unwrap();
    usize::try_from(count).unwrap()
}

pub(super) fn unreachable(fault: &mut Fault, serving: &Serving, secret: &str) {
    let key = key(secret);
    fault.request("a read with a key", serving, get("/configs", &key));
    fault.request("a write", serving, post(&key, &config()));
    fault.request("a read of the catalogue", serving, get("/chains", ""));
}

pub(super) fn reachable(fault: &mut Fault, serving: &Serving, secret: &str) {
    let again = "a read with a key, once it answers again";
    fault.becomes(again, || serving.get("/configs", Some(secret)));
    let ready = "the operators' `/readyz`, once it answers again";
    fault.becomes(ready, || serving.operators("/readyz"));
}

pub(super) fn a_poisoned_row_of_postgresql(fault: &mut Fault) {
    let Some((_instance, folder, _)) = keyed() else {
        return fault.skip();
    };
    let serving = fault.serve(&folder, &[]);
    let before = serving.get("/charities", None).body;
    let poison = format!(
        "UPDATE charity SET category = '{POISON}';
         UPDATE version SET number = number + 1 WHERE name = 'charities'"
    );
    block_on(instances::execute(folder.elsewhere(), &poison));
    stale(&serving, "catalogue");
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    let shown = fault.request("a read of the catalogue", &serving, get("/charities", ""));
    assert_eq!(shown.body, before);
    let second = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--admin-listen",
        "127.0.0.1:0",
    ];
    let said = fault.run("`serve`, from now on", &folder, &second).stderr;
    assert!(said.contains(CHARITY), "{said}");
    for text in [said, serving.log()] {
        assert!(!text.contains(POISON), "{text}");
    }
}

pub(super) fn two_importers_into_postgresql(fault: &mut Fault) {
    let Some((_instance, folder, _)) = keyed() else {
        return fault.skip();
    };
    importers::race(fault, &folder);
}

/// Tables cannot grow, with PostgreSQL's error for a full disk.
pub(super) fn a_full_disk_of_postgresql(fault: &mut Fault) {
    let Some((_instance, folder, secret)) = keyed() else {
        return fault.skip();
    };
    let serving = fault.serve(&folder, &[]);
    let execute = |sql| block_on(instances::execute(folder.elsewhere(), sql));
    execute(
        "CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER full_config BEFORE INSERT ON config EXECUTE FUNCTION is_full();
         CREATE TRIGGER full_donation BEFORE INSERT ON donation EXECUTE FUNCTION is_full()",
    );
    let key = key(&secret);
    let write = post(&key, &config());
    fault.request("a write", &serving, &write);
    fault.request("a read of the catalogue", &serving, get("/chains", ""));
    fault.request("a read with a key", &serving, get("/configs", &key));
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    let file = folder.write("donations.ndjson", &text(&donations(100)));
    fault.run("`import`", &folder, &["import", file]);
    execute("DROP FUNCTION is_full() CASCADE");
    fault.request("a write, once there is room", &serving, &write);
    fault.run("`import`, once there is room", &folder, &["import", file]);
    fault.run("`verify`", &folder, &["verify"]);
}

pub(super) fn an_import_into_postgresql_that_is_killed(fault: &mut Fault) {
    let Some((_instance, folder, _)) = keyed() else {
        return fault.skip();
    };
    killed::again_and_again(fault, &folder, &|folder| {
        block_on(count(folder.elsewhere(), "SELECT count(*) FROM donation"))
    });
}

/// Two servers make the database together; then one of them leaves, another comes, and the schema is
/// asked for again, while clients ask both.
pub(super) fn replicas_that_come_and_go(fault: &mut Fault) {
    let Some((_instance, url)) = database() else {
        return fault.skip();
    };
    let folder = Folder::on(url);
    let started = ["--migrate", "--lift-limits"];
    let [mut leaving, staying] = thread::scope(|scope| {
        let replicas = [(); 2].map(|()| scope.spawn(|| serve(&folder, &started)));
        replicas.map(|replica| replica.join().unwrap())
    });
    furnish(&folder);
    let secret = folder.ask(&["key", "issue", "--project", PROJECT]);
    let known = "a key that was just issued, of each that stays";
    fault.becomes(known, || staying.get("/configs", Some(&secret)));
    let (over, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let request = get("/configs", &key(&secret));
    let ask = |of: SocketAddr, may_leave: bool| {
        while !over.load(Ordering::Relaxed) {
            let wire = Wire::try_connect(of).ok();
            match wire.and_then(|mut wire| wire.try_ask(request.as_bytes())) {
                Some(answer) => assert_eq!(answer.status, 200, "{answer:?}"),
                None if may_leave => return,
                None => panic!("no answer"),
            }
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let (stays, leaves) = (staying.api, leaving.api);
    thread::scope(|scope| {
        scope.spawn(|| ask(stays, false));
        scope.spawn(|| ask(leaves, true));
        fault.run("`migrate`, meanwhile", &folder, &["migrate"]);
        leaving.signal("TERM");
        fault.end("the one that is told to stop", &mut leaving);
        let coming = fault.serve(&folder, &started);
        fault.request("one that has just started", &coming, &request);
        fault.request("one that stays", &staying, &request);
        over.store(true, Ordering::Relaxed);
    });
    assert!(answered.into_inner() > 0);
}

/// As a primary that has become a standby: its connections stay open.
pub(super) fn a_postgresql_that_takes_no_writes(fault: &mut Fault) {
    let Some((instance, folder, secret)) = keyed() else {
        return fault.skip();
    };
    let key = key(&secret);
    let serving = fault.serve(&folder, &["--lift-limits"]);
    let (_, name) = folder.elsewhere().rsplit_once('/').unwrap();
    let read_only = |on: &str| {
        let set = format!("ALTER DATABASE {name} SET default_transaction_read_only = {on}");
        block_on(instances::execute(&instance.url("postgres"), &set));
    };
    read_only("on");
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'donation-catalog'";
    block_on(instances::execute(&instance.url("postgres"), end));
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    fault.request("a write", &serving, post(&key, &config()));
    fault.request("a read with a key", &serving, get("/configs", &key));
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    // The connections that stay open are read-only for ever.
    read_only("off");
    fault.becomes("a write, once another host of the URL takes them", || {
        serving.connect().ask(post(&key, &config()).as_bytes())
    });
}

/// A LATIN1 database cannot store every name.
pub(super) fn a_postgresql_of_another_encoding(fault: &mut Fault) {
    let Some((instance, _)) = database() else {
        return fault.skip();
    };
    let create = "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc \
                  TEMPLATE template0";
    block_on(instances::execute(&instance.url("postgres"), create));
    let folder = Folder::on(instance.url("latin"));
    let said = fault.run("`migrate`", &folder, &["migrate"]).stderr;
    assert!(
        said.contains("ENCODING 'UTF8'") && !said.contains("corrupt"),
        "{said}"
    );
    fault.run("`serve`", &folder, &["serve"]);
}

/// PgBouncer in transaction mode gives each transaction any session.
pub(super) fn a_pooler_that_changes_sessions(fault: &mut Fault) {
    let Some((instance, folder, secret)) = keyed() else {
        return fault.skip();
    };
    let Some(pooler) = PgBouncer::start(&instance, "transaction") else {
        return fault.skip();
    };
    let (_, name) = folder.elsewhere().rsplit_once('/').unwrap();
    let url = pooler.url(name);
    for command in ["migrate", "serve"] {
        let asked = format!("`{command}`");
        let said = fault
            .run(&asked, &folder, &[command, "--database", &url])
            .stderr;
        assert!(
            said.contains("pool_mode = session") && !said.contains("corrupt"),
            "{said}"
        );
    }
    let pooler = pooler.restarted(&instance, "session");
    let serving = fault.serve(&folder, &["--database", &url, "--lift-limits"]);
    fault.request(
        "a read with a key, of one in session mode",
        &serving,
        get("/configs", &key(&secret)),
    );
    // The sessions of the running server are gone, and its new ones are shared.
    let _pooler = pooler.restarted(&instance, "transaction");
    let read = || {
        let statuses = std::thread::scope(|scope| {
            let ask = || serving.get("/configs", Some(&secret)).status;
            let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            let statuses = asking.into_iter().map(|asked| asked.join().unwrap());
            statuses.collect::<Vec<_>>()
        });
        assert!(
            statuses.iter().all(|status| [200, 503].contains(status)),
            "{statuses:?}"
        );
    };
    fault.becomes("the operators' `/readyz`, once its mode is changed", || {
        read();
        serving.operators("/readyz")
    });
}
