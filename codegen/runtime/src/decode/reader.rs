//! Reads the parameters and the body of a request into types, and gathers
//! every violation on the way.
//!
//! Valid input pays for one typed decode and one check. Only when either
//! fails is the input read again as JSON and given to the schema interpreter,
//! which names all that is wrong. If it finds nothing, as with `1.0` for an
//! integer, the value is brought into the form that `serde` wants.
//!
//! For two kinds of parameters the interpreter runs though they are valid: one
//! that is written as JSON, which is no type before it, and one whose texts do
//! not tell its shape. Of the latter, every reading is made JSON and tried
//! until one is accepted; that one, or else the first, is validated again to
//! be decoded or explained.
//!
//! A method that returns `None` has recorded an issue; undeclared query
//! parameters are recorded by [`Reader::new`], so a generated function ends
//! with [`Reader::finish`] even where every method returned a value.

use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::decode::candidates;
use crate::decode::explain::explain;
use crate::decode::form_pairs;
use crate::decode::json_single;
use crate::decode::json_text;
use crate::decode::param::{Param, ParamShape, Style};
use crate::decode::param_source::Source;
use crate::decode::param_text;
use crate::decode::raw_decode;
use crate::http::captures::Captures;
use crate::http::rejection::Rejection;
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::issue::{Issue, Issues, Place};
use json_schema::types::Types;
use json_schema::validator::Schemas;

/// Reads the parameters and the body of one request.
pub struct Reader<'a> {
    source: Source<'a>,
    schemas: &'a Schemas,
    issues: Issues,
}

impl<'a> Reader<'a> {
    /// A reader for a request whose operation has the parameters `declared`.
    /// Query parameters that are not declared become issues.
    #[must_use]
    pub fn new(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        let source = Source::new(parts, captures, schemas, declared);
        let mut issues = Issues::new();
        source.undeclared(&mut issues);
        Self {
            source,
            schemas,
            issues,
        }
    }

    /// A reader for an operation that ignores undeclared query parameters. A
    /// query that is not percent-encoded properly becomes issues all the same.
    #[must_use]
    pub fn lenient(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        let source = Source::new(parts, captures, schemas, declared);
        let mut issues = Issues::new();
        source.malformed(&mut issues);
        Self {
            source,
            schemas,
            issues,
        }
    }

    /// A reader for a raw operation, whose query is its handler's business.
    #[must_use]
    pub fn of_path(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        Self {
            source: Source::new(parts, captures, schemas, declared),
            schemas,
            issues: Issues::new(),
        }
    }

