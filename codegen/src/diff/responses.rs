//! Responses: one that is valid now must have been valid before.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::operations::Both;
use super::report::Severity;
use super::slot::{Slot, are_alike, misread};
use super::view::Direction;
use super::witness::Subject;
use super::{links, representations};
use crate::openapi::{Header, Response, Status};

/// The responses to the same requests.
pub(super) struct Answers<'a> {
    /// The method and path, or what stands for them.
    pub(super) name: String,
    before: &'a [Response],
    pub(super) after: &'a [Response],
    /// Whether it is HEAD that is answered, with a media type, but without a body (RFC 9110 §9.3.2).
    pub(super) is_head: bool,
    /// Writes a request down.
    pub(super) line: &'a dyn Fn() -> String,
}

impl Answers<'_> {
    /// A status that two responses stand for, or as much of one as they say.
    pub(super) fn instance(&self, old: &Response, new: &Response) -> Status {
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
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>) {
    let answers = Answers {
        name: both.name.clone(),
        before: &both.before.responses,
        after: &both.after.responses,
        is_head: both.is_head(),
        line: &|| both.line().text(),
    };
    all(judge, &answers);
}

/// Compares the responses that belong to no operation.
pub(super) fn framework(judge: &mut Judge<'_>) {
    let answers = Answers {
        name: "any request".to_owned(),
        before: &judge.before.framework,
        after: &judge.after.framework,
        is_head: false,
        line: &|| "any request".to_owned(),
    };
    all(judge, &answers);
}

fn all(judge: &mut Judge<'_>, answers: &Answers<'_>) {
    let (before, after) = (answers.before, answers.after);
    for old in before {
        match standing(after, old.status) {
            Some(new) => changed(judge, answers, old, new),
            None => removed(judge, answers, old),
        }
    }
    for new in after {
        match standing(before, new.status) {
            Some(old) if old.status != new.status => changed(judge, answers, old, new),
            Some(_) => {}
            None => {
                let message = "the status was added";
                let place = place(new.status);
                let name = Some(answers.name.clone());
                judge.changes.note(
                    Severity::Compatible,
                    "response-added",
                    name,
                    &place,
                    message,
                );
            }
        }
    }
}

/// The response that stands for a status: its own, that of its range, or `default`.
pub(super) fn covering(responses: &[Response], status: Status) -> Option<&Response> {
    let range = match status {
        Status::Code(code) => Status::Range(code / 100),
        other => other,
    };
    let mut wanted = [status, range, Status::Default].into_iter();
    wanted.find_map(|wanted| responses.iter().find(|one| one.status == wanted))
}

/// The same for what an operation answers: `default` is of errors where a success is named.
fn standing(responses: &[Response], status: Status) -> Option<&Response> {
    let found = covering(responses, status)?;
    let names_success = || responses.iter().any(|one| is_success(one.status));
    let is_of_errors = found.status == Status::Default && is_success(status) && names_success();
    (!is_of_errors).then_some(found)
}

pub(super) fn is_success(status: Status) -> bool {
    matches!(status, Status::Code(200..=299) | Status::Range(2))
}

pub(super) fn place(of: Status) -> String {
    format!("response {of}")
}

/// A client that waits for a success must find it; errors may well cease, and so may some of a
/// range.
fn removed(judge: &mut Judge<'_>, answers: &Answers<'_>, old: &Response) {
    let success = match old.status {
        Status::Code(200..=299) => Some(old.status),
        Status::Range(2) => Some(Status::Code(200)),
        _ => None,
    };
    let within = |new: &Response| matches!((old.status, new.status), (Status::Range(range), Status::Code(code)) if code / 100 == range);
    let (kind, message) = ("response-removed", "the status was removed");
    let gone = success.filter(|_| !answers.after.iter().any(within));
    let Some(gone) = gone else {
        let (name, place) = (Some(answers.name.clone()), place(old.status));
        judge
            .changes
            .note(Severity::Compatible, kind, name, &place, message);
        return;
    };
    let listed = answers.after.iter().map(|new| new.status.to_string());
    let listed: Vec<_> = listed.collect();
    let refusal = format!("answers with {}", listed.join(", "));
    let exchange = format!("{} → {gone}", (answers.line)());
    let place = place(old.status);
    judge
        .changes
        .prove(kind, &answers.name, &place, message, (exchange, refusal));
}

