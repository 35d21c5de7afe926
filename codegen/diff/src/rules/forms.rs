//! Fields of forms: what each holds, of which media type, and under which headers (OpenAPI 3.1.1 §4.8.15).

use super::parameters::is_named;
use crate::comparison::{Comparison, Direction};
use crate::pairing::OperationPair;
use crate::report::{Scope, Severity};
use crate::verdict::{Subject, Usage};
use crate::version::essence;
use crate::wire::{Exchange, Field, ParamEncoding, encoding};
use codegen::openapi::{Media, Parameter};

const PLACE: &str = "request body";
const HEADER: &str = "request-body-part-header";

/// Compares how the fields of a form are sent.
pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    (old, new): (&Media, &Media),
) {
    let (before, after) = (comparison.before, comparison.after);
    let (Some(was), Some(is)) = (before.fields(old), after.fields(new)) else {
        return;
    };
    for (name, own) in was.iter() {
        let Some((_, now)) = is.iter().find(|(known, _)| *known == name) else {
            continue;
        };
        headers(comparison, pair, (old, new), name);
        let is_typed = types(comparison, pair, (old, new), (name, own));
        if own != now && !is_typed {
            field(comparison, pair, name, (own, now));
        }
    }
}

/// A field that holds something else, or is written in another way.
fn field(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    name: &str,
    (old, new): (Field, Field),
) {
    let scope = Scope::new(&pair.name, PLACE);
    let (was, is) = (old.phrase(), new.phrase());
    let message = format!("`{name}` was {was} and is now {is}");
    let (changes, kind) = (&mut comparison.changes, "request-body-part");
    match (old, new) {
        (Field::File, _) => {
            let sent = format!("{} ({name}: a file of the byte FF)", pair.line().text());
            let witness = (sent, format!("takes {is}: it is not UTF-8"));
            changes.prove(&scope, kind, message, witness);
        }
        (_, Field::File) => changes.note(&scope, Severity::Compatible, kind, message),
        _ => changes.note(&scope, Severity::Possible, kind, message),
    }
}

/// Compares the media types of a field's parts; whether one is no longer taken.
fn types(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    (old, new): (&Media, &Media),
    (name, field): (&str, Field),
) -> bool {
    // What parts have without a media type (§4.8.15.1.1).
    let usual = match field {
        Field::Json => "application/json",
        Field::File => "application/octet-stream",
        _ => "text/plain",
    };
    let listed = |media: &Media| {
        let own = encoding(media, name).filter(|own| own.style.is_none())?;
        let types = own.content_type.as_deref()?.split(',').map(essence);
        Some(types.collect::<Vec<String>>())
    };
    let (sent, taken) = (listed(old), listed(new));
    let or_usual = |types: &Option<Vec<String>>| types.clone().unwrap_or(vec![usual.to_owned()]);
    if or_usual(&sent) == or_usual(&taken) {
        return false;
    }
    let phrase = |types: &Option<Vec<String>>| match types {
        Some(types) => types.join(", "),
        None => "of any media type".to_owned(),
    };
    let message = format!(
        "`{name}` was {} and is now {}",
        phrase(&sent),
        phrase(&taken)
    );
    let refused = taken.as_ref().and_then(|taken| {
        let mut sent = or_usual(&sent).into_iter();
        sent.find(|one| !is_covered(taken, one))
    });
    let scope = Scope::new(&pair.name, PLACE);
    let (changes, kind) = (&mut comparison.changes, "request-body-part-type");
    let Some(refused) = refused else {
        changes.note(&scope, Severity::Compatible, kind, message);
        return false;
    };
    let refused = refused.replace('*', "x-any");
    let sent = format!("{} ({name}: Content-Type: {refused})", pair.line().text());
    let witness = (sent, format!("takes {}", phrase(&taken)));
    changes.prove(&scope, kind, message, witness);
    true
}

fn is_covered(taken: &[String], sent: &str) -> bool {
    let group = sent.split('/').next().unwrap_or_default();
    let mut taken = taken.iter();
    taken.any(|taken| taken == sent || taken == "*/*" || *taken == format!("{group}/*"))
}

/// Compares the headers of a field's parts.
fn headers(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    (old, new): (&Media, &Media),
    field: &str,
) {
    let (before, after) = (declared(old, field), declared(new, field));
    let scope = |header: &Parameter| {
        let place = format!("header `{}` of `{field}` in the request body", header.name);
        Scope::new(&pair.name, place)
    };
    for header in after {
        let known = before.iter().find(|one| is_named(one, &header.name));
        let was_required = known.is_some_and(|known| known.required);
        let (scope, changes) = (scope(header), &mut comparison.changes);
        match (known, was_required, header.required) {
            (_, false, true) => {
                let name = &header.name;
                let sent = format!("{} ({field}: without {name})", pair.line().text());
                let witness = (sent, format!("`{name}` is missing (required)"));
                changes.prove(&scope, HEADER, "became required", witness);
            }
            (None, ..) => changes.note(&scope, Severity::Compatible, HEADER, "was added"),
            (_, true, false) => {
                changes.note(&scope, Severity::Compatible, HEADER, "became optional");
            }
            _ => {}
        }
        if let Some(known) = known {
            header_values(comparison, pair, &scope, (field, known, header));
        }
    }
    for header in before {
        if !after.iter().any(|one| is_named(one, &header.name)) {
            let message = "was removed and is no longer read";
            let changes = &mut comparison.changes;
            changes.note(&scope(header), Severity::Possible, HEADER, message);
        }
    }
}

fn declared<'m>(media: &'m Media, field: &str) -> &'m [Parameter] {
    encoding(media, field).map_or(&[], |own| &own.headers)
}

fn header_values(
    comparison: &mut Comparison<'_>,
    pair: &OperationPair<'_>,
    scope: &Scope,
    (field, old, new): (&str, &Parameter, &Parameter),
) {
    let (before, after) = (ParamEncoding::of(old), ParamEncoding::of(new));
    let changes = &mut comparison.changes;
    if before.style != after.style {
        let (was, is) = (before.phrase(), after.phrase());
        let message = format!("was written in {was} and is now in {is}");
        changes.note(scope, Severity::Possible, HEADER, message);
    }
    if (&old.description, old.deprecated) != (&new.description, new.deprecated) {
        let kind = "request-body-part-header-docs";
        changes.note(scope, Severity::Docs, kind, "description was changed");
    }
    let schemas = (Some(&*old.schema), Some(&*new.schema));
    let subject = Subject::new(
        Direction::Request,
        schemas.0,
        schemas.1,
        before.wire_format(),
    );
    let shown = format!("{field}: {}", old.name);
    let usage = Usage {
        operation: &pair.name,
        part: HEADER,
        place: &scope.place,
        exchange: Exchange::Header(&pair.line().text(), &shown),
    };
    comparison.schemas(&subject, &usage);
}
