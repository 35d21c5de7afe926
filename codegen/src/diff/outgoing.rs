//! Webhooks and callbacks. Here the API asks and its clients answer, so what is sent is judged as
//! responses are elsewhere, and what is answered as requests.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::pairs::Pairs;
use super::parameters::is_called;
use super::report::Severity;
use super::responses::{covering, header_of};
use super::sent::paired;
use super::slot::{Slot, are_alike, misread};
use super::view::Direction;
use super::witness::{Subject, Unread};
use crate::openapi::{Header, Outgoing, ParamLocation, Parameter, Response};
use serde_json::Value;
use std::cell::LazyCell;

/// What both contracts send.
pub(super) struct Sent<'a> {
    /// `webhook` or `callback`.
    pub(super) what: &'static str,
    /// The method and the name, after the word for it.
    pub(super) name: String,
    pub(super) before: &'a Outgoing,
    pub(super) after: &'a Outgoing,
}

/// A parameter or a header of what is sent or answered.
struct Said<'s> {
    direction: Direction,
    /// The part of the kind's name, such as `parameter`.
    part: &'s str,
    place: &'s str,
    line: &'s str,
    /// Whether a value is sent at all.
    arrives: &'s dyn Fn(&Value) -> bool,
    /// What of a value nobody reads.
    unread: Option<&'s Unread<'s>>,
}

/// Compares the webhooks and the callbacks.
pub(super) fn compare(judge: &mut Judge<'_>) {
    let (before, after) = (judge.before, judge.after);
    all(judge, "webhook", &before.webhooks, &after.webhooks);
    all(judge, "callback", &before.callbacks, &after.callbacks);
}

fn all(judge: &mut Judge<'_>, what: &'static str, before: &[Outgoing], after: &[Outgoing]) {
    let pairing = paired((judge.before, judge.after), (before, after));
    for (old, new) in pairing.before {
        match new {
            Some(new) => Sent::both(what, old, new).compare(judge),
            None => {
                let name = name(what, old);
                let (kind, message) = (format!("{what}-removed"), "is no longer sent");
                let witness = (name.clone(), "nobody sends it".to_owned());
                judge.changes.prove(&kind, &name, &name, message, witness);
            }
        }
    }
    for new in pairing.added {
        let (kind, name) = (format!("{what}-added"), name(what, new));
        let changes = &mut judge.changes;
        let operation = Some(name.clone());
        changes.note(Severity::Compatible, &kind, operation, &name, "is now sent");
    }
}

fn name(what: &str, of: &Outgoing) -> String {
    let Outgoing { operation, .. } = of;
    format!("{what} {} {}", operation.method, operation.path)
}

