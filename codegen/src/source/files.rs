//! Documents of several files, joined into one.
//!
//! Each further file is put under `x-files` of the first document, by its path relative to that
//! one's folder, and references between files become references within one document. Later stages
//! know nothing of files; a diagnostic finds its file again by the pointer.

mod base;
mod places;

use crate::diagnostic::{Code, Diagnostics};
use crate::source::read;
use crate::source::{Pointer, Source};
use percent_encoding::percent_decode_str;
use places::Places;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The member of the first document that holds the other files.
pub(crate) const MOUNT: &str = "x-files";

/// The member that names the operation of a link. A file is not read for it alone: an operation in
/// another file belongs to this API only if a path refers to it.
const LINK: &str = "operationRef";

/// The member that refers to a schema by a dynamic anchor, which several schemas may have.
const DYNAMIC: &str = "$dynamicRef";

/// The member that refers to any other object.
const REFERENCE: &str = "$ref";

/// The member that lists requirements, which may refer to security schemes.
const SECURITY: &str = "security";

/// The members that refer to schemas or to other parts of documents.
const REFERENCES: [&str; 3] = [REFERENCE, DYNAMIC, LINK];

/// Members whose values are data: inside them, `$ref` is a name like any other.
const DATA: &[&str] = &["example", "default", "enum", "const", "value"];

/// Members whose own members have names chosen by the author, or statuses (`default` is one):
/// inside them, a name does not make its value data.
const NAMING: &[&str] = &[
    "$defs",
    "callbacks",
    "definitions",
    "dependentSchemas",
    "encoding",
    "examples",
    "headers",
    "links",
    "parameters",
    "pathItems",
    "patternProperties",
    "properties",
    "requestBodies",
    "mediaTypes",
    "responses",
    "schemas",
    "securitySchemes",
    "webhooks",
];

/// The files that a file refers to, by their paths relative to the folder of the first document;
/// `path` is that of the file itself. A file that cannot be read refers to nothing.
pub fn referred(source: &Source, path: &str) -> Vec<String> {
    let mut files = Vec::new();
    if may_refer(&source.text)
        && let Ok(mut value) = read::read(source)
    {
        let base = base::of(&value).map(str::to_owned);
        let base = base.as_deref();
        each_reference(&mut value, false, &mut |name, reference| {
            let file = reference.split('#').next().unwrap_or_default();
            // A document may name itself by the URI that it gives itself.
            let is_itself = base.is_some() && base::absolute(base, file).as_deref() == base;
            if name != LINK
                && !file.is_empty()
                && !is_itself
                && let Some(file) = base::relative(base, file)
            {
                files.push(resolve(path, &file));
            }
        });
    }
    files.sort();
    files.dedup();
    files
}

/// The diagnostic for a reference to a file that was not read: its code, message and help. Only a
/// reference to another host may be right.
pub(crate) fn unreached(reference: &str) -> (Code, String, &'static str) {
    if is_remote(reference) {
        let message = format!("`{reference}` is not on this machine");
        let help = "keep a copy beside the document and refer to that";
        (Code::ExternalReference, message, help)
    } else {
        let message = format!("`{reference}` is in a file that was not read");
        let help = "paths are relative to the file that names them";
        (Code::DanglingReference, message, help)
    }
}

/// Whether a reference leads to another host.
fn is_remote(reference: &str) -> bool {
    reference.contains("://")
}

/// The original texts of rewritten references, by their file and their new text. Where a file
/// writes one reference in several ways, the first is kept.
#[derive(Debug, Default, Clone)]
pub(crate) struct OriginalReferences(BTreeMap<(Option<String>, String), String>);

impl OriginalReferences {
    /// The reference at a place as the author wrote it.
    pub(crate) fn original<'r>(&'r self, reference: &'r str, at: &Pointer) -> &'r str {
        let key = (path_of(at), reference.to_owned());
        self.0.get(&key).map_or(reference, String::as_str)
    }
}

/// Reads a document and mounts its other files in it.
///
/// # Errors
/// The problems with a file that cannot be read.
pub(crate) fn read(
    source: &Source,
    files: &[Source],
) -> Result<(Value, OriginalReferences), Diagnostics> {
    let mut value = read::read(source)?;
    let mut others = Vec::new();
    for file in files {
        let read = read::read(file).map_err(|problems| problems.of_file(&file.name))?;
        others.push((file.name.clone(), read));
    }
    let own = source.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let originals = mount(&mut value, own, others);
    Ok((value, originals))
}

