//! One violation of the contract by a request, and the capped list of them.
//!
//! A violation has a place and a message; how a contract reports it is decided
//! elsewhere. A message names the bound that was crossed and never repeats the
//! client's value.

use std::fmt;

use crate::validator::report;

/// The part of a request that a value was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A parameter in the path.
    Path,
    /// A parameter in the query.
    Query,
    /// A request header.
    Header,
    /// One cookie of the `Cookie` header.
    Cookie,
    /// The request body.
    Body,
}

impl Place {
    /// The name that OpenAPI gives to the place (`in:`), or `body`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Body => "body",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One violation: where, which keyword of JSON Schema, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The part of the request.
    pub place: Place,
    /// The parameter's name (followed by a JSON pointer when the violation is
    /// inside an array or object), or the JSON pointer into the body
    /// (RFC 6901), which is empty for the body as a whole.
    pub at: String,
    /// The keyword that refused the value, as JSON Schema 2020-12 spells it;
    /// `undeclared` for a query parameter that the operation does not have.
    pub keyword: &'static str,
    /// A predicate without a subject, such as `must be at most 200`.
    pub message: String,
}

impl Issue {
    /// How many violations of a request are kept; a hostile request cannot
    /// have a longer answer made.
    pub const CAP: usize = 64;

    /// A violation by a field of a form, or by the form as a whole.
    pub fn of_form(field: Option<&str>, keyword: &'static str, message: &str) -> Self {
        Self {
            place: Place::Body,
            at: report::shown(&field.map(pointer).unwrap_or_default()),
            keyword,
            message: message.to_owned(),
        }
    }

    /// Rewords a violation by a file's number of bytes as one by its length.
    pub fn reword_as_file_length(&mut self) {
        let keyword = match self.keyword {
            "minimum" => "minLength",
            "maximum" => "maxLength",
            _ => return,
        };
        self.keyword = keyword;
        let unit = match self.message.ends_with(" 1") {
            true => " byte",
            false => " bytes",
        };
        self.message = self.message.replacen("must be", "must have", 1) + unit;
    }
}

/// A number with its noun, such as `1 file` and `2 files`.
pub fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// The JSON pointer to a member (RFC 6901, section 3).
pub fn pointer(member: &str) -> String {
    format!("/{}", report::escape_pointer(member))
}

/// A list of violations that stops growing at [`Issue::CAP`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Issues(Vec<Issue>);

impl Issues {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Keeps `issue`, unless the list is full or already holds the same one.
    pub fn push(&mut self, issue: Issue) {
        if !self.is_full() && !self.0.contains(&issue) {
            self.0.push(issue);
        }
    }

    /// Whether nothing was found.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether further violations would be dropped.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.0.len() >= Issue::CAP
    }

    /// The violations, in the order in which they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[Issue] {
        &self.0
    }

    /// The violations, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Issue> {
        self.0.iter_mut()
    }

    /// The violations, in the order in which they were found.
    #[must_use]
    pub fn into_vec(self) -> Vec<Issue> {
        self.0
    }
}
