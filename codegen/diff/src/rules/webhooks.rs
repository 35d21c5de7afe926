//! Webhooks and callbacks. Here the API sends requests and its clients answer, so that what is sent is
//! compared like responses elsewhere, and the answers like requests.

use super::parameters::is_named;
use super::responses::{covering, header_named};
use super::security::requirements;
use crate::comparison::{Comparison, Direction};
use crate::pairing::outgoing;
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::wire::{Exchange, ParamEncoding, are_written_alike, misread_value};
use codegen::openapi::{Outgoing, ParamLocation, Parameter, Response};

/// A webhook or a callback of both versions.
pub(super) struct OutgoingPair<'a> {
    /// `webhook` or `callback`.
    pub(super) what: &'static str,
    /// The method and the name, after the word for it.
    pub(super) name: String,
    pub(super) before: &'a Outgoing,
    pub(super) after: &'a Outgoing,
}

/// Compares the webhooks and the callbacks.
pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let (before, after) = (comparison.before, comparison.after);
    all(comparison, "webhook", &before.webhooks, &after.webhooks);
    all(comparison, "callback", &before.callbacks, &after.callbacks);
}

fn all(
    comparison: &mut Comparison<'_>,
    what: &'static str,
    before: &[Outgoing],
    after: &[Outgoing],
) {
    let name = |of: &Outgoing| format!("{what} {}", crate::pairing::name(&of.operation));
    let pairing = outgoing((comparison.before, comparison.after), (before, after));
    for (old, new) in pairing.before {
        let name = name(old);
        match new {
            Some(new) => {
                let pair = OutgoingPair {
                    what,
                    name,
                    before: old,
                    after: new,
                };
                pair.compare(comparison);
            }
            None => {
                let scope = Scope::new(&name, name.clone());
                let (kind, message) = (format!("{what}-removed"), "is no longer sent");
                let witness = (name, "nobody sends it".to_owned());
                comparison.changes.prove(&scope, &kind, message, witness);
            }
        }
    }
    for new in pairing.added {
        let (kind, name) = (format!("{what}-added"), name(new));
        let scope = Scope::new(&name, name.clone());
        let changes = &mut comparison.changes;
        changes.note(&scope, Severity::Compatible, &kind, "is now sent");
    }
}

