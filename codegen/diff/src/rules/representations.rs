//! The representations of a response, by their media types.

use super::responses::{Responses, is_success, place};
use super::wire_format;
use crate::comparison::{Comparison, Direction};
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::version::{Counterparts, applies, covers, find, of_range, outside, paired, within};
use crate::wire::Exchange;
use codegen::openapi::{Media, Response, Status, canonical};

/// Compares the bodies of two responses to the same requests.
pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    responses: &Responses<'_>,
    old: &Response,
    new: &Response,
) {
    let pair = ResponsePair {
        responses,
        old,
        new,
        scope: Scope::new(&responses.name, place(new.status)),
        status: responses.shared_status(old, new),
    };
    // Whatever `default` or a range promises, an answer with this status never has a body.
    if !pair.status.has_body() {
        return;
    }
    let known = paired(&old.content, &new.content);
    for (media, now) in &known {
        pair.media(comparison, media, now);
    }
    for media in &new.content {
        if !known.iter().any(|(_, now)| now.have(media)) {
            let message = format!("{} is now given", canonical(&media.media_type));
            pair.note(comparison, Severity::Compatible, "added", &message);
        }
    }
}

/// Two responses to the same requests.
struct ResponsePair<'p> {
    responses: &'p Responses<'p>,
    old: &'p Response,
    new: &'p Response,
    scope: Scope,
    /// A status that both stand for.
    status: Status,
}

impl ResponsePair<'_> {
    /// What has become of a representation.
    fn media(&self, comparison: &mut Comparison<'_>, media: &Media, now: &Counterparts<'_>) {
        let name = canonical(&media.media_type);
        match now.whole {
            Some(whole) if covers(&whole.media_type, &name) => {
                self.widened(comparison, &name, &canonical(&whole.media_type));
            }
            Some(_) => {}
            None => self.narrowed(comparison, &name),
        }
        if self.responses.is_head {
            return;
        }
        for one in now.all() {
            let exchange = format!("{} {}", self.status, self.shown(media, one));
            self.schemas(comparison, (media, one), &exchange);
        }
        if let Some(fallback) = now.fallback.filter(|_| self.is_asked_in_vain(&name)) {
            let exchange = format!("{} (Accept: {name})", (self.responses.line)());
            self.schemas(comparison, (media, fallback), &exchange);
        }
    }

    /// A range promises none of its media types: some of them are enough.
    fn narrowed(&self, comparison: &mut Comparison<'_>, name: &str) {
        let mut now = within(name, &self.new.content).peekable();
        if now.peek().is_none() {
            return self.removed(comparison, name);
        }
        for one in now {
            let message = format!("{name} is now {}", canonical(&one.media_type));
            self.note(comparison, Severity::Compatible, "narrowed", &message);
        }
    }

    /// A client that expects one media type may get another of the range.
    fn widened(&self, comparison: &mut Comparison<'_>, name: &str, range: &str) {
        if let Some(other) = outside(range, &self.old.content) {
            let message = format!("{name} is now any of {range}");
            let exchange = format!("{} {other}", self.status);
            self.prove(comparison, "widened", &message, (exchange, self.promise()));
        }
    }

    /// A client that asks for it gets nothing, or something else.
    fn removed(&self, comparison: &mut Comparison<'_>, name: &str) {
        let message = format!("{name} is no longer given");
        let mut new = self.new.content.iter();
        let witness = if self.new.content.is_empty() {
            let exchange = format!("{} (without a body)", self.status);
            (!self.responses.is_head).then(|| (exchange, self.promise()))
        } else if let Some(asked) = self.not_acceptable(name) {
            let exchange = format!("{} (Accept: {asked})", (self.responses.line)());
            Some((exchange, "406: no such representation".to_owned()))
        } else {
            let other = new.find_map(|new| outside(&canonical(&new.media_type), &self.old.content));
            other.map(|other| (format!("{} {other}", self.status), self.promise()))
        };
        match witness {
            Some(witness) => self.prove(comparison, "removed", &message, witness),
            None => self.note(comparison, Severity::Possible, "removed", &message),
        }
    }

    /// A media type that is refused before the handler is asked, as no success has it any more.
    fn not_acceptable(&self, name: &str) -> Option<String> {
        let asked = outside(name, &self.new.content)?;
        let lacks_it = |content: &[Media]| find(content, &asked).is_none();
        self.is_negotiated(lacks_it).then_some(asked)
    }

    /// Whether a client that asks for a media type gets one with other parameters, if it is not refused.
    fn is_asked_in_vain(&self, name: &str) -> bool {
        self.is_negotiated(|content| content.iter().all(|one| canonical(&one.media_type) != name))
    }

    /// Whether a client chooses the representation, which it does for successes alone, and the content of
    /// all that it chooses from satisfies a condition.
    fn is_negotiated(&self, condition: impl Fn(&[Media]) -> bool) -> bool {
        let after = self.responses.after;
        let counts = |status| is_success(status) || (status == Status::Default && after.len() == 1);
        let mut offers = after.iter().filter(|one| counts(one.status));
        counts(self.new.status) && offers.all(|one| condition(&one.content))
    }

    /// What the version before promises.
    fn promise(&self) -> String {
        let old = self.old.content.iter();
        let names: Vec<String> = old.map(|media| canonical(&media.media_type)).collect();
        format!("response {} is {}", self.old.status, names.join(" or "))
    }

    fn schemas(
        &self,
        comparison: &mut Comparison<'_>,
        (old, new): (&Media, &Media),
        exchange: &str,
    ) {
        let direction = Direction::Response;
        let subject = Subject::new(
            direction,
            old.schema.as_deref(),
            new.schema.as_deref(),
            wire_format(comparison, direction, old, new),
        );
        let usage = Usage {
            operation: &self.responses.name,
            part: "response-body",
            place: &format!("{} body", self.scope.place),
            exchange: Exchange::Line(exchange),
        };
        comparison.schemas(&subject, &usage);
        comparison.items(direction, (old, new), &usage);
    }

    /// A media type for which both entries apply.
    fn shown(&self, old: &Media, new: &Media) -> String {
        let narrower = match covers(&old.media_type, &new.media_type) {
            true => canonical(&new.media_type),
            false => canonical(&old.media_type),
        };
        let shown = of_range(&narrower, |name| {
            applies(old, &self.old.content, name) && applies(new, &self.new.content, name)
        });
        shown.unwrap_or(narrower)
    }

    fn prove(
        &self,
        comparison: &mut Comparison<'_>,
        how: &str,
        message: &str,
        witness: (String, String),
    ) {
        let kind = format!("response-media-type-{how}");
        comparison
            .changes
            .prove(&self.scope, &kind, message, witness);
    }

    fn note(&self, comparison: &mut Comparison<'_>, severity: Severity, how: &str, message: &str) {
        let kind = format!("response-media-type-{how}");
        comparison
            .changes
            .note(&self.scope, severity, &kind, message);
    }
}
