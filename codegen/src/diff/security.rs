//! What a client must show to be let in.

use super::judge::Judge;
use super::operations::Both;
use super::report::Severity;
use super::schemes::{credential, former, sources};
use super::side::Side;
use std::collections::{BTreeMap, BTreeSet};

/// Schemes with the scopes of each. All of them are shown together.
type Credentials = BTreeMap<Scheme, BTreeSet<String>>;

/// A scheme by a name that is the same in both contracts.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Scheme {
    /// By its name in the contract before.
    Known(String),
    /// By its name in the contract after, which alone has it.
    New(String),
}

/// Credentials that sufficed must still suffice.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>) {
    let sides = (judge.before, judge.after);
    let known = |name: &str| Scheme::Known(first(sides.0, name));
    let before = alternatives(&both.before.security, &known);
    let after = alternatives(&both.after.security, &|name| {
        let former = former(sides.0, sides.1, name);
        former.map_or_else(|| Scheme::New(name.to_owned()), |old| known(&old))
    });
    let suffices = |shown: &Credentials, asked: &[Credentials]| {
        asked.iter().any(|wanted| {
            wanted.iter().all(|(scheme, wanted)| {
                let own = shown.get(scheme);
                own.is_some_and(|own| own.is_superset(wanted))
            })
        })
    };
    sources(judge, both);
    for (shown, names) in before.iter().zip(phrases(sides, &both.before.security)) {
        if suffices(shown, &after) {
            continue;
        }
        let exchange = format!("{} with {names}", both.line().text());
        let refusal = format!(
            "asks for {}",
            listed((sides.1, sides.0), &both.after.security)
        );
        let message = format!("{names} no longer suffices");
        let (kind, witness) = ("security-tightened", (exchange, refusal));
        judge
            .changes
            .prove(kind, &both.name, "security", message, witness);
    }
    let mut added = after
        .iter()
        .zip(phrases((sides.1, sides.0), &both.after.security));
    if let Some((_, names)) = added.find(|(shown, _)| !suffices(shown, &before)) {
        let message = format!("{names} now suffices");
        let name = Some(both.name.clone());
        judge.changes.note(
            Severity::Compatible,
            "security-loosened",
            name,
            "security",
            message,
        );
    }
}

type Declared = [Vec<(String, Vec<String>)>];

/// The contract whose schemes are named, and the other one.
type Sides<'a> = (&'a Side, &'a Side);

/// The alternatives by what they mean; where none is declared, nothing is needed.
fn alternatives(declared: &Declared, scheme: &dyn Fn(&str) -> Scheme) -> Vec<Credentials> {
    let mut found: Vec<Credentials> = declared
        .iter()
        .map(|schemes| {
            let mut shown = Credentials::new();
            for (name, scopes) in schemes {
                let own = shown.entry(scheme(name)).or_default();
                own.extend(scopes.iter().cloned());
            }
            shown
        })
        .collect();
    if found.is_empty() {
        found.push(Credentials::new());
    }
    found
}

/// The first name of a scheme, which may have several.
fn first(side: &Side, name: &str) -> String {
    let text = side.scheme_text(name);
    let mut names = side.scheme_names();
    let first = names.find(|known| side.scheme_text(known) == text);
    first.unwrap_or(name).to_owned()
}

/// The alternatives in words, as many as [`alternatives`] are.
fn phrases(sides: Sides<'_>, declared: &Declared) -> Vec<String> {
    let all = declared.iter();
    let mut found: Vec<String> = all.map(|schemes| phrase(sides, schemes)).collect();
    if found.is_empty() {
        found.push(phrase(sides, &[]));
    }
    found
}

fn listed(sides: Sides<'_>, declared: &Declared) -> String {
    phrases(sides, declared).join(", or ")
}

fn phrase(sides: Sides<'_>, schemes: &[(String, Vec<String>)]) -> String {
    let each = schemes.iter().map(|(name, scopes)| {
        let scheme = called(sides, name);
        if scopes.is_empty() {
            scheme
        } else {
            format!("{scheme} ({})", scopes.join(" "))
        }
    });
    let each: Vec<_> = each.collect();
    if each.is_empty() {
        "no credentials".to_owned()
    } else {
        each.join(" and ")
    }
}

/// A scheme by its name, with what a request shows where the other contract means something else by it.
fn called((side, other): Sides<'_>, name: &str) -> String {
    let shown = credential(side, name);
    match other.scheme(name) {
        Some(_) if credential(other, name) != shown => format!("`{name}` {shown}"),
        _ => format!("`{name}`"),
    }
}
