//! Responses: a client must still get the statuses, headers and bodies that it relies on. Responses to
//! webhooks are sent by clients, and must still be accepted.

use super::Message;
use super::bodies::Bodies;
use super::parameters::Fields;
use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::Severity;
use crate::version::{Content, MediaPairs, covers};
use crate::wire::Param;
use codegen::openapi::{Response, Status, canonical};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ptr;

/// The responses of both versions to the same requests.
struct Responses<'r, 'a> {
    message: Message<'r>,
    before: &'a [Response],
    after: &'a [Response],
    /// Whether they have a media type but no body, as those to HEAD (RFC 9110 §9.3.2).
    is_head: bool,
    /// A request in one line.
    line: &'r dyn Fn() -> String,
}

/// Compares the responses of an operation.
pub(super) fn compare<'a>(comparison: &mut Comparison<'a>, pair: &OperationPair<'a>) {
    let kind = pair.outgoing.map(|what| format!("{what}-answer"));
    let responses = Responses {
        message: Message {
            direction: pair.direction().back(),
            operation: &pair.name,
            kind: kind.as_deref().unwrap_or("response"),
        },
        before: &pair.before.responses,
        after: &pair.after.responses,
        is_head: pair.is_head(),
        line: &|| pair.line().text(),
    };
    responses.compare(comparison);
}

/// Compares the responses that belong to no operation.
pub(super) fn framework(comparison: &mut Comparison<'_>) {
    let responses = Responses {
        message: Message {
            direction: Direction::Response,
            operation: "any request",
            kind: "response",
        },
        before: &comparison.before.framework,
        after: &comparison.after.framework,
        is_head: false,
        line: &|| "any request".to_owned(),
    };
    responses.compare(comparison);
}

/// The response for a status: its own, that of its range, or `default`, which beside a success is for errors.
fn standing(responses: &[Response], status: Status) -> Option<&Response> {
    let range = match status {
        Status::Code(code) => Status::Range(code / 100),
        other => other,
    };
    let mut wanted = [status, range, Status::Default].into_iter();
    let found = wanted.find_map(|wanted| responses.iter().find(|one| one.status == wanted))?;
    let names_success = || responses.iter().any(|one| is_success(one.status));
    let is_for_errors = found.status == Status::Default && is_success(status) && names_success();
    (!is_for_errors).then_some(found)
}

fn place(of: Status) -> String {
    format!("response {of}")
}

fn is_success(status: Status) -> bool {
    matches!(status, Status::Code(200..=299) | Status::Range(2))
}

