//! Challenges, which ask a caller for sufficient credentials
//! (RFC 9110, section 11.6.1; RFC 6750, section 3).

use http::HeaderValue;

use crate::http::operation::{Operation, Scheme, SchemeKind};
use crate::http::rejection::Rejection;

/// The values of `WWW-Authenticate` for a rejection of an operation: one for each
/// of its schemes that can be asked for.
pub(crate) fn challenges(operation: &Operation, rejection: &Rejection) -> Vec<HeaderValue> {
    let mut asked: Vec<&Scheme> = Vec::new();
    let mut values = Vec::new();
    for used in operation.security.iter().copied().flatten() {
        let known = asked.iter().any(|scheme| scheme.name == used.scheme.name);
        if known || used.scheme.challenge.is_empty() {
            continue;
        }
        asked.push(used.scheme);
        let text = match (used.scheme.kind, rejection) {
            (
                SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect,
                Rejection::CredentialInvalid,
            ) => format!("{}, error=\"invalid_token\"", used.scheme.challenge),
            (
                SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect,
                Rejection::ScopeInsufficient,
            ) => format!(
                "{}, error=\"insufficient_scope\"{}",
                used.scheme.challenge,
                scope(used.scopes)
            ),
            _ => used.scheme.challenge.to_owned(),
        };
        values.extend(HeaderValue::try_from(text).ok());
    }
    values
}

/// The attribute of a challenge that lists scopes, which has at least one of
/// them (RFC 6749, section 3.3); other texts cannot be written.
fn scope(scopes: &[&str]) -> String {
    let is_token = |scope: &&str| {
        !scope.is_empty()
            && scope
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
    };
    let written: Vec<&str> = scopes.iter().copied().filter(is_token).collect();
    match written.as_slice() {
        [] => String::new(),
        written => format!(", scope=\"{}\"", written.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_listed_where_there_are_any() {
        assert_eq!(
            scope(&["read", "no token", "write"]),
            ", scope=\"read write\""
        );
        assert_eq!(scope(&["no token"]), "");
        assert_eq!(scope(&[]), "");
    }
}
