//! Parsing of command lines, and the help.

use clap::CommandFactory;

use super::*;

fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(line.split(' '))
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_parses() {
    const ID: &str = "0190163d-8694-739b-aea5-966c26f8ad91";
    for line in [
        "x serve",
        "x serve --demo --listen 127.0.0.1:0",
        "x serve --trusted-proxies 10.0.0.0/8,::1 --head-timeout 5s",
        "x --database a.db import a.ndjson b.ndjson --on-error continue",
        "x import - --database a.db",
        "x project create Fictional --tier pro",
        "x project list --config c.toml",
        "x backup b.db --force --database a.db",
        "x restore b.db",
        "x migrate --database postgres://user@host/database",
        &format!("x project set-tier {ID} enterprise"),
        &format!("x contract register --project {ID} --chain 1 --address 0x0"),
        &format!("x key issue --project {ID} --expires-in 2160h"),
        &format!("x key list --project {ID}"),
        &format!("x key rotate {ID} --overlap 1h --expires-in 2160h"),
        &format!("x key disable {ID}"),
        &format!("x key enable {ID}"),
        &format!("x key revoke {ID}"),
    ] {
        parse(line).expect(line);
    }
}

#[cfg(feature = "console")]
#[test]
fn the_commands_of_the_console_parse() {
    for line in ["x end-sessions --database a.db", "x operator list"] {
        parse(line).expect(line);
    }
}

#[test]
fn nonsense_is_refused() {
    for line in [
        "x",
        "x import",
        "x backup",
        "x restore postgres://host/database extra",
        "x import a --on-error ignore",
        "x serve --max-connections 0",
        "x serve --clock 2026-01-01",
        "x serve --trusted-proxies anybody",
        "x serve --database postgres://host:port/database",
        "x project create Fictional",
        "x project create Fictional --tier gold",
        "x key rotate not-an-id",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}

#[test]
fn the_database_is_known_to_every_command() {
    let database = |line: &str| parse(line).unwrap().resolve().unwrap().database;
    let file = |name| Location::File(PathBuf::from(name));
    assert_eq!(database("x import - --database a.db"), file("a.db"));
    assert_eq!(database("x serve --database a.db"), file("a.db"));
    assert_eq!(database("x project list"), file("donation-catalog.db"));
    let url = "postgres://user@host:5432/database";
    let line = format!("x migrate --database {url}");
    assert_eq!(database(&line).to_string(), url);
}

#[test]
fn a_demo_is_for_this_machine_only() {
    let resolve = |line| parse(line).unwrap().resolve();
    assert!(resolve("x serve --demo --listen 127.0.0.1:0").is_ok());
    assert!(resolve("x serve --listen 0.0.0.0:80").is_ok());
    let error = resolve("x serve --demo --listen 0.0.0.0:80").unwrap_err();
    assert_eq!(
        error.to_string(),
        "a demo listens on loopback addresses only, not on 0.0.0.0:80"
    );
}

#[test]
fn the_help_of_serve_names_every_flag_and_variable() {
    let help = parse("x serve --help").unwrap_err().to_string();
    for flag in [
        "--listen",
        "--drain-delay",
        "CATALOG_DRAIN_DELAY",
        "--demo",
        "{slug}",
    ] {
        assert!(help.contains(flag), "{help}");
    }
}

#[test]
fn the_help_of_import_names_every_kind_of_line() {
    let help = parse("x import --help").unwrap_err().to_string();
    let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/import-schemas");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if let Some(kind) = name.strip_suffix(".schema.json") {
            assert!(words.contains(&kind), "{help}");
        }
    }
}
