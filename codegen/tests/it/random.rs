//! Random schemas and values: the interpreter in every output agrees with the `jsonschema` crate on
//! which values are valid.
//!
//! `RANDOM_SUITE=FOLDER` writes the cases in the format of the JSON Schema Test Suite, for `cargo
//! xtask conformance FOLDER` to test compiled types with; `RANDOM_SEED` and `RANDOM_GROUPS` change
//! and enlarge the set.

mod schemas;
mod values;

use crate::total::Random;
use codegen::{Formats, Options, Reading, Runtime, SampleLanguage, Source, Workspace};
use json_schema::Schemas;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::{env, fs};

/// How many schemas are tried.
const GROUPS: u64 = 400;

/// How many values are tried for each.
const VALUES: usize = 24;

/// How many schemas share a document.
const TOGETHER: usize = 20;

/// The dialect of every schema.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

struct Group {
    schema: Value,
    /// Values, and whether the `jsonschema` crate finds them valid.
    tests: Vec<(Value, bool)>,
}

#[test]
fn random_schemas_mean_what_another_validator_says() {
    let number = |name, usual| env::var(name).map_or(usual, |text| text.parse().unwrap());
    let mut random = Random::new(number("RANDOM_SEED", 20_261_120));
    let groups = number("RANDOM_GROUPS", GROUPS);
    let groups: Vec<Group> = (0..groups).map(|_| group(&mut random)).collect();
    let verdicts = groups.iter().flat_map(|group| &group.tests);
    let (valid, invalid): (Vec<_>, Vec<_>) = verdicts.partition(|(_, valid)| *valid);
    // A test with nearly only valid or nearly only invalid values would prove little.
    assert!(valid.len() * 4 > invalid.len() && invalid.len() * 4 > valid.len());
    if let Ok(folder) = env::var("RANDOM_SUITE") {
        write(Path::new(&folder), &groups);
    }
    let differences: Vec<String> = groups.chunks(TOGETHER).flat_map(differences).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn group(random: &mut Random) -> Group {
    let schema = schemas::schema(random);
    let validator = jsonschema::draft202012::options().build(&schema).unwrap();
    let mut tests: Vec<(Value, bool)> = Vec::new();
    for _ in 0..VALUES {
        let value = values::value(random, &schema);
        if tests.iter().all(|(known, _)| *known != value) {
            let valid = validator.is_valid(&value);
            tests.push((value, valid));
        }
    }
    Group { schema, tests }
}

/// The cases in which the interpreter disagrees.
fn differences(groups: &[Group]) -> Vec<String> {
    let interpreter = Schemas::parse(&bundle(groups));
    let mut found = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        for (value, valid) in &group.tests {
            if interpreter.is_valid(&format!("Case{index}"), value) != *valid {
                let schema = &group.schema;
                found.push(format!("{schema}\n    of {value} should be {valid}"));
            }
        }
    }
    found
}

/// The schemas as a bundle.
fn bundle(groups: &[Group]) -> String {
    let mut schemas = Map::new();
    for (index, group) in groups.iter().enumerate() {
        let mut schema = group.schema.clone();
        if let Some(members) = schema.as_object_mut() {
            let id = format!("https://random.example/{index}");
            members.insert("$id".into(), id.into());
            // It means what the standard says.
            members.insert("$schema".into(), DIALECT.into());
        }
        schemas.insert(format!("Case{index}"), schema);
    }
    let document = json!({
        "openapi": "3.1.1",
        "info": { "title": "Random", "version": "1.0.0" },
        "paths": {},
        "components": { "schemas": schemas },
    });
    let source = Source {
        name: "random.json".into(),
        text: document.to_string(),
    };
    let reading = Reading {
        formats: Formats::annotations(),
        ..Reading::default()
    };
    let options = Options {
        crate_name: "random".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: SampleLanguage::ALL.to_vec(),
        ..Options::default()
    };
    match codegen::generate_with(&source, &reading, &options) {
        Ok(output) => output.files.get("src/schemas.json").unwrap().to_owned(),
        Err(found) => panic!("{}", found.render(&source)),
    }
}

/// Writes the groups as one file of a suite.
fn write(folder: &Path, groups: &[Group]) {
    let tests = folder.join("tests/draft2020-12");
    for folder in [&tests, &folder.join("remotes/draft2020-12")] {
        fs::create_dir_all(folder).unwrap();
    }
    let groups = groups.iter().map(|group| {
        let tests = group.tests.iter().map(|(value, valid)| {
            json!({ "description": value.to_string(), "data": value, "valid": valid })
        });
        let tests: Vec<Value> = tests.collect();
        json!({ "description": group.schema.to_string(), "schema": group.schema, "tests": tests })
    });
    let groups: Vec<Value> = groups.collect();
    fs::write(
        tests.join("random.json"),
        serde_json::to_vec(&groups).unwrap(),
    )
    .unwrap();
}
