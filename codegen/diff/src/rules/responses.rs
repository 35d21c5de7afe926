//! Responses: one that is valid now must have been valid before.

use super::{links, representations};
use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::wire::{Exchange, ParamEncoding, are_written_alike, misread_value};
use codegen::openapi::{Header, Response, Status};

/// The responses of both versions to the same requests.
pub(super) struct Responses<'a> {
    /// The method and path, or what stands for them.
    pub(super) name: String,
    before: &'a [Response],
    pub(super) after: &'a [Response],
    /// Whether they have a media type but no body, as those to HEAD (RFC 9110 §9.3.2).
    pub(super) is_head: bool,
    /// A request in one line.
    pub(super) line: &'a dyn Fn() -> String,
}

impl Responses<'_> {
    /// A status that two responses stand for.
    pub(super) fn shared_status(&self, old: &Response, new: &Response) -> Status {
        let stands = |list, status, one: &Response| {
            standing(list, status).is_some_and(|found| std::ptr::eq(found, one))
        };
        let both =
            |status: &Status| stands(self.before, *status, old) && stands(self.after, *status, new);
        let own = [new.status, old.status].into_iter();
        let own = own.filter(|status| matches!(status, Status::Code(_)));
        let others = (400..600).chain(200..400).map(Status::Code);
        own.chain(others).find(both).unwrap_or(new.status)
    }
}

/// Compares the responses of an operation.
pub(super) fn compare(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let responses = Responses {
        name: pair.name.clone(),
        before: &pair.before.responses,
        after: &pair.after.responses,
        is_head: pair.is_head(),
        line: &|| pair.line().text(),
    };
    all(comparison, &responses);
}

/// Compares the responses that belong to no operation.
pub(super) fn framework(comparison: &mut Comparison<'_>) {
    let responses = Responses {
        name: "any request".to_owned(),
        before: &comparison.before.framework,
        after: &comparison.after.framework,
        is_head: false,
        line: &|| "any request".to_owned(),
    };
    all(comparison, &responses);
}

fn all(comparison: &mut Comparison<'_>, responses: &Responses<'_>) {
    let (before, after) = (responses.before, responses.after);
    for old in before {
        match standing(after, old.status) {
            Some(new) => changed(comparison, responses, old, new),
            None => removed(comparison, responses, old),
        }
    }
    for new in after {
        match standing(before, new.status) {
            Some(old) if old.status != new.status => changed(comparison, responses, old, new),
            Some(_) => {}
            None => {
                let scope = Scope::new(&responses.name, place(new.status));
                let (kind, message) = ("response-added", "the status was added");
                let changes = &mut comparison.changes;
                changes.note(&scope, Severity::Compatible, kind, message);
            }
        }
    }
}

/// The response for a status: its own, that of its range, or `default`.
pub(super) fn covering(responses: &[Response], status: Status) -> Option<&Response> {
    let range = match status {
        Status::Code(code) => Status::Range(code / 100),
        other => other,
    };
    let mut wanted = [status, range, Status::Default].into_iter();
    wanted.find_map(|wanted| responses.iter().find(|one| one.status == wanted))
}

/// The same for what an operation answers: beside a success, `default` is for errors.
fn standing(responses: &[Response], status: Status) -> Option<&Response> {
    let found = covering(responses, status)?;
    let names_success = || responses.iter().any(|one| is_success(one.status));
    let is_for_errors = found.status == Status::Default && is_success(status) && names_success();
    (!is_for_errors).then_some(found)
}

pub(super) fn is_success(status: Status) -> bool {
    matches!(status, Status::Code(200..=299) | Status::Range(2))
}

pub(super) fn place(of: Status) -> String {
    format!("response {of}")
}

/// A client that waits for a success must get it; errors may cease, and so may some of a range.
fn removed(comparison: &mut Comparison<'_>, responses: &Responses<'_>, old: &Response) {
    let success = match old.status {
        Status::Code(200..=299) => Some(old.status),
        Status::Range(2) => Some(Status::Code(200)),
        _ => None,
    };
    let is_in_range = |new: &Response| matches!((old.status, new.status), (Status::Range(range), Status::Code(code)) if code / 100 == range);
    let gone = success.filter(|_| !responses.after.iter().any(is_in_range));
    let scope = Scope::new(&responses.name, place(old.status));
    let (kind, message) = ("response-removed", "the status was removed");
    let changes = &mut comparison.changes;
    let Some(gone) = gone else {
        return changes.note(&scope, Severity::Compatible, kind, message);
    };
    let listed = responses.after.iter().map(|new| new.status.to_string());
    let refusal = format!("answers with {}", listed.collect::<Vec<_>>().join(", "));
    let exchange = format!("{} → {gone}", (responses.line)());
    changes.prove(&scope, kind, message, (exchange, refusal));
}

