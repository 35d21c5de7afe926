//! The objects of a document around its schemas: their fixed fields, and what each of them holds (OpenAPI 3.1.1
//! §4.8).

use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// What a value of the envelope is to be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// What others judge: data, schemas, and what is read whole.
    Any,
    Text,
    Flag,
    List(&'static Kind),
    /// An object whose members have names of the document's own.
    Map(&'static Kind),
    Object(Object),
}

/// An object of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Object {
    Document,
    Components,
    Paths,
    PathItem,
    Operation,
    Parameter,
    Body,
    Media,
    Encoding,
    Responses,
    Response,
    Callback,
    Example,
    Link,
    Header,
    ExternalDocs,
}

/// What an object is made of.
enum Made {
    Fields(&'static [(&'static str, Kind)]),
    /// Members of one kind, beside extensions.
    Patterned(Kind),
}

const fn of(object: Object) -> Kind {
    Kind::Object(object)
}

const SERVERS: Kind = Kind::List(&Kind::Any);
const PARAMETERS: Kind = Kind::List(&of(Object::Parameter));
const CONTENT: Kind = Kind::Map(&of(Object::Media));
const HEADERS: Kind = Kind::Map(&of(Object::Header));
const EXAMPLES: Kind = Kind::Map(&of(Object::Example));
const LINKS: Kind = Kind::Map(&of(Object::Link));
const CALLBACKS: Kind = Kind::Map(&of(Object::Callback));
const PATH_ITEMS: Kind = Kind::Map(&of(Object::PathItem));

const DOCUMENT: &[(&str, Kind)] = &[
    ("servers", SERVERS),
    ("paths", of(Object::Paths)),
    ("webhooks", PATH_ITEMS),
    ("components", of(Object::Components)),
    ("tags", Kind::List(&Kind::Any)),
    ("openapi", Kind::Any),
    ("info", Kind::Any),
    ("jsonSchemaDialect", Kind::Text),
    ("security", Kind::Any),
    ("externalDocs", of(Object::ExternalDocs)),
];

const COMPONENTS: &[(&str, Kind)] = &[
    ("schemas", Kind::Map(&Kind::Any)),
    ("responses", Kind::Map(&of(Object::Response))),
    ("parameters", Kind::Map(&of(Object::Parameter))),
    ("examples", EXAMPLES),
    ("requestBodies", Kind::Map(&of(Object::Body))),
    ("headers", HEADERS),
    ("securitySchemes", Kind::Map(&Kind::Any)),
    ("links", LINKS),
    ("callbacks", CALLBACKS),
    ("pathItems", PATH_ITEMS),
];

const PATH_ITEM: &[(&str, Kind)] = &[
    ("summary", Kind::Text),
    ("description", Kind::Text),
    ("servers", SERVERS),
    ("parameters", PARAMETERS),
    ("get", of(Object::Operation)),
    ("put", of(Object::Operation)),
    ("post", of(Object::Operation)),
    ("delete", of(Object::Operation)),
    ("options", of(Object::Operation)),
    ("head", of(Object::Operation)),
    ("patch", of(Object::Operation)),
    ("trace", of(Object::Operation)),
    ("$ref", Kind::Any),
    ("query", Kind::Any),
    ("additionalOperations", Kind::Any),
];

const OPERATION: &[(&str, Kind)] = &[
    ("tags", Kind::List(&Kind::Text)),
    ("summary", Kind::Text),
    ("description", Kind::Text),
    ("operationId", Kind::Text),
    ("parameters", PARAMETERS),
    ("requestBody", of(Object::Body)),
    ("responses", of(Object::Responses)),
    ("callbacks", CALLBACKS),
    ("deprecated", Kind::Flag),
    ("servers", SERVERS),
    ("security", Kind::Any),
    ("externalDocs", of(Object::ExternalDocs)),
];

const PARAMETER: &[(&str, Kind)] = &[
    ("name", Kind::Text),
    ("description", Kind::Text),
    ("required", Kind::Flag),
    ("deprecated", Kind::Flag),
    ("allowEmptyValue", Kind::Flag),
    ("style", Kind::Text),
    ("explode", Kind::Flag),
    ("allowReserved", Kind::Flag),
    ("examples", EXAMPLES),
    ("content", CONTENT),
    ("in", Kind::Any),
    ("schema", Kind::Any),
    ("example", Kind::Any),
];

