//! The objects of a document around its schemas: their fixed fields and the types of these (OpenAPI
//! 3.1.1 §4.8).

use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldType {
    /// Not checked here: data, schemas, and objects that are read as a whole.
    Any,
    Text,
    Flag,
    List(&'static FieldType),
    /// An object whose members have names of the author's choice.
    Map(&'static FieldType),
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

/// The members of an object of the standard.
enum ObjectMembers {
    Fields(&'static [(&'static str, FieldType)]),
    /// Members of one kind, beside extensions.
    Patterned(FieldType),
}

const fn of(object: Object) -> FieldType {
    FieldType::Object(object)
}

const SERVERS: FieldType = FieldType::List(&FieldType::Any);
const PARAMETERS: FieldType = FieldType::List(&of(Object::Parameter));
const CONTENT: FieldType = FieldType::Map(&of(Object::Media));
const HEADERS: FieldType = FieldType::Map(&of(Object::Header));
const EXAMPLES: FieldType = FieldType::Map(&of(Object::Example));
const LINKS: FieldType = FieldType::Map(&of(Object::Link));
const CALLBACKS: FieldType = FieldType::Map(&of(Object::Callback));
const PATH_ITEMS: FieldType = FieldType::Map(&of(Object::PathItem));

const DOCUMENT: &[(&str, FieldType)] = &[
    ("servers", SERVERS),
    ("paths", of(Object::Paths)),
    ("webhooks", PATH_ITEMS),
    ("components", of(Object::Components)),
    ("tags", FieldType::List(&FieldType::Any)),
    ("openapi", FieldType::Any),
    ("info", FieldType::Any),
    ("jsonSchemaDialect", FieldType::Text),
    ("security", FieldType::Any),
    ("externalDocs", of(Object::ExternalDocs)),
];

const COMPONENTS: &[(&str, FieldType)] = &[
    ("schemas", FieldType::Map(&FieldType::Any)),
    ("responses", FieldType::Map(&of(Object::Response))),
    ("parameters", FieldType::Map(&of(Object::Parameter))),
    ("examples", EXAMPLES),
    ("requestBodies", FieldType::Map(&of(Object::Body))),
    ("headers", HEADERS),
    ("securitySchemes", FieldType::Map(&FieldType::Any)),
    ("links", LINKS),
    ("callbacks", CALLBACKS),
    ("pathItems", PATH_ITEMS),
];

const PATH_ITEM: &[(&str, FieldType)] = &[
    ("summary", FieldType::Text),
    ("description", FieldType::Text),
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
    ("$ref", FieldType::Any),
    ("query", FieldType::Any),
    ("additionalOperations", FieldType::Any),
];

const OPERATION: &[(&str, FieldType)] = &[
    ("tags", FieldType::List(&FieldType::Text)),
    ("summary", FieldType::Text),
    ("description", FieldType::Text),
    ("operationId", FieldType::Text),
    ("parameters", PARAMETERS),
    ("requestBody", of(Object::Body)),
    ("responses", of(Object::Responses)),
    ("callbacks", CALLBACKS),
    ("deprecated", FieldType::Flag),
    ("servers", SERVERS),
    ("security", FieldType::Any),
    ("externalDocs", of(Object::ExternalDocs)),
];

const PARAMETER: &[(&str, FieldType)] = &[
    ("name", FieldType::Text),
    ("description", FieldType::Text),
    ("required", FieldType::Flag),
    ("deprecated", FieldType::Flag),
    ("allowEmptyValue", FieldType::Flag),
    ("style", FieldType::Text),
    ("explode", FieldType::Flag),
    ("allowReserved", FieldType::Flag),
    ("examples", EXAMPLES),
    ("content", CONTENT),
    ("in", FieldType::Any),
    ("schema", FieldType::Any),
    ("example", FieldType::Any),
];

const BODY: &[(&str, FieldType)] = &[
    ("description", FieldType::Text),
    ("content", CONTENT),
    ("required", FieldType::Flag),
];

const MEDIA: &[(&str, FieldType)] = &[
    ("examples", EXAMPLES),
    ("encoding", FieldType::Map(&of(Object::Encoding))),
    ("schema", FieldType::Any),
    ("itemSchema", FieldType::Any),
    ("example", FieldType::Any),
];

const ENCODING: &[(&str, FieldType)] = &[
    ("contentType", FieldType::Text),
    ("headers", HEADERS),
    ("style", FieldType::Text),
    ("explode", FieldType::Flag),
    ("allowReserved", FieldType::Flag),
];

const RESPONSE: &[(&str, FieldType)] = &[
    ("description", FieldType::Text),
    ("headers", HEADERS),
    ("content", CONTENT),
    ("links", LINKS),
    ("summary", FieldType::Any),
];

const EXAMPLE: &[(&str, FieldType)] = &[
    ("summary", FieldType::Text),
    ("description", FieldType::Text),
    ("externalValue", FieldType::Text),
    ("value", FieldType::Any),
];

const LINK: &[(&str, FieldType)] = &[
    ("description", FieldType::Text),
    ("operationRef", FieldType::Any),
    ("operationId", FieldType::Any),
    ("parameters", FieldType::Any),
    ("requestBody", FieldType::Any),
    ("server", FieldType::Any),
];

const EXTERNAL_DOCS: &[(&str, FieldType)] =
    &[("description", FieldType::Text), ("url", FieldType::Text)];

const HEADER: &[(&str, FieldType)] = &[
    ("description", FieldType::Text),
    ("required", FieldType::Flag),
    ("deprecated", FieldType::Flag),
    ("explode", FieldType::Flag),
    ("examples", EXAMPLES),
    ("content", CONTENT),
    ("style", FieldType::Text),
    ("allowEmptyValue", FieldType::Flag),
    ("allowReserved", FieldType::Flag),
    ("schema", FieldType::Any),
    ("example", FieldType::Any),
];

impl Object {
    /// The word for the object in messages.
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

    /// Its fixed fields, with those of later versions of the standard that the generator reads;
    /// none for an object whose members have names of the author's choice.
    pub(crate) fn fields(self) -> Option<&'static [(&'static str, FieldType)]> {
        match self.members() {
            ObjectMembers::Fields(fields) => Some(fields),
            ObjectMembers::Patterned(_) => None,
        }
    }

    fn members(self) -> ObjectMembers {
        ObjectMembers::Fields(match self {
            Object::Paths | Object::Callback => {
                return ObjectMembers::Patterned(of(Object::PathItem));
            }
            Object::Responses => return ObjectMembers::Patterned(of(Object::Response)),
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

    /// The type of one of its members.
    pub(crate) fn member(self, name: &str) -> FieldType {
        match self.members() {
            ObjectMembers::Fields(fields) => {
                let field = fields.iter().find(|(field, _)| *field == name);
                field.map_or(FieldType::Any, |(_, kind)| *kind)
            }
            ObjectMembers::Patterned(_) if name.starts_with("x-") => FieldType::Any,
            ObjectMembers::Patterned(kind) => kind,
        }
    }
}

impl FieldType {
    /// Whether it holds other objects and is of a kind that the standard allows no reference in
    /// place of.
    pub(crate) fn is_container(self) -> bool {
        use Object::{Components, Paths, Responses};
        match self {
            FieldType::List(_) | FieldType::Map(_) => true,
            FieldType::Object(object) => matches!(object, Components | Paths | Responses),
            FieldType::Any | FieldType::Text | FieldType::Flag => false,
        }
    }

    /// Whether a value may be of this type, judged by its JSON type alone.
    pub(crate) fn may_be(self, value: &Value) -> bool {
        match self {
            FieldType::Any => true,
            FieldType::Text => value.is_string(),
            FieldType::Flag => value.is_boolean(),
            FieldType::List(_) => value.is_array(),
            FieldType::Map(_) | FieldType::Object(_) => value.is_object(),
        }
    }

    /// Whether it is an object of the standard, or a list of such.
    pub(crate) fn is_of_objects(self) -> bool {
        match self {
            FieldType::Object(_) => true,
            FieldType::List(items) => matches!(items, FieldType::Object(_)),
            FieldType::Any | FieldType::Text | FieldType::Flag | FieldType::Map(_) => false,
        }
    }

    /// The values directly inside a value that need a closer look, each with its token and type.
    fn within(self, value: &Value) -> Vec<(Cow<'_, str>, &Value, FieldType)> {
        let mut within = Vec::new();
        match (self, value) {
            (FieldType::List(kind), Value::Array(items)) => {
                let items = items.iter().enumerate();
                within.extend(items.map(|(i, item)| (i.to_string().into(), item, *kind)));
            }
            (FieldType::Map(kind), Value::Object(members)) => {
                let members = members.iter();
                within.extend(members.map(|(name, value)| (name.as_str().into(), value, *kind)));
            }
            (FieldType::Object(object), Value::Object(members)) => {
                let members = members.iter();
                let known =
                    members.map(|(name, value)| (name.as_str().into(), value, object.member(name)));
                within.extend(known);
            }
            _ => {}
        }
        within.retain(|(_, value, kind)| !kind.is_leaf(value));
        within
    }

    /// Whether a value is of a type that holds no others.
    fn is_leaf(self, value: &Value) -> bool {
        match self {
            FieldType::Any | FieldType::Text | FieldType::Flag => self.may_be(value),
            FieldType::List(_) | FieldType::Map(_) | FieldType::Object(_) => false,
        }
    }
}

/// Visits the document's values around its schemas, each with its place and type, through
/// references too; goes into a value only if `show` returns true.
pub(crate) fn each<'v>(
    root: &'v Value,
    mut show: impl FnMut(&Pointer, &'v Value, FieldType) -> bool,
) {
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
        // Components are visited at their own place; a target of another kind is not visited as
        // this kind.
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
    kind.is_some_and(|kind| !matches!(kind, FieldType::Any))
}

/// The target of a reference into the document, and its place.
pub(crate) fn referred<'v>(root: &'v Value, value: &Value) -> Option<(Pointer, &'v Value)> {
    let at = Pointer::of_reference(value.get("$ref")?.as_str()?)?;
    let target = root.pointer(at.as_str())?;
    Some((at, target))
}