fn changed(
    comparison: &mut Comparison<'_>,
    responses: &Responses<'_>,
    old: &Response,
    new: &Response,
) {
    representations::compare(comparison, responses, old, new);
    for header in &old.headers {
        match header_named(new, &header.name) {
            Some(now) => changed_header(comparison, responses, new.status, (header, now)),
            None => removed_header(comparison, responses, new.status, header),
        }
    }
    for header in &new.headers {
        if header_named(old, &header.name).is_none() {
            let scope = header_scope(responses, new.status, header);
            let changes = &mut comparison.changes;
            let kind = "response-header-added";
            changes.note(&scope, Severity::Compatible, kind, "was added");
        }
    }
    let scope = Scope::new(&responses.name, place(new.status));
    links::compare(comparison, &responses.name, &scope.place, (old, new));
    if old.description != new.description {
        let (kind, message) = ("response-docs", "description was changed");
        comparison
            .changes
            .note(&scope, Severity::Docs, kind, message);
    }
}

pub(super) fn header_named<'a>(response: &'a Response, name: &str) -> Option<&'a Header> {
    let mut headers = response.headers.iter();
    headers.find(|header| header.name.eq_ignore_ascii_case(name))
}

fn header_scope(responses: &Responses<'_>, of: Status, header: &Header) -> Scope {
    Scope::new(
        &responses.name,
        format!("response {of} header `{}`", header.name),
    )
}

/// A message without a header that was always there.
fn without(of: Status, header: &Header) -> (String, String) {
    let name = &header.name;
    let exchange = format!("{of} (without {name})");
    (exchange, format!("`{name}` is missing (required)"))
}

fn removed_header(
    comparison: &mut Comparison<'_>,
    responses: &Responses<'_>,
    of: Status,
    old: &Header,
) {
    let (kind, scope) = ("response-header-removed", header_scope(responses, of, old));
    let changes = &mut comparison.changes;
    match old.required {
        true => changes.prove(&scope, kind, "was removed", without(of, old)),
        // It might have been missing, but a client that used it gets no more of it.
        false => changes.note(&scope, Severity::Possible, kind, "was removed"),
    }
}

fn changed_header(
    comparison: &mut Comparison<'_>,
    responses: &Responses<'_>,
    of: Status,
    (old, new): (&Header, &Header),
) {
    let scope = header_scope(responses, of, new);
    let changes = &mut comparison.changes;
    if old.required && !new.required {
        let kind = "response-header-optional";
        changes.prove(&scope, kind, "became optional", without(of, old));
    }
    if !old.required && new.required {
        let (kind, message) = ("response-header-required", "is now always there");
        changes.note(&scope, Severity::Compatible, kind, message);
    }
    header_encoding(comparison, &scope, of, (old, new));
    let subject = Subject::new(
        Direction::Response,
        Some(&old.schema),
        Some(&new.schema),
        ParamEncoding::of_header(new).wire_format(),
    );
    let usage = Usage {
        operation: &responses.name,
        part: "response-header",
        place: &scope.place,
        exchange: Exchange::Header(&of.to_string(), &new.name),
    };
    comparison.schemas(&subject, &usage);
    if old.description != new.description {
        let (kind, message) = ("response-header-docs", "description was changed");
        comparison
            .changes
            .note(&scope, Severity::Docs, kind, message);
    }
}

/// A header that is written in another way is read as something else.
fn header_encoding(
    comparison: &mut Comparison<'_>,
    scope: &Scope,
    of: Status,
    (old, new): (&Header, &Header),
) {
    let (before, after) = (ParamEncoding::of_header(old), ParamEncoding::of_header(new));
    let (was, is) = (&comparison.before.schemas, &comparison.after.schemas);
    if are_written_alike((was, &old.schema, &before), (is, &new.schema, &after)) {
        return;
    }
    let (was_written, is_written) = (before.phrase(), after.phrase());
    let message = format!("was written in {was_written} and is now in {is_written}");
    let (kind, changes) = ("response-header-style", &mut comparison.changes);
    match misread_value((is, &new.schema, &after), &before) {
        Some(value) => {
            let sent = after.write(&value);
            let exchange = format!("{of} ({}: {sent})", new.name);
            let refusal = format!("reads `{sent}` in {was_written}");
            changes.prove(scope, kind, message, (exchange, refusal));
        }
        None => changes.note(scope, Severity::Compatible, kind, message),
    }
}
