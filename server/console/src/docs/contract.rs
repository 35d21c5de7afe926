//! The contract as the pages of the reference show it: its operations and schemas, read once.

mod operation;
mod schema;

use std::sync::LazyLock;

use generated::OPENAPI;
use serde_json::{Map, Value};

pub(super) use operation::{Answer, KeyUse, Operation};
pub(super) use schema::{Schema, TypeName};

/// The contract of this server.
pub(super) static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::read);

/// The contract, as the reference shows it.
#[derive(Debug)]
pub(super) struct Contract {
    pub(super) version: String,
    pub(super) summary: String,
    /// In the order of the contract.
    pub(super) tags: Vec<Tag>,
    /// By name.
    pub(super) schemas: Vec<Schema>,
}

/// Operations of one subject.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) operations: Vec<Operation>,
}

impl Contract {
    fn read() -> Contract {
        let document: Value = serde_json::from_str(OPENAPI).unwrap_or_default();
        let operations = operation::all(&document);
        let tags = items(at(&document, "/tags")).map(|tag| Tag {
            name: text(&tag["name"]),
            description: text(&tag["description"]),
            operations: operations
                .iter()
                .filter(|operation| operation.tag == text(&tag["name"]))
                .cloned()
                .collect(),
        });
        Contract {
            version: text(at(&document, "/info/version")),
            summary: text(at(&document, "/info/summary")),
            tags: tags.collect(),
            schemas: schema::all(&document),
        }
    }

    /// Whether a type is made of a schema.
    pub(super) fn contains(&self, type_name: &TypeName, schema: &Schema) -> bool {
        self.named_in(type_name).contains(&schema.name.as_str())
    }

    /// The schemas with properties that a type is made of, the outer ones first.
    pub(super) fn schemas_of(&self, type_name: &TypeName) -> Vec<&Schema> {
        let named = self.named_in(type_name);
        let found = named.iter().filter_map(|name| self.schema(name));
        found.filter(|schema| !schema.members.is_empty()).collect()
    }

    fn schema(&self, name: &str) -> Option<&Schema> {
        self.schemas.iter().find(|schema| schema.name == name)
    }

    /// The names of the schemas that a type is made of, the outer ones first.
    fn named_in<'a>(&'a self, type_name: &'a TypeName) -> Vec<&'a str> {
        let mut names: Vec<&str> = type_name.schemas().collect();
        let mut next = 0;
        while let Some(name) = names.get(next) {
            next += 1;
            let types = self.schema(name).into_iter().flat_map(Schema::type_names);
            for inner in types.flat_map(TypeName::schemas) {
                if !names.contains(&inner) {
                    names.push(inner);
                }
            }
        }
        names
    }

    /// All operations, tag by tag.
    pub(super) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.tags.iter().flat_map(|tag| &tag.operations)
    }
}

/// The value at a JSON pointer, or null.
fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// The value itself, or the one that it refers to.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let reference = value["$ref"].as_str();
    let target = reference.and_then(|to| document.pointer(to.trim_start_matches('#')));
    target.unwrap_or(value)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
