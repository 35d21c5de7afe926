//! A body of a documented type with the facts of a rejection.
//!
//! Members are filled by their names, as error bodies are written: `title`, `detail`, `code`, `errors` and
//! so on. A type with a required member for which there is no fact has no such body.

use crate::ir::{
    EnumVariant, Field, Known, Model, ModelShape, Name, RejectionKind, Type, TypeKind,
};
use serde_json::Value;

/// How deep objects and lists may be in each other.
const MAX_DEPTH: usize = 4;

/// Names of members, in lower case and without `-` and `_`.
const CODES: &[&str] = &["code", "errorcode", "errortype", "kind", "slug"];
const MESSAGES: &[&str] = &[
    "message",
    "msg",
    "detail",
    "details",
    "description",
    "errormessage",
    "errordescription",
    "reason",
    "summary",
    "text",
];
const TITLES: &[&str] = &["title", "statustext", "reasonphrase"];
const STATUSES: &[&str] = &["status", "statuscode", "httpstatus", "httpcode"];
const PLACES: &[&str] = &["in", "location", "place"];
const PARTS: &[&str] = &[
    "at",
    "field",
    "name",
    "param",
    "parameter",
    "path",
    "pointer",
    "property",
    "source",
];
const KEYWORDS: &[&str] = &["keyword", "rule", "constraint", "code", "type"];
/// Constants that say of a body no more than that it is an error's.
const PLAIN: &[&str] = &["error", "about:blank"];

/// How codes are written.
pub(super) const SPELLINGS: [fn(&Name) -> String; 5] = [
    Name::upper,
    |name| name.snake().to_owned(),
    |name| name.snake().replace('_', "-"),
    Name::pascal,
    |name| name.snake().replace('_', " "),
];

/// The facts of a rejection, and how they are written.
pub(super) struct Facts<'m> {
    pub(super) models: &'m [Model],
    pub(super) kind: RejectionKind,
    pub(super) status: u16,
    pub(super) spelling: fn(&Name) -> String,
    /// Whether texts may be any, so that they say more of a request than its kind of rejection.
    pub(super) is_specific: bool,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'p> {
    /// The name of the member; the one of a list is also its items'.
    name: &'p str,
    /// The names of all members of the object.
    around: &'p [String],
    /// Whether it is of a single violation.
    of_issue: bool,
    depth: usize,
}

impl Place<'_> {
    fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.name)
    }

    fn is_beside(&self, names: &[&str]) -> bool {
        let mut around = self.around.iter();
        around.any(|name| name != self.name && names.contains(&name.as_str()))
    }
}

