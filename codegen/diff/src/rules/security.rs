//! The credentials that a client must show.

use super::security_schemes::{SchemeNames, sources};
use crate::comparison::Comparison;
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::version::Version;
use codegen::openapi::Operation;
use std::collections::{BTreeMap, BTreeSet};

/// Schemes with the scopes of each, all shown together.
type Credentials = BTreeMap<Scheme, BTreeSet<String>>;

/// A scheme by a name that means the same in both versions.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Scheme {
    /// By its name in the version before.
    Known(String),
    /// By its name in the version after, which alone has it.
    New(String),
}

/// The alternatives that an operation accepts in one of the versions, each with its words.
pub(super) struct Requirements(Vec<(Credentials, String)>);

impl Requirements {
    /// The alternatives that do not satisfy another version, in words.
    pub(super) fn insufficient<'s>(
        &'s self,
        other: &'s Requirements,
    ) -> impl Iterator<Item = &'s str> {
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
    pub(super) fn phrase(&self) -> String {
        let words: Vec<&str> = self.0.iter().map(|(_, words)| words.as_str()).collect();
        words.join(", or ")
    }
}

/// What both versions require.
pub(super) fn requirements(
    (before, after): (&Version, &Version),
    (old, new): (&Operation, &Operation),
) -> (Requirements, Requirements) {
    let names = SchemeNames { before, after };
    let known = |name: &str| Scheme::Known(names.canonical(name));
    let renamed = |name: &str| match names.former(name) {
        Some(former) => known(&former),
        None => Scheme::New(name.to_owned()),
    };
    (
        alternatives((before, after), &old.security, &known),
        alternatives((after, before), &new.security, &renamed),
    )
}

/// Credentials that sufficed must still suffice.
pub(super) fn compare(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let versions = (comparison.before, comparison.after);
    let (before, after) = requirements(versions, (pair.before, pair.after));
    sources(comparison, pair);
    let (scope, changes) = (Scope::new(&pair.name, "security"), &mut comparison.changes);
    for names in before.insufficient(&after) {
        let exchange = format!("{} with {names}", pair.line().text());
        let refusal = format!("asks for {}", after.phrase());
        let message = format!("{names} no longer suffices");
        changes.prove(&scope, "security-tightened", message, (exchange, refusal));
    }
    if let Some(names) = after.insufficient(&before).next() {
        let message = format!("{names} now suffices");
        changes.note(&scope, Severity::Compatible, "security-loosened", message);
    }
}

/// The alternatives of a version; where none is declared, nothing is required.
fn alternatives(
    (version, other): (&Version, &Version),
    declared: &[Vec<(String, Vec<String>)>],
    scheme: &dyn Fn(&str) -> Scheme,
) -> Requirements {
    let one = |schemes: &[(String, Vec<String>)]| {
        let mut shown = Credentials::new();
        for (name, scopes) in schemes {
            let own = shown.entry(scheme(name)).or_default();
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
    let mut found: Vec<_> = declared.iter().map(|schemes| one(schemes)).collect();
    if found.is_empty() {
        found.push(one(&[]));
    }
    Requirements(found)
}

/// A scheme by its name, and by what a request shows if the other version means something else by it.
fn phrase(version: &Version, other: &Version, name: &str) -> String {
    let shown = version.credential(name);
    match other.scheme(name) {
        Some(_) if other.credential(name) != shown => format!("`{name}` {shown}"),
        _ => format!("`{name}`"),
    }
}
