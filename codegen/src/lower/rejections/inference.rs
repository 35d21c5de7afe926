//! The answers to rejections that the document does not mark: documented ones, whose schemas hold the facts of a
//! rejection.

use super::JSON;
use super::known::{Facts, SPELLINGS};
use crate::ir::{
    Content, Known, Operation, RejectionBody, RejectionKind, Response, Security, Status, Type,
};
use crate::lower::models::Models;
use crate::message::is_json;
use json_schema::Schemas;
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// How many distinct schemas are tried for one kind.
const MAX_TRIED: usize = 8;

/// A documented body of JSON.
#[derive(Clone, Copy)]
pub(super) struct Documented<'o> {
    key: &'o str,
    ty: &'o Type,
    media_type: &'o str,
}

impl<'o> Documented<'o> {
    /// The key of its schema.
    pub(super) fn key(self) -> &'o str {
        self.key
    }
}

/// The status of a kind that the document does not mark: a document that has 422 and no 400 means
/// violations by it.
pub(super) fn status(kind: RejectionKind, usual: u16, operations: &[&Operation]) -> u16 {
    let has = |code| {
        let mut responses = operations.iter().flat_map(|one| &one.responses);
        responses.any(|response| response.status == Status::Code(code))
    };
    match kind {
        RejectionKind::Validation if !has(usual) && has(422) => 422,
        _ => usual,
    }
}

/// The response of an operation that stands for the status of a kind, if its requests can be
/// rejected so.
pub(super) fn response(
    kind: RejectionKind,
    status: u16,
    operation: &Operation,
) -> Option<&Response> {
    let mut responses = operation.responses.iter();
    let found = responses.find(|one| one.statuses.iter().any(|run| run.contains(&status)));
    found.filter(|_| can_be_rejected(kind, operation))
}

/// Whether requests of an operation can be rejected so. An unknown route is no operation's.
fn can_be_rejected(kind: RejectionKind, operation: &Operation) -> bool {
    let body = operation.body.as_ref();
    let has_json = |content: &Content| matches!(content, Content::Json(..));
    match kind {
        RejectionKind::Route => false,
        RejectionKind::TooLarge | RejectionKind::MediaType => body.is_some(),
        RejectionKind::Json => {
            body.is_some_and(|it| it.media.iter().any(|media| has_json(&media.content)))
        }
        RejectionKind::CredentialMissing => matches!(operation.security, Security::Required(_)),
        RejectionKind::CredentialInvalid => operation.security != Security::Public,
        RejectionKind::ScopeInsufficient => {
            let mut schemes = operation.requirements.iter().flatten();
            schemes.any(|(_, scopes)| !scopes.is_empty())
        }
        RejectionKind::Method
        | RejectionKind::NotAcceptable
        | RejectionKind::Validation
        | RejectionKind::RateLimit
        | RejectionKind::Internal
        | RejectionKind::Unavailable => true,
    }
}

/// The body of JSON that a response has.
pub(super) fn json_body(response: &Response) -> Option<Documented<'_>> {
    response
        .media
        .iter()
        .find_map(|media| match &media.content {
            Content::Json(ty, key) => Some(Documented {
                key,
                ty,
                media_type: match is_json(&media.media_type) {
                    true => &media.media_type,
                    false => JSON,
                },
            }),
            _ => None,
        })
}

/// The body of the answer to a kind, and its media type: of the responses that stand for it, else of all
/// responses to errors, the schema that most of them have and that holds the facts.
pub(super) fn infer(
    kind: RejectionKind,
    status: u16,
    operations: &[&Operation],
    models: &Models<'_>,
) -> Option<(RejectionBody, String)> {
    let own = operations
        .iter()
        .filter_map(|operation| response(kind, status, operation));
    let mut documented = most_used(own.filter_map(json_body));
    if documented.is_empty() {
        let all = operations.iter().flat_map(|operation| errors(operation));
        documented = most_used(all.filter_map(json_body));
    }
    documented.into_iter().take(MAX_TRIED).find_map(|one| {
        let known = known(kind, status, one, models)?;
        let body = RejectionBody::Inferred {
            schema: one.key.to_owned(),
            ty: one.ty.clone(),
            known,
        };
        Some((body, one.media_type.to_owned()))
    })
}

/// The responses of an operation that say how it fails.
fn errors(operation: &Operation) -> impl Iterator<Item = &Response> {
    let is_only = operation.responses.len() == 1;
    let responses = operation.responses.iter();
    responses.filter(move |response| match response.status {
        Status::Code(code) => code >= 400,
        Status::Range(hundred) => hundred >= 4,
        Status::Default => !is_only,
    })
}

