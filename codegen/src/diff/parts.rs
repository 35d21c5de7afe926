//! Parts of `multipart/form-data` (OpenAPI 3.1.1 §4.8.15.1): what is in each, of which media type, and
//! under which headers.

use super::content::essence;
use super::encodings::telling;
use super::exchange::text;
use super::fields::{Fields, Holds};
use super::judge::Judge;
use super::operations::Both;
use super::part_headers;
use super::report::Severity;
use crate::ir::Bounds;
use crate::openapi::{Encoding, Media};
use serde_json::Value;

/// Compares the parts of one field; whether there is no more to say of how they are written.
pub(super) fn compare(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    (old, before): (&Media, &Fields),
    (new, after): (&Media, &Fields),
    field: &str,
) -> bool {
    // What only one of them knows was or is let pass, or is told by the schemas.
    let (Some(holds), Some(held)) = (before.get(field), after.get(field)) else {
        return true;
    };
    let held = (holds, held);
    part_headers::compare(judge, both, (old, new), field);
    if typed(judge, both, (old, new), field, held.0) {
        return true;
    }
    if let (Some(before), Some(after)) = (before.octets(field), after.octets(field)) {
        lengths(judge, both, (before, after), field);
    }
    let (before, after) = held;
    if before == after {
        return false;
    }
    let (kind, name) = ("request-body-part", after.name());
    let message = format!("`{field}` was {} and is now {name}", before.name());
    let proof = misread(judge, old, field, (before, after));
    let proof = proof.map(|(sent, reason)| (sent, format!("takes {name}: {reason}")));
    tell(judge, both, kind, message, proof);
    true
}

/// A change of a part: a break where there is something sent and a reason to refuse it.
pub(super) fn tell(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    kind: &str,
    message: String,
    proof: Option<(String, String)>,
) {
    let (name, place) = (&both.name, "request body");
    match proof {
        Some((sent, refusal)) => {
            let exchange = format!("{} ({sent})", both.line().text());
            let witness = (exchange, refusal);
            judge.changes.prove(kind, name, place, message, witness);
        }
        None => {
            let (changes, name) = (&mut judge.changes, Some(name.clone()));
            changes.note(Severity::Compatible, kind, name, place, message);
        }
    }
}

/// What was sent for a field, and why it is not taken for what the field is now.
fn misread(
    judge: &Judge<'_>,
    old: &Media,
    field: &str,
    (before, after): (Holds, Holds),
) -> Option<(String, String)> {
    let sample = |shows: &dyn Fn(&Value) -> bool| telling(judge.before, old, field, shows);
    match (before, after) {
        (Holds::Files(min, max), Holds::Files(..)) => {
            let count = beyond((min, max), after)?;
            Some((
                format!("{field}: {count} files"),
                format!("there are {count}"),
            ))
        }
        (Holds::Files(..), _) => {
            let sent = format!("{field}: a file of the byte FF");
            Some((sent, "it is not UTF-8".to_owned()))
        }
        (_, Holds::Files(..)) => {
            let parts = |value: &Value| value.as_array().map_or(1, Vec::len);
            let count = |value: &Value| u64::try_from(parts(value)).unwrap_or(u64::MAX);
            let shows = |value: &Value| beyond((count(value), Some(count(value))), after).is_some();
            let count = count(&sample(&shows)?);
            Some((
                format!("{field}: {count} parts"),
                format!("there are {count}"),
            ))
        }
        (Holds::Text, _) => {
            let shows = |value: &Value| {
                let one = !value.is_array();
                one && serde_json::from_str::<Value>(&text(value)).is_err()
            };
            let value = sample(&shows)?;
            Some((
                format!("{field}: {}", text(&value)),
                "it is no JSON".to_owned(),
            ))
        }
        (Holds::Json, _) => {
            let shows = |value: &Value| value.is_string() || value.is_array() || value.is_object();
            let value = sample(&shows)?;
            Some((
                format!("{field}: {value}"),
                format!("reads `{value}` as a text"),
            ))
        }
    }
}

/// How many files were taken and are too few or too many.
fn beyond((min, max): (u64, Option<u64>), after: Holds) -> Option<u64> {
    let Holds::Files(least, most) = after else {
        return None;
    };
    outside((min.max(1), max), (least, most))
}

/// A number that is between the first bounds, and not between the others.
fn outside((min, max): (u64, Option<u64>), (least, most): (u64, Option<u64>)) -> Option<u64> {
    if min < least {
        return Some(min);
    }
    let many = most?.saturating_add(1).max(min);
    max.is_none_or(|max| max >= many).then_some(many)
}

/// Compares how long the files of a field are.
fn lengths(judge: &mut Judge<'_>, both: &Both<'_>, (before, after): (Bounds, Bounds), field: &str) {
    if before == after {
        return;
    }
    let shown = |octets: Bounds| match octets.max {
        Some(max) => format!("{} to {max} bytes", octets.min),
        None => format!("{} or more bytes", octets.min),
    };
    let message = format!(
        "a file of `{field}` had {} and has {} now",
        shown(before),
        shown(after)
    );
    let refused = outside((before.min, before.max), (after.min, after.max));
    let proof = refused.map(|length| {
        let sent = format!("{field}: a file of {length} bytes");
        (sent, format!("it has {}", shown(after)))
    });
    tell(judge, both, "request-body-file-length", message, proof);
}

/// Compares the media types of a field's parts; whether one is no longer taken.
fn typed(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    (old, new): (&Media, &Media),
    field: &str,
    before: Holds,
) -> bool {
    // §4.8.15.1.1: the media type of a part of which nothing is said.
    let usual = match before {
        Holds::Text => "text/plain",
        Holds::Json => "application/json",
        Holds::Files(..) => "application/octet-stream",
    };
    let sure =
        |types: &Option<Vec<String>>| types.clone().unwrap_or_else(|| vec![usual.to_owned()]);
    let (sent, taken) = (types(old, field), types(new, field));
    if sure(&sent) == sure(&taken) {
        return false;
    }
    let list = |types: &Option<Vec<String>>| match types {
        Some(types) => types.join(", "),
        None => "of any media type".to_owned(),
    };
    let message = format!("`{field}` was {} and is now {}", list(&sent), list(&taken));
    let refused = taken.as_ref().and_then(|taken| {
        let mut sent = sure(&sent).into_iter();
        sent.find(|one| !covers(taken, one))
    });
    let is_refused = refused.is_some();
    let proof = refused.map(|one| {
        let shown = one.replace('*', "x-any");
        (
            format!("{field}: Content-Type: {shown}"),
            format!("takes {}", list(&taken)),
        )
    });
    tell(judge, both, "request-body-part-type", message, proof);
    is_refused
}

/// The media types that a field's parts may have, where its `encoding` says it.
fn types(media: &Media, field: &str) -> Option<Vec<String>> {
    let own = encoding(media, field).filter(|own| own.style.is_none())?;
    let mut types: Vec<String> = own
        .content_type
        .as_deref()?
        .split(',')
        .map(essence)
        .collect();
    types.sort_unstable();
    Some(types)
}

fn covers(taken: &[String], sent: &str) -> bool {
    let group = sent.split('/').next().unwrap_or_default();
    let mut taken = taken.iter();
    taken.any(|taken| taken == sent || taken == "*/*" || *taken == format!("{group}/*"))
}

/// What is said of how a field is written.
pub(super) fn encoding<'m>(media: &'m Media, field: &str) -> Option<&'m Encoding> {
    media.encoding.iter().find(|one| one.field == field)
}
