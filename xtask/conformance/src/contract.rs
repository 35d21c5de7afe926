//! OpenAPI documents with the suite's schemas.
//!
//! A group that cannot be generated must not affect others, and two groups may use one `$id`; so each
//! group is generated alone first, and those that succeed are put together.

use super::suite::{Group, Suite};
use super::{Outcome, name};
use codegen::{Diagnostics, Formats, Options, Output, Reading, Source, Vendored, Workspace};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The maximum number of groups of a crate: enough to compile the runtime rarely, few enough that a
/// crate's dispatch has a usual size.
const SIZE: usize = 128;

/// Groups that share a crate.
pub(crate) struct Batch {
    /// The name of the crate; unique, because programs of one name would replace each other.
    pub(crate) name: String,
    /// Indices into the suite.
    pub(crate) groups: Vec<usize>,
    pub(crate) output: Output,
    /// The bodies to send: the operation's number and the text.
    pub(crate) requests: Vec<(usize, String)>,
}

/// Puts all groups that can be generated into batches, and returns the outcomes of the others.
pub(crate) fn batches(suite: &Suite) -> (Vec<Batch>, BTreeMap<usize, Outcome>) {
    let reading = Reading {
        vendored: Vendored::new(suite.remotes.clone()),
        // In the suite's required tests `format` is an annotation, as in the standard.
        formats: Formats::annotations(),
        ..Reading::default()
    };
    let mut outcomes = BTreeMap::new();
    let mut able = Vec::new();
    for (index, group) in suite.groups.iter().enumerate() {
        let (source, options) = request("alone", &[(index, group)]);
        let enforced = codegen::enforced(&source, &reading, &options);
        if enforced.is_ok() {
            able.push((index, group));
        }
        let outcome = match enforced.map_err(|found| found.render(&source)) {
            Ok(schemas) => Outcome {
                by: schemas.iter().map(|schema| schema.by).max(),
                verdicts: Vec::new(),
                refusal: None,
            },
            Err(text) => Outcome {
                by: None,
                verdicts: vec![None; group.tests.len()],
                refusal: Some(text),
            },
        };
        outcomes.insert(index, outcome);
    }
    let mut batches = Vec::new();
    for chunk in able.chunks(SIZE) {
        let name = crate_name(chunk);
        match generate(&name, chunk, &reading) {
            Ok(output) => batches.push(batch(name, chunk, output)),
            // Two groups of the chunk use one name for different schemas: each has its own crate.
            Err(_) => {
                for one in chunk.chunks(1) {
                    let name = crate_name(one);
                    let output = generate(&name, one, &reading);
                    batches.extend(output.ok().map(|output| batch(name, one, output)));
                }
            }
        }
    }
    (batches, outcomes)
}

fn crate_name(groups: &[(usize, &Group)]) -> String {
    let first = groups.first().map_or(0, |(index, _)| *index);
    format!("cases{first:04}")
}

fn batch(name: String, groups: &[(usize, &Group)], output: Output) -> Batch {
    let mut requests = Vec::new();
    for (index, group) in groups {
        let bodies = group
            .tests
            .iter()
            .map(|test| (*index, test.data.to_string()));
        requests.extend(bodies);
    }
    Batch {
        name,
        groups: groups.iter().map(|(index, _)| *index).collect(),
        output,
        requests,
    }
}

fn generate(
    name: &str,
    groups: &[(usize, &Group)],
    reading: &Reading,
) -> Result<Output, Diagnostics> {
    let (source, options) = request(name, groups);
    codegen::generate_with(&source, reading, &options)
}

/// The document of some groups, and the options of its generation.
fn request(name: &str, groups: &[(usize, &Group)]) -> (Source, Options) {
    let source = Source {
        name: "suite.json".into(),
        text: document(groups).to_string(),
    };
    let options = Options {
        crate_name: name.into(),
        workspace: Workspace::Own,
        runtime: workspace::runtime(),
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    };
    (source, options)
}

/// A document with one component and one operation per group.
fn document(groups: &[(usize, &Group)]) -> Value {
    let mut schemas = Map::new();
    let mut paths = Map::new();
    for (index, group) in groups {
        let name = name(*index);
        schemas.insert(name.clone(), rooted(*index, &group.schema));
        let content = json!({ "application/json": { "schema": {
            "$ref": format!("#/components/schemas/{name}"),
        }}});
        paths.insert(
            format!("/{index}"),
            json!({ "post": {
                "operationId": name,
                "tags": ["cases"],
                "requestBody": { "required": true, "content": content },
                "responses": { "204": { "description": "Valid." } },
            }}),
        );
    }
    json!({
        "openapi": "3.1.1",
        "info": { "title": "JSON Schema Test Suite", "version": "1.0.0" },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// Gives a schema an `$id`: in the suite each schema is a document of its own.
fn rooted(index: usize, schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(members) = schema.as_object_mut()
        && !members.contains_key("$id")
    {
        let id = format!("https://suite.example/{}", name(index));
        members.insert("$id".into(), id.into());
    }
    schema
}