fn changed(judge: &mut Judge<'_>, answers: &Answers<'_>, old: &Response, new: &Response) {
    representations::compare(judge, answers, old, new);
    for header in &old.headers {
        match header_of(new, &header.name) {
            Some(now) => headers(judge, answers, new.status, header, now),
            None => header_removed(judge, answers, new.status, header),
        }
    }
    for header in &new.headers {
        if header_of(old, &header.name).is_none() {
            let place = header_place(new.status, header);
            let name = Some(answers.name.clone());
            let kind = "response-header-added";
            judge
                .changes
                .note(Severity::Compatible, kind, name, &place, "was added");
        }
    }
    let at = place(new.status);
    links::compare(judge, &answers.name, &at, (old, new));
    if old.description != new.description {
        let (name, place) = (Some(answers.name.clone()), at);
        let message = "description was changed";
        judge
            .changes
            .note(Severity::Docs, "response-docs", name, &place, message);
    }
}

pub(super) fn header_of<'a>(response: &'a Response, name: &str) -> Option<&'a Header> {
    let mut headers = response.headers.iter();
    headers.find(|header| header.name.eq_ignore_ascii_case(name))
}

fn header_place(of: Status, header: &Header) -> String {
    format!("response {} header `{}`", of, header.name)
}

fn headers(judge: &mut Judge<'_>, answers: &Answers<'_>, of: Status, old: &Header, new: &Header) {
    let place = header_place(of, new);
    if old.required && !new.required {
        absent(
            judge,
            answers,
            "response-header-optional",
            of,
            old,
            "became optional",
        );
    }
    if !old.required && new.required {
        let name = Some(answers.name.clone());
        let (kind, message) = ("response-header-required", "is now always there");
        judge
            .changes
            .note(Severity::Compatible, kind, name, &place, message);
    }
    written(judge, answers, of, old, new);
    let subject = Subject {
        direction: Direction::Response,
        before: Some(&old.schema),
        after: Some(&new.schema),
        travels: Slot::of_header(new).travels(),
        arrives: &|_| true,
        unread: None,
    };
    let usage = Use {
        operation: &answers.name,
        part: "response-header",
        place: &place,
        exchange: Exchange::Header(&of.to_string(), &new.name),
    };
    judge.schemas(&subject, &usage);
    if old.description != new.description {
        let name = Some(answers.name.clone());
        let message = "description was changed";
        judge.changes.note(
            Severity::Docs,
            "response-header-docs",
            name,
            &place,
            message,
        );
    }
}

/// A header that is written another way is read as something else.
fn written(judge: &mut Judge<'_>, answers: &Answers<'_>, of: Status, old: &Header, new: &Header) {
    let (before, after) = (Slot::of_header(old), Slot::of_header(new));
    if are_alike(judge, (&before, &old.schema), (&after, &new.schema)) {
        return;
    }
    let (kind, place) = ("response-header-style", header_place(of, new));
    let message = format!(
        "was written in {} and is now in {}",
        before.way(),
        after.way()
    );
    match misread(&judge.after.view, &new.schema, &after, &before) {
        Some(value) => {
            let sent = after.write(&value);
            let exchange = format!("{of} ({}: {sent})", new.name);
            let refusal = format!("reads `{sent}` in {}", before.way());
            let changes = &mut judge.changes;
            changes.prove(kind, &answers.name, &place, message, (exchange, refusal));
        }
        None => {
            let name = Some(answers.name.clone());
            let changes = &mut judge.changes;
            changes.note(Severity::Compatible, kind, name, &place, message);
        }
    }
}

fn header_removed(judge: &mut Judge<'_>, answers: &Answers<'_>, of: Status, old: &Header) {
    let kind = "response-header-removed";
    if old.required {
        absent(judge, answers, kind, of, old, "was removed");
    } else {
        // No client may rely on what may be missing.
        let (name, place) = (Some(answers.name.clone()), header_place(of, old));
        judge
            .changes
            .note(Severity::Compatible, kind, name, &place, "was removed");
    }
}

fn absent(
    judge: &mut Judge<'_>,
    answers: &Answers<'_>,
    kind: &str,
    of: Status,
    old: &Header,
    message: &str,
) {
    let exchange = format!("{} (without {})", of, old.name);
    let refusal = format!("`{}` is missing (required)", old.name);
    let place = header_place(of, old);
    judge
        .changes
        .prove(kind, &answers.name, &place, message, (exchange, refusal));
}
