//! Parts of HTTP messages, as both the document and the IR name them.

mod media_type;

pub use media_type::{canonical, is_json, is_text};
pub(crate) use media_type::{essence, is_media_type, is_xml};

use std::fmt;

/// The location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ParamLocation {
    Path,
    Query,
    Header,
    Cookie,
}

impl ParamLocation {
    /// A place by its name.
    pub(crate) fn named(name: &str) -> Option<ParamLocation> {
        match name {
            "header" => Some(ParamLocation::Header),
            "query" => Some(ParamLocation::Query),
            "path" => Some(ParamLocation::Path),
            "cookie" => Some(ParamLocation::Cookie),
            _ => None,
        }
    }

    /// Whether a name is that of the parameter `wire` at this location: names of headers are the
    /// same in any case.
    pub(crate) fn is_named(self, wire: &str, name: &str) -> bool {
        match self {
            ParamLocation::Header => wire.eq_ignore_ascii_case(name),
            _ => wire == name,
        }
    }

    /// Whether a link means the parameter by its location and name, as in `path.id` (OpenAPI 3.1.1 §4.8.20.1).
    pub(crate) fn is_qualified(self, wire: &str, name: &str) -> bool {
        name.split_once('.').is_some_and(|(place, name)| {
            ParamLocation::named(place) == Some(self) && self.is_named(wire, name)
        })
    }
}

/// The statuses that a response stands for (OpenAPI 3.1.1 §4.8.16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status.
    Code(u16),
    /// All statuses of that hundred: `4XX`.
    Range(u16),
    /// All statuses that are not listed.
    Default,
}

impl fmt::Display for Status {
    /// The status as documents write it: `404`, `4XX` or `default`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Code(code) => write!(f, "{code}"),
            Status::Range(hundred) => write!(f, "{hundred}XX"),
            Status::Default => f.write_str("default"),
        }
    }
}

impl Status {
    /// Whether a response with this status has a body (RFC 9110 §6.4.1, and §15.3.6 for 205).
    #[must_use]
    pub fn has_body(self) -> bool {
        !matches!(
            self,
            Status::Range(1) | Status::Code(100..=199 | 204 | 205 | 304)
        )
    }

    /// Whether it is a success (RFC 9110 §15.3).
    pub(crate) fn is_success(self) -> bool {
        matches!(self, Status::Range(2) | Status::Code(200..=299))
    }

    pub(crate) fn parse(text: &str) -> Option<Status> {
        if text == "default" {
            return Some(Status::Default);
        }
        if let Some(hundred) = text.strip_suffix("XX").or_else(|| text.strip_suffix("xx")) {
            return hundred
                .parse()
                .ok()
                .filter(|n| (1..=5).contains(n))
                .map(Status::Range);
        }
        text.parse()
            .ok()
            .filter(|code| (100..600).contains(code))
            .map(Status::Code)
    }
}
