//! The bodies that webhooks and callbacks send, and those of the answers.

use super::webhooks::OutgoingPair;
use super::wire_format;
use crate::comparison::{Comparison, Direction};
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::version::{outside, paired};
use crate::wire::Exchange;
use codegen::openapi::{Media, Response, canonical};

impl OutgoingPair<'_> {
    /// A receiver reads what was sent before, and nothing else.
    pub(super) fn body(&self, comparison: &mut Comparison<'_>) {
        let bodies = (&self.before.operation.body, &self.after.operation.body);
        let place = "body";
        let (old, new) = match bodies {
            (Some(old), Some(new)) => (old, new),
            (Some(old), None) if old.required => {
                return self.bodiless(comparison, "body-removed", "was removed");
            }
            (Some(_), None) => return self.note(comparison, "body-removed", place, "was removed"),
            (None, Some(_)) => return self.note(comparison, "body-added", place, "was added"),
            (None, None) => return,
        };
        if old.required && !new.required {
            self.bodiless(comparison, "body-optional", "became optional");
        }
        for (media, known) in paired(&new.content, &old.content) {
            if known.whole.is_none() {
                let name = canonical(&media.media_type);
                let sent = outside(&name, &old.content);
                let exchange = sent.map(|sent| format!(" (Content-Type: {sent})"));
                let message = format!("{name} is now sent");
                let refusal = "415: unsupported media type";
                let of = ("media-type-added", place);
                self.unknown(comparison, of, &message, exchange, refusal);
            }
            for known in known.readings() {
                self.schemas(comparison, Direction::Response, known, media);
            }
        }
    }

    fn bodiless(&self, comparison: &mut Comparison<'_>, kind: &str, message: &str) {
        let witness = (
            " (without a body)".to_owned(),
            "a body is missing".to_owned(),
        );
        self.prove(comparison, kind, "body", message, witness);
    }

    fn schemas(
        &self,
        comparison: &mut Comparison<'_>,
        direction: Direction,
        old: &Media,
        new: &Media,
    ) {
        let (part, place) = match direction {
            Direction::Response => ("body", "body"),
            Direction::Request => ("answer", "answer body"),
        };
        let subject = Subject::new(
            direction,
            old.schema.as_deref(),
            new.schema.as_deref(),
            wire_format(comparison, direction, old, new),
        );
        let usage = Usage {
            operation: &self.name,
            part: &format!("{}-{part}", self.what),
            place,
            exchange: Exchange::Line(&self.name),
        };
        comparison.schemas(&subject, &usage);
        comparison.items(direction, (old, new), &usage);
    }

    /// What a receiver answers must still be accepted.
    pub(super) fn answer_body(
        &self,
        comparison: &mut Comparison<'_>,
        (old, new): (&Response, &Response),
        place: &str,
    ) {
        if !old.status.has_body() || self.before.operation.method == "HEAD" {
            return;
        }
        if old.content.is_empty() && !new.content.is_empty() {
            let exchange = format!(" → {} (without a body)", old.status);
            let witness = (exchange, "a body is missing".to_owned());
            let message = "a body is asked for";
            self.prove(comparison, "answer-body-required", place, message, witness);
        }
        for (media, now) in paired(&old.content, &new.content) {
            if now.whole.is_none() {
                let name = canonical(&media.media_type);
                let answered = outside(&name, &new.content);
                let exchange = answered.map(|answered| format!(" → {} {answered}", old.status));
                let message = format!("{name} is no longer taken");
                let refusal = "it is of no documented media type";
                let of = ("answer-media-type-removed", place);
                self.unknown(comparison, of, &message, exchange, refusal);
            }
            for now in now.readings() {
                self.schemas(comparison, Direction::Request, media, now);
            }
        }
    }

    /// A media type that the receiver does not know; possible if none can be shown.
    fn unknown(
        &self,
        comparison: &mut Comparison<'_>,
        (kind, place): (&str, &str),
        message: &str,
        exchange: Option<String>,
        refusal: &str,
    ) {
        match exchange {
            Some(exchange) => {
                let witness = (exchange, refusal.to_owned());
                self.prove(comparison, kind, place, message, witness);
            }
            None => {
                let (kind, scope) = (
                    format!("{}-{kind}", self.what),
                    Scope::new(&self.name, place),
                );
                let changes = &mut comparison.changes;
                changes.note(&scope, Severity::Possible, &kind, message);
            }
        }
    }
}
