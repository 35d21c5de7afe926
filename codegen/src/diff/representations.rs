//! The representations of a response, by their media types.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::media_types::{Counterparts, applies, find, paired};
use super::ranges::{of_range, outside, takes_in, within};
use super::report::Severity;
use super::responses::{Answers, is_success, place};
use super::view::Direction;
use super::witness::Subject;
use crate::openapi::{Media, Response, Status, canonical};

/// Compares the bodies of two responses to the same requests.
pub(super) fn compare(
    judge: &mut Judge<'_>,
    answers: &Answers<'_>,
    old: &Response,
    new: &Response,
) {
    let pair = Pair {
        answers,
        old,
        new,
        place: place(new.status),
        status: answers.instance(old, new),
    };
    // Whatever `default` or a range promises, an answer with this status never had a body.
    if !pair.status.has_body() {
        return;
    }
    let known = paired(&old.content, &new.content);
    for (media, now) in &known {
        pair.media(judge, media, now);
    }
    for media in &new.content {
        if !known.iter().any(|(_, now)| now.have(media)) {
            let message = format!("{} is now given", canonical(&media.media_type));
            pair.note(judge, Severity::Compatible, "added", &message);
        }
    }
}

/// Two responses to the same requests.
struct Pair<'p> {
    answers: &'p Answers<'p>,
    old: &'p Response,
    new: &'p Response,
    place: String,
    /// A status that both stand for.
    status: Status,
}

impl Pair<'_> {
    /// What has become of a representation.
    fn media(&self, judge: &mut Judge<'_>, media: &Media, now: &Counterparts<'_>) {
        let name = canonical(&media.media_type);
        match now.whole {
            Some(whole) if takes_in(&whole.media_type, &name) => {
                self.widened(judge, &name, &canonical(&whole.media_type));
            }
            Some(_) => {}
            None => self.narrowed(judge, &name),
        }
        let described = now.all().filter(|_| !self.answers.is_head);
        for one in described {
            let exchange = format!("{} {}", self.status, self.shown(media, one));
            self.schemas(judge, (media, one), &exchange);
        }
        let instead = now.instead.filter(|_| !self.answers.is_head);
        if let Some(instead) = instead.filter(|_| self.is_asked_in_vain(&name)) {
            let exchange = format!("{} (Accept: {name})", (self.answers.line)());
            self.schemas(judge, (media, instead), &exchange);
        }
    }

    /// A range promises none of its media types: some of them are enough.
    fn narrowed(&self, judge: &mut Judge<'_>, name: &str) {
        let mut now = within(name, &self.new.content).peekable();
        if now.peek().is_none() {
            return self.removed(judge, name);
        }
        for one in now {
            let message = format!("{name} is now {}", canonical(&one.media_type));
            self.note(judge, Severity::Compatible, "narrowed", &message);
        }
    }

    /// A client that was sure of one media type may get another of the range.
    fn widened(&self, judge: &mut Judge<'_>, name: &str, range: &str) {
        if let Some(other) = outside(range, &self.old.content) {
            let message = format!("{name} is now any of {range}");
            let exchange = format!("{} {other}", self.status);
            self.prove(judge, "widened", &message, (exchange, self.given()));
        }
    }

    /// A client that asks for it gets nothing, or something else.
    fn removed(&self, judge: &mut Judge<'_>, name: &str) {
        let message = format!("{name} is no longer given");
        let mut new = self.new.content.iter();
        let witness = if self.new.content.is_empty() {
            let exchange = format!("{} (without a body)", self.status);
            (!self.answers.is_head).then(|| (exchange, self.given()))
        } else if let Some(asked) = self.unacceptable(name) {
            let exchange = format!("{} (Accept: {asked})", (self.answers.line)());
            Some((exchange, "406: no such representation".to_owned()))
        } else {
            let other = new.find_map(|new| outside(&canonical(&new.media_type), &self.old.content));
            other.map(|other| (format!("{} {other}", self.status), self.given()))
        };
        match witness {
            Some(witness) => self.prove(judge, "removed", &message, witness),
            None => self.note(judge, Severity::Possible, "removed", &message),
        }
    }

    /// A media type that is refused before the handler is asked, as no success has it any more.
    fn unacceptable(&self, name: &str) -> Option<String> {
        let asked = outside(name, &self.new.content)?;
        let has_none = |content: &[Media]| find(content, &asked).is_none();
        self.chosen_where(has_none).then_some(asked)
    }

    /// Whether a client that asks for a media type gets one of other parameters, if it is not refused: no
    /// success has it any more.
    fn is_asked_in_vain(&self, name: &str) -> bool {
        self.chosen_where(|content| content.iter().all(|one| canonical(&one.media_type) != name))
    }

    /// Whether what a client asks for chooses its answer, which it does for successes alone, and all that it
    /// chooses from are of such a content.
    fn chosen_where(&self, is_such: impl Fn(&[Media]) -> bool) -> bool {
        let after = self.answers.after;
        let counts = |status| is_success(status) || (status == Status::Default && after.len() == 1);
        let mut offers = after.iter().filter(|one| counts(one.status));
        counts(self.new.status) && offers.all(|one| is_such(&one.content))
    }

    /// What a client was sure of.
    fn given(&self) -> String {
        let old = self.old.content.iter();
        let names: Vec<String> = old.map(|media| canonical(&media.media_type)).collect();
        format!("response {} is {}", self.old.status, names.join(" or "))
    }

    fn schemas(&self, judge: &mut Judge<'_>, (old, new): (&Media, &Media), exchange: &str) {
        let subject = Subject {
            direction: Direction::Response,
            before: old.schema.as_deref(),
            after: new.schema.as_deref(),
            travels: judge.travels(Direction::Response, old, new),
            arrives: &|_| true,
            unread: None,
        };
        let usage = Use {
            operation: &self.answers.name,
            part: "response-body",
            place: &format!("{} body", self.place),
            exchange: Exchange::Response(exchange),
        };
        judge.schemas(&subject, &usage);
        judge.items(Direction::Response, old, new, &usage);
    }

    /// A media type for which both entries apply.
    fn shown(&self, old: &Media, new: &Media) -> String {
        let narrower = match takes_in(&old.media_type, &new.media_type) {
            true => canonical(&new.media_type),
            false => canonical(&old.media_type),
        };
        let shown = of_range(&narrower, |name| {
            applies(old, &self.old.content, name) && applies(new, &self.new.content, name)
        });
        shown.unwrap_or(narrower)
    }

    fn prove(&self, judge: &mut Judge<'_>, how: &str, message: &str, witness: (String, String)) {
        let (kind, name) = (format!("response-media-type-{how}"), &self.answers.name);
        judge
            .changes
            .prove(&kind, name, &self.place, message, witness);
    }

    fn note(&self, judge: &mut Judge<'_>, severity: Severity, how: &str, message: &str) {
        let kind = format!("response-media-type-{how}");
        let name = Some(self.answers.name.clone());
        judge
            .changes
            .note(severity, &kind, name, &self.place, message);
    }
}