/// Mounts files in the first document, whose own file name is `name`.
fn mount(root: &mut Value, name: &str, files: Vec<(String, Value)>) -> OriginalReferences {
    let mut originals = OriginalReferences::default();
    let places = Places::of(name, root, &files);
    let mut rewrite = |member: &str, reference: &mut String, path: &str, file: Option<&str>| {
        let target = match member {
            DYNAMIC => places.dynamic_target(reference, path),
            _ => places.target(reference, path),
        };
        if let Some(target) = target.filter(|target| target != reference) {
            let before = std::mem::replace(reference, target.clone());
            let of = (file.map(str::to_owned), target);
            originals.0.entry(of).or_insert(before);
        }
    };
    each_reference(root, false, &mut |member, reference| {
        rewrite(member, reference, name, None);
    });
    let mut mounted = Map::new();
    for (path, mut value) in files {
        each_reference(&mut value, false, &mut |member, reference| {
            rewrite(member, reference, &path, Some(&path));
        });
        mounted.insert(path, value);
    }
    if let Some(members) = root.as_object_mut().filter(|_| !mounted.is_empty()) {
        members.insert(MOUNT.into(), Value::Object(mounted));
    }
    originals
}

/// Whether a text may refer to other files, found by searching the text. Few files do, and many are
/// long, so that this saves reading them.
fn may_refer(text: &str) -> bool {
    let mut forms = [".json", ".yaml", ".yml"].iter();
    let names_files = ["mapping", "defaultMapping", "securitySchemes/"];
    text.split("$ref").skip(1).any(may_lead_elsewhere)
        || (names_files.iter().any(|name| text.contains(name))
            && forms.any(|form| text.contains(form)))
}

/// Whether a `$ref` followed by this text may refer to another file. Prose may contain `$ref` too;
/// in YAML, a reference that begins with `#` has quotes, because it would be a comment without.
fn may_lead_elsewhere(after: &str) -> bool {
    const QUOTES: [char; 2] = ['"', '\''];
    let after = after.trim_start_matches(QUOTES).trim_start();
    let Some(target) = after.strip_prefix(':') else {
        // A key of its own line may have a comment before the colon.
        return after.starts_with('#');
    };
    let quoted = target.trim_start().strip_prefix(QUOTES);
    !quoted.is_some_and(|target| target.starts_with('#'))
}

/// The pointer in the joined document for a place in a file.
pub(crate) fn place(path: &str, at: &Pointer) -> Pointer {
    let mount = Pointer::default().child(MOUNT).child(path);
    at.tokens().fold(mount, |place, token| place.child(token))
}

/// The file that a pointer into the joined document leads to, and the pointer within it; `None` for the document's
/// own file.
pub fn file_of(at: &Pointer, files: &[Source]) -> Option<(usize, Pointer)> {
    let path = path_of(at)?;
    let file = files.iter().position(|file| file.name == path)?;
    let within = at.tokens().skip(2);
    let within = within.fold(Pointer::default(), |at, token| at.child(token));
    Some((file, within))
}

/// Whether a place is in another file than the first.
pub(crate) fn is_mounted(at: &Pointer) -> bool {
    at.tokens().next().is_some_and(|token| token == MOUNT)
}

/// The path of the joined file that contains a place.
fn path_of(at: &Pointer) -> Option<String> {
    let mut tokens = at.tokens();
    tokens.next().filter(|token| token == MOUNT)?;
    tokens.next()
}

/// The path, relative to the first document, of `file` as written in the file at `from`.
fn resolve(from: &str, file: &str) -> String {
    let file = percent_decode_str(file).decode_utf8_lossy();
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(file.split('/')) {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => drop(steps.pop()),
            _ => steps.push(step),
        }
    }
    steps.join("/")
}