const BODY: &[(&str, Kind)] = &[
    ("description", Kind::Text),
    ("content", CONTENT),
    ("required", Kind::Flag),
];

const MEDIA: &[(&str, Kind)] = &[
    ("examples", EXAMPLES),
    ("encoding", Kind::Map(&of(Object::Encoding))),
    ("schema", Kind::Any),
    ("itemSchema", Kind::Any),
    ("example", Kind::Any),
];

const ENCODING: &[(&str, Kind)] = &[
    ("contentType", Kind::Text),
    ("headers", HEADERS),
    ("style", Kind::Text),
    ("explode", Kind::Flag),
    ("allowReserved", Kind::Flag),
];

const RESPONSE: &[(&str, Kind)] = &[
    ("description", Kind::Text),
    ("headers", HEADERS),
    ("content", CONTENT),
    ("links", LINKS),
    ("summary", Kind::Any),
];

const EXAMPLE: &[(&str, Kind)] = &[
    ("summary", Kind::Text),
    ("description", Kind::Text),
    ("externalValue", Kind::Text),
    ("value", Kind::Any),
];

const LINK: &[(&str, Kind)] = &[
    ("description", Kind::Text),
    ("operationRef", Kind::Any),
    ("operationId", Kind::Any),
    ("parameters", Kind::Any),
    ("requestBody", Kind::Any),
    ("server", Kind::Any),
];

const EXTERNAL_DOCS: &[(&str, Kind)] = &[("description", Kind::Text), ("url", Kind::Text)];

const HEADER: &[(&str, Kind)] = &[
    ("description", Kind::Text),
    ("required", Kind::Flag),
    ("deprecated", Kind::Flag),
    ("explode", Kind::Flag),
    ("examples", EXAMPLES),
    ("content", CONTENT),
    ("style", Kind::Text),
    ("allowEmptyValue", Kind::Flag),
    ("allowReserved", Kind::Flag),
    ("schema", Kind::Any),
    ("example", Kind::Any),
];

impl Object {
    /// What one is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Object::Document => "a document",
            Object::Components => "the components",
            Object::Paths => "the paths",
            Object::PathItem => "a path item",
            Object::Operation => "an operation",
            Object::Parameter => "a parameter",
            Object::Body => "a request body",
            Object::Media => "a media type",
            Object::Encoding => "an encoding",
            Object::Responses => "responses",
            Object::Response => "a response",
            Object::Callback => "a callback",
            Object::Example => "an example",
            Object::Link => "a link",
            Object::Header => "a header",
            Object::ExternalDocs => "external documentation",
        }
    }

    /// Its fixed fields, with those that later versions of the standard have and the generator reads; none of
    /// one whose members have names of the document's own.
    pub(crate) fn fields(self) -> Option<&'static [(&'static str, Kind)]> {
        match self.made() {
            Made::Fields(fields) => Some(fields),
            Made::Patterned(_) => None,
        }
    }

    fn made(self) -> Made {
        Made::Fields(match self {
            Object::Paths | Object::Callback => return Made::Patterned(of(Object::PathItem)),
            Object::Responses => return Made::Patterned(of(Object::Response)),
            Object::Document => DOCUMENT,
            Object::Components => COMPONENTS,
            Object::PathItem => PATH_ITEM,
            Object::Operation => OPERATION,
            Object::Parameter => PARAMETER,
            Object::Body => BODY,
            Object::Media => MEDIA,
            Object::Encoding => ENCODING,
            Object::Response => RESPONSE,
            Object::Example => EXAMPLE,
            Object::Link => LINK,
            Object::Header => HEADER,
            Object::ExternalDocs => EXTERNAL_DOCS,
        })
    }

    /// What a member of it is to be.
    pub(crate) fn member(self, name: &str) -> Kind {
        match self.made() {
            Made::Fields(fields) => {
                let field = fields.iter().find(|(field, _)| *field == name);
                field.map_or(Kind::Any, |(_, kind)| *kind)
            }
            Made::Patterned(_) if name.starts_with("x-") => Kind::Any,
            Made::Patterned(kind) => kind,
        }
    }
}

