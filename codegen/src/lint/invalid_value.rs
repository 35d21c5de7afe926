//! Defaults, examples, constants and listed values are valid for their own schemas; the examples of
//! parameters, bodies and headers for the schemas of these.

use super::Findings;
use super::subject::{Members, Subject, types};
use crate::ir::Framing;
use crate::lower;
use crate::openapi::{Example, Media};
use crate::source::Pointer;
use json_schema::Schemas;
use json_schema::issue::{Issues, Place};
use serde_json::{Map, Value};

/// How many violations of one value are reported.
const MAX_REPORTED: usize = 3;

/// How many references are followed, one after the other.
const MAX_REFERENCES: usize = 32;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut questions = Questions {
        subject,
        bundle: subject.document.bundle.schemas().clone(),
        asked: Vec::new(),
    };
    questions.of_schemas();
    questions.of_operations();
    let schemas = Schemas::parse(&Value::Object(questions.bundle).to_string());
    for question in questions.asked {
        let mut issues = Issues::new();
        schemas.validate(&question.key, &question.value, Place::Body, "", &mut issues);
        if issues.is_empty() {
            continue;
        }
        for issue in issues.as_slice().iter().take(MAX_REPORTED) {
            let (at, rest) = place(subject.root, &question.at, &issue.at);
            let separator = if rest.is_empty() { "" } else { " " };
            let message = format!(
                "this {} is not valid: {rest}{separator}{}",
                question.what, issue.message
            );
            findings.report(&at, message);
        }
    }
}

/// The place of a part of a value as far as it is in the document, and the rest of the pointer.
fn place(root: &Value, value: &Pointer, part: &str) -> (Pointer, String) {
    let mut at = value.clone();
    let part = Pointer::parse(part).unwrap_or_default();
    let mut tokens = part.tokens().peekable();
    while let Some(token) = tokens.peek() {
        let inner = at.child(token);
        if root.pointer(inner.as_str()).is_none() {
            break;
        }
        at = inner;
        tokens.next();
    }
    (at, tokens.collect::<Vec<_>>().join("/"))
}

/// The items of an example of a sequence; a text that cannot be split is one.
fn items(example: &Value, framing: Framing) -> Vec<Value> {
    let separator = match framing {
        Framing::Lines => '\n',
        Framing::Records => '\u{1e}',
    };
    let split = |text: &str| {
        let texts = text.split(separator).map(str::trim);
        let texts = texts.filter(|text| !text.is_empty());
        texts.map(|text| serde_json::from_str(text).ok()).collect()
    };
    let of_text = example.as_str().and_then(split);
    match (of_text, example) {
        (Some(items), _) => items,
        (None, Value::Array(items)) => items.clone(),
        (None, other) => vec![other.clone()],
    }
}

/// Whether a schema itself says that it is one of lists.
fn says_list(members: &Members) -> bool {
    let types = types(members);
    let says_items = ["items", "prefixItems"].map(|name| members.contains_key(name));
    types.contains(&"array") || (types.is_empty() && says_items.contains(&true))
}

/// Whether a value is valid for the schema of a key.
struct Question {
    at: Pointer,
    what: &'static str,
    key: String,
    value: Value,
}

struct Questions<'s, 'a> {
    subject: &'s Subject<'a>,
    /// The document's schemas, and the values to check.
    bundle: Map<String, Value>,
    asked: Vec<Question>,
}

