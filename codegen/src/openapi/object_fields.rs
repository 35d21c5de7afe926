//! The objects of a document around its schemas: their fixed fields and the types of these (OpenAPI
//! 3.1.1 §4.8).
//!
//! The readers get each object as a type of `openapiv3`, from [`Object::own_fields`]. This table stands
//! before that, because `openapiv3` reads an object whole or not at all, drops a member that it does
//! not know without a word, and cannot list the names that it knows: a misspelt member or a value of a
//! wrong type is found with the table, and reported at its own place.

mod tables;
#[cfg(test)]
mod tests;
mod walk;

use super::version::Version;
use crate::source::Pointer;
use crate::source::files::MOUNT;
use serde_json::{Map, Value, json};

pub(crate) use walk::{each, referred};

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldType {
    /// Not checked here: data, and values whose readers check them.
    Any,
    Schema,
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
    Info,
    Contact,
    License,
    Server,
    ServerVariable,
    Components,
    Paths,
    PathItem,
    Operation,
    ExternalDocs,
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
    Tag,
    /// Of a schema.
    Discriminator,
    /// Of a schema.
    Xml,
    /// A security scheme of a type without fixed fields, or of an unknown type.
    SecurityScheme,
    ApiKey,
    Http,
    OAuth2,
    OpenIdConnect,
    Flows,
    ImplicitFlow,
    /// The flow `password` or `clientCredentials`.
    TokenFlow,
    /// The flow `authorizationCode`.
    CodeFlow,
    /// The flow `deviceAuthorization`.
    DeviceFlow,
}

const fn of(object: Object) -> FieldType {
    FieldType::Object(object)
}

/// The type of the value at a place, as far as the place itself tells; of another file than the first,
/// only components are known.
pub(crate) fn type_at(place: &Pointer) -> FieldType {
    let tokens: Vec<String> = place.tokens().collect();
    let tokens = match tokens.as_slice() {
        [mount, _, inside @ ..] if mount == MOUNT => match inside {
            [components, _, _, ..] if components == "components" => inside,
            _ => return FieldType::Any,
        },
        inside => inside,
    };
    tokens
        .iter()
        .fold(of(Object::Document), |outer, name| outer.member(name))
}

/// Whether a member of a path item is an operation, named by its method.
pub(crate) fn is_method(name: &str) -> bool {
    Object::PathItem.member(name) == of(Object::Operation)
}

/// Whether a place of a document is that of an operation, whether or not a path has it.
pub(crate) fn is_operation(root: &Value, at: &Pointer) -> bool {
    type_at(at) == of(Object::Operation) && root.pointer(at.as_str()).is_some_and(Value::is_object)
}

impl Object {
    /// The word for the object in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Object::Document => "the document",
            Object::Info => "the info object",
            Object::Contact => "a contact",
            Object::License => "a license",
            Object::Server => "a server",
            Object::ServerVariable => "a server variable",
            Object::Components => "the components",
            Object::Paths => "the paths",
            Object::PathItem => "a path item",
            Object::Operation => "an operation",
            Object::ExternalDocs => "external documentation",
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
            Object::Tag => "a tag",
            Object::Discriminator => "a discriminator",
            Object::Xml => "an XML object",
            Object::SecurityScheme => "a security scheme",
            Object::ApiKey => "a security scheme of type `apiKey`",
            Object::Http => "a security scheme of type `http`",
            Object::OAuth2 => "a security scheme of type `oauth2`",
            Object::OpenIdConnect => "a security scheme of type `openIdConnect`",
            Object::Flows => "the OAuth flows",
            Object::ImplicitFlow => "the implicit flow",
            Object::TokenFlow => "the password or client credentials flow",
            Object::CodeFlow => "the authorization code flow",
            Object::DeviceFlow => "the device authorization flow",
        }
    }

    /// The security scheme that this value is, by its type.
    pub(crate) fn security_scheme(scheme: &Value) -> Object {
        match scheme.get("type").and_then(Value::as_str) {
            Some("apiKey") => Object::ApiKey,
            Some("http") => Object::Http,
            Some("oauth2") => Object::OAuth2,
            Some("openIdConnect") => Object::OpenIdConnect,
            _ => Object::SecurityScheme,
        }
    }

    /// The type of the members of an object that has no fixed fields.
    fn patterned(self) -> Option<FieldType> {
        match self {
            Object::Paths | Object::Callback => Some(of(Object::PathItem)),
            Object::Responses => Some(of(Object::Response)),
            Object::SecurityScheme => Some(FieldType::Any),
            _ => None,
        }
    }

    /// The names of its fixed fields; `None` for an object whose members have names of the author's
    /// choice.
    pub(crate) fn fields(self) -> Option<impl Iterator<Item = &'static str> + Clone> {
        let fields = tables::fields(self).iter();
        let names = fields.flat_map(|(_, names)| names.iter().copied());
        self.patterned().is_none().then_some(names)
    }

    /// The type of one of its members.
    pub(crate) fn member(self, name: &str) -> FieldType {
        let fields = tables::fields(self).iter();
        let mut fields = fields.filter(|(_, names)| names.contains(&name));
        match (fields.next(), self.patterned()) {
            (Some((kind, _)), _) => *kind,
            (None, Some(kind)) if !name.starts_with("x-") => kind,
            _ => FieldType::Any,
        }
    }

    /// The fields without which it is of no use, each with the fallback for the object without it;
    /// where there is no fallback, the object is left out.
    pub(crate) fn required(
        self,
        version: Version,
    ) -> &'static [(&'static str, Option<&'static str>)] {
        tables::required(self, version)
    }

    /// The version that a field came with.
    pub(crate) fn since(self, name: &str) -> Version {
        tables::since(self, name)
    }

    /// Whether it is part of the object around it: no reference can stand in its place.
    fn is_part(self) -> bool {
        use Object::{CodeFlow, Contact, DeviceFlow, Flows, ImplicitFlow, License};
        use Object::{ServerVariable, TokenFlow};
        matches!(
            self,
            Contact
                | License
                | ServerVariable
                | Flows
                | ImplicitFlow
                | TokenFlow
                | CodeFlow
                | DeviceFlow
        )
    }

    /// The object as `openapiv3` reads it: its texts and truth values, lists and maps of these, and its
    /// parts. Schemas and other objects are left out, because they are read at their own places, and so
    /// are values of any type, because `openapiv3` takes the example `null` for none.
    pub(crate) fn own_fields(self, members: &Map<String, Value>) -> Value {
        let mut own = Map::new();
        // Fields that `openapiv3` requires and that are read elsewhere, or that OpenAPI 3.1 has made
        // optional.
        match self {
            Object::Operation => _ = own.insert("responses".into(), json!({})),
            Object::Parameter | Object::Header => _ = own.insert("schema".into(), json!({})),
            Object::Response => _ = own.insert("description".into(), json!("")),
            _ => {}
        }
        for (name, value) in members {
            if let Some(value) = self.member(name).own_value(value) {
                own.insert(name.clone(), value);
            }
        }
        own.into()
    }
}

