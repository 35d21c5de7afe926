//! `cargo xtask op`: lists the parts of an operation that exist and those that are missing, from the
//! contract to the guides.
//!
//! The compiler and the tests demand some of these parts. The list also has those that no check
//! demands: test cases of the operation, and a mention in the guides.

use crate::generate::Failure;
use crate::report;
use heck::ToSnakeCase;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The arguments of `op`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The operation's id, such as `charities.list`; without one, all are listed
    id: Option<String>,
}

/// An operation of the contract, profiles expanded.
struct Operation<'d> {
    id: &'d str,
    method: &'d str,
    path: &'d str,
    object: &'d Value,
}

/// One part that an operation needs, with its place or the next step.
struct Step {
    what: &'static str,
    found: Result<String, String>,
}

/// Prints the parts that the operation has and lacks; returns whether it lacks none.
///
/// # Errors
/// When the generated contract, or a source, cannot be read.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<bool, Failure> {
    let file = root.join("generated/openapi.json");
    let disk = |error| Failure::Disk(error, file.display().to_string());
    let text = fs::read_to_string(&file).map_err(disk)?;
    let document: Value = serde_json::from_str(&text).map_err(|e| disk(e.into()))?;
    let operations = operations(&document);
    let Some(id) = &arguments.id else {
        for operation in &operations {
            println!(
                "{:<28} {} {}",
                operation.id, operation.method, operation.path
            );
        }
        return Ok(true);
    };
    let Some(operation) = operations.iter().find(|operation| operation.id == id) else {
        eprintln!("error: there is no operation `{id}`; `cargo xtask op` lists all, after `gen`");
        return Ok(false);
    };
    let steps = steps(root, &document, operation).map_err(disk)?;
    println!("{} {}", operation.method, operation.path);
    let mut text = String::new();
    for step in &steps {
        let (title, about) = match &step.found {
            Ok(place) => ("Has", place),
            Err(advice) => ("Lacks", advice),
        };
        report::line(&mut text, title, &format!("{}: {about}", step.what));
    }
    print!("{text}");
    Ok(steps.iter().all(|step| step.found.is_ok()))
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, object) in item.as_object().into_iter().flatten() {
            if let Some(id) = object["operationId"].as_str() {
                found.push(Operation {
                    id,
                    method,
                    path,
                    object,
                });
            }
        }
    }
    found
}

fn steps(root: &Path, document: &Value, operation: &Operation<'_>) -> io::Result<Vec<Step>> {
    let method = operation.id.to_snake_case();
    let path = longest_literal(operation.path);
    let feature = operation.id.split('.').next().unwrap_or_default();
    // Operations without a key are served from the catalogue in memory.
    let is_keyless = operation.object["security"].as_array().is_none_or(|all| {
        all.iter()
            .any(|one| one.as_object().is_some_and(|one| one.is_empty()))
            || all.is_empty()
    });
    let cases = match is_keyless {
        true => "server/src/catalogue/conformance.rs".to_owned(),
        false => format!("server/src/{feature}/conformance.rs"),
    };
    let find = |folder: &str, words: &[&str]| -> io::Result<Option<String>> {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files)?;
        let found = files.into_iter().find(|file| {
            let text = fs::read_to_string(file).unwrap_or_default();
            words.iter().any(|word| text.contains(word))
        });
        let shown = |file: PathBuf| Some(file.strip_prefix(root).ok()?.display().to_string());
        Ok(found.and_then(shown))
    };
    let handler = find("server/src", &[&format!("fn {method}(")])?;
    let scenario = find(
        "server/tests/contract/scenarios",
        &[&format!(".{method}("), path],
    )?;
    let guide = find("server/docs", &[path])?;
    Ok(vec![
        Step {
            what: "examples",
            found: examples(document, operation.object),
        },
        Step {
            what: "handler",
            found: handler.ok_or_else(|| format!("implement `{method}` in server/src/{feature}/api.rs")),
        },
        Step {
            what: "store cases",
            found: match root.join(&cases).is_file() {
                true => Ok(cases),
                false => Err(format!("write {cases}, which both databases must pass")),
            },
        },
        Step {
            what: "scenario",
            found: scenario.ok_or_else(|| {
                "none of its own in server/tests/contract/scenarios, beside those of every operation".into()
            }),
        },
        Step {
            what: "guide",
            found: guide.ok_or_else(|| format!("no page below server/docs names {path}")),
        },
    ])
}

/// Whether parameters, the body and the bodies of success are shown with values.
fn examples(document: &Value, operation: &Value) -> Result<String, String> {
    let mut without = Vec::new();
    let mut look = |name: &str, object: &Value| {
        let object = resolved(document, object);
        if object.get("examples").is_none() && object.get("example").is_none() {
            without.push(name.to_owned());
        }
    };
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let parameter = resolved(document, parameter);
        look(parameter["name"].as_str().unwrap_or_default(), parameter);
    }
    for (media, object) in content(&operation["requestBody"]) {
        look(&format!("the body as {media}"), object);
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        if status.starts_with('2') {
            for (media, object) in content(resolved(document, response)) {
                look(&format!("{status} as {media}"), object);
            }
        }
    }
    match without.is_empty() {
        true => Ok("for every parameter and body".to_owned()),
        false => Err(format!("add some to {}", without.join(", "))),
    }
}

fn content(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object["content"].as_object().into_iter().flatten()
}

fn resolved<'d>(document: &'d Value, object: &'d Value) -> &'d Value {
    let pointer = object["$ref"]
        .as_str()
        .and_then(|uri| uri.strip_prefix('#'));
    pointer
        .and_then(|pointer| document.pointer(pointer))
        .unwrap_or(object)
}

/// The longest part of a path that is no parameter, by which texts name it.
fn longest_literal(path: &str) -> &str {
    let pieces = path
        .split('{')
        .map(|piece| piece.split_once('}').map_or(piece, |(_, rest)| rest));
    pieces.max_by_key(|piece| piece.len()).unwrap_or(path)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_the_contract_has_a_handler_and_examples() {
        let root = workspace::root();
        let text = fs::read_to_string(root.join("generated/openapi.json")).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        for operation in operations(&document) {
            let steps = steps(&root, &document, &operation).unwrap();
            let lacks = |what: &str| steps.iter().any(|it| it.what == what && it.found.is_err());
            assert!(!lacks("handler") && !lacks("examples"), "{}", operation.id);
        }
    }

    #[test]
    fn a_path_is_named_by_its_longest_literal() {
        assert_eq!(
            longest_literal("/{chainId}/contracts/{address}/tokens/leaderboard"),
            "/tokens/leaderboard"
        );
        assert_eq!(longest_literal("/configs/{configId}"), "/configs/");
    }
}