impl Facts<'_> {
    /// A body of a type.
    pub(super) fn body(&self, ty: &Type) -> Option<Known> {
        let place = Place {
            name: "message",
            around: &[],
            of_issue: false,
            depth: 0,
        };
        self.value(ty, place)
    }

    fn value(&self, ty: &Type, place: Place<'_>) -> Option<Known> {
        match &ty.kind {
            TypeKind::Nullable(inner) => self.value(inner, place),
            TypeKind::Model(id) => self.shaped(&self.models.get(id.0)?.shape, place),
            TypeKind::String => self.text(place),
            TypeKind::Formatted { .. } => (place.name == "type").then(about_blank),
            TypeKind::Integer(_) | TypeKind::Number => {
                let is_status = place.is(STATUSES) || place.is(CODES);
                (is_status && !place.of_issue).then_some(Known::Number(self.status))
            }
            TypeKind::Bool => match place.name {
                "success" | "ok" | "successful" => Some(Known::Bool(false)),
                "error" | "failed" => Some(Known::Bool(true)),
                _ => None,
            },
            TypeKind::Array(item) => self.list(item, place),
            TypeKind::Map(_) | TypeKind::Json | TypeKind::Null => None,
        }
    }

    fn shaped(&self, shape: &ModelShape, place: Place<'_>) -> Option<Known> {
        if place.depth > MAX_DEPTH {
            return None;
        }
        match shape {
            ModelShape::Alias(inner) | ModelShape::Newtype(inner) => self.value(inner, place),
            ModelShape::Constant(only) => self.constant(only, place),
            ModelShape::Enum(variants) => self.listed(variants, place),
            ModelShape::IntegerEnum(_) => None,
            ModelShape::Union(union) => {
                let mut variants = union.variants.iter();
                variants.find_map(|variant| self.value(&variant.ty, place))
            }
            ModelShape::Struct { fields, .. } => self.object(fields, place),
            ModelShape::Own { .. } => None,
        }
    }

    fn object(&self, fields: &[Field], place: Place<'_>) -> Option<Known> {
        let around: Vec<String> = fields.iter().map(|field| plain(&field.wire)).collect();
        let mut members = Vec::new();
        for (field, name) in fields.iter().zip(&around) {
            let place = Place {
                name,
                around: &around,
                depth: place.depth + 1,
                ..place
            };
            match self.value(&field.ty, place) {
                Some(value) => members.push((field.wire.clone(), value)),
                None if field.required => members.push((field.wire.clone(), empty(&field.ty)?)),
                None => {}
            }
        }
        let tells = |value: &Known| !matches!(value, Known::Bool(_) | Known::List(_));
        let mut values = members.iter().map(|(_, value)| value);
        values.any(tells).then_some(Known::Object(members))
    }

    fn text(&self, place: Place<'_>) -> Option<Known> {
        if place.of_issue {
            if place.is(PLACES) && place.is_beside(PARTS) {
                return Some(Known::Place);
            } else if place.is(PARTS) || place.is(PLACES) {
                return Some(Known::At);
            } else if place.is(KEYWORDS) {
                return Some(Known::Keyword);
            }
        }
        match place.name {
            "error" if place.is_beside(&["errordescription"]) => Some(self.code()),
            "error" if place.is_beside(MESSAGES) => Some(self.title()),
            "type" if place.is_beside(TITLES) || place.is_beside(&["detail"]) => {
                Some(about_blank())
            }
            "type" => Some(self.code()),
            "error" | "errors" => Some(self.message()),
            _ if place.is(CODES) => Some(self.code()),
            _ if place.is(MESSAGES) => Some(self.message()),
            _ if place.is(TITLES) => Some(self.title()),
            _ if place.is(STATUSES) => Some(Known::Text(self.status.to_string())),
            _ => None,
        }
    }

    /// A list of violations, or of the only error.
    fn list(&self, item: &Type, place: Place<'_>) -> Option<Known> {
        let place = Place {
            depth: place.depth + 1,
            ..place
        };
        if place.of_issue {
            // As FastAPI has it: `"loc": ["query", "limit"]`.
            let is_path = place.name == "loc";
            return is_path.then(|| Known::List(vec![Known::Place, Known::At]));
        }
        if self.kind == RejectionKind::Validation {
            let of_issue = Place {
                of_issue: true,
                ..place
            };
            let issue = self.value(item, of_issue);
            return issue.map(|issue| Known::Issues(Box::new(issue)));
        }
        // Beside a message, it is a list of violations, and there are none.
        if place.is_beside(MESSAGES) {
            return None;
        }
        self.value(item, place).map(|only| Known::List(vec![only]))
    }

    /// A constant, unless it is the code of something else.
    fn constant(&self, only: &Value, place: Place<'_>) -> Option<Known> {
        match only {
            Value::String(text) => {
                let tells = place.is(CODES) || place.is(TITLES) || place.is(&["error", "type"]);
                let fits = !tells || self.means(text) || PLAIN.contains(&text.as_str());
                fits.then(|| Known::Text(text.clone()))
            }
            Value::Number(number) => {
                let is_own = number.as_u64() == Some(self.status.into());
                is_own.then_some(Known::Number(self.status))
            }
            Value::Bool(value) => Some(Known::Bool(*value)),
            _ => None,
        }
    }

    fn listed(&self, variants: &[EnumVariant], place: Place<'_>) -> Option<Known> {
        if place.of_issue {
            return None;
        }
        let codes = self.kind.codes().iter();
        let mut named = codes.filter_map(|code| {
            let mut variants = variants.iter();
            variants.find(|variant| plain(&variant.wire) == plain(code))
        });
        let status = self.status.to_string();
        let numbered = || variants.iter().find(|variant| variant.wire == status);
        let found = named.next().or_else(numbered)?;
        Some(Known::Text(found.wire.clone()))
    }

    fn means(&self, code: &str) -> bool {
        let mut codes = self.kind.codes().iter();
        codes.any(|known| plain(known) == plain(code))
    }

    fn code(&self) -> Known {
        let usual = self.kind.codes().first().copied().unwrap_or_default();
        Known::Text((self.spelling)(&Name::of(usual)))
    }

    fn title(&self) -> Known {
        let named = http::StatusCode::from_u16(self.status).ok();
        let phrase = named.and_then(|status| status.canonical_reason());
        Known::Text(phrase.unwrap_or("Error").to_owned())
    }

    fn message(&self) -> Known {
        match self.is_specific {
            true => Known::Message,
            false => Known::Text(self.kind.message().to_owned()),
        }
    }
}

/// The problem type of RFC 9457 that says no more than the status.
fn about_blank() -> Known {
    Known::Text("about:blank".to_owned())
}

/// A value without anything in it.
fn empty(ty: &Type) -> Option<Known> {
    match ty.kind {
        TypeKind::Array(_) => Some(Known::List(Vec::new())),
        TypeKind::Map(_) => Some(Known::Object(Vec::new())),
        _ => None,
    }
}

/// A name in lower case, without the separators of its words.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '.'));
    letters.flat_map(char::to_lowercase).collect()
}
