//! Fields of forms: one that is written another way is read as something else (OpenAPI 3.1.1 §4.8.15).

use super::arriving::{Travels, accepts};
use super::content::essence;
use super::exchange::{text, texts};
use super::fields::Fields;
use super::judge::Judge;
use super::node::All;
use super::normal::Nodes;
use super::operations::Both;
use super::parts;
use super::report::Severity;
use super::sample::Sampler;
use super::side::Side;
use crate::openapi::{Encoding, Media, Style};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As pairs of its name or as parts, with the names of members in brackets.
    Pairs,
    /// As pairs of the names of its members.
    Spread,
    /// As one text.
    Text(Style),
}

/// Compares how the fields of a form are written.
pub(super) fn compare(judge: &mut Judge<'_>, both: &Both<'_>, old: &Media, new: &Media) {
    let (Some(before), Some(after)) = (judge.before.fields(old), judge.after.fields(new)) else {
        return;
    };
    let all = old.encoding.iter().chain(&new.encoding);
    let said = all.map(|encoding| &encoding.field);
    let names: BTreeSet<&String> = said.chain(before.names()).chain(after.names()).collect();
    let is_pairs = essence(&old.media_type) == "application/x-www-form-urlencoded";
    for field in names {
        if !is_pairs && parts::compare(judge, both, (old, before), (new, after), field) {
            continue;
        }
        let before = way(old, before, field, is_pairs);
        let after = way(new, after, field, is_pairs);
        if before != after {
            changed(judge, both, old, (field, before, after));
        }
    }
}

/// How a field is written. A part that is JSON is so by its type.
fn way(media: &Media, fields: &Fields, field: &str, is_pairs: bool) -> Way {
    if fields.is_spread(field) {
        return Way::Spread;
    }
    let mut encodings = media.encoding.iter();
    let own = encodings.find(|encoding| encoding.field == field);
    let style = own.and_then(Encoding::one_text);
    let style = style.filter(|style| is_pairs || *style != Style::Json);
    style.map_or(Way::Pairs, Way::Text)
}

fn changed(
    judge: &mut Judge<'_>,
    both: &Both<'_>,
    old: &Media,
    (field, before, after): (&str, Way, Way),
) {
    let (kind, place) = ("request-body-encoding", "request body");
    let message = format!(
        "`{field}` was written as {} and is now as {}",
        name(before),
        name(after)
    );
    let plain = ![before, after].contains(&Way::Text(Style::Json));
    let sample = telling(judge.before, old, field, |value| {
        is_several(value) || !plain
    });
    match sample {
        Some(value) => {
            let sent = written(field, before, &value);
            let refusal = format!("reads `{sent}` as {}", name(after));
            let exchange = format!("{} ({sent})", both.line().text());
            let changes = &mut judge.changes;
            changes.prove(kind, &both.name, place, message, (exchange, refusal));
        }
        None => {
            let name = Some(both.name.clone());
            let changes = &mut judge.changes;
            changes.note(Severity::Compatible, kind, name, place, message);
        }
    }
}

/// A value of a field that shows a difference, and is valid.
pub(super) fn telling(
    side: &Side,
    media: &Media,
    field: &str,
    shows: impl Fn(&Value) -> bool,
) -> Option<Value> {
    let (view, fields) = (&side.view, side.fields(media)?);
    let key = media.schema.as_deref()?;
    let nodes = Nodes::new(view);
    let form = Sampler::new(&nodes, true).sample(&All::one(view.schema(key)?))?;
    let own = form.get(field).cloned();
    let doubled = own.as_ref().and_then(Value::as_array).and_then(|items| {
        let item = items.first()?;
        Some(json!([item, item]))
    });
    let lists = [json!(["a", "b"]), json!([1, 2])];
    let mut candidates = own.into_iter().chain(doubled).chain(lists);
    candidates.find(|value| {
        let mut form = form.clone();
        if let Some(members) = form.as_object_mut() {
            members.insert(field.to_owned(), value.clone());
        }
        shows(value) && accepts(view, Some(key), Travels::Form(fields, fields), &form)
    })
}

/// Whether there is more to it than one text.
fn is_several(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.len() > 1)
        || value.as_object().is_some_and(|members| !members.is_empty())
}

/// A field as a form shows it.
fn written(field: &str, way: Way, value: &Value) -> String {
    let pairs: Vec<String> = match (way, value) {
        (Way::Text(Style::Json), value) => vec![format!("{field}={value}")],
        (Way::Pairs, Value::Array(items)) => {
            let items = items.iter();
            items
                .map(|item| format!("{field}={}", text(item)))
                .collect()
        }
        (Way::Spread, Value::Object(members)) => {
            let members = members.iter();
            members
                .map(|(name, member)| format!("{name}={}", text(member)))
                .collect()
        }
        (Way::Pairs, Value::Object(members)) => {
            let members = members.iter();
            members
                .map(|(name, member)| format!("{field}[{name}]={}", text(member)))
                .collect()
        }
        (way, value) => {
            let separator = match way {
                Way::Text(Style::SpaceDelimited) => "%20",
                Way::Text(Style::PipeDelimited) => "|",
                _ => ",",
            };
            vec![format!("{field}={}", texts(value).join(separator))]
        }
    };
    pairs.join("&")
}

fn name(way: Way) -> String {
    match way {
        Way::Pairs => "values of its name".to_owned(),
        Way::Spread => "values of its members' names".to_owned(),
        Way::Text(Style::Json) => "JSON".to_owned(),
        Way::Text(style) => format!("one text in style {style:?}"),
    }
}
