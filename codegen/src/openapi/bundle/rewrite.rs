//! Rewrites a schema for the bundle: references become keys, keywords become those of 2020-12, and
//! unusable keywords are left out and reported.

use super::discriminators::{self, DEFAULT_MAPPING};
use super::keywords::{self, map_schemas};
use super::references::NOT_MAPPED;
use super::unknown::UNKNOWN;
use super::{integers, operands, regex_literal, upgrade};
use crate::diagnostic::{Code, Diagnostic};
use crate::formats;
use crate::openapi::object_fields::{FieldType, Object};
use crate::openapi::operation::IGNORED;
use crate::openapi::version::{self, Version};
use crate::openapi::{Reader, extensions, unknown_fields};
use crate::schema::check_keyword;
use crate::source::Pointer;
use json_schema::reference::reference_to;
use serde_json::{Map, Value};

/// The Rust type that a schema names as its own.
pub(crate) const RUST_TYPE: &str = "x-rust-type";

impl Reader<'_> {
    /// A copy whose references are bundle keys and whose keywords are those of 2020-12.
    pub(super) fn rewrite(&mut self, schema: &Value, at: &Pointer) -> Value {
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(_) => return schema.clone(),
            _ => return operands::no_schema(at, self.diagnostics),
        };
        extensions::check(FieldType::Schema, members, at, self.diagnostics);
        if discriminators::is_lone(members) {
            self.bundle.lone_discriminators.push(at.clone());
        }
        let mut out = Map::new();
        for (keyword, value) in members {
            if keywords::is_validation(keyword) && self.bundle.resources.lacks_validation(at) {
                continue;
            }
            let here = at.child(keyword);
            check_keyword(keyword, &here, self.diagnostics);
            if !self.bundle.is_30()
                && keywords::has_old_items(members)
                && self.rewrite_old_items(keyword, value, &here, &mut out)
            {
                continue;
            }
            let Some(value) = &operands::usable(keyword, value, &here, self.diagnostics) else {
                continue;
            };
            if let Some(value) = self.operand(keyword, value, members, &here, &mut out) {
                out.insert(keyword.clone(), value);
            }
        }
        self.own_type(members, at, &mut out);
        self.upgrade(&mut out);
        let mut out = Value::Object(out);
        if self.bundle.resources.begins_at(at) {
            self.bundle.enter_scope(&mut out, at);
        }
        out
    }

    /// The rewritten operand of a keyword; `None` for a keyword that the bundle does not have.
    fn operand(
        &mut self,
        keyword: &str,
        value: &Value,
        members: &Map<String, Value>,
        here: &Pointer,
        out: &mut Map<String, Value>,
    ) -> Option<Value> {
        Some(match keyword {
            "$ref" => {
                let key = self.key_of(value.as_str().unwrap_or_default(), here);
                let key = key.unwrap_or_else(|| {
                    self.bundle.unknown.insert(UNKNOWN.to_owned());
                    UNKNOWN.to_owned()
                });
                Value::String(reference_to(&key))
            }
            "$dynamicRef" => {
                self.dynamic_reference(value, here, out);
                return None;
            }
            "patternProperties" => {
                let mut known = value.clone();
                if let Some(members) = known.as_object_mut() {
                    members.retain(|text, _| self.is_pattern(text, &here.child(text)));
                }
                self.rewrite_inside(keyword, &known, here)
            }
            // Targets of these have been lifted, or will be when they are referred to.
            "$id" | "$anchor" | "$dynamicAnchor" | "$defs" | "definitions" => return None,
            "format" => {
                let name = value.as_str().unwrap_or_default();
                if self.bundle.formats.ignores(name) {
                    return None;
                }
                if admits_strings(members) {
                    self.bundle.used_formats.insert(name.to_owned());
                }
                value.clone()
            }
            "discriminator" => {
                self.check_annotation(Object::Discriminator, value, here);
                match value.get(DEFAULT_MAPPING) {
                    Some(_) => self.default_mapping(value, here),
                    None => self.rewrite_discriminator(value, here),
                }
            }
            "exclusiveMinimum" | "exclusiveMaximum"
                if value.is_boolean() && !self.bundle.is_30() =>
            {
                upgrade::report_boolean_bound(keyword, here, self.diagnostics);
                value.clone()
            }
            "pattern" => self.pattern(value, here)?,
            "xml" => {
                self.check_annotation(Object::Xml, value, here);
                self.check_xml(value, here);
                value.clone()
            }
            "externalDocs" => {
                self.check_annotation(Object::ExternalDocs, value, here);
                value.clone()
            }
            name => self.rewrite_inside(name, value, here),
        })
    }

    /// Makes the type that a schema of strings names as its own their format. That of any other schema stays,
    /// unless it is wrong.
    fn own_type(
        &mut self,
        members: &Map<String, Value>,
        at: &Pointer,
        out: &mut Map<String, Value>,
    ) {
        let Some(row) = members.get(RUST_TYPE) else {
            return;
        };
        let is_text = is_of_strings(members);
        match formats::own_type(row, is_text, &at.child(RUST_TYPE)) {
            Ok(typed) if is_text => {
                let name = self.bundle.formats.add(typed);
                self.bundle.used_formats.insert(name.clone());
                out.insert("format".into(), name.into());
                out.remove(RUST_TYPE);
            }
            Ok(_) => {}
            Err(found) => {
                for problem in found.iter() {
                    self.diagnostics.recover(problem.clone(), "it is ignored");
                }
                out.remove(RUST_TYPE);
            }
        }
    }

    /// Replaces keywords of earlier drafts, and bounds integers that the document leaves open.
    fn upgrade(&mut self, out: &mut Map<String, Value>) {
        if self.bundle.is_30() {
            upgrade::upgrade_30(out);
        } else {
            upgrade::exclusive_bounds(out);
        }
        if let Some(range) = self.bundle.formats.integers() {
            integers::bound(out, range, &self.bundle.formats);
        }
    }

    /// The operand of a keyword with the schemas in it rewritten.
    fn rewrite_inside(&mut self, keyword: &str, operand: &Value, at: &Pointer) -> Value {
        map_schemas(keyword, operand, |token, schema| match token {
            Some(token) => self.rewrite(schema, &at.child(token)),
            None => self.rewrite(schema, at),
        })
    }

    /// The 2020-12 name of a keyword by which earlier drafts described the items of a list one by
    /// one, unless the keyword is another.
    fn rewrite_old_items(
        &mut self,
        keyword: &str,
        value: &Value,
        at: &Pointer,
        out: &mut Map<String, Value>,
    ) -> bool {
        let now = match keyword {
            "items" => {
                upgrade::report_list_of_items(at, self.diagnostics);
                "prefixItems"
            }
            "additionalItems" => "items",
            _ => return false,
        };
        let value = self.rewrite_inside(now, value, at);
        out.insert(now.into(), value);
        true
    }

    /// The operand of `pattern`, if it can be matched.
    fn pattern(&mut self, value: &Value, at: &Pointer) -> Option<Value> {
        let text = value.as_str()?;
        let between = regex_literal::pattern(text);
        if between.is_some() {
            let message = "between slashes, this regular expression matches nothing";
            let help = "a pattern must have neither slashes around it nor flags";
            let problem = Diagnostic::new(Code::InvalidPattern, at, message);
            self.diagnostics
                .recover(problem.help(help), "what is between them is taken");
        }
        let text = between.unwrap_or_else(|| text.to_owned());
        let is_right = self.is_pattern(&text, at);
        is_right.then_some(Value::String(text))
    }

    /// Whether a text can be used as a regular expression.
    fn is_pattern(&mut self, text: &str, at: &Pointer) -> bool {
        let known = self.bundle.patterns.entry(text.to_owned());
        let judged = known.or_insert_with(|| crate::schema::check_pattern(text));
        if let Err((code, message)) = judged {
            self.diagnostics.recover(
                Diagnostic::new(*code, at, message.as_str()),
                "it is not enforced",
            );
        }
        judged.is_ok()
    }

    /// Checks the fields of an object of OpenAPI within a schema.
    fn check_annotation(&mut self, object: Object, value: &Value, at: &Pointer) {
        let version = self.bundle.version;
        let Some(members) = value.as_object() else {
            return self.invalid(at, "expected an object", IGNORED);
        };
        unknown_fields::of_object(object, at, value, version, self.diagnostics);
        for (name, value) in members {
            if !object.member(name).may_be(value) && !value.is_null() {
                let message = format!("`{name}` has a value of another type");
                self.invalid(&at.child(name), message, IGNORED);
            }
        }
        for (name, _) in object.required(version) {
            if members.get(*name).is_none_or(Value::is_null) {
                self.invalid(at, format!("`{name}` is missing"), IGNORED);
            }
        }
    }

    /// A discriminator whose member may be absent or hold another name: the default mapping then leads to
    /// a variant (OpenAPI 3.2.0 §4.25).
    fn default_mapping(&mut self, value: &Value, at: &Pointer) -> Value {
        let here = at.child(DEFAULT_MAPPING);
        let what = format!("`{DEFAULT_MAPPING}`");
        version::check(
            &what,
            Version::V32,
            self.bundle.version,
            &here,
            self.diagnostics,
        );
        let key = match value.get(DEFAULT_MAPPING).and_then(Value::as_str) {
            None => {
                let message = "expected a string, the name of a schema or a reference to one";
                self.diagnostics.recover(
                    Diagnostic::new(Code::InvalidOperand, &here, message),
                    NOT_MAPPED,
                );
                None
            }
            Some(name) if !name.starts_with('#') && !name.contains('/') => {
                let is_known = self.bundle.components.iter().any(|known| known == name);
                if !is_known {
                    let message = format!("no schema is called `{name}`");
                    let problem = Diagnostic::new(Code::DanglingReference, &here, message);
                    self.diagnostics.recover(problem, NOT_MAPPED);
                }
                is_known.then(|| name.to_owned())
            }
            Some(reference) => self.key_of_mapping(reference, &here),
        };
        let mut rewritten = self.rewrite_discriminator(value, at);
        if let Some(members) = rewritten.as_object_mut() {
            match key {
                Some(key) => _ = members.insert(DEFAULT_MAPPING.into(), key.into()),
                None => _ = members.shift_remove(DEFAULT_MAPPING),
            }
        }
        rewritten
    }

    /// A mapping may name a schema by its bare component name (OpenAPI 3.1.1 §4.8.25).
    fn rewrite_discriminator(&mut self, value: &Value, at: &Pointer) -> Value {
        self.bundle.has_discriminators = true;
        let mut value = value.clone();
        let Some(mapping) = value.get_mut("mapping").and_then(Value::as_object_mut) else {
            return value;
        };
        let at = at.child("mapping");
        mapping.retain(|tag, target| {
            let at = at.child(tag);
            let Some(text) = target.as_str() else {
                let message = "expected a string, the name of a schema or a reference to one";
                self.diagnostics.recover(
                    Diagnostic::new(Code::InvalidOperand, &at, message),
                    NOT_MAPPED,
                );
                return false;
            };
            if !text.starts_with('#') && !text.contains('/') {
                self.bundle.accept_name(text, &at);
                return true;
            }
            let Some(key) = self.key_of_mapping(text, &at) else {
                return false;
            };
            *target = Value::String(key);
            true
        });
        value
    }
}

/// Whether all that a schema takes is any strings, and null.
fn is_of_strings(members: &Map<String, Value>) -> bool {
    let types = match members.get("type") {
        Some(Value::Array(types)) => types.as_slice(),
        Some(ty) => std::slice::from_ref(ty),
        None => &[],
    };
    let is_listed = members.contains_key("enum") || members.contains_key("const");
    let only = types.iter().all(|ty| ty == "string" || ty == "null");
    only && !is_listed && types.iter().any(|ty| ty == "string")
}

/// Whether strings can be valid, as far as `type` says.
fn admits_strings(members: &Map<String, Value>) -> bool {
    match members.get("type") {
        Some(Value::Array(types)) => types.iter().any(|ty| ty == "string"),
        Some(ty) => ty == "string",
        None => true,
    }
}
