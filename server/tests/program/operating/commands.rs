//! Every fenced command of the guide works.

use std::process::{Command, Stdio};

use super::PAGE;
use super::machine::{Machine, blocks, fenced};
use crate::faults::postgres::block_on;
use crate::folder::Folder;
use crate::instances::{Instance, execute};
use crate::postgres::unmigrated;
use crate::serving::{Serving, eventually, serve};
use crate::sharing::redis::RedisServer;
use crate::world::{CHARITY, PROJECT, catalogue, furnished, text};

/// The sections with commands, how many blocks each has, and what runs them.
const SECTIONS: [(&str, usize, &str); 7] = [
    (
        "One machine",
        2,
        "one_machine_is_installed_backed_up_and_restored",
    ),
    (
        "Proxy",
        1,
        "a_rolling_upgrade_behind_nginx_loses_no_request",
    ),
    (
        "Webhooks",
        1,
        "one_machine_is_installed_backed_up_and_restored",
    ),
    ("Release", 1, "cargo xtask dist --trial"),
    ("Replicas", 1, "the_printed_role_owns_the_printed_database"),
    ("Backup", 2, "postgresql_is_backed_up_and_restored"),
    (
        "Upgrade",
        1,
        "a_rolling_upgrade_behind_nginx_loses_no_request",
    ),
];

#[test]
fn every_fenced_command_is_run() {
    let run: usize = SECTIONS.iter().map(|(_, count, _)| count).sum();
    assert_eq!(
        fenced(PAGE, "sh").len(),
        run,
        "a section with commands is missing in SECTIONS"
    );
    for (heading, count, by) in SECTIONS {
        assert_eq!(blocks(heading, "sh").len(), count, "{heading}, run by {by}");
    }
    for language in PAGE.lines().filter_map(|line| line.strip_prefix("```")) {
        assert!(
            ["", "sh", "toml", "yaml", "nginx", "conf"].contains(&language),
            "{language}"
        );
    }
}

#[test]
fn settings_are_those_of_the_program() {
    let folder = Folder::new();
    let printed = fenced(PAGE, "toml");
    assert!(!printed.is_empty());
    for settings in printed {
        folder.write("printed.toml", settings);
        folder.ask(&["migrate", "--config", "printed.toml"]);
    }
}

/// The printed commands that install the package, that define the function `catalog`, and that use it.
pub(super) fn installation() -> (&'static str, &'static str, &'static str) {
    let [install, catalog] = blocks("One machine", "sh")[..] else {
        panic!("two blocks");
    };
    let (catalog, create) = catalog.split_once('\n').unwrap();
    (install, catalog, create)
}

/// The key of the catalogue's project, which the catalogue's import has made.
fn furnish(machine: &Machine, catalog: &str) -> String {
    std::fs::write(machine.path().join("catalogue.ndjson"), text(&catalogue())).unwrap();
    machine.run(&[catalog, "catalog import catalogue.ndjson"]);
    let issue = format!("catalog key issue --project {PROJECT}");
    machine.run(&[catalog, &issue]).trim().to_owned()
}

#[test]
fn one_machine_is_installed_backed_up_and_restored() {
    let machine = Machine::new("webhook-key-file = 'etc/donation-catalog/webhook-keys'", "");
    let (install, catalog, create) = installation();
    machine.run(&blocks("Webhooks", "sh"));
    machine.run(&[install]);
    machine.ready();
    let project = machine.run(&[catalog, create]);
    assert_eq!(project.trim().len(), 36, "{project}");
    let key = furnish(&machine, catalog);
    assert_eq!(machine.get("/configs", &key).status, 200);
    assert!(
        machine.get("/webhooks", &key).status == 200,
        "webhooks are set up"
    );
    let [backup, _] = blocks("Backup", "sh")[..] else {
        panic!("two blocks");
    };
    let (saved, restored) = backup.rsplit_once('\n').unwrap();
    machine.run(&[catalog, saved]);
    machine.run(&[
        catalog,
        "catalog project create Later --tier free",
        restored,
    ]);
    let projects = machine.run(&[catalog, "catalog project list"]);
    assert!(
        projects.contains("First project") && !projects.contains("Later"),
        "{projects}"
    );
    assert!(
        !machine.path().join("donation-catalog.db").exists(),
        "a stray database"
    );
    assert_eq!(machine.get("/configs", &key).status, 200);
}

