//! Documents of several files: the others are mounted in the first.
//!
//! A file is put under `x-files` of the first document, by its path relative to that one's folder,
//! and references between files become references within one document. Later stages know nothing
//! of files; a diagnostic finds its file again by the pointer.

use crate::diagnostic::Code;
use crate::read;
use crate::source::{Pointer, Source};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The member of the first document that holds the others.
const MOUNT: &str = "x-files";

/// The member that names the operation of a link. It makes no file worth reading: what is there is
/// an operation of this API only where a path leads to it.
const LINK: &str = "operationRef";

/// What of a file's path is escaped in a URI's fragment (RFC 3986 §3.5): all that might have to be.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'/')
    .remove(b'_')
    .remove(b'~');

/// Members whose values are data, in which `$ref` is a name like any other.
const DATA: &[&str] = &["example", "default", "enum", "const", "value"];

/// Members whose own members are named by the document's writer.
const NAMING: &[&str] = &[
    "$defs",
    "definitions",
    "patternProperties",
    "properties",
    "schemas",
];

/// The files that a file refers to, by their paths relative to the folder of the first document;
/// `path` is that of the file itself. A file that cannot be read refers to nothing.
pub fn referred(source: &Source, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    if may_refer(&source.text)
        && let Ok(mut value) = read::read(source)
    {
        each_reference(&mut value, false, &mut |name, reference| {
            let file = reference.split('#').next().unwrap_or_default();
            if name != LINK && !file.is_empty() && !is_remote(reference) {
                found.push(resolve(path, file));
            }
        });
    }
    found.sort();
    found.dedup();
    found
}

/// What is to be said of a reference that leads to no file that was read: what is wrong, and how to
/// mend it. Only one to another machine may be right.
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

/// Whether a reference leads off the machine.
fn is_remote(reference: &str) -> bool {
    reference.contains("://")
}

/// Mounts files in the first document, whose own file name is `name`.
pub(crate) fn mount(root: &mut Value, name: &str, files: Vec<(String, Value)>) {
    let mut places = BTreeMap::from([(name.to_owned(), String::new())]);
    for (path, _) in &files {
        let place = place(path, &Pointer::default());
        let fragment = utf8_percent_encode(place.as_str(), ESCAPED).to_string();
        places.entry(path.clone()).or_insert(fragment);
    }
    each_reference(root, false, &mut |_, reference| {
        rewrite(reference, name, &places);
    });
    let mut mounted = Map::new();
    for (path, mut value) in files {
        each_reference(&mut value, false, &mut |_, reference| {
            rewrite(reference, &path, &places);
        });
        mounted.insert(path, value);
    }
    if let Some(members) = root.as_object_mut().filter(|_| !mounted.is_empty()) {
        members.insert(MOUNT.into(), Value::Object(mounted));
    }
}

/// Whether a text has references to other files, told without reading it: hardly any has, and many
/// are long.
fn may_refer(text: &str) -> bool {
    let mut references = text.split("$ref").skip(1);
    let elsewhere = references.any(|after| {
        let target = after.trim_start_matches(['"', '\'', ':', ' ']);
        !target.starts_with('#')
    });
    let mut forms = [".json", ".yaml", ".yml"].iter();
    elsewhere || (text.contains("mapping") && forms.any(|form| text.contains(form)))
}

/// Where a place in a file is mounted.
pub(crate) fn place(path: &str, at: &Pointer) -> Pointer {
    let mount = Pointer::default().child(MOUNT).child(path);
    at.tokens().fold(mount, |place, token| place.child(token))
}

/// Which file a pointer into the mounted documents leads to, and the pointer within it.
pub(crate) fn file_of(at: &Pointer, files: &[Source]) -> Option<(usize, Pointer)> {
    let mut tokens = at.tokens();
    tokens.next().filter(|token| token == MOUNT)?;
    let path = tokens.next()?;
    let file = files.iter().position(|file| file.name == path)?;
    let within = tokens.fold(Pointer::default(), |at, token| at.child(token));
    Some((file, within))
}

fn rewrite(reference: &mut String, from: &str, places: &BTreeMap<String, String>) {
    let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    if is_remote(reference) {
        return;
    }
    let target = if file.is_empty() {
        from.to_owned()
    } else {
        resolve(from, file)
    };
    if let Some(place) = places.get(&target) {
        *reference = format!("#{place}{fragment}");
    }
}

/// The path of `file`, which is written in the file at `from`, relative to the first document.
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

/// Shows every reference in a value, after the member it is in: `$ref`s, the operations of links and
/// the targets of discriminators. Inside a member that is `naming`, a member's name says nothing.
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
                    Value::String(reference) if (name == "$ref" || name == LINK) && !naming => {
                        show(name, reference);
                    }
                    Value::Object(targets) if name == "mapping" && !naming => {
                        let targets = targets.values_mut();
                        let targets = targets.filter_map(as_reference);
                        targets.for_each(|target| show(name, target));
                    }
                    _ if DATA.contains(&name.as_str()) && !naming => {}
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
    fn finds_files_from_where_they_are_named() {
        assert_eq!(resolve("openapi.yaml", "a.yaml"), "a.yaml");
        assert_eq!(resolve("x/y/a.yaml", "../b%20c.yaml"), "x/b c.yaml");
        assert_eq!(resolve("a.yaml", "./../b.yaml"), "../b.yaml");
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
