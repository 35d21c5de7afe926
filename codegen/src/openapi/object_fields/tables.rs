//! The fixed fields of each object in all versions that are read, by their types, and the version
//! that each came with.

use super::FieldType::{self, Any, Flag, List, Map, Object as Of, Schema, Text};
use super::Object;
use crate::openapi::Version;

/// Names of fields, by their type.
pub(super) type Fields = &'static [(FieldType, &'static [&'static str])];

const SERVERS: FieldType = List(&Of(Object::Server));
const PARAMETERS: FieldType = List(&Of(Object::Parameter));
const CONTENT: FieldType = Map(&Of(Object::Media));
const HEADERS: FieldType = Map(&Of(Object::Header));
const EXAMPLES: FieldType = Map(&Of(Object::Example));
const LINKS: FieldType = Map(&Of(Object::Link));
const CALLBACKS: FieldType = Map(&Of(Object::Callback));
const PATH_ITEMS: FieldType = Map(&Of(Object::PathItem));
const EXTERNAL_DOCS: FieldType = Of(Object::ExternalDocs);

/// The fixed fields of an object. Security schemes have those of their type.
pub(super) fn fields(object: Object) -> Fields {
    match object {
        Object::Document => &[
            (Of(Object::Info), &["info"]),
            (SERVERS, &["servers"]),
            (Of(Object::Paths), &["paths"]),
            (PATH_ITEMS, &["webhooks"]),
            (Of(Object::Components), &["components"]),
            (List(&Of(Object::Tag)), &["tags"]),
            (Text, &["jsonSchemaDialect", "$self"]),
            (EXTERNAL_DOCS, &["externalDocs"]),
            (Any, &["openapi", "security"]),
        ],
        Object::Info => &[
            (
                Text,
                &[
                    "title",
                    "version",
                    "description",
                    "summary",
                    "termsOfService",
                ],
            ),
            (Of(Object::Contact), &["contact"]),
            (Of(Object::License), &["license"]),
        ],
        Object::Contact => &[(Text, &["name", "url", "email"])],
        Object::License => &[(Text, &["name", "identifier", "url"])],
        Object::Server => &[
            (Text, &["url", "name", "description"]),
            (Map(&Of(Object::ServerVariable)), &["variables"]),
        ],
        Object::ServerVariable => &[
            (Text, &["default", "description"]),
            (List(&Text), &["enum"]),
        ],
        Object::Components => &[
            (Map(&Schema), &["schemas"]),
            (Map(&Of(Object::Response)), &["responses"]),
            (Map(&Of(Object::Parameter)), &["parameters"]),
            (EXAMPLES, &["examples"]),
            (Map(&Of(Object::Body)), &["requestBodies"]),
            (HEADERS, &["headers"]),
            (Map(&Of(Object::SecurityScheme)), &["securitySchemes"]),
            (LINKS, &["links"]),
            (CALLBACKS, &["callbacks"]),
            (PATH_ITEMS, &["pathItems"]),
            (CONTENT, &["mediaTypes"]),
        ],
        Object::PathItem => &[
            (Text, &["summary", "description"]),
            (SERVERS, &["servers"]),
            (PARAMETERS, &["parameters"]),
            (
                Of(Object::Operation),
                &[
                    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
                ],
            ),
            (Map(&Of(Object::Operation)), &["additionalOperations"]),
            (Any, &["$ref"]),
        ],
        Object::Operation => &[
            (List(&Text), &["tags"]),
            (Text, &["summary", "description", "operationId"]),
            (PARAMETERS, &["parameters"]),
            (Of(Object::Body), &["requestBody"]),
            (Of(Object::Responses), &["responses"]),
            (CALLBACKS, &["callbacks"]),
            (Flag, &["deprecated"]),
            (SERVERS, &["servers"]),
            (EXTERNAL_DOCS, &["externalDocs"]),
            (Any, &["security"]),
        ],
        Object::ExternalDocs => &[(Text, &["url", "description"])],
        Object::Parameter => &[
            (Text, &["name", "in", "description"]),
            (Flag, &["required", "deprecated", "allowEmptyValue"]),
            (Flag, &["explode", "allowReserved"]),
            (EXAMPLES, &["examples"]),
            (CONTENT, &["content"]),
            (Schema, &["schema"]),
            (Any, &["style", "example"]),
        ],
        Object::Body => &[
            (Text, &["description"]),
            (CONTENT, &["content"]),
            (Flag, &["required"]),
        ],
        Object::Media => &[
            (EXAMPLES, &["examples"]),
            (Map(&Of(Object::Encoding)), &["encoding"]),
            (List(&Of(Object::Encoding)), &["prefixEncoding"]),
            (Of(Object::Encoding), &["itemEncoding"]),
            (Schema, &["schema", "itemSchema"]),
            (Any, &["example"]),
        ],
        Object::Encoding => &[
            (Text, &["contentType"]),
            (HEADERS, &["headers"]),
            (Flag, &["explode", "allowReserved"]),
            (Map(&Of(Object::Encoding)), &["encoding"]),
            (List(&Of(Object::Encoding)), &["prefixEncoding"]),
            (Of(Object::Encoding), &["itemEncoding"]),
            (Any, &["style"]),
        ],
        Object::Response => &[
            (Text, &["summary", "description"]),
            (HEADERS, &["headers"]),
            (CONTENT, &["content"]),
            (LINKS, &["links"]),
        ],
        Object::Example => &[
            (Text, &["summary", "description", "externalValue"]),
            (Text, &["serializedValue"]),
            (Any, &["value", "dataValue"]),
        ],
        Object::Link => &[
            (Text, &["description", "operationRef", "operationId"]),
            (Map(&Any), &["parameters"]),
            (Of(Object::Server), &["server"]),
            (Any, &["requestBody"]),
        ],
        Object::Header => &[
            (Text, &["description"]),
            (Flag, &["required", "deprecated", "allowEmptyValue"]),
            (Flag, &["explode", "allowReserved"]),
            (EXAMPLES, &["examples"]),
            (CONTENT, &["content"]),
            (Schema, &["schema"]),
            (Any, &["style", "example"]),
        ],
        Object::Tag => &[
            (Text, &["name", "summary", "description", "parent", "kind"]),
            (EXTERNAL_DOCS, &["externalDocs"]),
        ],
        Object::Discriminator => &[
            (Text, &["propertyName"]),
            (Map(&Text), &["mapping"]),
            (Any, &["defaultMapping"]),
        ],
        Object::Xml => &[
            (Text, &["name", "namespace", "prefix"]),
            (Flag, &["attribute", "wrapped"]),
            (Any, &["nodeType"]),
        ],
        Object::ApiKey => &[
            (Text, &["type", "description", "name", "in"]),
            (Flag, &["deprecated"]),
        ],
        Object::Http => &[
            (Text, &["type", "description", "scheme", "bearerFormat"]),
            (Flag, &["deprecated"]),
        ],
        Object::OAuth2 => &[
            (Text, &["type", "description", "oauth2MetadataUrl"]),
            (Of(Object::Flows), &["flows"]),
            (Flag, &["deprecated"]),
        ],
        Object::OpenIdConnect => &[
            (Text, &["type", "description", "openIdConnectUrl"]),
            (Flag, &["deprecated"]),
        ],
        Object::Flows => &[
            (Of(Object::ImplicitFlow), &["implicit"]),
            (Of(Object::TokenFlow), &["password", "clientCredentials"]),
            (Of(Object::CodeFlow), &["authorizationCode"]),
            (Of(Object::DeviceFlow), &["deviceAuthorization"]),
        ],
        Object::ImplicitFlow => &[
            (Text, &["authorizationUrl", "refreshUrl"]),
            (Map(&Text), &["scopes"]),
        ],
        Object::TokenFlow => &[
            (Text, &["tokenUrl", "refreshUrl"]),
            (Map(&Text), &["scopes"]),
        ],
        Object::CodeFlow => &[
            (Text, &["authorizationUrl", "tokenUrl", "refreshUrl"]),
            (Map(&Text), &["scopes"]),
        ],
        Object::DeviceFlow => &[
            (Text, &["deviceAuthorizationUrl", "tokenUrl", "refreshUrl"]),
            (Map(&Text), &["scopes"]),
        ],
        Object::Paths | Object::Callback | Object::Responses | Object::SecurityScheme => &[],
    }
}

/// The fields without which an object is of no use. Each has the fallback for the object without it;
/// where there is none, the object is left out.
pub(super) fn required(
    object: Object,
    version: Version,
) -> &'static [(&'static str, Option<&'static str>)] {
    /// The URLs where tokens come from do not matter to a server.
    const BEARER: Option<&str> = Some("its tokens are taken all the same");
    const NO_SCOPES: Option<&str> = Some("it has none");
    match object {
        Object::Info => &[
            ("title", Some("it has no name")),
            ("version", Some("it has no version")),
        ],
        Object::Response if version < Version::V32 => &[("description", Some("it has none"))],
        Object::License | Object::Tag => &[("name", None)],
        Object::Server | Object::ExternalDocs => &[("url", None)],
        Object::ServerVariable => &[("default", None)],
        Object::OAuth2 => &[("flows", BEARER)],
        Object::OpenIdConnect => &[("openIdConnectUrl", BEARER)],
        Object::ImplicitFlow => &[("authorizationUrl", BEARER), ("scopes", NO_SCOPES)],
        Object::TokenFlow => &[("tokenUrl", BEARER), ("scopes", NO_SCOPES)],
        Object::DeviceFlow => &[
            ("deviceAuthorizationUrl", BEARER),
            ("tokenUrl", BEARER),
            ("scopes", NO_SCOPES),
        ],
        Object::CodeFlow => &[
            ("authorizationUrl", BEARER),
            ("tokenUrl", BEARER),
            ("scopes", NO_SCOPES),
        ],
        _ => &[],
    }
}

/// The version that a field came with.
pub(super) fn since(object: Object, name: &str) -> Version {
    match (object, name) {
        (Object::Document, "webhooks" | "jsonSchemaDialect")
        | (Object::Info, "summary")
        | (Object::License, "identifier")
        | (Object::Components, "pathItems") => Version::V31,
        (Object::Document, "$self")
        | (Object::Server, "name")
        | (Object::Tag, "summary" | "parent" | "kind")
        | (Object::PathItem, "query" | "additionalOperations")
        | (Object::Components, "mediaTypes")
        | (Object::Media, "itemSchema" | "prefixEncoding" | "itemEncoding")
        | (Object::Encoding, "encoding" | "prefixEncoding" | "itemEncoding")
        | (Object::Example, "dataValue" | "serializedValue")
        | (Object::OAuth2, "oauth2MetadataUrl")
        | (Object::Flows, "deviceAuthorization")
        | (Object::ApiKey | Object::Http | Object::OAuth2 | Object::OpenIdConnect, "deprecated")
        | (Object::Response, "summary") => Version::V32,
        _ => Version::V30,
    }
}
