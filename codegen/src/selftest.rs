//! A program that tests a generated crate: it reads every documented example into its type, and
//! calls every operation through the crate's own client and service.
//!
//! The requests, answers and expectations are decided here, in terms of the intermediate
//! representation; `rust::selftest` prints them.

mod case;
mod example;
mod pool;
mod segments;

pub(crate) use case::{
    Answer, FieldValue, OperationKind, PartHeaderValues, Payload, PayloadContent, TestCase,
};
pub(crate) use example::{ExampleCheck, invalid_examples};
pub(crate) use pool::Pool;

use crate::FileTree;
use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Operation, RequirementId, RequirementTerms, Security};
use crate::source::Source;
use crate::{Lowered, Options, Reading, lowered, rust};
use segments::Segments;
use std::collections::BTreeSet;

/// The test program of a generated crate, and its extent.
#[derive(Debug)]
pub struct SelfTest {
    /// The files of a package in a folder of the generated crate, on which it depends by the name
    /// `subject`. It prints one JSON object with the failures, `examples` and `operations`, each a
    /// list of texts; it exits with 1 if there are any.
    pub files: FileTree,
    /// How many examples are read into their types.
    pub examples: usize,
    /// Examples that are not valid for their own schemas, which is an error of the document: the
    /// place and the problem.
    pub invalid: Vec<String>,
    /// How many operations are called, webhooks and callbacks included.
    pub operations: usize,
    /// Operations that are not called, because no valid request or answer is known.
    pub unsampled: Vec<String>,
    /// Operations that cannot be called or answered, because the schema of a necessary part has no
    /// values; that is an error of the document.
    pub impossible: Vec<String>,
}

/// Makes the program for the crate that [`generate_with`](crate::generate_with) makes of the same
/// arguments.
///
/// # Errors
/// As [`generate`](crate::generate).
pub fn selftest(
    source: &Source,
    reading: &Reading,
    options: &Options,
) -> Result<SelfTest, Diagnostics> {
    let Lowered {
        api,
        compiled_schemas,
        ..
    } = lowered(source, reading, options)?;
    let schemas = api.schemas.clone().into_iter().chain(compiled_schemas);
    let mut pool = Pool::new(schemas.collect());
    let (shown, invalid) = example::all(&api, &mut pool);
    let mut cases = Vec::new();
    let (mut unsampled, mut impossible) = (Vec::new(), Vec::new());
    let callbacks = api.callbacks.iter().map(|callback| &callback.operation);
    let served = api
        .operations
        .iter()
        .map(|one| (OperationKind::Served, one));
    let webhooks = api.webhooks.iter().map(|one| (OperationKind::Webhook, one));
    let callbacks = callbacks.map(|one| (OperationKind::Callback, one));
    // The contents of a raw operation are unknown, one without a documented answer cannot be
    // answered, and one that is not served gets no request.
    let answered = |operation: &Operation| {
        let mut responses = operation.responses.iter();
        !operation.raw
            && operation.served
            && responses.any(|response| !response.statuses.is_empty())
    };
    let all = served.chain(webhooks).chain(callbacks);
    let paths = api.operations.iter().map(|one| one.path.as_str());
    let segments = Segments::of(paths);
    for (kind, operation) in all.filter(|(_, operation)| answered(operation)) {
        if is_shut(&api, operation) {
            let what = "no request can show all credentials";
            impossible.push(format!("{}: {what}", operation.id));
            continue;
        }
        match case::of(&mut pool, &segments, kind, operation) {
            Ok(case) => cases.push(case),
            Err(what) => {
                let possible = !case::is_impossible(&pool, operation);
                let list = if possible {
                    &mut unsampled
                } else {
                    &mut impossible
                };
                list.push(format!("{}: no value of {what}", operation.id));
            }
        }
    }
    Ok(SelfTest {
        examples: shown.len(),
        invalid,
        operations: cases.len(),
        unsampled,
        impossible,
        files: rust::selftest(&api, options, &shown, &cases, &pool),
    })
}

/// Whether an operation requires credentials that no request can send together.
fn is_shut(api: &Api, operation: &Operation) -> bool {
    match operation.security {
        Security::Required(requirement) => is_unmet(api, requirement),
        Security::Optional(_) | Security::Public => false,
    }
}

fn is_unmet(api: &Api, requirement: RequirementId) -> bool {
    match api
        .security_requirements
        .get(requirement.0)
        .map(|requirement| &requirement.terms)
    {
        Some(RequirementTerms::All(schemes)) => {
            let schemes = schemes.iter().filter_map(|index| api.schemes.get(*index));
            let ways = schemes.filter_map(|scheme| scheme.authentication.as_deref());
            ways.collect::<BTreeSet<_>>().len() > 1
        }
        Some(RequirementTerms::Any(requirements)) => requirements
            .iter()
            .all(|requirement| is_unmet(api, *requirement)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;

    #[test]
    fn operations_with_unsatisfiable_credentials_are_not_called() {
        let text = r#"{ "openapi": "3.1.1", "info": { "title": "T", "version": "1" }, "paths": {
            "/both": { "get": { "operationId": "both", "security": [{ "a": [], "b": [] }],
                "responses": { "204": { "description": "" } } } },
            "/either": { "get": { "operationId": "either", "security": [{ "a": [], "b": [] }, { "b": [] }],
                "responses": { "204": { "description": "" } } } } },
            "components": { "securitySchemes": {
                "a": { "type": "http", "scheme": "basic" },
                "b": { "type": "openIdConnect", "openIdConnectUrl": "https://example.com" } } } }"#;
        let options = Options {
            crate_name: "t".into(),
            workspace: Workspace::Own,
            runtime: crate::Runtime::Copy,
            strict: false,
            samples: Vec::new(),
            ..Options::default()
        };
        let source = Source {
            name: "t.json".into(),
            text: text.into(),
        };
        let selftest = selftest(&source, &Reading::default(), &options).expect("a selftest");
        assert_eq!(selftest.operations, 1);
        assert_eq!(
            selftest.impossible,
            ["both: no request can show all credentials"]
        );
    }
}