impl<'a> Sent<'a> {
    fn both(what: &'static str, before: &'a Outgoing, after: &'a Outgoing) -> Sent<'a> {
        Sent {
            what,
            name: name(what, before),
            before,
            after,
        }
    }

    fn compare(&self, judge: &mut Judge<'_>) {
        self.address(judge);
        self.security(judge);
        self.body(judge);
        self.parameters(judge);
        self.answers(judge);
    }

    /// Who listens where it was sent to hears no more of what is sent to another URL.
    fn address(&self, judge: &mut Judge<'_>) {
        let [old, new] = [self.before, self.after].map(|of| {
            let target = of.target.as_ref();
            target.map_or("", |target| &target.expression)
        });
        if old == new {
            return;
        }
        let message = format!("the URL was `{old}` and is now `{new}`");
        let exchange = format!(" (to {new})");
        let says = (message.as_str(), exchange, format!("listens at {old}"));
        self.prove(judge, "url", "URL", says);
    }

    pub(super) fn prove(
        &self,
        judge: &mut Judge<'_>,
        kind: &str,
        place: &str,
        says: (&str, String, String),
    ) {
        let (message, exchange, refusal) = says;
        let kind = format!("{}-{kind}", self.what);
        let witness = (format!("{}{exchange}", self.name), refusal);
        judge
            .changes
            .prove(&kind, &self.name, place, message, witness);
    }

    pub(super) fn note(&self, judge: &mut Judge<'_>, kind: &str, place: &str, message: &str) {
        let kind = format!("{}-{kind}", self.what);
        let name = Some(self.name.clone());
        judge
            .changes
            .note(Severity::Compatible, &kind, name, place, message);
    }

    fn parameters(&self, judge: &mut Judge<'_>) {
        let (before, after) = (&self.before.operation, &self.after.operation);
        let same = |one: &Parameter, other: &Parameter| {
            one.place == other.place && is_called(one, &other.name)
        };
        let views = (&judge.before.view, &judge.after.view);
        let expected = LazyCell::new(|| Pairs::of(views.0, &before.parameters));
        let pairs = LazyCell::new(|| Pairs::of(views.1, &after.parameters));
        for old in &before.parameters {
            let new = after.parameters.iter().find(|new| same(old, new));
            let place = format!("parameter `{}`", old.name);
            if old.required && new.is_none_or(|new| !new.required) {
                let exchange = format!(" (without {})", old.name);
                let refusal = format!("`{}` is missing (required)", old.name);
                let says = ("is no longer sure to be sent", exchange, refusal);
                self.prove(judge, "parameter-missing", &place, says);
            }
            let Some(sent) = new else { continue };
            let (before, after) = (Slot::of(old), Slot::of(sent));
            let says = Said {
                direction: Direction::Response,
                part: "parameter",
                place: &place,
                line: &self.name,
                arrives: &|value| pairs.are_taken(sent, value) && expected.leave(old, sent, value),
                unread: Some(&|value| expected.unread(sent, value)),
            };
            self.value(judge, &says, (&before, &old.schema), (&after, &sent.schema));
        }
        for new in &after.parameters {
            if before.parameters.iter().any(|old| same(old, new)) {
                continue;
            }
            let place = format!("parameter `{}`", new.name);
            if new.place == ParamLocation::Query {
                let exchange = format!(" (with {})", new.name);
                let refusal = format!("`{}` is not a parameter of this operation", new.name);
                let says = ("was added", exchange, refusal);
                self.prove(judge, "parameter-added", &place, says);
            } else {
                self.note(judge, "parameter-added", &place, "was added");
            }
        }
    }

    /// A value by its schema, and by the way it is written.
    fn value(
        &self,
        judge: &mut Judge<'_>,
        said: &Said<'_>,
        (before, old): (&Slot, &str),
        (after, new): (&Slot, &str),
    ) {
        let part = format!("{}-{}", self.what, said.part);
        let subject = Subject {
            direction: said.direction,
            before: Some(old),
            after: Some(new),
            travels: before.travels(),
            arrives: said.arrives,
            unread: said.unread,
        };
        let usage = Use {
            operation: &self.name,
            part: &part,
            place: said.place,
            exchange: Exchange::Header(said.line, &before.name),
        };
        judge.schemas(&subject, &usage);
        if are_alike(judge, (before, old), (after, new)) {
            return;
        }
        let (view, key, writer, reader) = match said.direction {
            Direction::Request => (&judge.before.view, old, before, after),
            Direction::Response => (&judge.after.view, new, after, before),
        };
        let message = format!(
            "was written in {} and is now in {}",
            before.way(),
            after.way()
        );
        let kind = format!("{}-style", said.part);
        match misread(view, key, writer, reader) {
            Some(value) => {
                let sent = writer.write(&value);
                let refusal = format!("reads `{sent}` in {}", reader.way());
                let shown = match writer.place {
                    ParamLocation::Header => format!(" ({}: {sent})", writer.name),
                    _ => format!(" ({sent})"),
                };
                let says = (message.as_str(), shown, refusal);
                self.prove(judge, &kind, said.place, says);
            }
            None => self.note(judge, &kind, said.place, &message),
        }
    }

    fn answer_header(&self, judge: &mut Judge<'_>, of: &Response, old: &Header, new: &Header) {
        let (before, after) = (Slot::of_header(old), Slot::of_header(new));
        let says = Said {
            direction: Direction::Request,
            part: "answer-header",
            place: &format!("answer {} header `{}`", of.status, old.name),
            line: &format!("{} → {}", self.name, of.status),
            arrives: &|_| true,
            unread: None,
        };
        self.value(judge, &says, (&before, &old.schema), (&after, &new.schema));
    }

    /// What a receiver answers must still be taken.
    fn answers(&self, judge: &mut Judge<'_>) {
        let (before, after) = (&self.before.operation, &self.after.operation);
        for old in &before.responses {
            let place = format!("answer {}", old.status);
            match covering(&after.responses, old.status) {
                Some(new) => self.answer(judge, old, new, &place),
                None => {
                    let exchange = format!(" → {}", old.status);
                    let listed: Vec<String> = after
                        .responses
                        .iter()
                        .map(|new| new.status.to_string())
                        .collect();
                    let refusal = format!("takes {}", listed.join(", "));
                    let says = ("is no longer taken", exchange, refusal);
                    self.prove(judge, "answer-removed", &place, says);
                }
            }
        }
        for new in &after.responses {
            if covering(&before.responses, new.status).is_none() {
                let place = format!("answer {}", new.status);
                self.note(judge, "answer-added", &place, "is now taken");
            }
        }
    }

    fn answer(&self, judge: &mut Judge<'_>, old: &Response, new: &Response, place: &str) {
        self.answer_body(judge, (old, new), place);
        for header in &old.headers {
            if let Some(now) = header_of(new, &header.name) {
                self.answer_header(judge, old, header, now);
            }
        }
        for header in new.headers.iter().filter(|header| header.required) {
            let mut known = old.headers.iter().filter(|known| known.required);
            if !known.any(|known| known.name.eq_ignore_ascii_case(&header.name)) {
                let place = format!("{place} header `{}`", header.name);
                let exchange = format!(" → {} (without {})", old.status, header.name);
                let refusal = format!("`{}` is missing (required)", header.name);
                let says = ("is asked for", exchange, refusal);
                self.prove(judge, "answer-header-required", &place, says);
            }
        }
    }
}