    /// A parameter that must be there.
    pub fn required<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        match self.optional(param, valid)? {
            Some(value) => Some(value),
            // A form of no fields is no query at all; it lacks those that it needs.
            None if param.style == Style::QueryForm => self.parameter(param, &Raw::object(), valid),
            None => self.refuse_at(param, "required", "is required"),
        }
    }

    /// A parameter that may be absent, which is `Some(None)`.
    pub fn optional<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        valid: fn(&T) -> bool,
    ) -> Option<Option<T>> {
        let taken = match param.shape {
            ParamShape::AnyOf(shapes) => self.source.readings(param, shapes),
            _ => match self.source.take(param) {
                Ok(None) => return Some(None),
                Ok(Some(raw)) => return self.parameter(param, &raw, valid).map(Some),
                Err(flaw) => Err(flaw),
            },
        };
        match taken {
            Ok(readings) => {
                let admitted = self.schemas.json_type(param.schema);
                match candidates::chosen(param, &readings, &admitted) {
                    Some(value) => self.parsed(param, value).map(Some),
                    None => Some(None),
                }
            }
            Err(flaw) => {
                let (keyword, message) = flaw.told();
                self.refuse_at(param, keyword, message)
            }
        }
    }

    /// A parameter with a default for when it is absent.
    pub fn defaulted<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        valid: fn(&T) -> bool,
        default: fn() -> Option<T>,
    ) -> Option<T> {
        match self.optional(param, valid)? {
            Some(value) => Some(value),
            None => default().or_else(|| self.refuse_at(param, "required", "is required")),
        }
    }

    /// A body of JSON. An empty body is no JSON.
    ///
    /// # Errors
    /// Returns [`Rejection::Json`] if `bytes` are not one JSON text in UTF-8,
    /// or nest more than 127 deep.
    pub fn json<T: DeserializeOwned>(
        &mut self,
        bytes: &[u8],
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<Option<T>, Rejection> {
        if let Ok(value) = json_single::from_slice(bytes)
            && valid(&value)
        {
            return Ok(Some(value));
        }
        let value = json_text::parse(bytes)?;
        Ok(self.explain(schema, value, Place::Body, ""))
    }

    /// A body of text, which must be UTF-8.
    pub fn text(&mut self, bytes: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        if text.is_none() {
            self.issues.push(Issue {
                place: Place::Body,
                at: String::new(),
                keyword: "format",
                message: "must be UTF-8".to_owned(),
            });
        }
        text
    }

    /// A body of text that is one value, read as a parameter's is.
    pub fn scalar<T: DeserializeOwned>(
        &mut self,
        bytes: &[u8],
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        let text = self.text(bytes)?;
        self.raw(&Raw::Text(text.into()), schema, valid, "")
    }

    /// A body of `application/x-www-form-urlencoded`. Names may nest, as in
    /// `a[b]=c`, and a name that is repeated makes an array; the fields that
    /// are `styled` are read as parameters are.
    ///
    /// # Errors
    /// Never returns an error, because any bytes are a form. It returns a
    /// `Result` as [`Reader::json`] does, so that all media types of a body are
    /// read alike.
    pub fn form<T: DeserializeOwned>(
        &mut self,
        bytes: &[u8],
        styled: &[Param],
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<Option<T>, Rejection> {
        match form_pairs::members(bytes, styled) {
            Ok(raw) => Ok(self.raw(&raw, schema, valid, "")),
            Err(issue) => {
                self.issues.push(issue);
                Ok(None)
            }
        }
    }

    /// A value inside a body, read from text; `at` is its JSON pointer.
    pub(crate) fn raw<T: DeserializeOwned>(
        &mut self,
        raw: &Raw<'_>,
        schema: &str,
        valid: fn(&T) -> bool,
        at: &str,
    ) -> Option<T> {
        if let Ok(value) = raw_decode::decode(raw)
            && valid(&value)
        {
            return Some(value);
        }
        self.typed(raw, schema, at)
    }

    /// The same, decided by the schema alone.
    pub(crate) fn typed<T: DeserializeOwned>(
        &mut self,
        raw: &Raw<'_>,
        schema: &str,
        at: &str,
    ) -> Option<T> {
        let value = coerce::value(raw, &self.schemas.json_type(schema), Objects::ByMember);
        self.explain(schema, value, Place::Body, at)
    }

    /// A value inside a body, read from JSON; `at` is its JSON pointer.
    pub(crate) fn value<T: DeserializeOwned>(
        &mut self,
        value: Value,
        schema: &str,
        valid: fn(&T) -> bool,
        at: &str,
    ) -> Option<T> {
        if let Ok(read) = T::deserialize(&value)
            && valid(&read)
        {
            return Some(read);
        }
        self.explain(schema, value, Place::Body, at)
    }

    /// Whether a value that could be a list of one item is the item itself: where the schema accepts it so, or
    /// has no lists. Of a list, that depends on whether its items are lists.
    pub(crate) fn is_whole(&self, value: &Value, schema: &str) -> bool {
        let admitted = self.schemas.json_type(schema);
        let types = admitted.types();
        if !value.is_array() {
            return !types.contains(Types::ARRAY) || admitted.accepts(value);
        }
        let is_list = Types::ARRAY.union(Types::NULL).contains(types);
        let has_lists = is_list && admitted.item(0).types().contains(Types::ARRAY);
        !has_lists || !admitted.accepts(&Value::Array(vec![value.clone()]))
    }

    /// The violations that were found so far.
    pub(crate) fn issues(&mut self) -> impl Iterator<Item = &mut Issue> {
        self.issues.iter_mut()
    }

    /// Records a violation that the caller found.
    pub fn report(&mut self, issue: Issue) {
        self.issues.push(issue);
    }

    /// The rejection of a request in which something was refused.
    #[must_use]
    pub fn refuse(self) -> Rejection {
        Rejection::Invalid(self.issues.into_vec())
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// Returns [`Rejection::Invalid`] if anything was refused.
    pub fn finish(self) -> Result<(), Rejection> {
        if self.issues.is_empty() {
            Ok(())
        } else {
            Err(self.refuse())
        }
    }

    fn parameter<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        raw: &Raw<'_>,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        let value = match (param.style, raw) {
            (style, Raw::Text(text)) if style.is_json() => {
                match json_text::parse(text.as_bytes()) {
                    Ok(value) => value,
                    Err(_) => return self.refuse_at(param, "contentMediaType", "must be JSON"),
                }
            }
            _ => {
                if let Ok(value) = raw_decode::decode(raw)
                    && valid(&value)
                {
                    return Some(value);
                }
                let divided = param_text::divided(param, raw);
                let admitted = self.schemas.json_type(param.schema);
                coerce::value(divided.as_ref().unwrap_or(raw), &admitted, param.objects())
            }
        };
        self.parsed(param, value)
    }

    fn parsed<T: DeserializeOwned>(&mut self, param: &Param, value: Value) -> Option<T> {
        self.explain(param.schema, value, param.place, param.name)
    }

    /// Records the violations of `value`, or decodes it after all.
    fn explain<T: DeserializeOwned>(
        &mut self,
        schema: &str,
        value: Value,
        place: Place,
        at: &str,
    ) -> Option<T> {
        explain(self.schemas, schema, value, (place, at), &mut self.issues)
    }

    fn refuse_at<T>(&mut self, param: &Param, keyword: &'static str, message: &str) -> Option<T> {
        let (at, message) = (param.name.to_owned(), message.to_owned());
        self.issues.push(Issue {
            place: param.place,
            at,
            keyword,
            message,
        });
        None
    }
}
