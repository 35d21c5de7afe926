//! What a client must show to be let in.

use super::judge::Judge;
use super::operations::Both;
use super::report::Severity;
use super::schemes::{credential, former, sources};
use super::side::Side;
use crate::openapi::Operation;
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

/// What an operation asks for in one of the contracts: the alternatives, by what they mean and in words.
pub(super) struct Asked(Vec<(Credentials, String)>);

impl Asked {
    /// Those of which none is enough for what another asks for, in words.
    pub(super) fn insufficient<'s>(&'s self, other: &'s Asked) -> impl Iterator<Item = &'s str> {
        let own = self.0.iter().filter(|(shown, _)| !other.is_met(shown));
        own.map(|(_, words)| words.as_str())
    }

    fn is_met(&self, shown: &Credentials) -> bool {
        self.0.iter().any(|(asked, _)| {
            asked.iter().all(|(scheme, asked)| {
                let own = shown.get(scheme);
                own.is_some_and(|own| own.is_superset(asked))
            })
        })
    }

    /// All of them in words.
    pub(super) fn listed(&self) -> String {
        let words: Vec<&str> = self.0.iter().map(|(_, words)| words.as_str()).collect();
        words.join(", or ")
    }
}

/// What both contracts ask for.
pub(super) fn asked(
    (before, after): (&Side, &Side),
    (old, new): (&Operation, &Operation),
) -> (Asked, Asked) {
    let known = |name: &str| Scheme::Known(first(before, name));
    let renamed = |name: &str| {
        let former = former(before, after, name);
        former.map_or_else(|| Scheme::New(name.to_owned()), |old| known(&old))
    };
    (
        alternatives((before, after), &old.security, &known),
        alternatives((after, before), &new.security, &renamed),
    )
}

/// Credentials that sufficed must still suffice.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>) {
    let sides = (judge.before, judge.after);
    let (before, after) = asked(sides, (both.before, both.after));
    sources(judge, both);
    for names in before.insufficient(&after) {
        let exchange = format!("{} with {names}", both.line().text());
        let refusal = format!("asks for {}", after.listed());
        let message = format!("{names} no longer suffices");
        let (kind, witness) = ("security-tightened", (exchange, refusal));
        judge
            .changes
            .prove(kind, &both.name, "security", message, witness);
    }
    if let Some(names) = after.insufficient(&before).next() {
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

/// The alternatives of a contract; where none is declared, nothing is needed.
fn alternatives(sides: Sides<'_>, declared: &Declared, scheme: &dyn Fn(&str) -> Scheme) -> Asked {
    let one = |schemes: &[(String, Vec<String>)]| {
        let mut shown = Credentials::new();
        for (name, scopes) in schemes {
            let own = shown.entry(scheme(name)).or_default();
            own.extend(scopes.iter().cloned());
        }
        (shown, phrase(sides, schemes))
    };
    let mut found: Vec<_> = declared.iter().map(|schemes| one(schemes)).collect();
    if found.is_empty() {
        found.push(one(&[]));
    }
    Asked(found)
}

/// The first name of a scheme, which may have several.
fn first(side: &Side, name: &str) -> String {
    let text = side.scheme_text(name);
    let mut names = side.scheme_names();
    let first = names.find(|known| side.scheme_text(known) == text);
    first.unwrap_or(name).to_owned()
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
