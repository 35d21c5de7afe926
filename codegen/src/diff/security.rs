//! What a client must show to be let in.

use super::judge::Judge;
use super::operations::Both;
use super::report::Severity;
use super::side::Side;
use std::collections::{BTreeMap, BTreeSet};

/// Schemes by what they ask for, with the scopes of each and the flows that lead to it. All of them
/// are shown together.
type Credentials = BTreeMap<String, Shown>;

#[derive(Default)]
struct Shown {
    scopes: BTreeSet<String>,
    flows: BTreeSet<String>,
}

/// Credentials that sufficed must still suffice.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>) {
    let before = alternatives(judge.before, &both.before.security);
    let after = alternatives(judge.after, &both.after.security);
    let suffices = |shown: &Credentials, asked: &[Credentials]| {
        asked.iter().any(|wanted| {
            wanted.iter().all(|(scheme, wanted)| {
                let enough = |own: &Shown| {
                    own.scopes.is_superset(&wanted.scopes) && own.flows.is_subset(&wanted.flows)
                };
                shown.get(scheme).is_some_and(enough)
            })
        })
    };
    for (shown, names) in before.iter().zip(phrases(&both.before.security)) {
        if suffices(shown, &after) {
            continue;
        }
        let exchange = format!("{} with {names}", both.line().text());
        let refusal = format!("asks for {}", listed(&both.after.security));
        let message = format!("{names} no longer suffices");
        let (kind, witness) = ("security-tightened", (exchange, refusal));
        judge
            .changes
            .prove(kind, &both.name, "security", message, witness);
    }
    let mut added = after.iter().zip(phrases(&both.after.security));
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

/// The alternatives by what they mean; where none is declared, nothing is needed.
fn alternatives(side: &Side, declared: &Declared) -> Vec<Credentials> {
    let mut found: Vec<Credentials> = declared
        .iter()
        .map(|schemes| {
            let mut shown = Credentials::new();
            for (name, scopes) in schemes {
                let (scheme, flows) = side.scheme(name);
                let one = shown.entry(scheme).or_default();
                one.scopes.extend(scopes.iter().cloned());
                one.flows.extend(flows);
            }
            shown
        })
        .collect();
    if found.is_empty() {
        found.push(Credentials::new());
    }
    found
}

/// The alternatives in words, as many as [`alternatives`] are.
fn phrases(declared: &Declared) -> Vec<String> {
    let mut found: Vec<String> = declared.iter().map(|schemes| phrase(schemes)).collect();
    if found.is_empty() {
        found.push(phrase(&[]));
    }
    found
}

fn listed(declared: &Declared) -> String {
    phrases(declared).join(", or ")
}

fn phrase(schemes: &[(String, Vec<String>)]) -> String {
    let each = schemes.iter().map(|(name, scopes)| {
        if scopes.is_empty() {
            format!("`{name}`")
        } else {
            format!("`{name}` ({})", scopes.join(" "))
        }
    });
    let each: Vec<_> = each.collect();
    if each.is_empty() {
        "no credentials".to_owned()
    } else {
        each.join(" and ")
    }
}
