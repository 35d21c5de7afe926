//! The page `docs/migrating.md`: what it shows of this generator compiles.

use crate::compile::{cargo, generate_text, read, repository, write};
use crate::pages::blocks;
use std::path::Path;

const MANIFEST: &str = r#"[package]
name = "migrating"
edition = "2024"
publish = false

[workspace]
exclude = ["pets"]

[dependencies]
axum = { version = "0.8", default-features = false }
pets = { path = "pets" }
"#;

#[test]
fn every_example_of_the_page_compiles() {
    let page = read(&repository().join("codegen/docs/migrating.md"));
    let [document] = blocks(&page, None, "yaml").try_into().unwrap();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("migrating");
    generate_text(&document, "pets", &root.join("pets"));
    let mut lib = String::from("#![allow(dead_code)]\n");
    let examples = blocks(&page, None, "rust");
    assert_eq!(examples.len(), 3);
    for (number, example) in examples.iter().enumerate() {
        lib.push_str(&format!("mod example{number} {{\n{example}}}\n"));
    }
    write(&root.join("src/lib.rs"), &lib);
    write(&root.join("Cargo.toml"), MANIFEST);
    write(
        &root.join("Cargo.lock"),
        &read(&repository().join("Cargo.lock")),
    );
    let output = cargo("check", &root).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
