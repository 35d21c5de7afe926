//! The parts of a request that parameters are read from.

use http::header::COOKIE;
use http::request::Parts;

use crate::decode::candidates;
use crate::decode::form_pairs;
use crate::decode::param::{Param, ParamShape, Style};
use crate::decode::param_text::{self, Flaw};
use crate::http::captures::{Captures, Found, decode};
use crate::http::query::{self, Pair};
use json_schema::coerce::raw::Raw;
use json_schema::issue::{Issue, Issues, Place};
use json_schema::validator::Schemas;

/// How much of an undeclared parameter's name an issue repeats, in
/// characters.
const NAME_SHOWN: usize = 64;

pub(crate) struct Source<'a> {
    parts: &'a Parts,
    captures: &'a Captures,
    /// The captures that fit the schemas, where those of the route may be others.
    fitting: Option<Found>,
    schemas: &'a Schemas,
    query: Vec<Pair<'a>>,
    declared: &'static [Param],
}

impl<'a> Source<'a> {
    pub(crate) fn new(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        let query = parts
            .uri
            .query()
            .map(|query| query::pairs(query).collect())
            .unwrap_or_default();
        Self {
            parts,
            captures,
            fitting: captures.fitting(|name, text| {
                let mut declared = declared.iter();
                let param = declared.find(|one| one.place == Place::Path && one.name == name);
                param.is_none_or(|param| candidates::fits(param, text, schemas))
            }),
            schemas,
            query,
            declared,
        }
    }

