//! Decodes the fields of a `multipart/form-data` body into Rust values, and
//! collects all violations.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::decode::json_text;
use crate::decode::reader::Reader;
use crate::multipart::field::{Delimited, Encoding, Field, Fields};
use crate::multipart::headers::{self, PartHeaders};
use crate::multipart::{self, File, Part};
use json_schema::coerce::raw::Raw;
use json_schema::issue::{Issue, counted, pointer};

/// The parts of a form that have not been read yet.
pub struct Form<'r, 'a> {
    reader: &'r mut Reader<'a>,
    fields: &'static Fields,
    /// By the names of their fields, so that each part is looked at once, however many there are.
    parts: BTreeMap<String, Vec<Part>>,
    /// The values of the fields, after [`Form::whole`].
    validated: Option<Map<String, Value>>,
}

impl<'r, 'a> Form<'r, 'a> {
    /// Splits a body into its parts; a body that is no form becomes an issue.
    pub fn open(
        reader: &'r mut Reader<'a>,
        fields: &'static Fields,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Option<Self> {
        let parts = multipart::parts(headers, body, fields);
        match parts {
            Some(parts) => Some(Self::of(reader, fields, parts)),
            None => {
                let message = "is not a form as its Content-Type says";
                reader.report(Issue::of_form(None, "type", message));
                None
            }
        }
    }

    /// A form of parts that are parsed already.
    pub(crate) fn of(
        reader: &'r mut Reader<'a>,
        fields: &'static Fields,
        parts: Vec<Part>,
    ) -> Self {
        let mut named: BTreeMap<String, Vec<Part>> = BTreeMap::new();
        for part in parts {
            let name = fields.name(&part.field);
            match named.get_mut(name) {
                Some(parts) => parts.push(part),
                None => _ = named.insert(name.to_owned(), vec![part]),
            }
        }
        Self {
            reader,
            fields,
            parts: named,
            validated: None,
        }
    }

    /// Validates all fields together against one schema, whose `allOf`, `if` and the like concern several fields.
    /// In the value that is validated, a file is its number of bytes. Violations become issues.
    pub fn whole(mut self, schema: &str) -> Option<Self> {
        let issues = self.fields.issues(&self.parts);
        if !issues.is_empty() {
            issues
                .into_iter()
                .for_each(|issue| self.reader.report(issue));
            return None;
        }
        let mut members = BTreeMap::new();
        for (name, parts) in &self.parts {
            let parts: Vec<&Part> = parts.iter().collect();
            let value = match self.fields.get(name) {
                Some(field) => raw_value(self.reader, name, field, &parts),
                // An undeclared field may be a file: its value is then empty.
                None => Ok(raw_text(name, &parts).unwrap_or(Raw::Text(Cow::Borrowed("")))),
            };
            match value {
                Ok(value) => _ = members.insert(Cow::Borrowed(name.as_str()), value),
                Err(Violation { keyword, message }) => {
                    let issue = Issue::of_form(Some(name), keyword, message);
                    self.reader.report(issue);
                    return None;
                }
            }
        }
        self.validated = self.reader.typed(&Raw::Map(members), schema, "");
        if self.validated.is_none() {
            self.reword_file_issues();
            return None;
        }
        Some(self)
    }

