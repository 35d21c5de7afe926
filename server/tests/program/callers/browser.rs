//! The documentation in a browser: navigation, content, requests, and accessibility.

use std::path::Path;
use std::process::Command;

use server::keys::demo::ENTERPRISE;

use super::tool;
use crate::folder::Folder;
use crate::serving::{Serving, serve};

#[test]
fn every_page_can_be_read_at_any_width_and_by_everybody() {
    drive("pages.mjs", &["node:playwright-core", "node:axe-core"]);
}

#[test]
fn the_explorer_sends_what_is_chosen_and_keeps_a_key_to_itself() {
    drive("explorer.mjs", &["node:playwright-core", "node:axe-core"]);
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

/// Runs a script that drives Chromium against a demo.
#[track_caller]
fn drive(script: &str, packages: &[&str]) {
    if !tool::present(&["node", "chromium"], packages) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    drive_in(&folder, &serving, script);
}

/// Runs a script that drives Chromium against a server, in a folder.
#[track_caller]
pub(super) fn drive_in(folder: &Folder, serving: &Serving, script: &str) {
    let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/callers");
    let output = Command::new("node")
        .arg(Path::new(scripts).join(script))
        .current_dir(folder.path())
        .env("NODE_MODULES", tool::node_modules())
        .env("SERVER", format!("http://{}", serving.api))
        .env("KEY", ENTERPRISE)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    eprintln!("{said}");
}