impl OutgoingPair<'_> {
    fn compare(&self, comparison: &mut Comparison<'_>) {
        self.url(comparison);
        self.security(comparison);
        self.body(comparison);
        self.parameters(comparison);
        self.answers(comparison);
    }

    /// A receiver gets nothing that is sent to another URL.
    fn url(&self, comparison: &mut Comparison<'_>) {
        let [old, new] = [self.before, self.after].map(|of| {
            let target = of.target.as_ref();
            target.map_or("", |target| &target.expression)
        });
        if old != new {
            let message = format!("the URL was `{old}` and is now `{new}`");
            let witness = (format!(" (to {new})"), format!("listens at {old}"));
            self.prove(comparison, "url", "URL", &message, witness);
        }
    }

    /// The API may choose any of the alternatives (OpenAPI 3.1.1 §4.8.30), so that each of them must suffice
    /// for a receiver that asks for what was shown before.
    fn security(&self, comparison: &mut Comparison<'_>) {
        let versions = (comparison.before, comparison.after);
        let operations = (&self.before.operation, &self.after.operation);
        let (before, after) = requirements(versions, operations);
        for names in after.insufficient(&before) {
            let message = format!("may now be sent with {names}");
            let refusal = format!("asks for {}", before.phrase());
            let witness = (format!(" with {names}"), refusal);
            self.prove(
                comparison,
                "security-loosened",
                "security",
                &message,
                witness,
            );
        }
        if let Some(names) = before.insufficient(&after).next() {
            let message = format!("is no longer sent with {names}");
            self.note(comparison, "security-tightened", "security", &message);
        }
    }

    /// A breaking change; the exchange is what follows the name.
    pub(super) fn prove(
        &self,
        comparison: &mut Comparison<'_>,
        kind: &str,
        place: &str,
        message: &str,
        (exchange, refusal): (String, String),
    ) {
        let kind = format!("{}-{kind}", self.what);
        let witness = (format!("{}{exchange}", self.name), refusal);
        let scope = Scope::new(&self.name, place);
        comparison.changes.prove(&scope, &kind, message, witness);
    }

    pub(super) fn note(
        &self,
        comparison: &mut Comparison<'_>,
        kind: &str,
        place: &str,
        message: &str,
    ) {
        let kind = format!("{}-{kind}", self.what);
        let (scope, severity) = (Scope::new(&self.name, place), Severity::Compatible);
        comparison.changes.note(&scope, severity, &kind, message);
    }

    fn parameters(&self, comparison: &mut Comparison<'_>) {
        let (before, after) = (&self.before.operation, &self.after.operation);
        let are_same = |one: &Parameter, other: &Parameter| {
            one.place == other.place && is_named(one, &other.name)
        };
        for old in &before.parameters {
            let new = after.parameters.iter().find(|new| are_same(old, new));
            let place = format!("parameter `{}`", old.name);
            if old.required && new.is_none_or(|new| !new.required) {
                let message = "is no longer sure to be sent";
                let witness = absent("", &old.name);
                self.prove(comparison, "parameter-missing", &place, message, witness);
            }
            if let Some(new) = new {
                let old = (ParamEncoding::of(old), &*old.schema);
                let new = (ParamEncoding::of(new), &*new.schema);
                let of = ("parameter", &*place, &*self.name);
                self.value(comparison, Direction::Response, of, (old, new));
            }
        }
        for new in &after.parameters {
            if before.parameters.iter().any(|old| are_same(old, new)) {
                continue;
            }
            let (kind, place) = ("parameter-added", format!("parameter `{}`", new.name));
            if new.place == ParamLocation::Query {
                let refusal = format!("`{}` is not a parameter of this operation", new.name);
                let witness = (format!(" (with {})", new.name), refusal);
                self.prove(comparison, kind, &place, "was added", witness);
            } else {
                self.note(comparison, kind, &place, "was added");
            }
        }
    }

    /// A value by its schema, and by the way it is written. `of` is the part, the place, and the message.
    fn value(
        &self,
        comparison: &mut Comparison<'_>,
        direction: Direction,
        (part, place, line): (&str, &str, &str),
        ((before, old), (after, new)): ((ParamEncoding, &str), (ParamEncoding, &str)),
    ) {
        let subject = Subject::new(direction, Some(old), Some(new), before.wire_format());
        let usage = Usage {
            operation: &self.name,
            part: &format!("{}-{part}", self.what),
            place,
            exchange: Exchange::Header(line, &before.name),
        };
        comparison.schemas(&subject, &usage);
        let (was, is) = (&comparison.before.schemas, &comparison.after.schemas);
        if are_written_alike((was, old, &before), (is, new, &after)) {
            return;
        }
        let message = format!(
            "was written in {} and is now in {}",
            before.phrase(),
            after.phrase()
        );
        let (writer, reader) = match direction {
            Direction::Request => ((was, old, &before), &after),
            Direction::Response => ((is, new, &after), &before),
        };
        let kind = format!("{part}-style");
        match misread_value(writer, reader) {
            Some(value) => {
                let sent = writer.2.write(&value);
                let refusal = format!("reads `{sent}` in {}", reader.phrase());
                let shown = match writer.2.location {
                    ParamLocation::Header => format!(" ({}: {sent})", writer.2.name),
                    _ => format!(" ({sent})"),
                };
                self.prove(comparison, &kind, place, &message, (shown, refusal));
            }
            None => self.note(comparison, &kind, place, &message),
        }
    }

    /// What a receiver answers must still be accepted.
    fn answers(&self, comparison: &mut Comparison<'_>) {
        let (before, after) = (&self.before.operation, &self.after.operation);
        for old in &before.responses {
            let place = format!("answer {}", old.status);
            match covering(&after.responses, old.status) {
                Some(new) => self.answer(comparison, (old, new), &place),
                None => {
                    let listed = after.responses.iter().map(|new| new.status.to_string());
                    let listed = listed.collect::<Vec<_>>().join(", ");
                    let witness = (format!(" → {}", old.status), format!("takes {listed}"));
                    let message = "is no longer taken";
                    self.prove(comparison, "answer-removed", &place, message, witness);
                }
            }
        }
        for new in &after.responses {
            if covering(&before.responses, new.status).is_none() {
                let place = format!("answer {}", new.status);
                self.note(comparison, "answer-added", &place, "is now taken");
            }
        }
    }

    fn answer(
        &self,
        comparison: &mut Comparison<'_>,
        (old, new): (&Response, &Response),
        place: &str,
    ) {
        self.answer_body(comparison, (old, new), place);
        for header in &old.headers {
            if let Some(now) = header_named(new, &header.name) {
                let place = format!("{place} header `{}`", header.name);
                let line = format!("{} → {}", self.name, old.status);
                let was = (ParamEncoding::of_header(header), &*header.schema);
                let is = (ParamEncoding::of_header(now), &*now.schema);
                let of = ("answer-header", &*place, &*line);
                self.value(comparison, Direction::Request, of, (was, is));
            }
        }
        for header in new.headers.iter().filter(|header| header.required) {
            let known = header_named(old, &header.name);
            if known.is_none_or(|known| !known.required) {
                let place = format!("{place} header `{}`", header.name);
                let witness = absent(&format!(" → {}", old.status), &header.name);
                let kind = "answer-header-required";
                self.prove(comparison, kind, &place, "is asked for", witness);
            }
        }
    }
}

/// A message that lacks something, and what is said of it.
fn absent(line: &str, name: &str) -> (String, String) {
    let refusal = format!("`{name}` is missing (required)");
    (format!("{line} (without {name})"), refusal)
}