impl FieldType {
    /// The word for a value of this type in messages about references; `None` where anything may be.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            FieldType::Any | FieldType::Text | FieldType::Flag => None,
            FieldType::Schema => Some("a schema"),
            FieldType::List(_) => Some("a list of other objects"),
            FieldType::Map(_) => Some("a map of other objects"),
            FieldType::Object(object) => Some(object.name()),
        }
    }

    /// Whether it holds other objects and is of a kind that the standard allows no reference in
    /// place of.
    pub(crate) fn is_container(self) -> bool {
        use Object::{Components, Paths, Responses};
        match self {
            FieldType::List(_) | FieldType::Map(_) => true,
            FieldType::Object(object) => matches!(object, Components | Paths | Responses),
            _ => false,
        }
    }

    /// Whether a reference may stand in the place of such a value (OpenAPI 3.1.1 §4.8.23).
    pub(crate) fn may_be_reference(self) -> bool {
        use Object::{Encoding, ExternalDocs, Info, Media, Operation, Server, Tag};
        match self {
            FieldType::Text | FieldType::Flag => false,
            FieldType::Object(
                Operation | Media | Encoding | Info | Server | Tag | ExternalDocs,
            ) => false,
            FieldType::Object(object) => !object.is_part(),
            _ => true,
        }
    }

    /// Whether a value may be of this type, judged by its JSON type alone.
    pub(crate) fn may_be(self, value: &Value) -> bool {
        match self {
            FieldType::Any | FieldType::Schema => true,
            FieldType::Text => value.is_string(),
            FieldType::Flag => value.is_boolean(),
            FieldType::List(_) => value.is_array(),
            FieldType::Map(_) | FieldType::Object(_) => value.is_object(),
        }
    }

    /// Whether it is an object of the standard, or a list or map of such.
    pub(crate) fn is_of_objects(self) -> bool {
        match self {
            FieldType::Object(_) => true,
            FieldType::List(inner) | FieldType::Map(inner) => {
                matches!(inner, FieldType::Object(_))
            }
            _ => false,
        }
    }

    /// The type of a member or an item.
    pub(super) fn member(self, name: &str) -> FieldType {
        match self {
            FieldType::List(inner) | FieldType::Map(inner) => *inner,
            FieldType::Object(object) => object.member(name),
            _ => FieldType::Any,
        }
    }

    /// A value without the parts that are read at their own places; a blank text of a map is empty.
    fn own_value(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (_, Value::Null) => None,
            (FieldType::Text | FieldType::Flag, _) => Some(value.clone()),
            (FieldType::List(item), Value::Array(items)) => Some(
                items
                    .iter()
                    .filter_map(|value| item.own_value(value))
                    .collect(),
            ),
            (FieldType::Map(member), Value::Object(members)) => {
                let blank = (*member == FieldType::Text).then(|| Value::from(""));
                let own = members.iter().filter_map(|(name, value)| {
                    let value = member.own_value(value).or_else(|| blank.clone())?;
                    Some((name.clone(), value))
                });
                Some(Value::Object(own.collect()))
            }
            (FieldType::Object(object), Value::Object(members))
                if object.is_part() && !members.contains_key("$ref") =>
            {
                Some(object.own_fields(members))
            }
            _ => None,
        }
    }
}