/// Each schema once, the most used first.
fn most_used<'o>(all: impl Iterator<Item = Documented<'o>>) -> Vec<Documented<'o>> {
    let mut counted: Vec<(usize, Documented<'o>)> = Vec::new();
    for one in all {
        match counted.iter_mut().find(|(_, known)| known.key == one.key) {
            Some((count, _)) => *count += 1,
            None => counted.push((1, one)),
        }
    }
    counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counted.into_iter().map(|(_, one)| one).collect()
}

/// The facts of a kind as a documented body, which its schema accepts.
fn known(
    kind: RejectionKind,
    status: u16,
    documented: Documented<'_>,
    models: &Models<'_>,
) -> Option<Known> {
    let mut refused: Vec<Known> = Vec::new();
    for is_specific in [true, false] {
        for spelling in SPELLINGS {
            let facts = Facts {
                models: &models.models,
                kind,
                status,
                spelling,
                is_specific,
            };
            let known = facts.body(documented.ty)?;
            if refused.contains(&known) {
                continue;
            }
            if accepts(models, documented, &sample(&known)) {
                return Some(known);
            }
            refused.push(known);
        }
    }
    None
}

/// Whether the schema of a documented body accepts a value.
pub(super) fn accepts(models: &Models<'_>, documented: Documented<'_>, value: &Value) -> bool {
    let mut members = BTreeSet::new();
    add_members(value, &mut members);
    let reached = reached_by(models, documented.key, &members);
    Schemas::parse(&Value::Object(reached).to_string()).is_valid(documented.key, value)
}

fn add_members<'v>(value: &'v Value, members: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(all) => {
            for (name, value) in all {
                members.insert(name);
                add_members(value, members);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_members(item, members)),
        _ => {}
    }
}

/// The schema of a key with those that it refers to, as far as `members` lead: errors may have the
/// whole model of a large API in members that are never filled.
fn reached_by(models: &Models<'_>, key: &str, members: &BTreeSet<&str>) -> Map<String, Value> {
    let mut reached = Map::new();
    let mut open = vec![key.to_owned()];
    while let Some(key) = open.pop() {
        if reached.contains_key(&key) {
            continue;
        }
        if let Some(schema) = models.schema_of(&key) {
            let schema = pruned(schema, members, &mut open);
            reached.insert(key, schema);
        }
    }
    reached
}

/// A schema whose `properties` are those of `members`; the keys that it refers to are added.
fn pruned(schema: &Value, members: &BTreeSet<&str>, keys: &mut Vec<String>) -> Value {
    match schema {
        Value::String(text) => {
            keys.extend(key_of_reference(text));
            schema.clone()
        }
        Value::Array(items) => items
            .iter()
            .map(|item| pruned(item, members, keys))
            .collect(),
        Value::Object(parts) => {
            let mut kept = Map::new();
            for (keyword, part) in parts {
                let part = match (keyword.as_str(), part) {
                    ("properties", Value::Object(all)) => all
                        .iter()
                        .filter(|(name, _)| members.contains(name.as_str()))
                        .map(|(name, part)| (name.clone(), pruned(part, members, keys)))
                        .collect::<Map<_, _>>()
                        .into(),
                    _ => pruned(part, members, keys),
                };
                kept.insert(keyword.clone(), part);
            }
            kept.into()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => schema.clone(),
    }
}

/// A body as a rejection may have it, with a text that is long for one.
pub(super) fn sample(known: &Known) -> Value {
    match known {
        Known::Text(text) => text.as_str().into(),
        Known::Number(number) => (*number).into(),
        Known::Bool(value) => (*value).into(),
        Known::Message => "`/a` must be \"b\". ".repeat(20).into(),
        Known::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), sample(value)));
            members.collect::<Map<_, _>>().into()
        }
        Known::List(items) => items.iter().map(sample).collect(),
        Known::Issues(issue) => json!([sample(issue), sample(issue)]),
        Known::Place => "query".into(),
        Known::At => "/a/0/b-c".into(),
        Known::Keyword => "maxLength".into(),
    }
}

/// The default body of the generated crate, as a rejection may have it.
pub(super) fn default_sample(kind: RejectionKind, status: u16) -> Value {
    let message = "Unauthorized";
    match kind {
        RejectionKind::Validation => {
            let issue = json!({ "in": "query", "at": "a", "keyword": "type", "message": "m" });
            json!({ "status": status, "message": message, "issues": [issue] })
        }
        _ => json!({ "status": status, "message": message }),
    }
}
