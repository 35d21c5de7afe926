//! Security schemes: which is which in the other version, and where their tokens come from.

use crate::comparison::Comparison;
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::version::Version;
use codegen::openapi::SecurityScheme;
use openapiv3::{APIKeyLocation, SecurityScheme as Known};
use serde_json::Value;
use std::collections::BTreeSet;

/// The names of schemes in two versions.
pub(super) struct SchemeNames<'v> {
    pub(super) before: &'v Version,
    pub(super) after: &'v Version,
}

impl SchemeNames<'_> {
    /// The first of the names that a scheme of the version before has.
    pub(super) fn canonical(&self, name: &str) -> String {
        let text = self.before.scheme_text(name);
        let first = self
            .before
            .scheme_names()
            .find(|known| self.before.scheme_text(known) == text);
        first.unwrap_or(name).to_owned()
    }

    /// The scheme of the version before that one of the version after is: the one with its name, if requests
    /// show the same, or one that was renamed.
    pub(super) fn former(&self, name: &str) -> Option<String> {
        let (before, after) = (self.before, self.after);
        let shown = after.credential(name);
        if before.credential(name) == shown {
            return Some(name.to_owned());
        }
        let text = after.scheme_text(name);
        let is_same = |known: &&str| before.scheme_text(known) == text;
        if let Some(found) = before.scheme_names().find(is_same) {
            return Some(found.to_owned());
        }
        let is_new = before.scheme(name).is_none();
        let is_renamed = |known: &&str| {
            is_new && after.scheme(known).is_none() && before.credential(known) == shown
        };
        let mut renamed = before.scheme_names().filter(is_renamed);
        let only = renamed.next().filter(|_| renamed.next().is_none());
        only.map(str::to_owned)
    }
}

impl Version {
    fn scheme_names(&self) -> impl Iterator<Item = &str> {
        self.schemes.iter().map(|(name, _)| name.as_str())
    }

    /// What a request shows for a scheme. The source of a token is not seen in it.
    pub(super) fn credential(&self, name: &str) -> String {
        let scheme = match self.scheme(name) {
            Some(SecurityScheme::MutualTls) => return "by a certificate".to_owned(),
            Some(SecurityScheme::Known(known)) => known,
            Some(SecurityScheme::Unknown) | None => return format!("as `{name}`"),
        };
        match scheme.as_ref() {
            // The names of headers have no case.
            Known::APIKey {
                location: APIKeyLocation::Header,
                name,
                ..
            } => format!("in header `{}`", name.to_ascii_lowercase()),
            Known::APIKey { location, name, .. } => {
                let place = format!("{location:?}").to_ascii_lowercase();
                format!("in {place} `{name}`")
            }
            Known::HTTP { scheme, .. } => format!("as {}", scheme.to_ascii_lowercase()),
            Known::OAuth2 { .. } | Known::OpenIDConnect { .. } => "as bearer".to_owned(),
        }
    }

    /// What a scheme says to a program: two schemes with the same text are the same scheme.
    fn scheme_text(&self, name: &str) -> String {
        match self.scheme(name) {
            Some(SecurityScheme::Known(scheme)) => {
                let mut value = serde_json::to_value(scheme).unwrap_or_default();
                without_docs(&mut value);
                value.to_string()
            }
            Some(SecurityScheme::MutualTls) => "mutualTLS".to_owned(),
            Some(SecurityScheme::Unknown) | None => name.to_owned(),
        }
    }

    /// The OAuth 2.0 flows of a scheme.
    fn flows(&self, name: &str) -> BTreeSet<&'static str> {
        let Some(SecurityScheme::Known(known)) = self.scheme(name) else {
            return BTreeSet::new();
        };
        let Known::OAuth2 { flows, .. } = known.as_ref() else {
            return BTreeSet::new();
        };
        let all = [
            ("implicit", flows.implicit.is_some()),
            ("password", flows.password.is_some()),
            ("clientCredentials", flows.client_credentials.is_some()),
            ("authorizationCode", flows.authorization_code.is_some()),
        ];
        let declared = all.into_iter().filter(|(_, is_there)| *is_there);
        declared.map(|(name, _)| name).collect()
    }
}

/// Tells of tokens that come from elsewhere. The requests that show them stay as they are.
pub(super) fn sources(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let (before, after) = (comparison.before, comparison.after);
    let required = pair.after.security.iter().flatten();
    let scope = Scope::new(&pair.name, "security");
    for name in required.map(|(name, _)| name).collect::<BTreeSet<_>>() {
        let Some(old) = (SchemeNames { before, after }).former(name) else {
            continue;
        };
        if before.scheme_text(&old) == after.scheme_text(name) {
            continue;
        }
        let changes = &mut comparison.changes;
        let (was, is) = (before.flows(&old), after.flows(name));
        if was == is || was.is_empty() || is.is_empty() {
            let message = format!("the source of the token of `{name}` was changed");
            changes.note(&scope, Severity::Docs, "security-scheme-docs", message);
            continue;
        }
        // A client that uses the flow may be unable to use another.
        for gone in was.difference(&is) {
            let message = format!("`{name}` no longer has the flow `{gone}`");
            changes.note(&scope, Severity::Possible, "security-flow-removed", message);
        }
        for new in is.difference(&was) {
            let message = format!("`{name}` now has the flow `{new}`");
            changes.note(&scope, Severity::Compatible, "security-flow-added", message);
        }
    }
}

/// Removes what only people read, the descriptions of scopes among it.
fn without_docs(scheme: &mut Value) {
    let Value::Object(members) = scheme else {
        return;
    };
    members.retain(|name, _| {
        let docs = ["description", "scopes", "bearerFormat"];
        !docs.contains(&name.as_str()) && !name.starts_with("x-")
    });
    members.values_mut().for_each(without_docs);
    // Neither the names of schemes (RFC 9110 §11.1) nor those of headers have a case.
    let is_header = members.get("in").is_some_and(|place| place == "header");
    for (name, value) in members.iter_mut() {
        if let Value::String(text) = value
            && (name == "scheme" || (name == "name" && is_header))
        {
            text.make_ascii_lowercase();
        }
    }
    members.sort_keys();
}
