//! Reads the parts of a form into types: the fields one by one, and every
//! violation of any of them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::decode::json_text;
use crate::decode::reader::Reader;
use crate::multipart::field::{Field, Fields, Joined, Written};
use crate::multipart::headers::{self, PartHeaders};
use crate::multipart::{self, File, Part};
use json_schema::coerce::raw::Raw;
use json_schema::issue::{Issue, pointer};

/// The parts of a form that have not been read yet.
pub struct Form<'r, 'a> {
    reader: &'r mut Reader<'a>,
    fields: &'static Fields,
    /// By the names of their fields, so that each part is looked at once, however many there are.
    parts: BTreeMap<String, Vec<Part>>,
    /// The fields' values, where they were read together.
    read: Option<Map<String, Value>>,
}

impl<'r, 'a> Form<'r, 'a> {
    /// Takes a body apart; a body that is no form becomes an issue.
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

    /// Parts that have been taken apart.
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
            read: None,
        }
    }

    /// Reads all fields together, as a schema of the whole form has them, to which a file is the number of its
    /// bytes. Their violations become issues.
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
                Some(field) => untyped(self.reader, (name, field), &parts),
                // What may be anything may be a file.
                None => Ok(text(name, &parts).unwrap_or(Raw::Text(Cow::Borrowed("")))),
            };
            match value {
                Ok(value) => _ = members.insert(Cow::Borrowed(name.as_str()), value),
                Err((keyword, message)) => {
                    let issue = Issue::of_form(Some(name), keyword, message);
                    self.reader.report(issue);
                    return None;
                }
            }
        }
        self.read = self.reader.typed(&Raw::Map(members), schema, "");
        if self.read.is_none() {
            self.tell_of_files();
            return None;
        }
        Some(self)
    }

    /// Rewrites issues about numbers of bytes as issues about files.
    fn tell_of_files(&mut self) {
        let is_file = |name: &&String| self.fields.get(name).is_some_and(Field::is_file);
        let files = self.parts.keys().filter(is_file);
        let files: BTreeSet<String> = files.map(|name| pointer(name)).collect();
        for issue in self.reader.issues() {
            let field = issue.at.split('/').nth(1).unwrap_or_default();
            if files.contains(&format!("/{field}")) {
                issue.tell_of_file();
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
        if let Some(read) = &mut self.read {
            // The form is valid. A value that is not of the type belongs to an alternative
            // that does not declare the field, and is dropped as all undeclared ones are.
            return Some(
                read.remove(field)
                    .and_then(|value| T::deserialize(value).ok()),
            );
        }
        let declared = self.fields.get(field)?;
        let parts: Vec<&Part> = parts.iter().collect();
        let raw = match untyped(self.reader, (field, declared), &parts) {
            Ok(raw) => raw,
            Err((keyword, message)) => return self.refuse(field, keyword, message),
        };
        let schema = declared.schema;
        match raw {
            Raw::Json(value) => self.reader.value(value, schema, valid, &at).map(Some),
            raw => self.reader.raw(&raw, schema, valid, &at).map(Some),
        }
    }

    /// The headers of the part that a field is, which has not been read yet; `Some(None)` where it is
    /// absent. Their violations are reported where the field is read.
    pub fn head<H: PartHeaders>(&self, field: &str) -> Option<Option<H>> {
        let heads = self.heads(field)?.into_iter().flatten();
        Some(heads.into_iter().next())
    }

    /// The same of all parts of a field.
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
            return self.refuse(field, "type", "must be given once");
        }
        Some(first)
    }

    /// Files of which there are `min` to `max`, and one at least: without any, the field is absent.
    pub fn required_files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        self.files(field, min.max(1), max)
    }

    /// Files of which there are `min` to `max`, or none, where the field is absent.
    pub fn optional_files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let is_there = self.parts.get(field).is_some_and(|parts| !parts.is_empty());
        self.files(field, if is_there { min } else { 0 }, max)
    }

    fn files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let files: Vec<File> = self
            .take(field)?
            .into_iter()
            .map(|part| part.file)
            .collect();
        if files.len() < min {
            let message = format!("must have at least {min} files");
            return self.refuse(field, "minItems", &message);
        }
        if files.len() > max {
            let message = format!("must have at most {max} files");
            return self.refuse(field, "maxItems", &message);
        }
        Some(files)
    }

    /// The files that are left, each read under its own name.
    pub fn rest_of_files<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        self.rest(Field::is_file, |form, field| read(form, field).map(Some))
    }

    /// The other fields that are left, each read under its own name; those that
    /// are nothing in particular are dropped.
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

    /// Refuses the fields that are left, of a form that has no others.
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

