//! Fields that are URIs or addresses of mail, and nothing else (OpenAPI 3.1.1 §4.6).

use super::object_fields::Object;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use json_schema::format;
use serde_json::{Map, Value};

/// The fallback for a text of another form: nothing is made of it.
const KEPT: &str = "it is kept as it is";

/// The fields, each with the format of its text.
const FIELDS: &[(Object, &str, &str)] = &[
    (Object::Document, "$self", "uri-reference"),
    (Object::Document, "jsonSchemaDialect", "uri"),
    (Object::Info, "termsOfService", "uri-reference"),
    (Object::Contact, "url", "uri-reference"),
    (Object::Contact, "email", "email"),
    (Object::License, "url", "uri-reference"),
    (Object::ExternalDocs, "url", "uri-reference"),
    (Object::Example, "externalValue", "uri-reference"),
    (Object::OpenIdConnect, "openIdConnectUrl", "uri-reference"),
    (Object::OAuth2, "oauth2MetadataUrl", "uri-reference"),
    (Object::ImplicitFlow, "authorizationUrl", "uri-reference"),
    (Object::ImplicitFlow, "refreshUrl", "uri-reference"),
    (Object::TokenFlow, "tokenUrl", "uri-reference"),
    (Object::TokenFlow, "refreshUrl", "uri-reference"),
    (Object::CodeFlow, "authorizationUrl", "uri-reference"),
    (Object::CodeFlow, "tokenUrl", "uri-reference"),
    (Object::CodeFlow, "refreshUrl", "uri-reference"),
    (
        Object::DeviceFlow,
        "deviceAuthorizationUrl",
        "uri-reference",
    ),
    (Object::DeviceFlow, "tokenUrl", "uri-reference"),
    (Object::DeviceFlow, "refreshUrl", "uri-reference"),
];

/// Reports fields of an object whose texts are of another form; a blank text counts as absent.
pub(super) fn check(
    object: Object,
    members: &Map<String, Value>,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) {
    let own = FIELDS.iter().filter(|(owner, ..)| *owner == object);
    for (_, field, form) in own {
        let text = members.get(*field).and_then(Value::as_str);
        let wrong = text.filter(|text| !text.is_empty() && !format::is_valid(form, text));
        if let Some(text) = wrong {
            let is = if *form == "email" {
                "an address of mail"
            } else {
                "a URI"
            };
            let message = format!("`{field}` is {is}, which `{text}` is not");
            diagnostics.recover(
                Diagnostic::new(Code::Invalid, &at.child(field), message),
                KEPT,
            );
        }
    }
}
