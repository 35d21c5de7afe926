//! Reads a table of formats from a file: rows that replace others, or are added.

use super::{Dependency, Formats, Meaning, Typed};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Pointer, Source};
use json_schema::format;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The traits that a type may have beside those of every generated type, in the order of printing.
const DERIVES: &[&str] = &["Copy", "Eq", "PartialOrd", "Ord", "Hash", "Default"];

/// The members of a row, and those of its crate.
const ROW: &[&str] = &["type", "crate", "read", "write", "derive"];
const CRATE: &[&str] = &["name", "version", "path", "features", "default-features"];

/// The row for integers that the document leaves unbounded, and its value for all integers.
const INTEGERS: &str = "integer";
const EXACT: &str = "exact";

/// The rows of `formats` with the changes of a file.
pub(super) fn over(mut formats: Formats, source: &Source) -> Result<Formats, Diagnostics> {
    let mut reader = Reader::new(Code::FormatTable);
    let root = Pointer::default();
    match crate::source::read::read(source)? {
        Value::Object(table) => {
            if let Some(row) = table.get(INTEGERS) {
                formats.integers = reader.integers(row, &root.child(INTEGERS));
            }
            formats.rows.extend(reader.rows(&table));
        }
        // A file with nothing but comments changes nothing.
        Value::Null => {}
        _ => reader.wrong(
            &root,
            "a table of formats must be an object of rows by format",
        ),
    }
    reader.same_versions(&formats);
    if reader.diagnostics.is_empty() {
        Ok(formats)
    } else {
        Err(reader.diagnostics)
    }
}

/// The rows of a table without errors.
pub(super) fn rows(table: &Value) -> BTreeMap<String, Meaning> {
    let mut reader = Reader::new(Code::FormatTable);
    let table = table.as_object();
    table.map_or_else(BTreeMap::new, |table| reader.rows(table))
}

/// The type that a schema names as its own; for strings a row of the table, for others a type that serde
/// reads and writes. If the row is invalid, its errors.
pub(super) fn own_type(row: &Value, is_text: bool, at: &Pointer) -> Result<Typed, Diagnostics> {
    let mut reader = Reader::new(Code::RustType);
    let short;
    let members = match row {
        Value::String(_) => {
            short = Map::from_iter([("type".to_owned(), row.clone())]);
            &short
        }
        Value::Object(members) => members,
        _ => {
            let message =
                "a type of Rust must be its path, or an object with a `type` and its `crate`";
            reader.wrong(at, message);
            return Err(reader.diagnostics);
        }
    };
    if !is_text {
        reader.known(members, &["type", "crate"], at);
    }
    match reader.typed(members, at) {
        Some(typed) if reader.diagnostics.is_empty() => Ok(typed),
        _ => Err(reader.diagnostics),
    }
}

struct Reader {
    code: Code,
    diagnostics: Diagnostics,
}

impl Reader {
    fn new(code: Code) -> Reader {
        Reader {
            code,
            diagnostics: Diagnostics::default(),
        }
    }

    fn wrong(&mut self, at: &Pointer, message: impl Into<String>) {
        self.diagnostics
            .error(Diagnostic::new(self.code, at, message));
    }

    fn rows(&mut self, table: &Map<String, Value>) -> BTreeMap<String, Meaning> {
        let rows = table.iter().filter(|(name, _)| *name != INTEGERS);
        let rows = rows.filter_map(|(name, row)| {
            let meaning = self.row(name, row, &Pointer::default().child(name))?;
            Some((name.clone(), meaning))
        });
        rows.collect()
    }

    /// The range named by a format, if it has one.
    fn integers(&mut self, row: &Value, at: &Pointer) -> Option<(i128, i128)> {
        let word = row.as_str().unwrap_or_default();
        let range = format::integer_range(word);
        if range.is_none() && word != EXACT {
            let message = "integers must be `exact`, or of the range of a format such as `int64`";
            self.wrong(at, message);
        }
        range
    }

    fn row(&mut self, name: &str, row: &Value, at: &Pointer) -> Option<Meaning> {
        match row {
            Value::Object(members) => {
                let typed = self.typed(members, at)?;
                Some(Meaning::Type(Box::new(typed)))
            }
            Value::String(word) if word == "ignored" => Some(Meaning::Ignored),
            Value::String(word) if word == "checked" => {
                if !format::is_known(name) {
                    let message =
                        format!("the form of `{name}` is not known, so it cannot be checked");
                    let help = "give it a `type` that reads it, or write `ignored`";
                    self.diagnostics
                        .error(Diagnostic::new(self.code, at, message).help(help));
                }
                Some(Meaning::Checked)
            }
            _ => {
                let help = format!("for example:\n{name}: {{ type: std::net::IpAddr }}");
                let message = "a row must be an object with a `type`, or `checked`, or `ignored`";
                self.diagnostics
                    .error(Diagnostic::new(self.code, at, message).help(help));
                None
            }
        }
    }