#[test]
fn postgresql_is_backed_up_and_restored() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let Some(instance) = Instance::start() else {
        return;
    };
    let url = unmigrated(&instance);
    let with_options = format!("{url}?sslmode=disable&application_name=catalog");
    let secrets = format!(
        "CATALOG_DATABASE={with_options}\nCATALOG_REDIS={}",
        redis.url()
    );
    let machine = Machine::new("migrate = true", &secrets)
        .with("postgres://catalog@db.example.org/catalog", &with_options);
    let (install, catalog, create) = installation();
    machine.run(&[install]);
    machine.ready();
    machine.run(&[catalog, create]);
    let key = furnish(&machine, catalog);
    let [_, backup] = blocks("Backup", "sh")[..] else {
        panic!("two blocks");
    };
    let (saved, restored) = backup.split_once("\nsystemctl stop").unwrap();
    let rows = || {
        let mut rows = block_on(crate::instances::dump(&url));
        // The servers' own, which change by themselves.
        rows.retain(|row| !row.starts_with("usage") && !row.starts_with("key_use"));
        rows.sort();
        rows
    };
    machine.run(&["systemctl stop donation-catalog"]);
    let before = rows();
    assert!(
        before.iter().any(|row| row.starts_with("charity ")),
        "{before:?}"
    );
    machine.run(&[saved]);
    machine.run(&[
        catalog,
        "catalog project create Later --tier free",
        "systemctl start donation-catalog",
    ]);
    block_on(execute(&url, "DELETE FROM campaign"));
    machine.ready();
    machine.run(&[&format!("systemctl stop{restored}")]);
    machine.ready();
    assert!(machine.get("/charities", &key).body.contains(CHARITY));
    let projects = machine.run(&[
        catalog,
        "catalog project list",
        "systemctl stop donation-catalog",
    ]);
    assert!(
        projects.contains("First project") && !projects.contains("Later"),
        "{projects}"
    );
    assert_eq!(rows(), before);
}

#[test]
fn the_printed_role_owns_the_printed_database() {
    if !installed::present(&["psql"], &[]) {
        return;
    }
    let Some(instance) = Instance::start() else {
        return;
    };
    let [command] = blocks("Replicas", "sh")[..] else {
        panic!("one block");
    };
    let url = instance.url("postgres");
    let command = command.replacen("psql", &format!("psql '{url}'"), 1);
    let status = Command::new("sh")
        .args(["-e", "-c", &command])
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "{command}");
    let url = instance
        .url("catalog")
        .replace("postgres@", "catalog:password@");
    let folder = Folder::on(url);
    assert!(folder.ask(&["migrate"]).contains("from schema 0"));
    drop(serve(&folder, &[]));
}

#[test]
fn a_redis_that_is_set_up_otherwise_is_reported() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let folder = furnished();
    let serve_as = |user: &str| {
        let url = redis.url().replace("//", &format!("//{user}:password@"));
        serve(&folder, &["--redis", &url])
    };
    let degraded = |serving: &Serving, value: u8| {
        eventually("Redis decides or not", || {
            let metrics = serving.operators("/metrics").body;
            metrics
                .contains(&format!("rate_limit_degraded {value}\n"))
                .then_some(())
        });
    };
    let [printed] = blocks("Limits", "conf")[..] else {
        panic!("one block");
    };
    let (user, settings) = printed.split_once('\n').unwrap();
    let (_, user) = user.split_once("user ").unwrap();
    let create = |user: &str| {
        let words: Vec<_> = ["ACL", "SETUSER"]
            .into_iter()
            .chain(user.split(' '))
            .collect();
        redis.ask::<String>(&words);
    };
    create(user);
    for setting in settings.lines() {
        let (name, value) = setting.split_once(' ').unwrap();
        redis.ask::<String>(&["CONFIG", "SET", name, value.trim_matches('"')]);
    }
    let serving = serve_as("catalog");
    degraded(&serving, 0);
    assert!(
        !serving.log().contains("maxmemory-policy"),
        "{}",
        serving.log()
    );
    drop(serving);
    create(&user.replace("catalog on", "guest on").replace(" +info", ""));
    let serving = serve_as("guest");
    degraded(&serving, 1);
    let log = serving.log();
    assert!(
        log.contains("info") && log.contains("the operators' guide lists the commands"),
        "{log}"
    );
    drop(serving);
    redis.ask::<String>(&["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    let serving = serve_as("catalog");
    degraded(&serving, 0);
    assert!(
        serving.log().contains("set maxmemory-policy noeviction"),
        "{}",
        serving.log()
    );
}
