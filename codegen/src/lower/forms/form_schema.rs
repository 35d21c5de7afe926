//! The schema that checks all fields of a form together, where some are files.
//!
//! A file is not kept in memory, so in this schema it is the number of its bytes, and `minimum` and
//! `maximum` check its length. Other keywords on a file are reported and left out, without refusing
//! any form that the document's schema accepts: where a branch becomes wider, `oneOf` becomes
//! `anyOf`, a negation is dropped, and a condition allows both outcomes.

mod file;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{FieldContent, Form};
use crate::lower::models::Models;
use crate::openapi::{Key, renamed};
use crate::source::Pointer;
use json_schema::pattern::Pattern;
use json_schema::reference::{key_of_reference, reference_to};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The key of the schema for the form that `key` describes; registered only if the form is checked
/// by it. Keywords that it leaves out are reported in any case.
pub(super) fn of(models: &mut Models<'_>, form: &Form, key: &str) -> Key {
    let mut copying = Copying {
        models,
        form,
        done: BTreeMap::new(),
        copies: Vec::new(),
    };
    let (whole, _) = copying.copy(key, Subject::Form);
    if form.whole.is_some() {
        copying.models.extra.extend(copying.copies);
    }
    whole
}

/// The value that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// The form.
    Form,
    /// A file of the form, or a list of files.
    File,
}

struct Copying<'c, 'a> {
    models: &'c mut Models<'a>,
    form: &'c Form,
    /// The copies of schemas with keys: the copy's key, and whether it accepts more.
    done: BTreeMap<(Key, Subject), (Key, bool)>,
    copies: Vec<(Key, Value)>,
}

/// A copy of a schema, and whether it accepts more than the original.
#[derive(Default)]
struct Copy {
    schema: Map<String, Value>,
    wider: bool,
}

impl Copy {
    fn put(&mut self, keyword: &str, operand: Value) {
        self.schema.insert(keyword.to_owned(), operand);
    }

    /// Adds a schema that holds beside everything else.
    fn and(&mut self, schema: Value) {
        let all = self.schema.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.push(schema);
        }
    }
}

impl Copying<'_, '_> {
    /// The key of a schema's copy, and whether the copy accepts more.
    fn copy(&mut self, key: &str, subject: Subject) -> (Key, bool) {
        let own = (key.to_owned(), subject);
        let bundle = self.models.bundle;
        let Some(schema) = bundle.get(key) else {
            return (own.0, false);
        };
        if let Some(known) = self.done.get(&own) {
            return known.clone();
        }
        let name = match subject {
            Subject::Form => format!("{key} ({})", self.form.name),
            Subject::File => format!("{key} (file)"),
        };
        // A recursive schema is taken to be wider, which refuses nothing.
        self.done.insert(own.clone(), (name.clone(), true));
        let (copy, wider) = self.schema(schema, &bundle.place(key), subject);
        let done = match copy == *schema {
            true => (key.to_owned(), wider),
            false => {
                self.copies.push((name.clone(), copy));
                (name, wider)
            }
        };
        self.done.insert(own, done.clone());
        done
    }

    fn schema(&mut self, schema: &Value, place: &Pointer, subject: Subject) -> (Value, bool) {
        let Some(keywords) = schema.as_object() else {
            return (schema.clone(), false);
        };
        let mut copy = Copy::default();
        for (keyword, operand) in keywords {
            let at = place.child(keyword);
            match keyword.as_str() {
                "$ref" => self.reference(operand, subject, &mut copy),
                "discriminator" => {
                    let operand = self.discriminator(operand, keywords, subject);
                    copy.put(keyword, operand);
                }
                "allOf" | "anyOf" | "oneOf" => {
                    self.branches(keyword, operand, &at, subject, &mut copy);
                }
                "not" => {
                    let (negated, wider) = self.schema(operand, &at, subject);
                    match wider {
                        true => copy.wider = true,
                        false => copy.put(keyword, negated),
                    }
                }
                "if" => self.condition(keywords, place, subject, &mut copy),
                "then" | "else" if keywords.contains_key("if") => {}
                "dependentSchemas" => {
                    self.members(keyword, operand, &at, &mut copy, |_| Some(subject));
                }
                "const" | "enum" => self.value(keyword, operand, &at, &mut copy),
                _ if subject == Subject::File => {
                    self.of_file(keyword, operand, keywords, &at, &mut copy);
                }
                _ => self.of_form(keyword, operand, &at, &mut copy),
            }
        }
        (Value::Object(copy.schema), copy.wider)
    }

    /// Copies a keyword that describes the form itself.
    fn of_form(&mut self, keyword: &str, operand: &Value, at: &Pointer, copy: &mut Copy) {
        let form = self.form;
        let file = |is_file: bool| is_file.then_some(Subject::File);
        let rest = form.others.rest.as_ref().is_some_and(FieldContent::is_file);
        match keyword {
            "properties" => {
                self.members(keyword, operand, at, copy, |name| file(is_file(form, name)));
            }
            "patternProperties" => {
                self.members(keyword, operand, at, copy, |source| {
                    let mut matched = form.others.matched.iter();
                    let own = matched.find(|(pattern, _)| pattern.source == *source);
                    file(own.is_some_and(|(_, content)| content.is_file()))
                });
            }
            "additionalProperties" | "unevaluatedProperties" if rest => {
                let (schema, wider) = self.schema(operand, at, Subject::File);
                copy.put(keyword, schema);
                copy.wider |= wider;
            }
            _ => copy.put(keyword, operand.clone()),
        }
    }

