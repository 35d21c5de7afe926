//! The credentials that a client must show, and where its tokens come from.

use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::version::Version;
use codegen::openapi::{Operation, SecurityScheme};
use openapiv3::{APIKeyLocation, SecurityScheme as Known};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Schemes that are shown together, each by its identity in both versions, with its scopes.
type Credentials = BTreeMap<String, BTreeSet<String>>;

/// The alternatives that an operation accepts in one of the versions, each with its words.
struct Requirements(Vec<(Credentials, String)>);

/// Credentials that sufficed must still suffice. The API may choose any of a webhook's alternatives (OpenAPI
/// 3.1.1 §4.8.30), so that each of them must suffice for a receiver that still requires the old credentials.
pub(super) fn compare(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let versions = (comparison.before, comparison.after);
    let before = Requirements::of(versions, pair.before);
    let after = Requirements::of((versions.1, versions.0), pair.after);
    if pair.outgoing.is_none() {
        sources(comparison, pair);
    }
    let direction = pair.direction();
    let (shown, asked) = direction.ends(&before, &after);
    let (worse, better) = direction.ends("tightened", "loosened");
    let kind = |how: &str| match pair.outgoing {
        Some(what) => format!("{what}-security-{how}"),
        None => format!("security-{how}"),
    };
    let (no_longer, now) = match direction {
        Direction::Request => ("no longer suffices", "now suffices"),
        Direction::Response => ("may now be shown", "is no longer shown"),
    };
    let (scope, changes) = (Scope::new(&pair.name, "security"), &mut comparison.changes);
    for names in shown.insufficient(asked) {
        let exchange = format!("{} with {names}", pair.line().text());
        let refusal = format!("asks for {}", asked.phrase());
        let message = format!("{names} {no_longer}");
        changes.add_proven(&scope, &kind(worse), message, (exchange, refusal));
    }
    if let Some(names) = asked.insufficient(shown).next() {
        let message = format!("{names} {now}");
        changes.add_unproven(&scope, Severity::Compatible, &kind(better), message);
    }
}

impl Requirements {
    /// The alternatives of a version; where none is declared, nothing is required.
    fn of((version, other): (&Version, &Version), operation: &Operation) -> Requirements {
        let one = |schemes: &[(String, Vec<String>)]| {
            let mut shown = Credentials::new();
            for (name, scopes) in schemes {
                let own = shown.entry(identity((version, other), name)).or_default();
                own.extend(scopes.iter().cloned());
            }
            let phrases = schemes.iter().map(|(name, scopes)| {
                let scheme = phrase(version, other, name);
                match scopes.is_empty() {
                    true => scheme,
                    false => format!("{scheme} ({})", scopes.join(" ")),
                }
            });
            let phrases: Vec<_> = phrases.collect();
            match phrases.is_empty() {
                true => (shown, "no credentials".to_owned()),
                false => (shown, phrases.join(" and ")),
            }
        };
        let mut found: Vec<_> = operation
            .security
            .iter()
            .map(|schemes| one(schemes))
            .collect();
        if found.is_empty() {
            found.push(one(&[]));
        }
        Requirements(found)
    }

    /// The alternatives that do not satisfy another version, in words.
    fn insufficient<'s>(&'s self, other: &'s Requirements) -> impl Iterator<Item = &'s str> {
        let own = self.0.iter().filter(|(shown, _)| !other.is_met(shown));
        own.map(|(_, words)| words.as_str())
    }

    fn is_met(&self, shown: &Credentials) -> bool {
        self.0.iter().any(|(required, _)| {
            required.iter().all(|(scheme, scopes)| {
                let own = shown.get(scheme);
                own.is_some_and(|own| own.is_superset(scopes))
            })
        })
    }

    /// All alternatives in words.
    fn phrase(&self) -> String {
        let words: Vec<&str> = self.0.iter().map(|(_, words)| words.as_str()).collect();
        words.join(", or ")
    }
}

/// The identity of a scheme in both versions: the credential in a request; for tokens also their issuer, where
/// both versions have a scheme of that name.
fn identity((version, other): (&Version, &Version), name: &str) -> String {
    let shown = credential(version, name);
    let is_known = issuer(version, name).is_some() && issuer(other, name).is_some();
    match is_known && credential(other, name) == shown {
        true => format!("`{name}`"),
        false => shown,
    }
}

/// A scheme by its name, and by its credential if the other version has another scheme of that name.
fn phrase(version: &Version, other: &Version, name: &str) -> String {
    let shown = credential(version, name);
    match other.scheme(name) {
        Some(_) if credential(other, name) != shown => format!("`{name}` {shown}"),
        _ => format!("`{name}`"),
    }
}

/// The credential of a scheme in a request, which does not show the issuer of a token.
fn credential(version: &Version, name: &str) -> String {
    let scheme = match version.scheme(name) {
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

/// The issuer of the tokens of a scheme, as its document names it.
fn issuer(version: &Version, name: &str) -> Option<Value> {
    let Some(SecurityScheme::Known(known)) = version.scheme(name) else {
        return None;
    };
    match known.as_ref() {
        Known::OAuth2 { flows, .. } => serde_json::to_value(flows).ok(),
        Known::OpenIDConnect {
            open_id_connect_url,
            ..
        } => Some(Value::from(open_id_connect_url.as_str())),
        Known::APIKey { .. } | Known::HTTP { .. } => None,
    }
}

/// Reports tokens of another issuer. The requests with them stay as they are.
fn sources(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let (before, after) = (comparison.before, comparison.after);
    let names = |operation: &Operation| -> BTreeSet<String> {
        let schemes = operation.security.iter().flatten();
        schemes.map(|(name, _)| name.clone()).collect()
    };
    let scope = Scope::new(&pair.name, "security");
    for name in names(pair.after) {
        let own = identity((after, before), &name);
        let mut known = names(pair.before).into_iter();
        let Some(old) = known.find(|old| identity((before, after), old) == own) else {
            continue;
        };
        let (was, is) = (issuer(before, &old), issuer(after, &name));
        if was == is {
            continue;
        }
        let flows = |source: &Option<Value>| -> BTreeSet<String> {
            let flows = source.iter().filter_map(Value::as_object).flatten();
            flows
                .filter(|(_, flow)| !flow.is_null())
                .map(|(name, _)| name.clone())
                .collect()
        };
        let (was, is) = (flows(&was), flows(&is));
        let mut note = |severity, kind: &str, message: String| {
            comparison
                .changes
                .add_unproven(&scope, severity, kind, message);
        };
        if was == is || was.is_empty() || is.is_empty() {
            let message = format!("the source of the token of `{name}` was changed");
            note(Severity::Docs, "security-scheme-docs", message);
            continue;
        }
        // A client that uses the flow may be unable to use another.
        for gone in was.difference(&is) {
            let message = format!("`{name}` no longer has the flow `{gone}`");
            note(Severity::Possible, "security-flow-removed", message);
        }
        for new in is.difference(&was) {
            let message = format!("`{name}` now has the flow `{new}`");
            note(Severity::Compatible, "security-flow-added", message);
        }
    }
}
