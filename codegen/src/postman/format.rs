//! The objects of a v2.1.0 collection and of an environment. This module knows the format, and nothing of
//! contracts.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The URL that identifies the format; Postman reads it from `info.schema`.
pub(super) const SCHEMA: &str =
    "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

#[derive(Debug, Serialize)]
pub(crate) struct Collection {
    pub(super) info: Info,
    pub(super) item: Vec<Folder>,
    pub(super) event: Vec<Event>,
    pub(super) auth: Auth,
    pub(super) variable: Vec<Variable>,
}

#[derive(Debug, Serialize)]
pub(super) struct Info {
    #[serde(rename = "_postman_id")]
    pub(super) postman_id: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Description::is_empty")]
    pub(super) description: Description,
    pub(super) schema: &'static str,
}

/// Markdown. Postman's library reads a plain string as plain text.
#[derive(Debug, Clone, Default)]
pub(super) struct Description(pub(super) String);

impl Description {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Description {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("content", &self.0)?;
        map.serialize_entry("type", "text/markdown")?;
        map.end()
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Folder {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Description::is_empty")]
    pub(super) description: Description,
    pub(super) item: Vec<Entry>,
}

/// An entry of a folder.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Request(Box<Item>),
    Folder(Folder),
}

impl From<Item> for Entry {
    fn from(item: Item) -> Entry {
        Entry::Request(Box::new(item))
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) event: Vec<Event>,
    pub(super) request: Request,
    pub(super) response: Vec<SavedResponse>,
}

/// A script that runs before a request or after its response.
#[derive(Debug, Serialize)]
pub(super) struct Event {
    pub(super) listen: &'static str,
    pub(super) script: Script,
}

/// A script, line by line.
#[derive(Debug, Serialize)]
pub(super) struct Script {
    pub(super) r#type: &'static str,
    pub(super) exec: Vec<String>,
}

impl Event {
    /// The script that runs before the request; `lines` are JavaScript.
    pub(super) fn before(lines: impl IntoIterator<Item = String>) -> Event {
        Event::new("prerequest", lines)
    }

    /// The script that runs after the response; `lines` are JavaScript.
    pub(super) fn test(lines: impl IntoIterator<Item = String>) -> Event {
        Event::new("test", lines)
    }

    fn new(listen: &'static str, lines: impl IntoIterator<Item = String>) -> Event {
        Event {
            listen,
            script: Script {
                r#type: "text/javascript",
                exec: lines.into_iter().collect(),
            },
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Request {
    pub(super) method: String,
    /// `None` inherits the collection's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) auth: Option<Auth>,
    pub(super) header: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<Body>,
    pub(super) url: Url,
    #[serde(skip_serializing_if = "Description::is_empty")]
    pub(super) description: Description,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Url {
    /// The address as text; rows that are disabled are left out.
    pub(super) raw: String,
    pub(super) host: Vec<String>,
    pub(super) path: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) query: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) variable: Vec<Row>,
}

/// A line of a table: a header, a query parameter, a path variable or a form field.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) key: String,
    /// `None` for a key that stands alone, without an equals sign.
    pub(super) value: Option<String>,
    #[serde(skip_serializing_if = "Description::is_empty")]
    pub(super) description: Description,
    /// Shown, but not sent until its box is ticked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) disabled: bool,
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub(super) enum Body {
    Raw { raw: String, options: RawOptions },
    Urlencoded { urlencoded: Vec<Row> },
    Formdata { formdata: Vec<FormRow> },
    File { file: File },
}

/// A line of a form that may hold files.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FormRow {
    #[serde(flatten)]
    pub(super) row: Row,
    /// `text` or `file`.
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(rename = "contentType", skip_serializing_if = "Option::is_none")]
    pub(super) content_type: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct RawOptions {
    pub(super) raw: RawLanguage,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct RawLanguage {
    pub(super) language: &'static str,
}

/// A file to be chosen by the user; `null` until then.
#[derive(Debug, Clone, Serialize)]
pub(super) struct File {
    pub(super) src: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct SavedResponse {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(rename = "originalRequest")]
    pub(super) original_request: Request,
    pub(super) status: &'static str,
    pub(super) code: u16,
    #[serde(
        rename = "_postman_previewlanguage",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) preview: Option<&'static str>,
    pub(super) header: Vec<Row>,
    pub(super) cookie: [(); 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<String>,
}

/// An authentication method of Postman with its attributes.
#[derive(Debug, Clone)]
pub(super) struct Auth {
    pub(super) method: &'static str,
    pub(super) attributes: Vec<(&'static str, String)>,
}

#[derive(Debug, Serialize)]
struct AuthAttribute<'a> {
    key: &'a str,
    value: &'a str,
    r#type: &'static str,
}

impl Serialize for Auth {
    /// The attributes are a property named after the method.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let attributes = self.attributes.iter();
        let attributes: Vec<_> = attributes
            .map(|(key, value)| AuthAttribute {
                key,
                value,
                r#type: "string",
            })
            .collect();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("type", self.method)?;
        map.serialize_entry(self.method, &attributes)?;
        map.end()
    }
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Variable {
    pub(super) key: String,
    pub(super) value: String,
    pub(super) r#type: &'static str,
    #[serde(skip_serializing_if = "Description::is_empty")]
    pub(super) description: Description,
}

#[derive(Debug, Serialize)]
pub(crate) struct Environment {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) values: Vec<EnvironmentValue>,
    #[serde(rename = "_postman_variable_scope")]
    pub(super) scope: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct EnvironmentValue {
    pub(super) key: String,
    pub(super) value: String,
    pub(super) r#type: &'static str,
    pub(super) enabled: bool,
}
