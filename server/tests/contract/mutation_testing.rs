//! Tests whether the scenarios notice mutations of the server's responses, which a proxy makes.
//!
//! A mutation counts as noticed if a scenario that meets it fails, and passes behind the same proxy
//! without it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Response;

use super::coverage::Exercised;
use super::databases::Databases;
use super::mutations::{self, Mutation, Proxy, Table};
use super::run;
use super::scenarios::{self, Scenario};
use super::sender::VERDICT;
use super::world::Template;

/// An operation and a status.
type Target = (String, u16);

/// A scenario that passed behind a proxy without a mutation.
struct Passed {
    scenario: Scenario,
    took: Duration,
    /// The answer with most room for mutations that it had for each target.
    answers: BTreeMap<Target, Response<Bytes>>,
}

/// Runs every scenario without a mutation, then tries mutations of the responses of that run: one of `share`,
/// or with the variable `MUTATION` all whose description contains its value. Every description contains an
/// empty value.
pub fn try_mutations(share: usize) -> (Exercised, Table) {
    run::hush();
    let template = run::template(Databases::files());
    let passed = without_mutations(&template);
    let harness = template.harness();
    let exercised = harness.coverage.report(&harness.validator.document);
    let mutations = chosen(derived(&template, &passed), share);
    let outcomes = run::at_once(mutations, |mutation| {
        let noticed = is_noticed(&mutation, &passed, &template);
        (mutation, noticed)
    });
    let mut table = Table::default();
    for (mutation, noticed) in outcomes {
        table.note(&mutation, noticed);
    }
    (exercised, table)
}

fn chosen(mut mutations: Vec<Arc<Mutation>>, share: usize) -> Vec<Arc<Mutation>> {
    match std::env::var("MUTATION") {
        Ok(wanted) => {
            mutations.retain(|mutation| mutation.to_string().contains(&wanted));
            mutations
        }
        Err(_) => mutations.into_iter().step_by(share).collect(),
    }
}

/// Runs every scenario behind a proxy that only writes bodies anew.
fn without_mutations(template: &Arc<Template>) -> Vec<Passed> {
    let mut passed = run::at_once(scenarios::all(), |scenario| {
        let proxy = Arc::new(Proxy::default());
        let start = Instant::now();
        let outcome = run::one(&scenario, &behind(template, &proxy));
        assert_eq!(
            outcome,
            Ok(()),
            "{} fails without a mutation",
            scenario.name
        );
        Passed {
            scenario,
            took: start.elapsed(),
            answers: proxy.good(),
        }
    });
    // The quick ones are asked first.
    passed.sort_by_key(|passed| passed.took);
    passed
}

/// The mutations of each operation's success, and one of each kind for its other answers.
fn derived(template: &Arc<Template>, passed: &[Passed]) -> Vec<Arc<Mutation>> {
    let document = &template.harness().validator.document;
    let mut found = Vec::new();
    for operation in &document.operations {
        let mut others = Vec::new();
        for status in operation.answers.keys() {
            let at = (operation.id.clone(), *status);
            let answers = passed.iter().filter_map(|passed| passed.answers.get(&at));
            let Some(roomiest) = answers.max_by_key(|answer| mutations::room(operation, answer))
            else {
                // To another method answers the path, and no operation of it.
                assert_eq!(*status, 405, "nobody has seen {at:?}");
                continue;
            };
            let of_status = mutations::derive(document, operation, roomiest);
            match status {
                200..300 => found.extend(of_status),
                _ => others.push(of_status),
            }
        }
        found.extend(mutations::one_of_each_kind(others));
    }
    found.into_iter().map(Arc::new).collect()
}

fn is_noticed(mutation: &Arc<Mutation>, passed: &[Passed], template: &Arc<Template>) -> bool {
    let at = (mutation.operation.clone(), mutation.status);
    let concerned = passed.iter().filter(|it| it.answers.contains_key(&at));
    concerned.map(|it| &it.scenario).any(|scenario| {
        let proxy = Arc::new(Proxy::with(Arc::clone(mutation)));
        let outcome = run::quietly(scenario, &behind(template, &proxy));
        let failed = |failure: String| {
            // A broken answer fails alone; other failures may be for want of time.
            failure.contains(VERDICT) || run::quietly(scenario, template).is_ok()
        };
        outcome.is_err_and(failed) && proxy.is_applied()
    })
}

fn behind(template: &Arc<Template>, proxy: &Arc<Proxy>) -> Arc<Template> {
    Arc::new(template.behind(Arc::clone(proxy)))
}
