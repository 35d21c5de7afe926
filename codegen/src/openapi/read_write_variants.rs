//! Read and write variants of schemas: `readOnly` and `writeOnly` members make a schema differ
//! between requests and responses (JSON Schema 2020-12 Validation §9.4, OpenAPI 3.0.4 §4.7.24.2).
//!
//! A request has no read-only members, and a response no write-only ones: its schema neither names
//! nor requires them. A schema with such a member, or that leads to one, has two variants then. The
//! schema alone decides which of them keeps its name, so that an added operation renames nothing:
//! with a read-only member, the response keeps it, and the request is `…Write`; with write-only
//! members alone, the request keeps it, and the response is `…Read`. An unused variant is not made.
//!
//! A member named by a discriminator is in both variants: without it, no variant of the union could
//! be told.

mod marks;
mod rewrite;

use super::bundle::{Bundle, Key};
use super::{Document, Media, Response};
use marks::Marks;
use rewrite::Rewriter;
use std::collections::{BTreeMap, BTreeSet};

/// The direction in which a value is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// To the server.
    Request,
    /// From the server.
    Response,
}

impl Direction {
    /// The keyword of members that this direction does not have.
    fn hides(self) -> &'static str {
        match self {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        }
    }

    /// The end of a variant's name.
    fn suffix(self) -> &'static str {
        match self {
            Direction::Request => "Write",
            Direction::Response => "Read",
        }
    }
}

/// The keys of variants, by schema and direction.
type VariantKeys = BTreeMap<(Key, Direction), Key>;

/// Gives every schema that needs them its two variants, and each operation the variants of its
/// direction.
pub(super) fn split(document: &mut Document) {
    if !marks::are_in(&document.bundle) {
        return;
    }
    let marks = Marks::of(&document.bundle);
    let variants = variants(document, &marks);
    make(&mut document.bundle, &marks, &variants);
    for direction in [Direction::Request, Direction::Response] {
        for key in keys(document, direction) {
            if let Some(variant) = variants.get(&(key.clone(), direction)) {
                key.clone_from(variant);
            }
        }
    }
}

/// The variants that are needed, and their keys.
fn variants(document: &mut Document, marks: &Marks) -> VariantKeys {
    let mut used = |direction| -> BTreeSet<Key> {
        let keys = keys(document, direction).into_iter();
        keys.map(|key| key.clone()).collect()
    };
    let (in_requests, mut in_responses) = (used(Direction::Request), used(Direction::Response));
    let components = document.bundle.components();
    // The component keeps its name as the response, even if only requests use it.
    in_responses.extend(
        components
            .iter()
            .filter(|key| marks.differs_both_ways(key))
            .cloned(),
    );
    let (in_requests, in_responses) = (marks.reached(in_requests), marks.reached(in_responses));
    let mut variants = VariantKeys::new();
    for (direction, own, others) in [
        (Direction::Request, &in_requests, &in_responses),
        (Direction::Response, &in_responses, &in_requests),
    ] {
        for key in own.iter().filter(|key| marks.differs(key, direction)) {
            let keeps = match components.contains(key) {
                true => direction == Direction::Response && marks.differs_both_ways(key),
                false => !others.contains(key),
            };
            let variant = match keeps {
                true => key.clone(),
                false => document.bundle.variant_key(key, direction.suffix()),
            };
            variants.insert((key.clone(), direction), variant);
        }
    }
    variants
}

fn make(bundle: &mut Bundle, marks: &Marks, variants: &VariantKeys) {
    let made: Vec<_> = variants
        .iter()
        .filter_map(|((key, direction), variant)| {
            let rewriter = Rewriter {
                bundle,
                marks,
                variants,
                direction: *direction,
            };
            let schema = rewriter.whole(bundle.get(key)?);
            Some((key.clone(), variant.clone(), schema))
        })
        .collect();
    for (key, variant, schema) in made {
        bundle.insert_variant(&key, variant, schema);
    }
}

/// The schemas that an operation uses in one direction.
fn keys(document: &mut Document, direction: Direction) -> Vec<&mut Key> {
    let mut keys = Vec::new();
    for operation in &mut document.operations {
        match direction {
            Direction::Request => {
                let parameters = operation.parameters.iter_mut();
                keys.extend(parameters.map(|parameter| &mut parameter.schema));
                let bodies = operation.body.iter_mut();
                keys.extend(bodies.flat_map(|body| content(&mut body.content)));
            }
            Direction::Response => keys.extend(operation.responses.iter_mut().flat_map(response)),
        }
    }
    if direction == Direction::Response {
        keys.extend(document.framework_responses.iter_mut().flat_map(response));
    }
    keys
}

fn response(response: &mut Response) -> impl Iterator<Item = &mut Key> {
    let headers = response.headers.iter_mut().map(|header| &mut header.schema);
    let made = response.framework_made.iter_mut().flatten();
    let made = made.filter_map(|(_, key)| key.as_mut());
    headers.chain(content(&mut response.content)).chain(made)
}

fn content(content: &mut [Media]) -> impl Iterator<Item = &mut Key> {
    content.iter_mut().flat_map(|media| {
        let parts = media.encoding.iter_mut();
        let headers = parts.flat_map(|encoding| &mut encoding.headers);
        let headers = headers.map(|header| &mut header.schema);
        media.schema.iter_mut().chain(headers)
    })
}