    fn reference(&mut self, operand: &Value, subject: Subject, copy: &mut Copy) {
        let target = operand.as_str().and_then(key_of_reference);
        let copied = target.map(|key| self.copy(&key, subject));
        let reference = match copied {
            Some((key, wider)) => {
                copy.wider |= wider;
                reference_to(&key).into()
            }
            None => operand.clone(),
        };
        copy.put("$ref", reference);
    }

    /// The discriminator, with the keys of the copied variants.
    fn discriminator(
        &mut self,
        operand: &Value,
        beside: &Map<String, Value>,
        subject: Subject,
    ) -> Value {
        renamed(operand, beside, |key| {
            let (copy, _) = self.copy(key, subject);
            (copy != key).then_some(copy)
        })
    }

    fn branches(
        &mut self,
        keyword: &str,
        operand: &Value,
        at: &Pointer,
        subject: Subject,
        copy: &mut Copy,
    ) {
        let branches = operand.as_array().into_iter().flatten().enumerate();
        let branches: Vec<_> = branches
            .map(|(index, branch)| self.schema(branch, &at.child(index.to_string()), subject))
            .collect();
        let wider = branches.iter().any(|(_, wider)| *wider);
        copy.wider |= wider;
        let branches = branches.into_iter().map(|(branch, _)| branch);
        match keyword {
            "allOf" => branches.for_each(|branch| copy.and(branch)),
            "oneOf" if wider => copy.and(json!({ "anyOf": branches.collect::<Value>() })),
            _ => copy.put(keyword, branches.collect()),
        }
    }

    /// A condition with its outcomes. The members that it evaluates count for both.
    fn condition(
        &mut self,
        keywords: &Map<String, Value>,
        at: &Pointer,
        subject: Subject,
        copy: &mut Copy,
    ) {
        let mut all = Map::new();
        let mut wider = Vec::new();
        for keyword in ["if", "then", "else"] {
            let operand = keywords.get(keyword).unwrap_or(&Value::Bool(true));
            let (schema, is_wider) = self.schema(operand, &at.child(keyword), subject);
            all.insert(keyword.to_owned(), schema);
            wider.push(is_wider);
        }
        copy.wider |= wider.contains(&true);
        match wider.first() {
            Some(true) => {
                let holds = json!({ "allOf": [all.get("if"), all.get("then")] });
                copy.and(json!({ "anyOf": [holds, all.get("else")] }));
            }
            _ => {
                all.retain(|keyword, _| keywords.contains_key(keyword));
                copy.schema.extend(all);
            }
        }
    }

    /// The members of an operand; those that describe the form or files are copied.
    fn members(
        &mut self,
        keyword: &str,
        operand: &Value,
        at: &Pointer,
        copy: &mut Copy,
        subject: impl Fn(&String) -> Option<Subject>,
    ) {
        let members = operand.as_object().into_iter().flatten();
        let members = members.map(|(name, schema)| {
            let (schema, wider) = match subject(name) {
                Some(subject) => self.schema(schema, &at.child(name), subject),
                None => (schema.clone(), false),
            };
            copy.wider |= wider;
            (name.clone(), schema)
        });
        let members = members.collect();
        copy.put(keyword, Value::Object(members));
    }

    /// The values that a form or a file can have: no part is null, and other values are unknown.
    fn value(&mut self, keyword: &str, operand: &Value, at: &Pointer, copy: &mut Copy) {
        let mut values = match operand {
            Value::Array(values) if keyword == "enum" => values.iter(),
            one => std::slice::from_ref(one).iter(),
        };
        match values.all(Value::is_null) {
            true => copy.put(keyword, operand.clone()),
            false => self.leave_out(keyword, at, copy),
        }
    }

    fn leave_out(&mut self, keyword: &str, at: &Pointer, copy: &mut Copy) {
        copy.wider = true;
        let message = format!("`{keyword}` is about the content of a file, which is not checked");
        let fallback = "any content is taken";
        let diagnostics = &mut self.models.diagnostics;
        diagnostics.recover(Diagnostic::new(Code::Unsupported, at, message), fallback);
    }
}

/// Whether a field of a form is a file.
fn is_file(form: &Form, name: &str) -> bool {
    let named = form.fields.iter().find(|field| field.wire == *name);
    let others = &form.others;
    let matched = || {
        let is_of = |source: &str| Pattern::owned(source.to_owned()).is_match(name);
        let mut matched = others.matched.iter();
        matched.find(|(pattern, _)| is_of(&pattern.source))
    };
    let unnamed = || matched().map(|(_, content)| content);
    let content = named.map(|field| &field.content);
    let content = content.or_else(|| unnamed().or(others.rest.as_ref()));
    content.is_some_and(FieldContent::is_file)
}
