//! The contract as the tests read it: from its source, so that the generator cannot hide its own mistakes.

use std::collections::BTreeMap;

use serde_json::Value;

/// The contract.
pub struct Document {
    /// The whole document.
    pub root: Value,
    /// The path that all operations are below.
    pub base: String,
    /// The operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// The answers to requests that match no operation.
    pub unmatched: BTreeMap<u16, Documented>,
}

/// One operation.
pub struct Operation {
    pub id: String,
    pub method: String,
    pub path: String,
    pub key: KeyUse,
    pub metered: bool,
    /// Whether undeclared query parameters and `Accept` are ignored.
    pub lenient: bool,
    pub parameters: Vec<Parameter>,
    /// The schema of the request body, if there is one.
    pub body: Option<Value>,
    /// The media type of the request body.
    pub body_type: String,
    /// The first example of a body; null without one.
    pub body_example: Value,
    pub answers: BTreeMap<u16, Documented>,
}

/// The use that an operation makes of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    Ignored,
    Optional,
    Required,
}

/// One parameter, its schema resolved.
pub struct Parameter {
    pub name: String,
    pub place: String,
    pub schema: Value,
    /// The first value that is shown.
    pub example: Value,
}

/// The response that the contract declares for one status.
#[derive(Clone)]
pub struct Documented {
    /// By name in lower case.
    pub headers: BTreeMap<String, Header>,
    /// The schema of each media type.
    pub content: BTreeMap<String, Value>,
    /// The codes that its errors may have, where they are several.
    pub codes: Vec<String>,
    pub links: BTreeMap<String, Value>,
}

#[derive(Clone)]
pub struct Header {
    pub required: bool,
    pub schema: Value,
}

impl Document {
    /// Reads the contract from its source, `spec/openapi.yaml`.
    pub fn read(source: &str) -> Document {
        let root: Value = serde_yaml::from_str(source).expect("the contract is YAML");
        let base = root["servers"][0]["url"].as_str().unwrap().to_owned();
        let mut operations = Vec::new();
        for (path, item) in members(&root["paths"]) {
            for (method, operation) in members(item) {
                operations.push(read_operation(&root, path, method, operation));
            }
        }
        let unmatched = read_answers(&root, &root["x-framework-responses"]);
        Document {
            base,
            operations,
            unmatched,
            root,
        }
    }

    /// The schema of the list that a page of an operation holds.
    pub fn list<'d>(&'d self, operation: &'d Operation) -> &'d Value {
        let page = &operation.answers[&200].content["application/json"];
        property(&self.root, page, "response").expect("a list")
    }

    /// The operation of this id.
    pub fn operation(&self, id: &str) -> &Operation {
        let mut all = self.operations.iter();
        all.find(|operation| operation.id == id).expect(id)
    }

    /// The operation that matches a request for `path`, base path included.
    pub fn matching(&self, method: &str, path: &str) -> Option<&Operation> {
        let method = if method == "HEAD" { "GET" } else { method };
        let below = path.strip_prefix(&self.base).unwrap_or_default();
        let fitting = self.operations.iter().filter(|it| fits(&it.path, below));
        // The template with the fewest parameters takes precedence.
        let parameters = |it: &&Operation| it.path.matches('{').count();
        let least = fitting.clone().map(|it| parameters(&it)).min()?;
        let mut on_path = fitting.filter(|it| parameters(it) == least);
        on_path.find(|it| it.method == method)
    }
}

impl Operation {
    /// Whether it is a GET, which answers `HEAD` too.
    pub fn is_get(&self) -> bool {
        self.method == "GET"
    }

    /// The status of a success.
    pub fn success(&self) -> u16 {
        let mut successes = self.answers.range(200..300);
        *successes.next().expect("a success").0
    }

    /// The names of the parameters of one place.
    pub fn names(&self, place: &str) -> impl Iterator<Item = &str> {
        let of_place = self.parameters.iter().filter(move |it| it.place == place);
        of_place.map(|it| it.name.as_str())
    }

    /// Whether it is read page by page.
    pub fn is_paged(&self) -> bool {
        self.names("query").any(|name| name == "cursor")
    }
}

