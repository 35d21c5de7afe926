//! Schemas that requests and responses see differently: `readOnly` and `writeOnly` (JSON Schema
//! 2020-12 Validation §9.4, OpenAPI 3.0.4 §4.7.24.2).
//!
//! In a request, a read-only member is a member that the schema does not name, and not a required
//! one; in a response, a write-only one is. A schema that holds such a member, or leads to one, has
//! two forms then. Which of them keeps the schema's name follows from the schema alone, so that an
//! operation more or less renames nothing: with a read-only member it is the form of responses, and
//! that of requests is `…Write`; with write-only members alone it is the form of requests, and that
//! of responses is `…Read`. A form that nobody asks for is not made.
//!
//! A member that a discriminator names is in both forms: without it, no variant could be told.

mod marks;
mod rewrite;

use super::bundle::{Bundle, Key};
use super::{Document, Media, Response};
use marks::Marks;
use rewrite::Rewriter;
use std::collections::{BTreeMap, BTreeSet};

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// To the server.
    Request,
    /// From it.
    Response,
}

impl Direction {
    /// The keyword of members that are not there.
    fn hides(self) -> &'static str {
        match self {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        }
    }

    /// What distinguishes the name of a form.
    fn suffix(self) -> &'static str {
        match self {
            Direction::Request => "Write",
            Direction::Response => "Read",
        }
    }
}

/// From a schema to its form in some direction.
type Forms = BTreeMap<(Key, Direction), Key>;

/// Gives every schema that needs them its two forms, and each operation those of its direction.
pub(super) fn split(document: &mut Document) {
    if !marks::are_in(&document.bundle) {
        return;
    }
    let marks = Marks::of(&document.bundle);
    let forms = forms(document, &marks);
    make(&mut document.bundle, &marks, &forms);
    for direction in [Direction::Request, Direction::Response] {
        for key in keys(document, direction) {
            if let Some(form) = forms.get(&(key.clone(), direction)) {
                key.clone_from(form);
            }
        }
    }
}

/// Which forms there are, and their keys.
fn forms(document: &mut Document, marks: &Marks) -> Forms {
    let mut used = |direction| -> BTreeSet<Key> {
        let keys = keys(document, direction).into_iter();
        keys.map(|key| key.clone()).collect()
    };
    let (sent, mut given) = (used(Direction::Request), used(Direction::Response));
    let components = document.bundle.components();
    // Under their own names they are responses, whether or not there is one that holds them.
    given.extend(
        components
            .iter()
            .filter(|key| marks.differs_twice(key))
            .cloned(),
    );
    let (sent, given) = (marks.reached(sent), marks.reached(given));
    let mut forms = Forms::new();
    for (direction, own, others) in [
        (Direction::Request, &sent, &given),
        (Direction::Response, &given, &sent),
    ] {
        for key in own.iter().filter(|key| marks.differs(key, direction)) {
            let keeps = match components.contains(key) {
                true => direction == Direction::Response && marks.differs_twice(key),
                false => !others.contains(key),
            };
            let form = match keeps {
                true => key.clone(),
                false => document.bundle.form_key(key, direction.suffix()),
            };
            forms.insert((key.clone(), direction), form);
        }
    }
    forms
}

fn make(bundle: &mut Bundle, marks: &Marks, forms: &Forms) {
    let made: Vec<_> = forms
        .iter()
        .filter_map(|((key, direction), form)| {
            let rewriter = Rewriter {
                bundle,
                marks,
                forms,
                direction: *direction,
            };
            let schema = rewriter.whole(bundle.get(key)?);
            Some((key.clone(), form.clone(), schema))
        })
        .collect();
    for (key, form, schema) in made {
        bundle.insert_form(&key, form, schema);
    }
}

/// The schemas that an operation names for values that go one way.
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