/// Whether a part of the name `part` is of a field, or of a member of it.
pub(crate) fn is_of(part: &str, field: &str) -> bool {
    let rest = part.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// The parts of one field, not typed yet, or their issues.
fn untyped<'p>(
    reader: &Reader<'_>,
    (name, field): (&str, &Field),
    parts: &[&'p Part],
) -> Result<Raw<'p>, (&'static str, &'static str)> {
    match field.written {
        Written::Text => match field.joined {
            Some(joined) => taken_apart(joined, parts),
            None if !field.spread.is_empty() => spread(name, field.spread, parts),
            None => text(name, parts).ok_or(("format", "must be text in UTF-8")),
        },
        Written::Json => {
            let values = parts.iter().map(|part| json_text::parse(&part.file.bytes));
            let Ok(values) = values.collect::<Result<Vec<_>, _>>() else {
                return Err(("contentMediaType", "must be JSON"));
            };
            Ok(Raw::Json(match <[Value; 1]>::try_from(values) {
                Ok([value]) if reader.is_whole(&value, field.schema) => value,
                Ok([value]) => Value::Array(vec![value]),
                Err(values) => Value::Array(values),
            }))
        }
        Written::File => {
            let mut files = Raw::List(Vec::new());
            for part in parts {
                files
                    .insert_below("", Cow::Owned(part.octets.to_string()))
                    .map_err(|_| ("type", "is no file"))?;
            }
            Ok(files)
        }
    }
}

/// The parts of one field as text that is not typed yet.
fn text<'p>(field: &str, parts: &[&'p Part]) -> Option<Raw<'p>> {
    let mut value = Raw::List(Vec::new());
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes).ok()?;
        let path = part.field.strip_prefix(field)?;
        value.insert_below(path, Cow::Borrowed(text)).ok()?;
    }
    Some(value)
}

/// The parts of an object whose members have their own names; like a field of any form, it may have
/// their names in brackets behind its own.
fn spread<'p>(
    field: &str,
    members: &[&str],
    parts: &[&'p Part],
) -> Result<Raw<'p>, (&'static str, &'static str)> {
    let is_member = |part: &&&Part| members.contains(&part.field.as_str());
    match parts.iter().filter(is_member).count() {
        0 => return text(field, parts).ok_or(("format", "must be text in UTF-8")),
        count if count < parts.len() => return Err(("type", "is written in two ways")),
        _ => {}
    }
    let mut object = BTreeMap::new();
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes);
        let text = text.map_err(|_| ("format", "must be text in UTF-8"))?;
        let (name, text) = (Cow::Borrowed(part.field.as_str()), Cow::Borrowed(text));
        if object.insert(name, Raw::Text(text)).is_some() {
            return Err(("type", "must have each member once"));
        }
    }
    Ok(Raw::Map(object))
}

/// The texts of one part, which are items or members.
fn taken_apart<'p>(
    joined: Joined,
    parts: &[&'p Part],
) -> Result<Raw<'p>, (&'static str, &'static str)> {
    let [part] = parts else {
        return Err(("type", "must be given once"));
    };
    let text = std::str::from_utf8(&part.file.bytes);
    let text = text.map_err(|_| ("format", "must be text in UTF-8"))?;
    let mut texts = text.split(joined.delimiter).map(Cow::Borrowed);
    if !joined.is_object {
        let items = texts.filter(|_| !text.is_empty());
        return Ok(Raw::List(items.map(Raw::Text).collect()));
    }
    let mut members = BTreeMap::new();
    while let Some(name) = texts.next().filter(|_| !text.is_empty()) {
        let value = texts.next().map(Raw::Text);
        let known = value.map(|value| members.insert(name, value).is_some());
        if known != Some(false) {
            return Err(("type", "is not written in the declared style"));
        }
    }
    Ok(Raw::Map(members))
}
