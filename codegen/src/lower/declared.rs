//! The parts of requests that runtime expressions name are declared parameters (OpenAPI 3.1.1 §4.8.20.4).

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::openapi::{Document, LinkObject, Operation, ParamLocation};
use crate::source::Pointer;
use serde_json::Value;

/// The fallback for a part that the operation does not declare.
const FALLBACK: &str = "the caller gives it, as a text";

/// Headers whose declarations are ignored (§4.8.12.1), so that nothing can be said of them.
const IGNORED: &[&str] = &["accept", "content-type", "authorization"];

/// Reports expressions that name undeclared parameters, in links and in the URLs of callbacks.
pub(super) fn check(document: &Document, diagnostics: &mut Diagnostics) {
    for operation in &document.operations {
        for response in &operation.responses {
            for link in &response.links {
                of_link(operation, link, diagnostics);
            }
        }
    }
    for target in document
        .callbacks
        .iter()
        .filter_map(|one| one.target.as_ref())
    {
        let (method, path) = &target.of;
        let mut owners = document.operations.iter();
        if let Some(owner) = owners.find(|one| (&one.method, &one.path) == (method, path)) {
            report(owner, &target.expression, &target.at, diagnostics);
        }
    }
}

fn of_link(operation: &Operation, link: &LinkObject, diagnostics: &mut Diagnostics) {
    let given = link.parameters.iter().map(|(_, value)| value);
    for text in given.chain(&link.request_body).filter_map(Value::as_str) {
        // A link without a part of the path is not followed, and told so.
        if !text.contains("$request.path.") {
            report(operation, text, &link.at, diagnostics);
        }
    }
}

fn report(operation: &Operation, text: &str, at: &Pointer, diagnostics: &mut Diagnostics) {
    for expression in expressions(text).filter(|one| is_undeclared(operation, one)) {
        let message = format!("`{expression}` is no parameter that the operation declares");
        let problem = Diagnostic::new(Code::Invalid, at, message);
        diagnostics.recover(problem, FALLBACK);
    }
}

/// The expressions of a text: the whole of it, or those in braces.
fn expressions(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.starts_with('$').then_some(text);
    let inside = text.split('{').skip(1);
    let inside = inside.filter_map(|part| Some(part.split_once('}')?.0));
    whole.into_iter().chain(inside)
}

fn is_undeclared(operation: &Operation, expression: &str) -> bool {
    let source = expression.strip_prefix("$request.");
    let Some((place, name)) = source.and_then(|source| source.split_once('.')) else {
        return false;
    };
    let Some(place) = ParamLocation::named(place) else {
        return false;
    };
    let parameters = &operation.parameters;
    let is_it = |wire: &str| place.is_named(wire, name);
    // The whole query may have any parameter.
    let is_declared = parameters.iter().any(|parameter| {
        parameter.place == place && (is_it(&parameter.name) || parameter.style.is_whole_query())
    });
    let is_ignored = place == ParamLocation::Header && IGNORED.iter().any(|header| is_it(header));
    !is_declared && !is_ignored
}