/// Visits every reference in a value together with its member's name: `$ref`s, operations of links
/// and targets of discriminators. With `naming`, the member names at this level are the author's
/// own.
fn each_reference(value: &mut Value, naming: bool, show: &mut impl FnMut(&str, &mut String)) {
    match value {
        Value::Array(items) => {
            for item in items {
                each_reference(item, false, show);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    // A `$ref` between names that holds a text refers to an object with all the
                    // names.
                    Value::String(reference) if name == REFERENCE => show(name, reference),
                    Value::String(reference) if REFERENCES.contains(&name.as_str()) && !naming => {
                        show(name, reference);
                    }
                    Value::Object(targets) if name == "mapping" && !naming => {
                        let targets = targets.values_mut();
                        let targets = targets.filter_map(as_reference);
                        targets.for_each(|target| show(name, target));
                    }
                    Value::String(_) if name == "defaultMapping" && !naming => {
                        if let Some(target) = as_reference(member) {
                            show(name, target);
                        }
                    }
                    Value::Array(alternatives) if name == SECURITY && !naming => {
                        for requirement in alternatives {
                            each_scheme(requirement, show);
                        }
                    }
                    _ if !naming && is_data(name, member) => {}
                    _ => {
                        let names = NAMING.contains(&name.as_str()) && !naming;
                        each_reference(member, names, show);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Visits the schemes of a security requirement that have a reference in place of their name (OpenAPI
/// 3.2.0 §4.30).
fn each_scheme(requirement: &mut Value, show: &mut impl FnMut(&str, &mut String)) {
    let Some(members) = requirement.as_object_mut() else {
        return;
    };
    let is_reference = |name: &String| name.contains(['#', '/']);
    if !members.keys().any(is_reference) {
        return;
    }
    let schemes = std::mem::take(members).into_iter();
    let schemes = schemes.map(|(mut name, scopes)| {
        if is_reference(&name) {
            show(SECURITY, &mut name);
        }
        (name, scopes)
    });
    *members = schemes.collect();
}

/// Whether a member is data. The `examples` of a schema are; those of a parameter or body are
/// objects that may be references.
fn is_data(name: &str, member: &Value) -> bool {
    DATA.contains(&name) || name == "examples" && member.is_array()
}

/// A discriminator's target, unless it is the bare name of a component.
fn as_reference(target: &mut Value) -> Option<&mut String> {
    match target {
        Value::String(text) if text.contains(['#', '/', '.']) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn resolves_paths_relative_to_the_file_with_the_reference() {
        assert_eq!(resolve("openapi.yaml", "a.yaml"), "a.yaml");
        assert_eq!(resolve("x/y/a.yaml", "../b%20c.yaml"), "x/b c.yaml");
        assert_eq!(resolve("a.yaml", "./../b.yaml"), "../b.yaml");
    }

    #[test]
    fn only_texts_that_may_refer_to_files_are_read() {
        let leads = [
            r#"{"$ref" : "b.json"}"#,
            "$ref: b.yaml#/a",
            "'$ref': # told here\n  b.yaml",
            "? $ref\n: b.yaml",
            "? $ref # told here\n: b.yaml",
            "$ref:\n  'b.yaml'",
            "mapping: { a: b.yaml }",
            "defaultMapping: b.yaml",
            "security: [{ 'b.yaml#/components/securitySchemes/a': [] }]",
        ];
        for text in leads {
            assert!(may_refer(text), "{text}");
        }
        let stays = [
            r##"{"$ref":"#/a"}"##,
            "$ref: '#/a' # b.yaml",
            "$ref:\n  \"#/a\"",
            "# a $ref to b.yaml",
            "description: what a $ref, or two, would say",
        ];
        for text in stays {
            assert!(!may_refer(text), "{text}");
        }
    }

    #[test]
    fn finds_the_anchors_of_other_files() {
        let mut root = json!({
            "a": { "$ref": "b.yaml#pet" },
            "b": { "$ref": "#own" },
            "c": { "$anchor": "own" },
        });
        let other = json!({
            "c": { "properties": { "$anchor": { "$anchor": "pet" } }, "example": { "$anchor": "x" } },
            "d": [{ "$ref": "#pet" }, { "$ref": "root.yaml#own" }, { "$ref": "#x" }],
        });
        let originals = mount(&mut root, "root.yaml", vec![("b.yaml".to_owned(), other)]);
        let at = |pointer: &str| root.pointer(pointer).and_then(Value::as_str);
        let pet = Some("#/x-files/b.yaml/c/properties/%24anchor");
        assert_eq!(at("/a/$ref"), pet);
        assert_eq!(at("/b/$ref"), Some("#own"));
        assert_eq!(at("/x-files/b.yaml/d/0/$ref"), pet);
        assert_eq!(at("/x-files/b.yaml/d/1/$ref"), Some("#own"));
        assert_eq!(at("/x-files/b.yaml/d/2/$ref"), Some("#/x-files/b.yaml#x"));
        let there = place("b.yaml", &Pointer::default());
        assert_eq!(originals.original("#/x-files/b.yaml#x", &there), "#x");
        assert_eq!(originals.original("#own", &there), "root.yaml#own");
        assert_eq!(originals.original("#own", &Pointer::default()), "#own");
    }

    #[test]
    fn follows_dynamic_references_where_one_schema_alone_has_the_anchor() {
        let mut root = json!({ "a": { "$ref": "b.json" }, "$dynamicRef": "#own" });
        let other = json!({
            "$dynamicAnchor": "node",
            "a": { "$dynamicRef": "#node" },
            "b": { "$dynamicRef": "#item" },
            "c": [{ "$dynamicAnchor": "item" }, { "$dynamicAnchor": "item" }],
        });
        mount(&mut root, "root.yaml", vec![("b.json".to_owned(), other)]);
        let at = |pointer: &str| root.pointer(pointer).and_then(Value::as_str);
        assert_eq!(at("/$dynamicRef"), Some("#own"));
        assert_eq!(
            at("/x-files/b.json/a/$dynamicRef"),
            Some("#/x-files/b.json")
        );
        assert_eq!(at("/x-files/b.json/b/$dynamicRef"), Some("#item"));
    }

    #[test]
    fn finds_files_by_their_identifiers() {
        let mut root = json!({
            "a": { "$ref": "b.json" },
            "b": { "$ref": "https://x.example/b.json#/$defs/c" },
            "c": { "$ref": "https://x.example/c.json" },
        });
        let other = json!({ "$id": "https://x.example/b.json", "$defs": { "c": {} } });
        mount(&mut root, "root.yaml", vec![("b.json".to_owned(), other)]);
        let at = |pointer: &str| root.pointer(pointer).and_then(Value::as_str);
        assert_eq!(at("/b/$ref"), Some("#/x-files/b.json/$defs/c"));
        assert_eq!(at("/c/$ref"), Some("https://x.example/c.json"));
    }

    #[test]
    fn takes_no_name_for_data() {
        let mut root = json!({
            "responses": { "default": { "$ref": "b.yaml#/a" } },
            "components": {
                "parameters": { "value": { "schema": { "$ref": "b.yaml#/b" } } },
                "examples": { "example": { "$ref": "b.yaml#/c" } },
                "securitySchemes": { "default": { "$ref": "b.yaml#/e" } },
            },
            "schema": { "examples": [{ "$ref": "b.yaml#/d" }] },
        });
        let mut references = Vec::new();
        each_reference(&mut root, false, &mut |_, reference| {
            references.push(reference.clone());
        });
        references.sort();
        assert_eq!(
            references,
            ["b.yaml#/a", "b.yaml#/b", "b.yaml#/c", "b.yaml#/e"]
        );
    }

    #[test]
    fn rewrites_references_to_security_schemes() {
        let mut root =
            json!({ "security": [{ "own": [], "b.yaml#/components/securitySchemes/a": ["x"] }] });
        let other = json!({ "get": { "security": [{ "#/components/securitySchemes/a": [] }] } });
        mount(&mut root, "root.yaml", vec![("b.yaml".into(), other)]);
        let there = "#/x-files/b.yaml/components/securitySchemes/a";
        assert_eq!(root["security"], json!([{ "own": [], there: ["x"] }]));
        let inner = &root["x-files"]["b.yaml"]["get"]["security"];
        assert_eq!(*inner, json!([{ there: [] }]));
    }

    #[test]
    fn rewrites_references_but_not_data() {
        let mut root = json!({ "a": { "$ref": "x/b.yaml#/c" }, "example": { "$ref": "x/b.yaml" } });
        let other = json!({
            "c": { "$ref": "#/d" },
            "d": { "$ref": "../root.yaml#/a" },
            "properties": { "$ref": { "$ref": "https://example.com/e" } },
            "l": [{ "operationRef": "b.yaml#/f/get" }, { "operationRef": "c.yaml#/f/get" }],
        });
        mount(&mut root, "root.yaml", vec![("x/b.yaml".into(), other)]);
        let expected = json!({
            "a": { "$ref": "#/x-files/x~1b.yaml/c" },
            "example": { "$ref": "x/b.yaml" },
            "x-files": { "x/b.yaml": {
                "c": { "$ref": "#/x-files/x~1b.yaml/d" },
                "d": { "$ref": "#/a" },
                "properties": { "$ref": { "$ref": "https://example.com/e" } },
                "l": [
                    { "operationRef": "#/x-files/x~1b.yaml/f/get" },
                    { "operationRef": "c.yaml#/f/get" },
                ],
            } },
        });
        assert_eq!(root, expected);
    }
}