    fn typed(&mut self, members: &Map<String, Value>, at: &Pointer) -> Option<Typed> {
        self.known(members, ROW, at);
        let ty = self.rust::<syn::Type>(members, "type", at, "a Rust type");
        let read = self.rust::<syn::Expr>(members, "read", at, "a Rust expression");
        let write = self.rust::<syn::Expr>(members, "write", at, "a Rust expression");
        let derives = self.texts(members, "derive", at);
        for (index, name) in derives.iter().enumerate() {
            if !DERIVES.contains(&name.as_str()) {
                let at = at.child("derive").child(index.to_string());
                self.wrong(&at, format!("one of {} is expected", DERIVES.join(", ")));
            }
        }
        let in_order = DERIVES
            .iter()
            .filter(|name| derives.iter().any(|own| own == *name));
        let derives = in_order.map(|name| (*name).to_owned()).collect();
        let dependency = match members.get("crate") {
            None => None,
            Some(Value::Object(members)) => self.dependency(members, &at.child("crate")),
            Some(_) => {
                let help = "for example:\ncrate: { name: uuid, version: \"1\" }";
                let message = "`crate` must be an object with a `name` and a `version` or `path`";
                let at = at.child("crate");
                self.diagnostics
                    .error(Diagnostic::new(self.code, &at, message).help(help));
                None
            }
        };
        if !members.contains_key("type") {
            self.wrong(at, "a row that is an object needs a `type`");
        }
        Some(Typed {
            ty: ty?,
            read,
            write,
            derives,
            dependency,
        })
    }

    fn dependency(&mut self, members: &Map<String, Value>, at: &Pointer) -> Option<Dependency> {
        self.known(members, CRATE, at);
        let name = self.text(members, "name", at);
        let (version, path) = (
            self.text(members, "version", at),
            self.text(members, "path", at),
        );
        let is_name = |name: &String| {
            let mut chars = name.chars();
            chars.next().is_some_and(|c| c.is_ascii_alphabetic())
                && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        };
        if !name.as_ref().is_some_and(is_name) {
            self.wrong(at, "a crate needs a `name` that cargo takes");
        }
        if !members.contains_key("version") && !members.contains_key("path") {
            self.wrong(at, "a crate needs a `version` or a `path`");
        }
        let default_features = match members.get("default-features") {
            None => true,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                self.wrong(&at.child("default-features"), "true or false is expected");
                true
            }
        };
        Some(Dependency {
            name: name?,
            version,
            path,
            features: self.texts(members, "features", at),
            default_features,
        })
    }

    /// A member that holds Rust code of some kind.
    fn rust<T: syn::parse::Parse>(
        &mut self,
        members: &Map<String, Value>,
        name: &str,
        at: &Pointer,
        kind: &str,
    ) -> Option<String> {
        let text = self.text(members, name, at)?;
        if let Err(error) = syn::parse_str::<T>(&text) {
            self.wrong(&at.child(name), format!("this is not {kind}: {error}"));
            return None;
        }
        Some(text)
    }

    fn text(&mut self, members: &Map<String, Value>, name: &str, at: &Pointer) -> Option<String> {
        match members.get(name)? {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.wrong(
                    &at.child(name),
                    "a text is expected, in quotes where it is a number",
                );
                None
            }
        }
    }

    fn texts(&mut self, members: &Map<String, Value>, name: &str, at: &Pointer) -> Vec<String> {
        let items = match members.get(name) {
            None => return Vec::new(),
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.wrong(&at.child(name), "a list of texts is expected");
                return Vec::new();
            }
        };
        let mut texts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item.as_str() {
                Some(text) => texts.push(text.to_owned()),
                None => self.wrong(
                    &at.child(name).child(index.to_string()),
                    "a text is expected",
                ),
            }
        }
        texts
    }

    fn known(&mut self, members: &Map<String, Value>, known: &[&str], at: &Pointer) {
        for name in members
            .keys()
            .filter(|name| !known.contains(&name.as_str()))
        {
            let message = format!("there is no `{name}` here; {} are known", known.join(", "));
            self.wrong(&at.child(name), message);
        }
    }

    /// Checks that a crate has one version, because a manifest has it once.
    fn same_versions(&mut self, formats: &Formats) {
        let mut seen: Vec<(&str, &Dependency)> = Vec::new();
        for (format, meaning) in formats.rows() {
            let Meaning::Type(typed) = meaning else {
                continue;
            };
            let Some(own) = &typed.dependency else {
                continue;
            };
            let same = seen.iter().find(|(_, known)| known.name == own.name);
            match same {
                Some((other, known))
                    if (&known.version, &known.path) != (&own.version, &own.path) =>
                {
                    let at = Pointer::default().child(format).child("crate");
                    let message = format!(
                        "`{other}` wants another version of the crate `{}`",
                        own.name
                    );
                    self.wrong(&at, message);
                }
                Some(_) => {}
                None => seen.push((format, own)),
            }
        }
    }
}
