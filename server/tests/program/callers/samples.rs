//! The samples of the contract, run as they stand: each answers with a success, and lists with items.

use std::fs;
use std::path::Path;
use std::process::Command;

use features::keys::demo::ENTERPRISE;
use serde_json::Value;

use super::code::{build, printed, run};
use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// The host that samples name.
const LOCAL: &str = "http://127.0.0.1:8080";

/// A sample of an operation.
struct Sample {
    operation: String,
    source: String,
}

/// The samples of all operations in a language; deletions come last.
fn samples(serving: &Serving, label: &str) -> Vec<Sample> {
    let contract: Value = serde_json::from_str(&serving.get("/openapi", None).body).unwrap();
    let mut samples = Vec::new();
    for item in contract["paths"].as_object().unwrap().values() {
        for (method, operation) in item.as_object().unwrap() {
            let all = operation["x-codeSamples"].as_array().unwrap();
            let own = all.iter().find(|sample| sample["label"] == label).unwrap();
            let sample = Sample {
                operation: operation["operationId"].as_str().unwrap().to_owned(),
                source: own["source"].as_str().unwrap().to_owned(),
            };
            samples.push((method == "delete", sample));
        }
    }
    assert!(samples.len() > 20);
    samples.sort_by_key(|(is_deletion, _)| *is_deletion);
    samples.into_iter().map(|(_, sample)| sample).collect()
}

/// Runs all samples of a language against a demo of its own.
#[track_caller]
fn answer(label: &str, language: &str) {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    for Sample { operation, source } in samples(&serving, label) {
        let source = source.replace(LOCAL, &format!("http://{}", serving.api));
        let mut command = run(language, &source);
        let said = printed(command.env("SERVICE_API_KEY", ENTERPRISE));
        if let Ok(answer) = serde_json::from_str(&said) {
            has_items(&operation, &answer);
        }
    }
}

/// Checks that the list of an answer, if it is one, is not empty.
fn has_items(operation: &str, answer: &Value) {
    let list = [&answer["response"], answer].into_iter();
    for list in list.filter_map(Value::as_array) {
        assert!(!list.is_empty(), "{operation} answers with no items");
    }
}

#[test]
fn every_sample_for_curl_answers() {
    if installed::present(&["bash", "curl"], &[]) {
        answer("curl", "sh");
    }
}

#[test]
fn every_sample_in_javascript_answers() {
    if installed::present(&["node"], &[]) {
        answer("JavaScript", "js");
    }
}

#[test]
fn every_sample_in_python_answers() {
    if installed::present(&["python3"], &[]) {
        answer("Python", "python");
    }
}

const MANIFEST: &str = r#"[package]
name = "samples"
edition = "2024"
publish = false

[workspace]

[profile.dev]
debug = false

[dependencies]
donation-catalog-api = { package = "generated", path = "GENERATED", default-features = false, features = ["client"] }
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
"#;

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn every_sample_in_rust_compiles_and_answers() {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let samples = samples(&serving, "Rust");
    let program = compiled(&samples);
    for Sample { operation, .. } in &samples {
        let mut command = Command::new(&program);
        command.arg(module(operation));
        command.env("SERVER", format!("http://{}", serving.api));
        let said = printed(command.env("SERVICE_API_KEY", ENTERPRISE));
        let is_success = ["Ok", "Created", "Accepted", "NoContent"];
        assert!(
            is_success.iter().any(|name| said.starts_with(name)),
            "{operation}: {said}"
        );
        assert!(!said.contains("response: [],"), "{operation}: {said}");
    }
}

/// One program of all samples, which runs the one that its argument names.
fn compiled(samples: &[Sample]) -> std::path::PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let generated = repository.join("generated").canonicalize().unwrap();
    let (mut modules, mut arms) = (String::new(), String::new());
    fs::create_dir_all(root.join("src")).unwrap();
    for Sample { operation, source } in samples {
        let name = module(operation);
        let source = source.replace("async fn main", "pub async fn main");
        let source = source.replace(&format!("\"{LOCAL}\""), "&std::env::var(\"SERVER\")?");
        fs::write(root.join(format!("src/{name}.rs")), source).unwrap();
        modules.push_str(&format!("mod {name};\n"));
        arms.push_str(&format!("        \"{name}\" => {name}::main(),\n"));
    }
    let main = format!(
        "{modules}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         let name = std::env::args().nth(1).unwrap_or_default();\n    \
         match name.as_str() {{\n{arms}        _ => Err(name.into()),\n    }}\n}}\n"
    );
    let manifest = MANIFEST.replace("GENERATED", generated.to_str().unwrap());
    fs::write(root.join("src/main.rs"), main).unwrap();
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    build(&root);
    root.join("target/debug/samples")
}

fn module(operation: &str) -> String {
    let letters = operation.chars();
    let letters = letters.map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    letters.collect::<String>().to_lowercase()
}