impl Questions<'_, '_> {
    fn of_schemas(&mut self) {
        for spot in &self.subject.spots {
            let single = |name: &'static str| {
                let value = spot.members.get(name)?.clone();
                Some((spot.at.child(name), name, value))
            };
            let listed = |name: &'static str, what: &'static str| {
                let values = spot.members.get(name).and_then(Value::as_array);
                let values = values.into_iter().flatten().enumerate();
                values.map(move |(index, value)| {
                    let at = spot.at.child(name).child(index.to_string());
                    (at, what, value.clone())
                })
            };
            let shown = ["default", "example"].into_iter().filter_map(single);
            let shown: Vec<_> = shown.chain(listed("examples", "example")).collect();
            self.ask(spot.members, &[], shown);
            // A constant is checked against the rest of its schema; it always agrees with itself.
            self.ask(
                spot.members,
                &["const"],
                single("const").into_iter().collect(),
            );
            let values: Vec<_> = listed("enum", "value").collect();
            self.ask(spot.members, &["enum"], values);
        }
    }

    /// Adds values to be checked against a schema without some of its keywords.
    fn ask(
        &mut self,
        schema: &Members,
        without: &[&str],
        values: Vec<(Pointer, &'static str, Value)>,
    ) {
        if values.is_empty() {
            return;
        }
        let key = format!("lint/{}", self.bundle.len());
        let kept = schema
            .iter()
            .filter(|(name, _)| !without.contains(&name.as_str()));
        let kept: Map<String, Value> = kept.map(|(n, v)| (n.clone(), v.clone())).collect();
        self.bundle.insert(key.clone(), kept.into());
        for (at, what, value) in values {
            self.asked.push(Question {
                at: self.original_place(at),
                what,
                key: key.clone(),
                value,
            });
        }
    }

    /// The name of `examples` in documents of 3.0: the single `example`.
    fn original_place(&self, at: Pointer) -> Pointer {
        let old = at.as_str().strip_suffix("examples/0");
        let old = old.and_then(|head| Pointer::parse(&format!("{head}example")));
        let there = |at: &Pointer| self.subject.root.pointer(at.as_str()).is_some();
        match old {
            Some(old) if !there(&at) && there(&old) => old,
            _ => at,
        }
    }

    fn of_operations(&mut self) {
        for operation in self.subject.document.all_operations() {
            for parameter in &operation.parameters {
                self.shown(&parameter.schema, &parameter.at, &parameter.examples);
            }
            let bodies = operation.body.iter().flat_map(|body| &body.content);
            bodies.for_each(|media| self.media(media));
            for response in &operation.responses {
                response.content.iter().for_each(|media| self.media(media));
                for header in &response.headers {
                    self.shown(&header.schema, &header.at, &header.examples);
                }
            }
        }
    }

    /// An example of a media type other than JSON may be the text that is sent.
    fn media(&mut self, media: &Media) {
        let headers = media.encoding.iter().flat_map(|encoding| &encoding.headers);
        for header in headers {
            self.shown(&header.schema, &header.at, &header.examples);
        }
        if let Some(framing) = lower::framing(&media.media_type) {
            return self.sequence(media, framing);
        }
        let Some(key) = &media.schema else {
            return;
        };
        let is_json = media.media_type.contains("json");
        let of_value = |example: &&Example| is_json || !example.value.is_string();
        let examples: Vec<Example> = media.examples.iter().filter(of_value).cloned().collect();
        self.shown(key, &media.at, &examples);
    }

    /// The examples of a sequence are lists of items, or the texts that are sent (OpenAPI 3.2.0 §4.14.6.2).
    fn sequence(&mut self, media: &Media, framing: Framing) {
        let lists = media.schema.as_ref().is_some_and(|key| self.is_list(key));
        for example in &media.examples {
            let items = items(&example.value, framing);
            let list = Example {
                value: items.as_slice().into(),
                ..example.clone()
            };
            let each = items.iter().map(|item| Example {
                value: item.clone(),
                ..example.clone()
            });
            match (&media.item_schema, &media.schema) {
                (Some(key), _) => self.shown(key, &media.at, &each.collect::<Vec<_>>()),
                (None, Some(key)) if lists => self.shown(key, &media.at, &[list]),
                (None, Some(key)) => self.shown(key, &media.at, &each.collect::<Vec<_>>()),
                (None, None) => {}
            }
        }
    }

    /// Whether a schema is one of a list, and not of its items.
    fn is_list(&self, key: &str) -> bool {
        let mut members = self.bundle.get(key).and_then(Value::as_object);
        for _ in 0..MAX_REFERENCES {
            let Some(own) = members.filter(|own| !says_list(own)) else {
                break;
            };
            members = self.subject.referred(own).map(|(target, _)| target);
        }
        members.is_some_and(says_list)
    }

    /// The target of a reference, or the place itself.
    fn referred(&self, at: Pointer) -> Pointer {
        let value = self.subject.root.pointer(at.as_str());
        let reference = value.and_then(|value| value.get("$ref")?.as_str());
        reference.and_then(Pointer::of_reference).unwrap_or(at)
    }

    /// Adds the examples beside a schema.
    fn shown(&mut self, key: &str, beside: &Pointer, examples: &[Example]) {
        for example in examples {
            let named = self.referred(beside.child("examples").child(&example.name));
            let values = ["value", "dataValue", "serializedValue"];
            let places = values.map(|value| named.child(value)).into_iter();
            let places = places.chain([named, beside.child("example")]);
            let mut existing = places;
            let there = |at: &Pointer| self.subject.root.pointer(at.as_str()).is_some();
            self.asked.push(Question {
                at: existing.find(there).unwrap_or_else(|| beside.clone()),
                what: "example",
                key: key.to_owned(),
                value: example.value.clone(),
            });
        }
    }
}
