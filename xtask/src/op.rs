//! `cargo xtask op`: lists the parts of an operation that exist and those that are missing, from the
//! contract to the guides.
//!
//! The compiler and the tests demand some of these parts. The list also has those that no check
//! demands: test cases of the operation, and a mention in the guides.

mod sources;

use heck::ToSnakeCase;
use openapi_crate::Failure;
use serde_json::Value;
use sources::Sources;
use std::path::Path;
use std::{fs, io};

/// The arguments of `op`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The operation's id, such as `charities.list` [default: list all operations]
    id: Option<String>,
}

/// An operation of the published contract.
struct Operation<'d> {
    id: &'d str,
    method: &'d str,
    path: &'d str,
    object: &'d Value,
}

/// One part that an operation needs: its place, or advice on how to add it.
struct Part {
    name: &'static str,
    place: Result<String, String>,
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
    let parts = parts(root, &document, operation).map_err(disk)?;
    println!("{} {}", operation.method, operation.path);
    let mut text = String::new();
    for part in &parts {
        let (title, about) = match &part.place {
            Ok(place) => ("Has", place),
            Err(advice) => ("Missing", advice),
        };
        openapi_crate::line(&mut text, title, &format!("{}: {about}", part.name));
    }
    print!("{text}");
    Ok(parts.iter().all(|part| part.place.is_ok()))
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, object) in item.as_object().into_iter().flatten() {
            if let Some(id) = object["operationId"].as_str() {
                operations.push(Operation {
                    id,
                    method,
                    path,
                    object,
                });
            }
        }
    }
    operations
}

fn parts(root: &Path, document: &Value, operation: &Operation<'_>) -> io::Result<Vec<Part>> {
    let method = operation.id.to_snake_case();
    let literals: Vec<_> = literals(operation.path).collect();
    let feature = operation.id.split('.').next().unwrap_or_default();
    let server = Sources::below(root, "server/features/src")?;
    let handler = server.first_with(&format!("fn {method}("));
    let scenarios = Sources::below(root, "server/tests/contract/scenarios")?;
    let called = scenarios.first_with(&format!(".{method}("));
    let scenario = called.or_else(|| scenarios.first_with_line(&literals));
    let cases = Sources::below(root, "server/tests/conformance")?;
    let guide = Sources::below(root, "server/docs")?.first_with_line(&literals);
    Ok(vec![
        Part {
            name: "examples",
            place: examples(document, operation.object),
        },
        Part {
            name: "handler",
            place: handler.ok_or_else(|| {
                format!("implement `{method}` in server/features/src/{feature}/api.rs")
            }),
        },
        Part {
            name: "database cases",
            place: database_cases(&server, &cases, &method),
        },
        Part {
            name: "scenario",
            place: scenario
                .ok_or_else(|| "no test of its own in server/tests/contract/scenarios".into()),
        },
        Part {
            name: "guide",
            place: guide
                .ok_or_else(|| format!("no page in server/docs mentions {}", operation.path)),
        },
    ])
}

/// The files with test cases, on both databases, of the functions that the handler passes the database to. A
/// handler without such a function responds from the catalog in memory.
fn database_cases(server: &Sources, cases: &Sources, handler: &str) -> Result<String, String> {
    let mut functions = server.database_calls(handler);
    if functions.is_empty() {
        functions.push("world::catalogue".to_owned());
    }
    let mut places = Vec::new();
    for function in functions {
        let files = cases.callers(&function);
        if files.is_empty() {
            return Err(format!(
                "test `{function}` in server/tests/conformance, for both databases"
            ));
        }
        places.push(format!("`{function}` in {}", files.join(", ")));
    }
    Ok(places.join("; "))
}

/// Whether parameters, the body and the bodies of success have examples. A body may have several media
/// types of one schema, of which one shows them.
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
    let bodies: Vec<_> = content(&operation["requestBody"]).collect();
    for (media, object) in &bodies {
        let is_same = |other: &&Value| other["schema"] == object["schema"];
        let mut same = bodies.iter().map(|(_, other)| *other).filter(is_same);
        if !same.any(|other| other.get("examples").is_some()) {
            look(&format!("the body as {media}"), object);
        }
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

/// The parts of a path that are no parameters, by which texts name it.
fn literals(path: &str) -> impl Iterator<Item = &str> {
    path.split('{')
        .map(|piece| piece.split_once('}').map_or(piece, |(_, rest)| rest))
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
            let parts = parts(&root, &document, &operation).unwrap();
            let lacks = |name: &str| parts.iter().any(|it| it.name == name && it.place.is_err());
            assert!(!lacks("handler") && !lacks("examples"), "{}", operation.id);
        }
    }

    #[test]
    fn database_cases_are_found_by_the_functions_that_the_handler_calls() {
        let server = Sources::below(&workspace::root(), "server/features/src").unwrap();
        let cases = Sources::below(&workspace::root(), "server/tests/conformance").unwrap();
        let found = |handler| database_cases(&server, &cases, handler).unwrap();
        let leaderboard = found("contracts_token_leaderboard");
        assert!(
            leaderboard.contains("`leaderboard::leaderboard` in "),
            "{leaderboard}"
        );
        assert!(
            leaderboard.contains("conformance/leaderboard.rs"),
            "{leaderboard}"
        );
        let creation = found("configs_create");
        assert!(
            creation.contains("conformance/config_creation.rs"),
            "{creation}"
        );
        let feed = found("charities_feed");
        assert!(feed.contains("conformance/catalogue.rs"), "{feed}");
    }

    #[test]
    fn a_path_is_named_by_its_literals() {
        let pieces: Vec<_> = literals("/charities/{charityId}/donations").collect();
        assert_eq!(pieces, ["/charities/", "/donations"]);
        let docs = Sources::below(&workspace::root(), "server/docs").unwrap();
        let place = "server/docs/guides/donations.md";
        assert_eq!(docs.first_with_line(&pieces).as_deref(), Some(place));
        assert_eq!(docs.first_with_line(&["/donations", "/charities/"]), None);
    }
}
