//! The bodies that webhooks and callbacks send, and those that are answered.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::media_types::paired;
use super::outgoing::Sent;
use super::ranges::outside;
use super::report::Severity;
use super::view::Direction;
use super::witness::Subject;
use crate::openapi::{Media, Response, canonical};

impl Sent<'_> {
    /// A receiver reads what was sent before, and nothing else.
    pub(super) fn body(&self, judge: &mut Judge<'_>) {
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
        for (media, known) in paired(&new.content, &old.content) {
            if known.whole.is_none() {
                let name = canonical(&media.media_type);
                let message = format!("{name} is now sent");
                let sent = outside(&name, &old.content);
                let exchange = sent.map(|sent| format!(" (Content-Type: {sent})"));
                let says = (message.as_str(), exchange, "415: unsupported media type");
                self.foreign(judge, "media-type-added", place, says);
            }
            for known in known.readings() {
                self.schemas(judge, Direction::Response, known, media);
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
            travels: judge.travels(direction, old, new),
            arrives: &|_| true,
            unread: None,
        };
        let usage = Use {
            operation: &self.name,
            part: &format!("{}-{part}", self.what),
            place,
            exchange: Exchange::Response(&self.name),
        };
        judge.schemas(&subject, &usage);
        judge.items(direction, old, new, &usage);
    }

    /// What a receiver answers must still be taken.
    pub(super) fn answer_body(
        &self,
        judge: &mut Judge<'_>,
        (old, new): (&Response, &Response),
        place: &str,
    ) {
        if !old.status.has_body() || self.before.operation.method == "HEAD" {
            return;
        }
        if old.content.is_empty() && !new.content.is_empty() {
            let exchange = format!(" → {} (without a body)", old.status);
            let says = (
                "a body is asked for",
                exchange,
                "a body is missing".to_owned(),
            );
            self.prove(judge, "answer-body-required", place, says);
        }
        for (media, now) in paired(&old.content, &new.content) {
            if now.whole.is_none() {
                let name = canonical(&media.media_type);
                let message = format!("{name} is no longer taken");
                let answered = outside(&name, &new.content);
                let exchange = answered.map(|answered| format!(" → {} {answered}", old.status));
                let refusal = "it is of no documented media type";
                let says = (message.as_str(), exchange, refusal);
                self.foreign(judge, "answer-media-type-removed", place, says);
            }
            for now in now.readings() {
                self.schemas(judge, Direction::Request, media, now);
            }
        }
    }

    /// A media type that who gets it does not know, where one can be shown.
    fn foreign(
        &self,
        judge: &mut Judge<'_>,
        kind: &str,
        place: &str,
        (message, exchange, refusal): (&str, Option<String>, &str),
    ) {
        let Some(exchange) = exchange else {
            let (kind, name) = (format!("{}-{kind}", self.what), self.name.clone());
            let changes = &mut judge.changes;
            return changes.note(Severity::Possible, &kind, Some(name), place, message);
        };
        let says = (message, exchange, refusal.to_owned());
        self.prove(judge, kind, place, says);
    }
}