    /// Rewords issues about numbers of bytes as issues about the lengths of files.
    fn reword_file_issues(&mut self) {
        let is_file = |name: &&String| self.fields.get(name).is_some_and(Field::is_file);
        let files = self.parts.keys().filter(is_file);
        let files: BTreeSet<String> = files.map(|name| pointer(name)).collect();
        for issue in self.reader.issues() {
            let field = issue.at.split('/').nth(1).unwrap_or_default();
            if files.contains(&format!("/{field}")) {
                issue.reword_as_file_length();
            }
        }
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned>(
        &mut self,
        field: &str,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        match self.optional(field, valid)? {
            Some(value) => Some(value),
            None => self.refuse(field, "required", "is required"),
        }
    }

    /// A field that may be absent, which is `Some(None)`.
    pub fn optional<T: DeserializeOwned>(
        &mut self,
        field: &str,
        valid: fn(&T) -> bool,
    ) -> Option<Option<T>> {
        let parts = self.take(field)?;
        if parts.is_empty() {
            return Some(None);
        }
        let at = pointer(field);
        if let Some(validated) = &mut self.validated {
            // The form is valid as a whole. If the value does not fit the type, the chosen variant of
            // the union does not declare this field; it is dropped like other undeclared fields.
            return Some(
                validated
                    .remove(field)
                    .and_then(|value| T::deserialize(value).ok()),
            );
        }
        let declared = self.fields.get(field)?;
        let parts: Vec<&Part> = parts.iter().collect();
        let raw = match raw_value(self.reader, field, declared, &parts) {
            Ok(raw) => raw,
            Err(Violation { keyword, message }) => return self.refuse(field, keyword, message),
        };
        let schema = declared.schema;
        match raw {
            Raw::Json(value) => self.reader.value(value, schema, valid, &at).map(Some),
            raw => self.reader.raw(&raw, schema, valid, &at).map(Some),
        }
    }

    /// The headers of a field's first part. It is called before the field is read, which takes the parts.
    /// `Some(None)` if the field is absent; `None` if the headers are invalid, which is reported when the
    /// field is read.
    pub fn head<H: PartHeaders>(&self, field: &str) -> Option<Option<H>> {
        Some(
            self.heads(field)?
                .and_then(|heads| heads.into_iter().next()),
        )
    }

    /// The headers of all parts of a field, as [`Form::head`] gives those of the first.
    pub fn heads<H: PartHeaders>(&self, field: &str) -> Option<Option<Vec<H>>> {
        let Some(parts) = self.parts.get(field) else {
            return Some(None);
        };
        let heads = parts.iter();
        let heads = heads.map(|part| headers::read(&part.headers).ok());
        heads.collect::<Option<Vec<H>>>().map(Some)
    }

    /// A file that must be there.
    pub fn required_file(&mut self, field: &str) -> Option<File> {
        match self.optional_file(field)? {
            Some(file) => Some(file),
            None => self.refuse(field, "required", "is required"),
        }
    }

    /// A file that may be absent, which is `Some(None)`.
    pub fn optional_file(&mut self, field: &str) -> Option<Option<File>> {
        let mut parts = self.take(field)?.into_iter();
        let first = parts.next().map(|part| part.file);
        if parts.next().is_some() {
            return self.refuse(field, "type", "must not be repeated");
        }
        Some(first)
    }

    /// Files of which there are `min` to `max`. A list of files without any is absent, as it has no part.
    pub fn required_files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let files = self.optional_files(field, min, max)?;
        if files.is_empty() {
            return self.refuse(field, "required", "is required");
        }
        Some(files)
    }

    /// Files of which there are `min` to `max`, or none, where the field is absent.
    pub fn optional_files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let files = self.take(field)?.into_iter();
        let files: Vec<File> = files.map(|part| part.file).collect();
        let files_of = |count: usize| counted(u64::try_from(count).unwrap_or(u64::MAX), "file");
        if !files.is_empty() && files.len() < min {
            let message = format!("must have at least {}", files_of(min));
            return self.refuse(field, "minItems", &message);
        }
        if files.len() > max {
            let message = format!("must have at most {}", files_of(max));
            return self.refuse(field, "maxItems", &message);
        }
        Some(files)
    }

    /// Reads each field of files that is not declared by name, as `additionalProperties`.
    pub fn rest_of_files<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        self.rest(Field::is_file, |form, field| read(form, field).map(Some))
    }

    /// Reads each other field that is not declared by name, as `additionalProperties`. A field for which `read`
    /// returns `Some(None)` is dropped.
    pub fn rest_of_values<T>(
        &mut self,
        read: impl FnMut(&mut Self, &str) -> Option<Option<T>>,
    ) -> Option<BTreeMap<String, T>> {
        self.rest(|field| !field.is_file(), read)
    }

    fn rest<T>(
        &mut self,
        is_wanted: impl Fn(&Field) -> bool,
        mut read: impl FnMut(&mut Self, &str) -> Option<Option<T>>,
    ) -> Option<BTreeMap<String, T>> {
        let is_wanted = |name: &&String| self.fields.get(name).is_some_and(&is_wanted);
        let wanted: Vec<String> = self.parts.keys().filter(is_wanted).cloned().collect();
        let mut rest = Some(BTreeMap::new());
        for field in wanted {
            match (read(self, &field), &mut rest) {
                (Some(Some(value)), Some(rest)) => _ = rest.insert(field, value),
                (Some(_), _) => {}
                (None, _) => rest = None,
            }
        }
        rest
    }

    /// Refuses the fields that are left: they are undeclared (`additionalProperties: false`).
    pub fn close(mut self) {
        let left = self.parts.values().flatten();
        let left: BTreeSet<String> = left.map(|part| part.field.clone()).collect();
        for field in left {
            let message = "is not a field of this form";
            self.refuse::<()>(&field, "additionalProperties", message);
        }
    }

    /// The parts of a field, those of its members (`field[member]`) among them;
    /// one that is not as the field is declared becomes an issue.
    fn take(&mut self, field: &str) -> Option<Vec<Part>> {
        let parts = self.parts.remove(field).unwrap_or_default();
        let declared = self.fields.get(field)?;
        let issues = parts.iter().flat_map(|part| declared.issues(field, part));
        let issues: Vec<Issue> = issues.collect();
        let is_valid = issues.is_empty();
        issues
            .into_iter()
            .for_each(|issue| self.reader.report(issue));
        is_valid.then_some(parts)
    }

    fn refuse<T>(&mut self, field: &str, keyword: &'static str, message: &str) -> Option<T> {
        self.reader
            .report(Issue::of_form(Some(field), keyword, message));
        None
    }
}

