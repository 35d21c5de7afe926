//! The documentation in a browser: found, read, tried, and looked at for people who cannot see it.

use std::process::Command;

use server::keys::demo::PRO;

use super::tool;
use crate::folder::Folder;
use crate::serving::serve;

#[test]
fn the_documentation_works_in_a_browser() {
    let packages = ["node:playwright-core", "node:axe-core"];
    if !tool::present(&["node", "chromium"], &packages) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/program/callers/browser.mjs"
    );
    let output = Command::new("node")
        .arg(script)
        .env("NODE_MODULES", tool::node_modules())
        .env("SERVER", format!("http://{}", serving.api))
        .env("KEY", PRO)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    eprintln!("{said}");
}
