//! Headers of parts (OpenAPI 3.1.1 §4.8.15.1), which are written as those of a request are.

use super::exchange::Exchange;
use super::judge::{Judge, Use};
use super::operations::Both;
use super::parts::{encoding, tell};
use super::slot::{Slot, misread};
use super::view::Direction;
use super::witness::Subject;
use crate::document::{Media, Parameter};

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
                header(judge, both, field, (old, new));
            }
            None if new.required => demanded(judge, both, field, new),
            None => {}
        }
    }
    for old in before.iter().filter(|old| old.required) {
        if named(after, &old.name).is_none_or(|new| !new.required) {
            let message = format!("`{field}` may lack the header `{}`", old.name);
            tell(judge, both, HEADER, message, None);
        }
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
    if !before.is_written_as(&after) {
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
    };
    let usage = Use {
        operation: &both.name,
        part: HEADER,
        place: &format!("header `{}` of `{field}` in the request body", old.name),
        exchange: Exchange::Header(&both.line().text(), &shown),
    };
    judge.schemas(&subject, &usage);
}

fn declared<'m>(media: &'m Media, field: &str) -> &'m [Parameter] {
    encoding(media, field).map_or(&[], |own| &own.headers)
}

fn named<'p>(all: &'p [Parameter], name: &str) -> Option<&'p Parameter> {
    let mut all = all.iter();
    all.find(|one| one.name.eq_ignore_ascii_case(name))
}
