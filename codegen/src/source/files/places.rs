//! The places of files in the joined document, and the new texts of references between them.

use super::{NAMING, base, is_data, place, resolve};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// The places of all files in the joined document.
pub(super) struct Places {
    by_path: BTreeMap<String, Place>,
    /// The paths of files by the URIs that they give themselves: `$self` of documents, and `$id` of
    /// schemas (JSON Schema 2020-12 Core §8.2.1).
    identified: BTreeMap<String, String>,
    /// The URIs that references of documents with a `$self` are relative to, by their paths.
    bases: BTreeMap<String, String>,
    /// How many schemas have each dynamic anchor, in all files together.
    dynamic: BTreeMap<String, usize>,
}

impl Places {
    /// The places of the first document, which is called `name`, and of the other files.
    pub(super) fn of(name: &str, root: &Value, files: &[(String, Value)]) -> Places {
        let mut by_path = BTreeMap::from([(name.to_owned(), Place::default())]);
        let mut identified = BTreeMap::new();
        let mut bases = BTreeMap::new();
        let mut dynamic = BTreeMap::new();
        let first = std::iter::once((name, root));
        let others = files.iter().map(|(path, value)| (path.as_str(), value));
        for (path, value) in first.chain(others) {
            if let Some(base) = base::of(value) {
                bases.insert(path.to_owned(), base.to_owned());
                identified
                    .entry(base.to_owned())
                    .or_insert_with(|| path.to_owned());
            }
        }
        if !files.is_empty() {
            each_anchor(root, &Pointer::default(), false, &mut |anchor, _| {
                anchor.count(&mut dynamic);
            });
        }
        for (path, value) in files {
            let at = place(path, &Pointer::default());
            let mut anchors = BTreeMap::new();
            each_anchor(value, &at, false, &mut |anchor, at| {
                anchor.count(&mut dynamic);
                let name = anchor.name.to_owned();
                anchors.entry(name).or_insert_with(|| at.fragment());
            });
            let fragment = at.fragment();
            let place = Place { fragment, anchors };
            by_path.entry(path.clone()).or_insert(place);
            if let Some(id) = value.get("$id").and_then(Value::as_str) {
                let id = id.trim_end_matches('#').to_owned();
                identified.entry(id).or_insert_with(|| path.clone());
            }
        }
        Places {
            by_path,
            identified,
            bases,
            dynamic,
        }
    }

    /// The plain reference that a `$dynamicRef` of the file at `from` is equal to: where a single
    /// schema has the anchor, the `$dynamicRef` always means that one (Core §8.2.3.2).
    pub(super) fn dynamic_target(&self, reference: &str, from: &str) -> Option<String> {
        let (_, anchor) = reference.split_once('#')?;
        let several = self.dynamic.get(anchor).is_some_and(|count| *count > 1);
        if several {
            return None;
        }
        self.target(reference, from)
    }

    /// The reference within the joined document for a reference of the file at `from`, if its file
    /// was read.
    pub(super) fn target(&self, reference: &str, from: &str) -> Option<String> {
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let path = match file {
            "" => from.to_owned(),
            file => self.path_of(file, from)?,
        };
        let place = self.by_path.get(&path)?;
        Some(format!("#{}", place.of(fragment)))
    }

    /// The path of a file as the file at `from` names it: by the URI that it gives itself, or by its place.
    fn path_of(&self, file: &str, from: &str) -> Option<String> {
        let base = self.bases.get(from).map(String::as_str);
        let uri = base::absolute(base, file);
        if let Some(known) = uri.and_then(|uri| self.identified.get(&uri)) {
            return Some(known.clone());
        }
        base::relative(base, file).map(|file| resolve(from, &file))
    }
}

/// The place of a file in the joined document, as the fragment of a URI.
#[derive(Default)]
struct Place {
    fragment: String,
    /// The places of its anchors; none for the first document, whose anchors stay as they are.
    anchors: BTreeMap<String, String>,
}

impl Place {
    /// The fragment in the joined document for a fragment of the file: a pointer or the name of an
    /// anchor. An anchor that does not exist gives a fragment that leads to nothing.
    fn of(&self, within: &str) -> String {
        let is_name = !self.fragment.is_empty() && !within.is_empty() && !within.starts_with('/');
        match self.anchors.get(within) {
            Some(anchored) => anchored.clone(),
            None if is_name => format!("{}#{within}", self.fragment),
            None => format!("{}{within}", self.fragment),
        }
    }
}

/// An anchor of a schema (JSON Schema 2020-12 Core §8.2.2).
struct Anchor<'a> {
    name: &'a str,
    is_dynamic: bool,
}

impl Anchor<'_> {
    fn count(&self, dynamic: &mut BTreeMap<String, usize>) {
        if self.is_dynamic {
            *dynamic.entry(self.name.to_owned()).or_default() += 1;
        }
    }
}

/// Visits every anchor of a file, with the place of its schema.
fn each_anchor(
    value: &Value,
    at: &Pointer,
    naming: bool,
    show: &mut impl FnMut(Anchor<'_>, &Pointer),
) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                each_anchor(item, &at.child(index.to_string()), false, show);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("$anchor" | "$dynamicAnchor", Value::String(anchor)) if !naming => {
                        let is_dynamic = name == "$dynamicAnchor";
                        show(
                            Anchor {
                                name: anchor,
                                is_dynamic,
                            },
                            at,
                        );
                    }
                    (name, _) if !naming && is_data(name, member) => {}
                    (name, _) => {
                        let names = NAMING.contains(&name) && !naming;
                        each_anchor(member, &at.child(name), names, show);
                    }
                }
            }
        }
        _ => {}
    }
}
