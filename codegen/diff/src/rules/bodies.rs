//! Bodies of requests, and the schemas of bodies by their media types.

use super::{Message, forms, wire_format};
use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::Severity;
use crate::verdict::{Subject, Usage};
use crate::version::{Content, MediaPairs, concrete, essence};
use codegen::openapi::{Body, Media, canonical, is_text};

/// Bodies of both versions.
pub(super) struct Bodies<'b> {
    pub(super) message: Message<'b>,
    pub(super) place: &'b str,
    /// The message in one line.
    pub(super) line: &'b dyn Fn() -> String,
}

/// Compares the bodies of the requests of an operation.
pub(super) fn compare<'a>(comparison: &mut Comparison<'a>, pair: &OperationPair<'a>) {
    let bodies = Bodies {
        message: Message {
            direction: pair.direction(),
            operation: &pair.name,
            kind: &format!("{}-body", pair.outgoing.unwrap_or("request")),
        },
        place: "request body",
        line: &|| pair.line().text(),
    };
    match (&pair.before.body, &pair.after.body) {
        (None, None) => {}
        (None, Some(new)) => bodies.only_in_one(comparison, new, true),
        (Some(old), None) => bodies.only_in_one(comparison, old, false),
        (Some(old), Some(new)) => {
            bodies.in_both(comparison, old, new);
            let media = MediaPairs::of(&old.content, &new.content);
            bodies.media_types(comparison, (&old.content, &new.content), &media);
            for (old, new) in media.both {
                bodies.schemas(comparison, old, new, &(bodies.line)());
                forms::compare(comparison, pair, (old, new), bodies.place);
            }
        }
    }
}

