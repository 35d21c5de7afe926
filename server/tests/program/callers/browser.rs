//! The documentation and the dashboard in a browser: navigation, content, requests, and accessibility.
//!
//! Pages are looked at in a few layouts, or with the variable `EVERY_LAYOUT` in all of them.

use std::path::Path;
use std::process::Command;

use features::keys::demo::ENTERPRISE;

use crate::dashboard::provider::Provider;
use crate::folder::Folder;
use crate::serving::{Serving, serve};

const README: &str = include_str!("../../../../README.md");

/// The packages that look at pages.
const LOOK: [&str; 2] = ["node:playwright-core", "node:axe-core"];

#[test]
fn every_page_can_be_read_at_any_width_and_by_everybody() {
    drive("pages.mjs", &LOOK);
}

#[test]
fn the_explorer_sends_what_is_chosen_and_keeps_a_key_to_itself() {
    drive("explorer.mjs", &LOOK);
}

#[test]
fn search_works_with_a_script_and_without() {
    drive("search.mjs", &["node:playwright-core"]);
}

#[test]
fn every_operation_has_samples_in_four_languages() {
    drive("examples.mjs", &["node:playwright-core"]);
}

#[test]
fn passkeys_work_in_a_browser() {
    drive("passkeys.mjs", &["node:playwright-core"]);
}

#[test]
fn an_operators_first_passkey_needs_a_code_of_the_command_line() {
    if !installed::present(&["node", "chromium"], &LOOK) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo", "--limit-pages", "100000"]);
    let names = folder.names();
    let demo = names
        .iter()
        .find(|name| name.starts_with("donation-catalog-demo-"));
    let database = format!("{}/catalog.db", demo.unwrap());
    let add = [
        "operator",
        "add",
        "ada@example.org",
        "--database",
        &database,
    ];
    folder.write("code", &folder.ask(&add));
    drive_in(&folder, &serving, "operators.mjs");
}

#[test]
fn a_developer_does_everything_in_the_dashboard_with_scripts_and_without() {
    if installed::present(&["curl"], &[]) {
        drive("dashboard.mjs", &LOOK);
    }
}

#[test]
fn people_sign_in_by_a_provider_with_scripts_and_without() {
    if !installed::present(&["node", "chromium"], &LOOK) {
        return;
    }
    let (folder, provider) = (Folder::new(), Provider::start());
    let serving = provider.demo(&folder);
    run(
        &folder,
        &serving,
        "provider.mjs",
        &[("PROVIDER", &provider.issuer())],
    );
}

#[test]
fn a_newcomer_has_an_answer_with_a_key_on_the_fourth_page() {
    if installed::present(&["curl"], &[]) {
        drive("newcomer.mjs", &LOOK);
    }
}

/// With `UPDATE_PICTURES=1` they are put into `server/docs/pictures`.
#[test]
fn the_readmes_pictures_can_be_taken() {
    let Some(folder) = drive("pictures.mjs", &LOOK) else {
        return;
    };
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    for name in ["front-page.png", "project.png"] {
        let taken = folder.path().join(name);
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            std::fs::copy(&taken, kept.join(name)).unwrap();
        }
        for picture in [taken, kept.join(name)] {
            let size = std::fs::metadata(picture).unwrap().len();
            assert!(size < 150_000, "{name} has {size} bytes");
        }
        assert!(README.contains(&format!("server/docs/pictures/{name}")));
    }
}

/// Runs a script that drives Chromium against a demo, and gives the folder in which it was run.
#[track_caller]
fn drive(script: &str, packages: &[&str]) -> Option<Folder> {
    if !installed::present(&["node", "chromium"], packages) {
        return None;
    }
    let folder = Folder::new();
    // A script asks for more pages in a minute than a person does, and makes more projects.
    let serving = serve(
        &folder,
        &[
            "--demo",
            "--limit-pages",
            "100000",
            "--free-projects",
            "100",
        ],
    );
    drive_in(&folder, &serving, script);
    Some(folder)
}

/// Runs a script that drives Chromium against a server, in a folder.
#[track_caller]
pub(super) fn drive_in(folder: &Folder, serving: &Serving, script: &str) {
    run(folder, serving, script, &[]);
}

/// The same, with variables in the script's environment.
#[track_caller]
fn run(folder: &Folder, serving: &Serving, script: &str, variables: &[(&str, &str)]) {
    let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/callers");
    let output = Command::new("node")
        .arg(Path::new(scripts).join(script))
        .current_dir(folder.path())
        .env("NODE_MODULES", installed::node_modules())
        .env("SERVER", format!("http://{}", serving.api))
        .env("KEY", ENTERPRISE)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    eprintln!("{said}");
}
