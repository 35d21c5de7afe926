//! Webhooks and callbacks. Here the API asks and its clients answer, so what is sent is judged as
//! responses are elsewhere, and what is answered as requests.

use super::content::{essence, find};
use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::report::Severity;
use super::responses::covering;
use super::view::Direction;
use super::witness::Subject;
use crate::document::{Media, Outgoing, Parameter, Place, Response};
use std::collections::BTreeMap;

/// What both contracts send.
struct Sent<'a> {
    /// `webhook` or `callback`.
    what: &'static str,
    /// The method and the name, after the word for it.
    name: String,
    before: &'a Outgoing,
    after: &'a Outgoing,
}

/// Compares the webhooks and the callbacks.
pub(super) fn compare(judge: &mut Judge<'_>) {
    let (before, after) = (judge.before, judge.after);
    all(judge, "webhook", &before.webhooks, &after.webhooks);
    all(judge, "callback", &before.callbacks, &after.callbacks);
}

fn all(judge: &mut Judge<'_>, what: &'static str, before: &[Outgoing], after: &[Outgoing]) {
    let mut now: BTreeMap<_, _> = after.iter().map(|one| (key(one), one)).collect();
    for old in before {
        let name = name(what, old);
        match now.remove(&key(old)) {
            Some(new) => {
                let sent = Sent {
                    what,
                    name,
                    before: old,
                    after: new,
                };
                sent.body(judge);
                sent.parameters(judge);
                sent.answers(judge);
            }
            None => {
                let (kind, message) = (format!("{what}-removed"), "is no longer sent");
                let witness = (name.clone(), "nobody sends it".to_owned());
                judge.changes.prove(&kind, &name, &name, message, witness);
            }
        }
    }
    for new in now.into_values() {
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

/// What makes it the same in both contracts: whoever is called, ids and names are not it.
fn key(of: &Outgoing) -> (String, String) {
    let place = match &of.target {
        Some(target) => format!("{} {}", target.of, target.expression),
        None => of.operation.path.clone(),
    };
    (place, of.operation.method.clone())
}

impl Sent<'_> {
    fn prove(&self, judge: &mut Judge<'_>, kind: &str, place: &str, says: (&str, String, String)) {
        let (message, exchange, refusal) = says;
        let kind = format!("{}-{kind}", self.what);
        let witness = (format!("{}{exchange}", self.name), refusal);
        judge
            .changes
            .prove(&kind, &self.name, place, message, witness);
    }

    fn note(&self, judge: &mut Judge<'_>, kind: &str, place: &str, message: &str) {
        let kind = format!("{}-{kind}", self.what);
        let name = Some(self.name.clone());
        judge
            .changes
            .note(Severity::Compatible, &kind, name, place, message);
    }

    /// A receiver reads what was sent before, and nothing else.
    fn body(&self, judge: &mut Judge<'_>) {
        let bodies = (&self.before.operation.body, &self.after.operation.body);
        let place = "body";
        let (old, new) = match bodies {
            (Some(old), Some(new)) => (old, new),
            (Some(old), None) if old.required => return self.bodiless(judge, "removed"),
            (Some(_), None) => return self.note(judge, "body-removed", place, "was removed"),
            (None, Some(_)) => return self.note(judge, "body-added", place, "was added"),
            (None, None) => return,
        };
        if old.required && !new.required {
            self.bodiless(judge, "optional");
        }
        for media in &new.content {
            let name = essence(&media.media_type);
            match find(&old.content, &name) {
                Some(known) => self.schemas(judge, Direction::Response, known, media),
                None => {
                    let message = format!("{name} is now sent");
                    let exchange = format!(" (Content-Type: {name})");
                    let refusal = "415: unsupported media type".to_owned();
                    let says = (message.as_str(), exchange, refusal);
                    self.prove(judge, "media-type-added", place, says);
                }
            }
        }
    }

    fn bodiless(&self, judge: &mut Judge<'_>, how: &str) {
        let message = match how {
            "removed" => "was removed",
            _ => "became optional",
        };
        let says = (
            message,
            " (without a body)".to_owned(),
            "a body is missing".to_owned(),
        );
        self.prove(judge, &format!("body-{how}"), "body", says);
    }

    fn schemas(&self, judge: &mut Judge<'_>, direction: Direction, old: &Media, new: &Media) {
        let (part, place) = match direction {
            Direction::Response => ("body", "body"),
            Direction::Request => ("answer", "answer body"),
        };
        let subject = Subject {
            direction,
            before: old.schema.as_deref(),
            after: new.schema.as_deref(),
            textual: false,
        };
        let usage = Use {
            operation: &self.name,
            part: &format!("{}-{part}", self.what),
            place,
            exchange: Exchange::Response(&self.name),
        };
        judge.schemas(&subject, &usage);
    }

    fn parameters(&self, judge: &mut Judge<'_>) {
        let (before, after) = (&self.before.operation, &self.after.operation);
        let same = |one: &Parameter, other: &Parameter| {
            one.place == other.place && one.name.eq_ignore_ascii_case(&other.name)
        };
        for old in &before.parameters {
            let new = after.parameters.iter().find(|new| same(old, new));
            let place = format!("parameter `{}`", old.name);
            if old.required && new.is_none_or(|new| !new.required) {
                let exchange = format!(" (without {})", old.name);
                let refusal = format!("`{}` is missing (required)", old.name);
                let says = ("is no longer sure to be sent", exchange, refusal);
                self.prove(judge, "parameter-missing", &place, says);
            }
            let Some(new) = new else { continue };
            let subject = Subject {
                direction: Direction::Response,
                before: Some(&old.schema),
                after: Some(&new.schema),
                textual: true,
            };
            let usage = Use {
                operation: &self.name,
                part: &format!("{}-parameter", self.what),
                place: &place,
                exchange: Exchange::Header(&self.name, &old.name),
            };
            judge.schemas(&subject, &usage);
        }
        for new in &after.parameters {
            if before.parameters.iter().any(|old| same(old, new)) {
                continue;
            }
            let place = format!("parameter `{}`", new.name);
            if new.place == Place::Query {
                let exchange = format!(" (with {})", new.name);
                let refusal = format!("`{}` is not a parameter of this operation", new.name);
                let says = ("was added", exchange, refusal);
                self.prove(judge, "parameter-added", &place, says);
            } else {
                self.note(judge, "parameter-added", &place, "was added");
            }
        }
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
        for media in &old.content {
            let name = essence(&media.media_type);
            match find(&new.content, &name) {
                Some(now) => self.schemas(judge, Direction::Request, media, now),
                None => {
                    let message = format!("{name} is no longer taken");
                    let exchange = format!(" → {} {name}", old.status);
                    let refusal = "it is of no documented media type".to_owned();
                    let says = (message.as_str(), exchange, refusal);
                    self.prove(judge, "answer-media-type-removed", place, says);
                }
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
