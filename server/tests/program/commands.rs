//! The commands' output and exit codes.

use clap::CommandFactory;
use server::cli::Cli;

use crate::folder::{Folder, Outcome};
use crate::instances::Instance;
use crate::postgres::unmigrated;
use crate::serving::{eventually, serve};

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// Runs a command that must fail with `code`; returns its message, which is on standard error only.
#[track_caller]
fn fails(folder: &Folder, arguments: &[&str], code: i32) -> String {
    let outcome = folder.run(arguments);
    assert_eq!(
        outcome.code,
        Some(code),
        "{arguments:?}: {}",
        outcome.stderr
    );
    assert_eq!(outcome.stdout, "", "{arguments:?}");
    outcome.stderr
}

#[test]
fn answers_are_on_standard_output_alone() {
    let folder = Folder::migrated();
    let created = folder.run(&["project", "create", "Example Wallet", "--tier", "pro"]);
    assert_eq!((created.code, created.stderr.as_str()), (Some(0), ""));
    let id = created.stdout.trim_end();
    let listed = folder.ask(&["project", "list"]);
    assert_eq!(listed, format!("{id}  pro         Example Wallet"));
    assert_eq!(folder.ask(&["project", "set-tier", id, "free"]), "");
    assert!(folder.ask(&["project", "list"]).contains("free"));
    assert_eq!(
        folder
            .ask(&["key", "list", "--project", id])
            .lines()
            .count(),
        1
    );
    assert_eq!(
        folder.ask(&["--version"]),
        concat!("donation-catalog ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_command_leaves_one_whole_file() {
    let folder = Folder::migrated();
    folder.ask(&["project", "list"]);
    assert_eq!(folder.names(), ["donation-catalog.db"]);
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::migrated();
    for arguments in [
        &["project", "set-tier", NOBODY, "free"][..],
        &["key", "issue", "--project", NOBODY],
        &["key", "list", "--project", NOBODY],
        &["key", "rotate", NOBODY],
        &["key", "revoke", NOBODY],
    ] {
        let said = fails(&folder, arguments, 1);
        assert!(
            said.starts_with("error: there is no ") && said.contains(NOBODY),
            "{said}"
        );
    }
    let address = "0xcA7a106000000000000000000000000000DEcaDE";
    let register = [
        "contract",
        "register",
        "--project",
        NOBODY,
        "--address",
        address,
        "--chain",
    ];
    let said = fails(&folder, &[&register[..], &["7"]].concat(), 1);
    assert_eq!(said, "error: there is no chain 7\n");
    fails(&folder, &["key", "revoke", "not-an-id"], 2);
    fails(&folder, &["project", "create", " ", "--tier", "pro"], 1);
}

#[test]
fn a_database_that_cannot_be_opened_is_named() {
    let folder = Folder::new();
    let list = |database: &str| fails(&folder, &["--database", database, "project", "list"], 1);
    let said = list("nowhere/a.db");
    let expected = "error: cannot open the database nowhere/a.db: there is no folder nowhere\n";
    assert_eq!(said, expected);
    folder.write("letter.txt", &"This is no database. ".repeat(100));
    let said = list("letter.txt");
    assert!(
        said.starts_with("error: cannot open the database letter.txt (set by --database or CATALOG_DATABASE)\n  because "),
        "{said}"
    );
    list(".");
    let said = fails(&folder, &["serve", "--database", "nowhere/a.db"], 1);
    assert_eq!(said, expected);
}

#[test]
fn configuration_that_is_wrong_is_named() {
    let folder = Folder::new();
    folder.write("wrong.toml", "listen = \"127.0.0.1:0\"\nlissten = 1\n");
    let said = fails(&folder, &["serve", "--config", "wrong.toml"], 1);
    assert!(
        said.starts_with("error: wrong.toml:2: unknown field `lissten`"),
        "{said}"
    );
    let said = fails(&folder, &["serve", "--config", "none.toml"], 1);
    assert!(said.contains("none.toml"), "{said}");
    let said = fails(&folder, &["serve", "--log", "wran"], 2);
    assert!(said.contains("`wran` is neither a level"), "{said}");
    folder.write("secret.toml", "redis = 'http://:secret@host'\n");
    let said = fails(&folder, &["serve", "--config", "secret.toml"], 1);
    assert!(
        said.contains("secret.toml:1: ") && !said.contains(":secret@"),
        "{said}"
    );
    fails(&folder, &["serve", "--listen", "here"], 2);
    for (variable, value) in [
        ("CATALOG_DATABASE", "postgres://u:secret@h/d?sslmode=prefer"),
        ("CATALOG_DATABASE", "postgres://u:secret@h:x/d"),
        ("CATALOG_DATABASE", "postgress://u:secret@h/d"),
        ("CATALOG_DATABASE", "postgres://u:a@secret@h/d"),
        ("CATALOG_REDIS", "http://:secret@h"),
    ] {
        let mut serve = folder.command(&["serve"]);
        let outcome = Outcome::of(&serve.env(variable, value).output().unwrap());
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert!(
            outcome.stderr.starts_with("error: the value of '--"),
            "{}",
            outcome.stderr
        );
        assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
    }
}

#[test]
fn a_misspelled_variable_is_an_error_of_every_command() {
    let folder = Folder::new();
    folder.write("service", "CATALOG_DATABSE=postgres://u:secret@h/d\n");
    for command in ["serve", "migrate", "project list"] {
        let arguments: Vec<_> = ["--env-file", "service"]
            .into_iter()
            .chain(command.split(' '))
            .collect();
        let said = fails(&folder, &arguments, 1);
        assert_eq!(
            said,
            "error: the environment variable CATALOG_DATABSE is no setting; did you mean CATALOG_DATABASE?\n"
        );
    }
    assert_eq!(folder.names(), ["service"]);
}

#[test]
fn the_database_is_named_by_migrate_and_serve() {
    let folder = Folder::new();
    let path = folder.path().join("a.db").display().to_string();
    let said = folder.ask(&["migrate", "--database", "a.db"]);
    assert!(
        said.starts_with(&format!("Migrated the database {path} from schema 0")),
        "{said}"
    );
    let serving = serve(&folder, &["--database", "a.db"]);
    let listening = eventually("the start is logged", || {
        let log = serving.log();
        let line = log.lines().find(|line| line.contains("listening"));
        line.map(str::to_owned)
    });
    assert!(
        listening.contains(&path) && listening.contains("redis=\"no\""),
        "{listening}"
    );
}

#[test]
fn an_address_in_use_is_named() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = fails(&folder, &["serve", "--listen", &address], 1);
    let expected = format!("error: cannot listen on {address}\n  because Address already in use");
    assert!(said.starts_with(&expected), "{said}");
    assert_eq!(said.matches("already in use").count(), 1, "{said}");
}

/// Arguments for each command that works on a database and must not create one.
const ON_EXISTING: [&str; 21] = [
    "backup copy.db",
    "claim list",
    "claim accept ID",
    "claim decline ID --reason No",
    "contract register --project ID --chain 1 --address 0xcA7a106000000000000000000000000000DEcaDE",
    "end-sessions",
    "key issue --project ID",
    "key list --project ID",
    "key rotate ID",
    "key disable ID",
    "key enable ID",
    "key revoke ID",
    "operator add ada@example.org",
    "operator recover ada@example.org",
    "operator remove ada@example.org",
    "operator list",
    "project create Example --tier free",
    "project list",
    "project set-tier ID free",
    "restore backup.db",
    "verify",
];

/// The commands without subcommands.
fn leaves(command: &clap::Command, path: &str, found: &mut Vec<String>) {
    for sub in command.get_subcommands() {
        let path = format!("{path} {}", sub.get_name());
        match sub.has_subcommands() {
            true => leaves(sub, &path, found),
            false => found.push(path.trim_start().to_owned()),
        }
    }
}

#[test]
fn only_serve_import_and_migrate_create_a_database() {
    let mut commands = Vec::new();
    leaves(&Cli::command(), "", &mut commands);
    for command in &commands {
        let works_elsewhere = ["serve", "import", "migrate", "completions", "man"];
        let listed = |known: &&str| *known == command || known.starts_with(&format!("{command} "));
        assert!(
            works_elsewhere.contains(&command.as_str()) || ON_EXISTING.iter().any(listed),
            "ON_EXISTING lacks {command}"
        );
    }
    let folder = Folder::migrated();
    folder.ask(&["backup", "backup.db"]);
    std::fs::remove_file(folder.database()).unwrap();
    folder.write("settings.toml", "database = 'elsewhere.db'\n");
    folder.write("bare.toml", "migrate = true\n");
    folder.write("service", "CATALOG_DATABASE=missing.db\n");
    let before = folder.names();
    for command in ON_EXISTING {
        let command = command.replace("ID", NOBODY);
        let arguments: Vec<_> = command.split(' ').collect();
        let said = fails(&folder, &arguments, 1);
        let path = folder.database();
        let expected = format!(
            "error: there is no database {} (the default: no setting names a database)",
            path.display()
        );
        assert!(said.starts_with(&expected), "{command}: {said}");
        assert_eq!(folder.names(), before, "{command}");
    }
    for (settings, database, setting) in [
        (
            &["--database", "a.db"][..],
            "a.db",
            "--database or CATALOG_DATABASE",
        ),
        (
            &["--config", "settings.toml"],
            "elsewhere.db",
            "(set by settings.toml)",
        ),
        (
            &["--env-file", "service"],
            "missing.db",
            "CATALOG_DATABASE of service)",
        ),
        (
            &["--config", "bare.toml"],
            "donation-catalog.db",
            "(the default: bare.toml names no database)",
        ),
    ] {
        let said = fails(&folder, &[settings, &["project", "list"]].concat(), 1);
        let path = folder.path().join(database);
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert!(
            said.contains(setting) && said.contains("--env-file"),
            "{said}"
        );
        assert_eq!(folder.names(), before);
    }
    folder.ask(&["restore", "backup.db", "--database", "a.db"]);
    folder.ask(&["verify", "--database", "a.db"]);
    folder.write("empty.db", "");
    let said = fails(&folder, &["verify", "--database", "empty.db"], 1);
    assert!(said.contains("run the command `migrate`"), "{said}");
    assert!(
        std::fs::read(folder.path().join("empty.db"))
            .unwrap()
            .is_empty()
    );
}

/// An operator's commands work on the service's database, whose URL only the environment file has.
#[test]
fn commands_run_with_the_environment_file_of_the_service() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::new();
    let url = unmigrated(&instance);
    let url = format!("{url}?sslmode=disable&application_name=catalog");
    folder.write("service", &format!("# secrets\nCATALOG_DATABASE={url}\n"));
    let ask = |arguments: &[&str]| folder.ask(&[&["--env-file", "service"], arguments].concat());
    ask(&["migrate"]);
    ask(&["operator", "add", "ada@example.org"]);
    let direct = folder.ask(&["operator", "list", "--database", &url]);
    assert!(direct.contains("ada@example.org"), "{direct}");
    let mut list = folder.command(&["operator", "list", "--env-file=service"]);
    let list = Outcome::of(&list.env("CATALOG_DATABASE", "stray.db").output().unwrap());
    assert_eq!((list.code, list.stdout.trim_end()), (Some(0), &*direct));
    assert_eq!(folder.names(), ["service"]);
    folder.write("service", "CATALOG_DATABASE=postgres://u:secret\\@h/d\n");
    let said = fails(&folder, &["--env-file", "service", "verify"], 1);
    assert!(
        said.starts_with("error: service:1: has a backslash"),
        "{said}"
    );
    assert!(!said.contains("secret"), "{said}");
    let said = fails(&folder, &["--env-file", "none", "verify"], 1);
    assert!(
        said.contains("cannot read the environment file none"),
        "{said}"
    );
}
