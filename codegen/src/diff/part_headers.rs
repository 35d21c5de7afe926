//! Headers of parts (OpenAPI 3.1.1 §4.8.15.1), which are written as those of a request are.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::operations::Both;
use super::parts::{encoding, tell};
use super::report::Severity;
use super::slot::{Slot, are_alike, misread};
use super::view::Direction;
use super::witness::Subject;
use crate::openapi::{Media, Parameter};

/// What a change is called.
const HEADER: &str = "request-body-part-header";

/// Compares the headers of a field's parts.
pub(super) fn compare(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    (old, new): (&Media, &Media),
    field: &str,
) {
    let (before, after) = (declared(old, field), declared(new, field));
    for new in after {
        match named(before, &new.name) {
            Some(old) => {
                if new.required && !old.required {
                    demanded(judge, both, field, new);
                }
                if old.required && !new.required {
                    let message = format!("`{field}` may lack the header `{}`", new.name);
                    tell(judge, both, HEADER, message, None);
                }
                header(judge, both, field, (old, new));
                notes(judge, both, field, (old, new));
            }
            None if new.required => demanded(judge, both, field, new),
            None => {
                let message = format!("`{field}` may have the header `{}`", new.name);
                tell(judge, both, HEADER, message, None);
            }
        }
    }
    for old in before {
        if named(after, &old.name).is_none() {
            gone(judge, both, field, old);
        }
    }
}

/// A header that may still be there, as those that nobody declares are let pass.
fn gone(judge: &mut Judge<'_>, both: &Both<'_>, field: &str, old: &Parameter) {
    let (name, place) = (Some(both.name.clone()), place(field, old));
    let message = "was removed and is no longer read";
    let changes = &mut judge.changes;
    changes.note(Severity::Possible, HEADER, name, &place, message);
}

/// What only people read of a header.
fn notes(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    field: &str,
    (old, new): (&Parameter, &Parameter),
) {
    let told = [
        (
            old.description != new.description,
            "description was changed",
        ),
        (old.deprecated != new.deprecated, "deprecation was changed"),
    ];
    for (_, message) in told.into_iter().filter(|(is_told, _)| *is_told) {
        let (name, place) = (Some(both.name.clone()), place(field, new));
        let (changes, kind) = (&mut judge.changes, "request-body-part-header-docs");
        changes.note(Severity::Docs, kind, name, &place, message);
    }
}

/// A header that each part must have now.
fn demanded(judge: &mut Judge<'_>, both: &Both<'_>, field: &str, new: &Parameter) {
    let name = &new.name;
    let proof = (
        format!("{field}: without {name}"),
        format!("`{name}` is missing (required)"),
    );
    let message = format!("each `{field}` must have the header `{name}`");
    tell(judge, both, HEADER, message, Some(proof));
}

/// Compares how a header is written, and its values.
fn header(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    field: &str,
    (old, new): (&Parameter, &Parameter),
) {
    let (before, after) = (Slot::of(old), Slot::of(new));
    let shown = format!("{field}: {}", old.name);
    if !are_alike(judge, (&before, &old.schema), (&after, &new.schema)) {
        let (was, is) = (before.way(), after.way());
        let message = format!(
            "`{}` of `{field}` was in {was} and is now in {is}",
            old.name
        );
        let value = misread(&judge.before.view, &old.schema, &before, &after);
        let proof = value.map(|value| {
            let sent = before.write(&value);
            (
                format!("{shown}: {sent}"),
                format!("reads `{sent}` in {is}"),
            )
        });
        tell(judge, both, HEADER, message, proof);
    }
    let subject = Subject {
        direction: Direction::Request,
        before: Some(&old.schema),
        after: Some(&new.schema),
        travels: before.travels(),
        arrives: &|_| true,
        unread: None,
    };
    let usage = Use {
        operation: &both.name,
        part: HEADER,
        place: &place(field, old),
        exchange: Exchange::Header(&both.line().text(), &shown),
    };
    judge.schemas(&subject, &usage);
}

/// A header in the words of a report.
fn place(field: &str, header: &Parameter) -> String {
    format!("header `{}` of `{field}` in the request body", header.name)
}

fn declared<'m>(media: &'m Media, field: &str) -> &'m [Parameter] {
    encoding(media, field).map_or(&[], |own| &own.headers)
}

fn named<'p>(all: &'p [Parameter], name: &str) -> Option<&'p Parameter> {
    let mut all = all.iter();
    all.find(|one| one.name.eq_ignore_ascii_case(name))
}
