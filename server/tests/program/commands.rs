//! The commands' output and exit codes.

use crate::folder::{Folder, Outcome};

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
    let folder = Folder::new();
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
    let folder = Folder::new();
    folder.ask(&["project", "list"]);
    assert_eq!(folder.names(), ["donation-catalog.db"]);
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::new();
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
        said.starts_with("error: cannot open the database letter.txt\n  because "),
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
fn an_address_in_use_is_named() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = fails(&folder, &["serve", "--listen", &address], 1);
    let expected = format!("error: cannot listen on {address}\n  because Address already in use");
    assert!(said.starts_with(&expected), "{said}");
    assert_eq!(said.matches("already in use").count(), 1, "{said}");
}