impl Kind {
    /// Whether it holds other things of the envelope, and is none to which the standard lets anything refer.
    pub(crate) fn gathers(self) -> bool {
        use Object::{Components, Paths, Responses};
        match self {
            Kind::List(_) | Kind::Map(_) => true,
            Kind::Object(object) => matches!(object, Components | Paths | Responses),
            Kind::Any | Kind::Text | Kind::Flag => false,
        }
    }

    /// Whether a value may be one of the kind, as far as it shows itself.
    pub(crate) fn may_be(self, value: &Value) -> bool {
        match self {
            Kind::Any => true,
            Kind::Text => value.is_string(),
            Kind::Flag => value.is_boolean(),
            Kind::List(_) => value.is_array(),
            Kind::Map(_) | Kind::Object(_) => value.is_object(),
        }
    }

    /// Whether a member of a path item is an object of the standard, or a list of such.
    pub(crate) fn is_of_objects(self) -> bool {
        match self {
            Kind::Object(_) => true,
            Kind::List(items) => matches!(items, Kind::Object(_)),
            Kind::Any | Kind::Text | Kind::Flag | Kind::Map(_) => false,
        }
    }

    /// What stands within a value and is not plainly right, each with its token and what it is to be.
    fn within(self, value: &Value) -> Vec<(Cow<'_, str>, &Value, Kind)> {
        let mut within = Vec::new();
        match (self, value) {
            (Kind::List(kind), Value::Array(items)) => {
                let items = items.iter().enumerate();
                within.extend(items.map(|(i, item)| (i.to_string().into(), item, *kind)));
            }
            (Kind::Map(kind), Value::Object(members)) => {
                let members = members.iter();
                within.extend(members.map(|(name, value)| (name.as_str().into(), value, *kind)));
            }
            (Kind::Object(object), Value::Object(members)) => {
                let members = members.iter();
                let known =
                    members.map(|(name, value)| (name.as_str().into(), value, object.member(name)));
                within.extend(known);
            }
            _ => {}
        }
        within.retain(|(_, value, kind)| !kind.is_plainly(value));
        within
    }

    /// Whether a value is one of a kind that holds no others.
    fn is_plainly(self, value: &Value) -> bool {
        match self {
            Kind::Any | Kind::Text | Kind::Flag => self.may_be(value),
            Kind::List(_) | Kind::Map(_) | Kind::Object(_) => false,
        }
    }
}

/// Shows the values of the envelope, each with its place and what it is to be, through references too; what is
/// within one is shown as long as it is told to go on.
pub(crate) fn each<'v>(root: &'v Value, mut show: impl FnMut(&Pointer, &'v Value, Kind) -> bool) {
    let mut seen = HashSet::new();
    let mut left = vec![(Pointer::default(), root, of(Object::Document))];
    while let Some((at, value, kind)) = left.pop() {
        if !show(&at, value, kind) {
            continue;
        }
        let Some((at, value)) = referred(root, value) else {
            let within = kind.within(value).into_iter();
            left.extend(within.map(|(token, value, kind)| (at.child(token), value, kind)));
            continue;
        };
        // Components are shown where they stand; and what is of another kind is not to be made one of this.
        let is_shown = is_component(&at) || !kind.may_be(value);
        if !is_shown && seen.insert(at.clone()) {
            left.push((at, value, kind));
        }
    }
}

/// Whether a place is in a section of the components.
fn is_component(at: &Pointer) -> bool {
    let mut tokens = at.tokens();
    let is_within = tokens.next().is_some_and(|token| token == "components");
    let section = tokens.next().filter(|_| is_within);
    let kind = section.map(|section| Object::Components.member(&section));
    kind.is_some_and(|kind| !matches!(kind, Kind::Any))
}

/// What a reference to a place of the document leads to, and where that is.
pub(crate) fn referred<'v>(root: &'v Value, value: &Value) -> Option<(Pointer, &'v Value)> {
    let at = Pointer::of_reference(value.get("$ref")?.as_str()?)?;
    let target = root.pointer(at.as_str())?;
    Some((at, target))
}