impl Bodies<'_> {
    /// A body that only one version has.
    fn only_in_one(&self, comparison: &mut Comparison<'_>, body: &Body, is_new: bool) {
        let is_sent = is_new == (self.message.direction == Direction::Response);
        let wording = match (is_new, body.required && !is_sent) {
            (true, true) => ("added", "was added and is required"),
            (true, false) => ("added", "was added"),
            (false, _) => ("removed", "was removed"),
        };
        match (is_sent, self.message.direction) {
            (true, Direction::Request) => {
                let sent = format!("{} (Content-Type: {})", (self.line)(), first(body));
                let witness = (sent, "the operation takes no body".to_owned());
                self.message
                    .add_proven(comparison, self.place, wording, witness);
            }
            (false, _) if body.required => self.missing(comparison, wording),
            _ => self
                .message
                .add_unproven(comparison, self.place, Severity::Compatible, wording),
        }
    }

    /// A body that both versions have.
    fn in_both(&self, comparison: &mut Comparison<'_>, old: &Body, new: &Body) {
        let (_, read) = self.message.direction.ends(old, new);
        let wording = match new.required {
            true => ("required", "became required"),
            false => ("optional", "became optional"),
        };
        match (old.required == new.required, read.required) {
            (true, _) => {}
            (false, true) => self.missing(comparison, wording),
            (false, false) => {
                self.message
                    .add_unproven(comparison, self.place, Severity::Compatible, wording)
            }
        }
        if old.limit != new.limit {
            self.limit(comparison, old, new);
        }
        if old.description != new.description {
            self.message.add_unproven(
                comparison,
                self.place,
                Severity::Docs,
                ("docs", "description was changed"),
            );
        }
    }

    fn missing(&self, comparison: &mut Comparison<'_>, wording: (&str, &str)) {
        let witness = ((self.line)(), "a body is missing".to_owned());
        self.message
            .add_proven(comparison, self.place, wording, witness);
    }

    /// How long a body may be (`x-body-limit`).
    fn limit(&self, comparison: &mut Comparison<'_>, old: &Body, new: &Body) {
        let bytes = |limit: Option<u64>| match limit {
            Some(limit) => format!("{limit} bytes"),
            None => "what the host accepts".to_owned(),
        };
        let (was, is) = (bytes(old.limit), bytes(new.limit));
        let wording = ("limit", &*format!("the limit was {was} and is now {is}"));
        // Blanks around JSON mean nothing, so that a valid body may have any length; the schema limits the
        // length of a text.
        let padded = old.content.iter().find(|media| !is_text(&media.media_type));
        match (old.limit, new.limit, padded) {
            (Some(old), Some(new), _) if new > old => {
                self.message
                    .add_unproven(comparison, self.place, Severity::Compatible, wording);
            }
            (Some(_), Some(limit), Some(media)) => {
                let (name, length) = (essence(&media.media_type), limit.saturating_add(1));
                let line = (self.line)();
                let sent = format!("{line} (Content-Type: {name}; Content-Length: {length})");
                let refusal = format!("413: a body has at most {limit} bytes");
                self.message
                    .add_proven(comparison, self.place, wording, (sent, refusal));
            }
            // The texts that a host accepts, and their lengths, are not known.
            _ => self
                .message
                .add_unproven(comparison, self.place, Severity::Possible, wording),
        }
    }

    /// Media types that were removed or narrowed, and those that were added.
    pub(super) fn media_types(
        &self,
        comparison: &mut Comparison<'_>,
        (before, after): (&[Media], &[Media]),
        pairs: &MediaPairs<'_>,
    ) {
        let (sent, read) = self.message.direction.ends(&pairs.removed, &pairs.added);
        let receiver = Content::of(self.message.direction.ends(before, after).1);
        let (fewer, more) = match self.message.direction {
            Direction::Request => ("removed", "added"),
            Direction::Response => ("added", "removed"),
        };
        let verb = |how: &str| match (self.message.direction, how) {
            (Direction::Request, "removed") => "is no longer taken",
            (Direction::Request, _) => "is now taken",
            (Direction::Response, "removed") => "is no longer sent",
            (Direction::Response, _) => "is now sent",
        };
        for media in sent {
            let name = canonical(&media.media_type);
            let wording = (
                &*format!("media-type-{fewer}"),
                &*format!("{name} {}", verb(fewer)),
            );
            // One with other parameters may be taken for it.
            let unknown = receiver.lacks(&name).filter(|_| !receiver.has_alike(&name));
            match unknown {
                Some(unknown) => {
                    let sent = format!("{} (Content-Type: {unknown})", (self.line)());
                    let witness = (sent, "415: unsupported media type".to_owned());
                    self.message
                        .add_proven(comparison, self.place, wording, witness);
                }
                None => {
                    self.message
                        .add_unproven(comparison, self.place, Severity::Possible, wording)
                }
            }
        }
        for media in read {
            let message = format!("{} {}", canonical(&media.media_type), verb(more));
            let wording = (&*format!("media-type-{more}"), &*message);
            self.message
                .add_unproven(comparison, self.place, Severity::Compatible, wording);
        }
    }

    /// Compares the schemas of two media types that may describe the same body, and those of their items.
    pub(super) fn schemas(
        &self,
        comparison: &mut Comparison<'_>,
        old: &Media,
        new: &Media,
        line: &str,
    ) {
        let format = wire_format(comparison, self.message.direction, old, new);
        let usage = Usage {
            operation: self.message.operation,
            part: self.message.kind,
            place: self.place,
            exchange: &|_| line.to_owned(),
        };
        let schemas = (old.schema.as_deref(), new.schema.as_deref());
        let subject = Subject::new(self.message.direction, schemas.0, schemas.1, format);
        comparison.schemas(&subject, &usage);
        comparison.items(self.message.direction, (old, new), &usage);
        self.positions(comparison, old, new);
    }

    /// Compares the media types of parts by their places. No part is made up, so that a change is possible
    /// at most.
    fn positions(&self, comparison: &mut Comparison<'_>, old: &Media, new: &Media) {
        let count = |media: &Media| media.positions.prefix.len();
        for place in 0..=count(old).max(count(new)) {
            let types = |media: &Media| {
                let encoding = media.positions.at(place);
                encoding.and_then(|encoding| encoding.content_type.clone())
            };
            let (was, is) = (types(old), types(new));
            if was == is {
                continue;
            }
            let phrase = |types: &Option<String>| match types {
                Some(types) => format!("of type {types}"),
                None => "of any type".to_owned(),
            };
            let (was, is) = (phrase(&was), phrase(&is));
            let message = format!("the part at index {place} was {was} and is now {is}");
            let severity = Severity::possible_if(true);
            self.message
                .add_unproven(comparison, self.place, severity, ("part", &message));
        }
    }
}

fn first(body: &Body) -> String {
    let media = body.content.first();
    concrete(&media.map_or_else(|| "*/*".to_owned(), |media| canonical(&media.media_type)))
}
