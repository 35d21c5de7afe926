//! Mutations of lists, and of the cursors that lead from one page of a list to the next.

use serde_json::{Value, json};

use super::body::{found, spread};
use super::pointer::Pointer;
use super::schema::Described;
use super::{Change, Found};
use crate::document::{Documented, Operation};

/// A change of a list.
type Edit = fn(&mut Vec<Value>);

pub(super) fn mutations(places: &[Described<'_>]) -> Vec<Found> {
    spread(places, of_list)
}

/// Mutations of lists whose order is visible. Each changes every such list.
fn of_list(of: &Described<'_>) -> Vec<Found> {
    if !of.values.iter().any(|value| is_ordered(value)) {
        return Vec::new();
    }
    let edits: [(_, Edit); 4] = [
        ("list reversed", |items| items.reverse()),
        ("item repeated", |items| {
            items.extend(items.first().cloned())
        }),
        ("first item lost", |items| _ = items.remove(0)),
        ("last item lost", |items| _ = items.pop()),
    ];
    let mutation = |(kind, edit): (&'static str, Edit)| {
        let place = of.place.clone();
        let edit = move |list: &mut Value| list.as_array_mut().into_iter().for_each(edit);
        found(kind, of, move |value| {
            place.change_all(value, is_ordered, edit)
        })
    };
    edits.into_iter().map(mutation).collect()
}

/// Whether it is a list that is another one backwards.
fn is_ordered(value: &Value) -> bool {
    let items = value.as_array();
    items.is_some_and(|items| !items.iter().eq(items.iter().rev()))
}

/// Mutations of the cursor that a link of the operation to itself takes from the answer.
pub(super) fn of_cursors(operation: &Operation, documented: &Documented) -> Vec<Found> {
    let own = documented
        .links
        .values()
        .filter(|it| it["operationId"] == *operation.id);
    let mut parameters = own.flat_map(|it| it["parameters"].as_object().into_iter().flatten());
    let taken = parameters.find_map(|(name, value)| {
        let pointer = value.as_str()?.strip_prefix("$response.body#")?;
        Some((name, Pointer::of_pointer(pointer)))
    });
    let Some((name, place)) = taken else {
        return Vec::new();
    };
    let mut parameters = operation.parameters.iter();
    let parameter = parameters.find(|it| it.name == *name).expect("a parameter");
    // The contract's own example is a cursor of some place.
    let example = parameter.example.clone();
    let mutation = |kind, fits: fn(&Value) -> bool, make: Box<dyn Fn(&mut Value) + Send + Sync>| {
        let (at, place) = (place.to_string(), place.clone());
        let change = move |value: &mut Value| place.change(value, fits, |it| make(it));
        Found(kind, at, Change::Body(Box::new(change)))
    };
    vec![
        mutation(
            "cursor broken",
            Value::is_string,
            Box::new(|it| end(it, "x")),
        ),
        mutation("cursor moved", Value::is_string, Box::new(turn)),
        mutation(
            "cursor lost",
            Value::is_string,
            Box::new(|it| *it = Value::Null),
        ),
        mutation(
            "cursor invented",
            Value::is_null,
            Box::new(move |it| *it = json!(example)),
        ),
    ]
}

/// Replaces the end of a text.
fn end(value: &mut Value, with: &str) {
    if let Value::String(text) = value {
        text.pop();
        text.push_str(with);
    }
}

/// Changes the first character of a text.
fn turn(value: &mut Value) {
    if let Value::String(text) = value {
        let first = if text.starts_with('8') { "7" } else { "8" };
        text.replace_range(..1, first);
    }
}
