//! Every block of Rust in the pages of documentation compiles, without a warning.
//!
//! A page `X.md` has a file `guide/X.rs` with the code around its blocks: in it a line `//> SECTION` stands for
//! the next block of that section.

use crate::compile::{cargo, generate_text, read, repository, write};
use crate::expected::{entries, folder};
use crate::pages::blocks;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Sections of the README whose blocks make packages of their own, which tests build.
const PACKAGES: [&str; 2] = ["Quick start", "In a build script"];

const MANIFEST: &str = r#"[package]
name = "guide"
edition = "2024"
publish = false

[workspace]
exclude = ["crates"]

[dependencies]
axum = { version = "0.8", default-features = false }
bytes = "1"
errors-api = { path = "crates/errors-api" }
futures-util = { version = "0.3", default-features = false }
hooks-api = { path = "crates/hooks-api" }
http = "1"
pets = { path = "crates/pets" }
serde_json = "1"
shop-api = { path = "crates/shop-api" }
tower-layer = "0.3"
tracing = { version = "0.1", default-features = false, features = ["std"] }
"#;

#[test]
fn every_block_of_rust_in_the_pages_compiles() {
    let root = package("guide", MANIFEST);
    let [pets] = blocks(&page("docs/migrating.md"), None, "yaml")
        .try_into()
        .unwrap();
    let documents = [
        ("shop-api", read(&folder("guide").join("shop.yaml"))),
        ("hooks-api", read(&folder("guide").join("hooks.yaml"))),
        ("errors-api", read(&folder("behaviour").join("errors.yaml"))),
        ("pets", pets),
    ];
    for (crate_name, document) in documents {
        generate_text(&document, crate_name, &root.join("crates").join(crate_name));
    }
    let mut lib = String::from("#![allow(dead_code, unused_variables)]\n");
    for path in pages() {
        let stem = path.file_stem().unwrap().to_string_lossy();
        lib.push_str(&format!(
            "#[path = \"{stem}.rs\"]\nmod {};\n",
            stem.to_lowercase()
        ));
        let around = read(&folder("guide").join(format!("{stem}.rs")));
        write(
            &root.join(format!("src/{stem}.rs")),
            &filled(&around, &read(&path)),
        );
    }
    write(&root.join("src/lib.rs"), &lib);
    passes("check", &root);
}

#[test]
fn the_quick_start_is_a_package_whose_test_passes() {
    let section = |language| blocks(&page("README.md"), Some(PACKAGES[0]), language);
    let [document] = section("yaml").try_into().unwrap();
    let manifest = format!(
        "[package]\nname = \"shop\"\nedition = \"2024\"\npublish = false\n\n[workspace]\nexclude = [\"shop-api\"]\n\n{}",
        section("toml").concat()
    );
    let root = package("quick-start", &manifest);
    generate_text(&document, "shop-api", &root.join("shop-api"));
    write(&root.join("src/main.rs"), &section("rust").join("\n"));
    let said = passes("test", &root);
    assert!(said.contains("1 passed"), "{said}");
}

/// A package below the target folder, with the lock file of this repository.
fn package(name: &str, manifest: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    write(&root.join("Cargo.toml"), manifest);
    let lock = read(&repository().join("Cargo.lock"));
    write(&root.join("Cargo.lock"), &lock);
    root
}

/// Runs cargo, and returns its output.
fn passes(command: &str, root: &Path) -> String {
    let output = cargo(command, root).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn page(path: &str) -> String {
    read(&repository().join("codegen").join(path))
}

/// The pages with Rust.
fn pages() -> Vec<PathBuf> {
    let codegen = repository().join("codegen");
    let mut pages = entries(&codegen.join("docs"));
    pages.push(codegen.join("README.md"));
    pages.retain(|page| !blocks(&read(page), None, "rust").is_empty());
    assert!(pages.len() > 2, "{pages:?}");
    pages
}

/// A file with the blocks of its page in it, each once.
fn filled(around: &str, page: &str) -> String {
    let (mut taken, mut filled) = (BTreeMap::new(), String::new());
    for line in around.lines() {
        let Some(section) = line.trim_start().strip_prefix("//> ") else {
            filled.extend([line, "\n"]);
            continue;
        };
        let next: &mut usize = taken.entry(section).or_default();
        let block = blocks(page, Some(section), "rust").into_iter().nth(*next);
        filled.push_str(&block.unwrap_or_else(|| panic!("no block {next} in {section}")));
        *next += 1;
    }
    for section in PACKAGES {
        taken.insert(section, blocks(page, Some(section), "rust").len());
    }
    let all = blocks(page, None, "rust").len();
    let placed = taken.values().sum::<usize>();
    assert_eq!(
        placed, all,
        "blocks that no line of the file stands for: {taken:?}"
    );
    filled
}

#[test]
fn a_file_has_every_block_of_its_page_once() {
    let page = "# A\n```rust\none\n```\n# B\n```rust\ntwo\n```\n```rust\nthree\n```\n";
    let around = "  //> B\n  //> A\nfour\n//> B\n";
    assert_eq!(filled(around, page), "two\none\nfour\nthree\n");
}
