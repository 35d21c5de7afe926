//! Fields that are URIs or addresses of mail, and nothing else (OpenAPI 3.1.1 §4.6).

use super::object_fields::Object;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use json_schema::format;
use serde_json::{Map, Value};

/// The fallback for a text of another form: nothing is made of it.
const FALLBACK: &str = "it is kept as it is";

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
        let is_valid = |text: &str| match *form {
            "email" => is_address(text),
            _ => format::is_valid(form, text),
        };
        let wrong = text.filter(|text| !text.is_empty() && !is_valid(text));
        if let Some(text) = wrong {
            let is = if *form == "email" {
                "an address of mail"
            } else {
                "a URI"
            };
            let message = format!("`{field}` must be {is}, which `{text}` is not");
            diagnostics.recover(
                Diagnostic::new(Code::Invalid, &at.child(field), message),
                FALLBACK,
            );
        }
    }
}

/// Whether a text is an address of mail, without comments (RFC 5322 §3.4.1): as a format of values, `email` is
/// not checked.
fn is_address(text: &str) -> bool {
    let is_quoted = |local: &str| local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let is_literal = |domain: &str| domain.starts_with('[') && domain.ends_with(']');
    text.rsplit_once('@').is_some_and(|(local, domain)| {
        (is_dot_atom(local) || is_quoted(local)) && (is_dot_atom(domain) || is_literal(domain))
    })
}

/// Words with dots between them (RFC 5322 §3.2.3), which may have letters of any script (RFC 6532 §3.2).
fn is_dot_atom(text: &str) -> bool {
    let is_plain = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c),
        false => !c.is_control(),
    };
    text.split('.')
        .all(|word| !word.is_empty() && word.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn addresses_have_a_mailbox_and_a_domain() {
        for text in [
            "a@b.example",
            "a.b+c@[192.0.2.1]",
            "\"a b\"@b.example",
            "ä@ö.example",
        ] {
            assert!(is_address(text), "{text}");
        }
        for text in [
            "nobody",
            "@",
            "a@",
            "@b",
            "a b@c",
            "a..b@c",
            "mail me at a@b.c",
            "http://x",
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