fn fits(template: &str, path: &str) -> bool {
    let is_parameter = |segment: &str| segment.starts_with('{');
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && template
            .zip(path)
            .all(|(of, segment)| of == segment || is_parameter(of) && !segment.is_empty())
}

fn read_operation(root: &Value, path: &str, method: &str, operation: &Value) -> Operation {
    let parameters = operation["parameters"].as_array();
    let content = members(&operation["requestBody"]["content"]).next();
    let (body_type, content) = content.unwrap_or_default();
    let body = &content["schema"];
    Operation {
        id: operation["operationId"].as_str().unwrap().to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        key: key_use(operation.get("security").unwrap_or(&root["security"])),
        metered: operation["x-metered"] != Value::Bool(false),
        lenient: operation["x-lenient-request"] == Value::Bool(true),
        parameters: parameters
            .into_iter()
            .flatten()
            .map(|parameter| read_parameter(root, resolve(root, parameter)))
            .collect(),
        body: (!body.is_null()).then(|| body.clone()),
        body_type: body_type.to_owned(),
        body_example: first_example(root, content),
        answers: read_answers(root, &operation["responses"]),
    }
}

fn key_use(security: &Value) -> KeyUse {
    let alternatives = security.as_array().expect("security is always said");
    let is_empty = |it: &Value| it.as_object().is_some_and(serde_json::Map::is_empty);
    if alternatives.is_empty() {
        KeyUse::Ignored
    } else if alternatives.iter().any(is_empty) {
        KeyUse::Optional
    } else {
        KeyUse::Required
    }
}

fn read_parameter(root: &Value, parameter: &Value) -> Parameter {
    let text = |name: &str| parameter[name].as_str().unwrap().to_owned();
    Parameter {
        name: text("name"),
        place: text("in"),
        schema: resolve(root, &parameter["schema"]).clone(),
        example: first_example(root, parameter),
    }
}

/// The first value that a parameter or a body is shown with.
fn first_example(root: &Value, shown: &Value) -> Value {
    let mut values = members(&shown["examples"]);
    let first = values.next().map(|(_, example)| resolve(root, example));
    first
        .map(|example| example["value"].clone())
        .unwrap_or_default()
}

fn read_answers(root: &Value, responses: &Value) -> BTreeMap<u16, Documented> {
    let read = |(status, response): (&str, &Value)| {
        let response = resolve(root, response);
        let header = |(name, header): (&str, &Value)| {
            let header = resolve(root, header);
            let read = Header {
                required: header["required"] == Value::Bool(true),
                schema: header["schema"].clone(),
            };
            (name.to_lowercase(), read)
        };
        let documented = Documented {
            headers: members(&response["headers"]).map(header).collect(),
            content: members(&response["content"])
                .map(|(media, it)| (media.to_owned(), it["schema"].clone()))
                .collect(),
            codes: codes(root, &response["content"]["application/json"]["schema"]),
            links: members(&response["links"])
                .map(|(name, link)| (name.to_owned(), resolve(root, link).clone()))
                .collect(),
        };
        (status.parse().expect("a status"), documented)
    };
    members(responses).map(read).collect()
}

/// The error codes that distinguish the parts of a union of errors.
fn codes(root: &Value, schema: &Value) -> Vec<String> {
    let discriminator = &resolve(root, schema)["discriminator"];
    let mapping = members(&discriminator["mapping"]);
    mapping.map(|(code, _)| code.to_owned()).collect()
}

/// The schema of a property, also within `allOf`.
pub fn property<'v>(root: &'v Value, schema: &'v Value, name: &str) -> Option<&'v Value> {
    let schema = resolve(root, schema);
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let own = schema["properties"].get(name).map(|own| resolve(root, own));
    own.or_else(|| parts.rev().find_map(|part| property(root, part, name)))
}

/// The members of an object; none for other values.
fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, value)| (name.as_str(), value))
}

/// Resolves a reference; other values are returned unchanged.
pub fn resolve<'v>(root: &'v Value, value: &'v Value) -> &'v Value {
    match value["$ref"].as_str() {
        Some(reference) => resolve(root, root.pointer(&reference[1..]).expect(reference)),
        None => value,
    }
}