    /// The values that a parameter of several shapes may stand for; none where it is absent.
    pub(crate) fn readings(
        &self,
        param: &Param,
        shapes: &[ParamShape],
    ) -> Result<Vec<Raw<'a>>, Flaw> {
        candidates::readings(param, shapes, |one| self.take(one))
    }

    /// The text of a parameter of one shape; `None` where it is absent.
    pub(crate) fn take(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        match param.place {
            Place::Path => match self.captured(param.name) {
                Some(text) => param_text::single(param, text, decode).map(Some),
                None => Ok(None),
            },
            Place::Query if param.style.is_whole_query() => self.whole_query(param),
            Place::Query if self.is_rest(param) => {
                param_text::members(&self.query, |name| !self.is_declared_elsewhere(param, name))
            }
            Place::Query if param.style == Style::DeepObject => {
                let is_anothers = |name: &str| {
                    let mut others = self.declared.iter();
                    others.any(|other| param.yields_to(other, name))
                };
                param_text::deep(param, &self.query, |name| !is_anothers(name))
            }
            Place::Query => param_text::from_query(param, &self.query),
            Place::Header => self.header(param),
            Place::Cookie => self.cookie(param),
            Place::Body => Ok(None),
        }
    }

    fn captured(&self, name: &str) -> Option<&'a str> {
        match &self.fitting {
            Some(found) => self.captures.raw_of(found, name),
            None => self.captures.raw(name),
        }
    }

    /// Records the query parameters that no declaration covers.
    pub(crate) fn undeclared(&self, issues: &mut Issues) {
        for pair in &self.query {
            let at = match &pair.name {
                Ok(name) if self.declared.iter().any(|param| self.covers(param, name)) => continue,
                Ok(name) => name.chars().take(NAME_SHOWN).collect(),
                Err(_) => String::new(),
            };
            let message = "is not a parameter of this operation".to_owned();
            issues.push(Issue {
                place: Place::Query,
                at,
                keyword: "undeclared",
                message,
            });
            if issues.is_full() {
                break;
            }
        }
    }

    /// Records the undeclared query parameters that are not percent-encoded
    /// UTF-8; declared ones are checked when they are read.
    pub(crate) fn malformed(&self, issues: &mut Issues) {
        for pair in &self.query {
            let name = pair.name.as_deref().unwrap_or_default();
            let is_declared = self.declared.iter().any(|param| self.covers(param, name));
            if is_declared || pair.name.is_ok() && query::is_encoded(pair.value) {
                continue;
            }
            let (keyword, message) = Flaw::Encoding.told();
            issues.push(Issue {
                place: Place::Query,
                at: name.chars().take(NAME_SHOWN).collect(),
                keyword,
                message: message.to_owned(),
            });
            if issues.is_full() {
                break;
            }
        }
    }

    /// Whether `param` is written with the query name `name`.
    fn covers(&self, param: &Param, name: &str) -> bool {
        param.place == Place::Query
            && (param.style.is_whole_query() || param.is_written_as(name) || self.is_rest(param))
    }

    /// Whether a parameter takes all names that no other one declares.
    fn is_rest(&self, param: &Param) -> bool {
        param.takes_the_rest(self.schemas)
    }

    /// Whether a name is another parameter's rather than one of the rest that `param` takes.
    fn is_declared_elsewhere(&self, param: &Param, name: &str) -> bool {
        let is_own = param.shape.declares(name);
        let mut others = self.declared.iter();
        others.any(|other| {
            let is_named = other.place == Place::Query && other.is_written_as(name);
            other.name != param.name && is_named && !(is_own && self.is_rest(other))
        })
    }

    /// The query as one value, without the pairs that tell the operation from others, and without credentials;
    /// `None` where there is nothing of it.
    fn whole_query(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        if param.style.is_query_text() {
            let text = self.parts.uri.query().filter(|text| !text.is_empty());
            return text
                .map(|text| param_text::single(param, text, decode))
                .transpose();
        }
        let is_anothers = |pair: &Pair<'_>| {
            let mut others = self.declared.iter();
            others.any(|other| {
                other.place == Place::Query && other.name != param.name && pair.is(other.name)
            })
        };
        let own = self.query.iter().filter(|pair| !is_anothers(pair));
        let mut own = own.peekable();
        if own.peek().is_none() {
            return Ok(None);
        }
        let form = form_pairs::of_pairs(own, param.fields());
        form.map(Some).map_err(|(_, flaw)| flaw)
    }

    /// Several lines of a list are one list (RFC 9110, section 5.3).
    fn header(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        let mut values = self.parts.headers.get_all(param.name).iter();
        let Some(first) = values.next() else {
            return Ok(None);
        };
        let text = |value: &'a http::HeaderValue| {
            std::str::from_utf8(value.as_bytes())
                .map(str::trim_ascii)
                .map_err(|_| Flaw::Encoding)
        };
        let mut whole = param_text::single(param, text(first)?, param_text::verbatim)?;
        for value in values {
            match (
                &mut whole,
                param_text::single(param, text(value)?, param_text::verbatim)?,
            ) {
                (Raw::List(items), Raw::List(more)) => items.extend(more),
                // Several lines of one field are one value (RFC 9110, section 5.3).
                (Raw::Text(text), Raw::Text(more)) => *text = format!("{text}, {more}").into(),
                _ => return Err(Flaw::Repeated),
            }
        }
        Ok(Some(whole))
    }

    /// The cookies are `name=value; name=value` (RFC 6265, section 4.2.1).
    fn cookie(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        if param.style == Style::Cookie {
            return param_text::from_cookies(param, self.cookies());
        }
        let mut found = None;
        for (name, value) in self.cookies() {
            if name == param.name && found.replace(value).is_some() {
                return Err(Flaw::Repeated);
            }
        }
        match found {
            Some(value) => param_text::single(param, value, decode).map(Some),
            None => Ok(None),
        }
    }

    /// The names and values of all cookies.
    fn cookies(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let headers = self.parts.headers.get_all(COOKIE).into_iter();
        let texts = headers.filter_map(|header| std::str::from_utf8(header.as_bytes()).ok());
        texts.flat_map(|text| {
            let pairs = text.split(';');
            pairs.filter_map(|pair| pair.trim_ascii().split_once('='))
        })
    }
}