/// Whether a part's name is `field` or `field[…]`.
pub(crate) fn is_of(part: &str, field: &str) -> bool {
    let rest = part.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// Why the parts of a field cannot be its value: the keyword and the message of an issue.
struct Violation {
    keyword: &'static str,
    message: &'static str,
}

impl Violation {
    const NOT_TEXT: Violation = Violation::new("format", "must be text in UTF-8");

    const fn new(keyword: &'static str, message: &'static str) -> Self {
        Self { keyword, message }
    }
}

/// The value of a field by its encoding, before it is validated and read into a type.
fn raw_value<'p>(
    reader: &Reader<'_>,
    name: &str,
    field: &Field,
    parts: &[&'p Part],
) -> Result<Raw<'p>, Violation> {
    match field.encoding {
        Encoding::Text => match field.delimited {
            Some(delimited) => split_delimited(delimited, parts),
            None if !field.spread.is_empty() => raw_object_of_parts(name, field.spread, parts),
            None => raw_text(name, parts).ok_or(Violation::NOT_TEXT),
        },
        Encoding::Json => {
            let values = parts.iter().map(|part| json_text::parse(&part.file.bytes));
            let Ok(values) = values.collect::<Result<Vec<_>, _>>() else {
                return Err(Violation::new("contentMediaType", "must be JSON"));
            };
            Ok(Raw::Json(match <[Value; 1]>::try_from(values) {
                Ok([value]) if reader.is_whole(&value, field.schema) => value,
                Ok([value]) => Value::Array(vec![value]),
                Err(values) => Value::Array(values),
            }))
        }
        Encoding::File => {
            let length = |part: &&Part| Raw::Text(Cow::Owned(part.octets.to_string()));
            Ok(match parts {
                [file] => length(file),
                files => Raw::List(files.iter().map(length).collect()),
            })
        }
    }
}

/// The text of one part, or the list or object of several, before it is validated.
fn raw_text<'p>(field: &str, parts: &[&'p Part]) -> Option<Raw<'p>> {
    let mut value = Raw::List(Vec::new());
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes).ok()?;
        let path = part.field.strip_prefix(field)?;
        value.insert_below(path, Cow::Borrowed(text)).ok()?;
    }
    Some(value)
}

/// An exploded object: each property is a part of its own name. It may also be sent as `field[property]`, but
/// not in both ways.
fn raw_object_of_parts<'p>(
    field: &str,
    members: &[&str],
    parts: &[&'p Part],
) -> Result<Raw<'p>, Violation> {
    let is_member = |part: &&&Part| members.contains(&part.field.as_str());
    match parts.iter().filter(is_member).count() {
        0 => return raw_text(field, parts).ok_or(Violation::NOT_TEXT),
        count if count < parts.len() => {
            return Err(Violation::new("type", "is written in two ways"));
        }
        _ => {}
    }
    let mut object = BTreeMap::new();
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes).map_err(|_| Violation::NOT_TEXT)?;
        let (name, text) = (Cow::Borrowed(part.field.as_str()), Cow::Borrowed(text));
        if object.insert(name, Raw::Text(text)).is_some() {
            return Err(Violation::new("type", "must have each member once"));
        }
    }
    Ok(Raw::Map(object))
}

/// The items of a list, or the members of an object, that one part holds between delimiters.
fn split_delimited<'p>(delimited: Delimited, parts: &[&'p Part]) -> Result<Raw<'p>, Violation> {
    let [part] = parts else {
        return Err(Violation::new("type", "must not be repeated"));
    };
    let text = std::str::from_utf8(&part.file.bytes).map_err(|_| Violation::NOT_TEXT)?;
    let texts: Vec<&str> = match text {
        "" => Vec::new(),
        text => text.split(delimited.delimiter).collect(),
    };
    let raw = |text: &&'p str| Raw::Text(Cow::Borrowed(*text));
    if !delimited.is_object {
        return Ok(Raw::List(texts.iter().map(raw).collect()));
    }
    let mut members = BTreeMap::new();
    for pair in texts.chunks(2) {
        let is_new = match pair {
            [name, value] => members.insert(Cow::Borrowed(*name), raw(value)).is_none(),
            _ => false,
        };
        if !is_new {
            return Err(Violation::new("type", "must use the declared style"));
        }
    }
    Ok(Raw::Map(members))
}