impl<'a> Responses<'_, 'a> {
    fn compare(&self, comparison: &mut Comparison<'a>) {
        for old in self.before {
            match standing(self.after, old.status) {
                Some(new) => self.changed(comparison, old, new),
                None => self.removed(comparison, old),
            }
        }
        for new in self.after {
            match standing(self.before, new.status) {
                Some(old) if old.status != new.status => self.changed(comparison, old, new),
                Some(_) => {}
                None => {
                    let wording = ("added", "the status was added");
                    self.message.add_unproven(
                        comparison,
                        &place(new.status),
                        Severity::Compatible,
                        wording,
                    );
                }
            }
        }
    }

    /// A client that waits for a success must get it; errors may cease, and so may some of a range. The
    /// responses of receivers of webhooks must be accepted.
    fn removed(&self, comparison: &mut Comparison<'a>, old: &Response) {
        let gone = match (old.status, self.message.direction) {
            (Status::Range(2), _) => Some(Status::Code(200)),
            (status, Direction::Request) => Some(status),
            (status, Direction::Response) => Some(status).filter(|status| is_success(*status)),
        };
        let is_in_range = |new: &Response| matches!((old.status, new.status), (Status::Range(range), Status::Code(code)) if code / 100 == range);
        let gone = gone.filter(|_| !self.after.iter().any(is_in_range));
        let wording = ("removed", "the status was removed");
        let Some(gone) = gone else {
            return self.message.add_unproven(
                comparison,
                &place(old.status),
                Severity::Compatible,
                wording,
            );
        };
        let listed = self.after.iter().map(|new| new.status.to_string());
        let listed = listed.collect::<Vec<_>>().join(", ");
        let refusal = match self.message.direction {
            Direction::Request => format!("takes {listed}"),
            Direction::Response => format!("answers with {listed}"),
        };
        let exchange = format!("{} → {gone}", (self.line)());
        self.message
            .add_proven(comparison, &place(old.status), wording, (exchange, refusal));
    }

    fn changed(&self, comparison: &mut Comparison<'a>, old: &'a Response, new: &'a Response) {
        let status = self.shared_status(old, new);
        // Whatever `default` or a range promises, an answer with this status never has a body.
        if status.has_body() {
            self.bodies(comparison, (old, new), status);
        }
        self.headers(comparison, old, new);
        let links = |response: &Response| -> BTreeMap<String, BTreeMap<String, Value>> {
            let links = response.links.iter();
            let links =
                links.map(|link| (link.name.clone(), link.parameters.iter().cloned().collect()));
            links.collect()
        };
        if links(old) != links(new) {
            let wording = ("links", "links were changed");
            self.message
                .add_unproven(comparison, &place(new.status), Severity::Docs, wording);
        }
        if old.description != new.description {
            let wording = ("docs", "description was changed");
            self.message
                .add_unproven(comparison, &place(new.status), Severity::Docs, wording);
        }
    }

    /// A status that two responses describe.
    fn shared_status(&self, old: &Response, new: &Response) -> Status {
        let stands = |list, status, one: &Response| {
            standing(list, status).is_some_and(|found| ptr::eq(found, one))
        };
        let both =
            |status: &Status| stands(self.before, *status, old) && stands(self.after, *status, new);
        let own = [new.status, old.status].into_iter();
        let own = own.filter(|status| matches!(status, Status::Code(_)));
        let others = (400..600).chain(200..400).map(Status::Code);
        own.chain(others).find(both).unwrap_or(new.status)
    }

    fn headers(&self, comparison: &mut Comparison<'a>, old: &'a Response, new: &'a Response) {
        let status = new.status;
        let fields = Fields {
            message: Message {
                direction: self.message.direction,
                operation: self.message.operation,
                kind: &format!("{}-header", self.message.kind),
            },
            place: &|header| format!("response {status} header `{}`", header.name),
            are_same: &|old, new| new.is_at(old.location, old.name),
            line: &|header, value| match value {
                Some(value) => format!("{status} ({}: {})", header.name, header.write(value)),
                None => format!("{status} (without {})", header.name),
            },
            arrives: &|_, _| true,
        };
        let headers = |of: &'a Response| of.headers.iter().map(Param::from).collect::<Vec<_>>();
        fields.compare(comparison, &headers(old), &headers(new));
    }

    fn bodies(
        &self,
        comparison: &mut Comparison<'a>,
        (old, new): (&Response, &Response),
        status: Status,
    ) {
        let pairs = MediaPairs::of(&old.content, &new.content);
        let kind = match self.message.direction {
            Direction::Request => self.message.kind,
            Direction::Response => "response-body",
        };
        let bodies = Bodies {
            message: Message {
                direction: self.message.direction,
                operation: self.message.operation,
                kind,
            },
            place: &format!("response {} body", new.status),
            line: &|| format!("{} → {status}", (self.line)()),
        };
        match self.message.direction {
            Direction::Request if self.is_head => {}
            Direction::Request if old.content.is_empty() && !new.content.is_empty() => {
                let sent = format!("{} (without a body)", (bodies.line)());
                let witness = (sent, "a body is missing".to_owned());
                bodies.message.add_proven(
                    comparison,
                    bodies.place,
                    ("body-required", "a body is asked for"),
                    witness,
                );
            }
            Direction::Request => {
                bodies.media_types(comparison, (&old.content, &new.content), &pairs);
            }
            Direction::Response => self.media_types(comparison, (old, new), &pairs, status),
        }
        for (old, new) in pairs.both.into_iter().filter(|_| !self.is_head) {
            let narrower = match covers(&old.media_type, &new.media_type) {
                true => &new.media_type,
                false => &old.media_type,
            };
            let line = format!("{status} {}", canonical(narrower));
            bodies.schemas(comparison, old, new, &line);
        }
    }

    /// Media types that were removed or added.
    fn media_types(
        &self,
        comparison: &mut Comparison<'a>,
        (old, new): (&Response, &Response),
        pairs: &MediaPairs<'_>,
        status: Status,
    ) {
        for media in &pairs.removed {
            let name = canonical(&media.media_type);
            // A range promises none of its media types: some of them are enough.
            if new.content.iter().any(|one| covers(&name, &one.media_type)) {
                let wording = (
                    "media-type-narrowed",
                    &*format!("{name} is now some of that"),
                );
                self.message.add_unproven(
                    comparison,
                    &place(new.status),
                    Severity::Compatible,
                    wording,
                );
                continue;
            }
            let wording = ("media-type-removed", &*format!("{name} is no longer given"));
            match self.without(&name, (old, new), pairs, status) {
                Some(witness) => {
                    self.message
                        .add_proven(comparison, &place(new.status), wording, witness)
                }
                None => self.message.add_unproven(
                    comparison,
                    &place(new.status),
                    Severity::Possible,
                    wording,
                ),
            }
        }
        for media in &pairs.added {
            let name = canonical(&media.media_type);
            let is_wider = pairs.both.iter().any(|(_, of)| ptr::eq(*of, *media));
            let severity = Severity::possible_if(is_wider);
            let wording = ("media-type-added", &*format!("{name} is now given"));
            self.message
                .add_unproven(comparison, &place(new.status), severity, wording);
        }
    }

    /// The answer to a client that relies on a media type.
    fn without(
        &self,
        name: &str,
        (old, new): (&Response, &Response),
        pairs: &MediaPairs<'_>,
        status: Status,
    ) -> Option<(String, String)> {
        let listed = old.content.iter().map(|media| canonical(&media.media_type));
        let promise = listed.collect::<Vec<_>>().join(" or ");
        let promise = format!("response {} is {promise}", old.status);
        if new.content.is_empty() {
            let exchange = format!("{status} (without a body)");
            return (!self.is_head).then_some((exchange, promise));
        }
        // Clients choose the representation of successes alone.
        let is_chosen = |one: &&Response| {
            is_success(one.status) || (one.status == Status::Default && self.after.len() == 1)
        };
        let asked = Content::of(&new.content).lacks(name);
        let is_given = |one: &Response| {
            asked
                .as_ref()
                .is_none_or(|asked| Content::of(&one.content).has(asked))
        };
        if is_chosen(&new) && !self.after.iter().filter(is_chosen).any(is_given) {
            let exchange = format!("{} (Accept: {})", (self.line)(), asked.unwrap_or_default());
            return Some((exchange, "406: no such representation".to_owned()));
        }
        let promised = Content::of(&old.content);
        let added = pairs.added.iter().map(|new| canonical(&new.media_type));
        let other = added.filter_map(|new| promised.lacks(&new)).next();
        let is_unclear = is_chosen(&new) || Content::of(&new.content).has_alike(name);
        let other = other.filter(|_| !is_unclear);
        other.map(|other| (format!("{status} {other}"), promise))
    }
}
