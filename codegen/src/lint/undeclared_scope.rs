//! The scopes in a requirement are declared by its OAuth2 scheme (OpenAPI 3.1.1 §4.8.29).

use super::Findings;
use super::subject::Subject;
use crate::openapi::{DEVICE_SCOPES, Operation, SecurityScheme};
use crate::source::Pointer;
use openapiv3::OAuth2Flows;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for operation in subject.document.all_operations() {
        let at = requirements(subject, operation);
        for (index, alternative) in operation.security.iter().enumerate() {
            let at = at.child(index.to_string());
            let written = subject.root.pointer(at.as_str()).and_then(Value::as_object);
            for (nth, (scheme, wanted)) in alternative.iter().enumerate() {
                let Some(declared) = scopes(subject, scheme) else {
                    continue;
                };
                for scope in wanted.iter().filter(|scope| !declared.contains(scope)) {
                    // OpenAPI 3.2 may write a URI in place of the name.
                    let key = written.and_then(|written| written.keys().nth(nth));
                    let at = at.child(key.unwrap_or(scheme));
                    let message = format!("no flow of `{scheme}` has the scope `{scope}`");
                    findings.report(&at, message);
                }
            }
        }
    }
}

/// The place of an operation's requirements: the operation itself, or the document.
fn requirements(subject: &Subject<'_>, operation: &Operation) -> Pointer {
    let own = operation.at.child("security");
    if subject.root.pointer(own.as_str()).is_some() {
        own
    } else {
        Pointer::default().child("security")
    }
}

/// The scopes of all flows of an OAuth2 scheme; `None` for another scheme.
fn scopes(subject: &Subject<'_>, name: &str) -> Option<Vec<String>> {
    let schemes = &subject.document.schemes;
    let (_, SecurityScheme::Known(scheme)) = schemes.iter().find(|(known, _)| known == name)?
    else {
        return None;
    };
    let openapiv3::SecurityScheme::OAuth2 { flows, .. } = scheme.as_ref() else {
        return None;
    };
    let OAuth2Flows {
        implicit,
        password,
        client_credentials,
        authorization_code,
        extensions,
    } = flows;
    let all = [
        implicit.as_ref().map(|flow| &flow.scopes),
        password.as_ref().map(|flow| &flow.scopes),
        client_credentials.as_ref().map(|flow| &flow.scopes),
        authorization_code.as_ref().map(|flow| &flow.scopes),
    ];
    let names = all.into_iter().flatten().flat_map(|scopes| scopes.keys());
    let device = extensions.get(DEVICE_SCOPES).and_then(Value::as_object);
    let device = device.into_iter().flat_map(|scopes| scopes.keys());
    Some(names.chain(device).cloned().collect())
}
