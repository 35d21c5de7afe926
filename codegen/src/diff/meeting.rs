//! Requests that two paths take: the same path of both contracts, or one that a path with parameters takes
//! as well (OpenAPI 3.1.1 §4.8.8.2), as `/items/{id}` does `/items/mine` where that is no path of its own.

use super::arriving::accepts;
use super::operations::{path_parameters, unnamed};
use super::routes::captures;
use super::side::Side;
use super::slot::Slot;
use crate::document::{Operation, Parameter, Place};
use serde_json::Value;

/// The path of the requests that an operation of each contract takes.
pub(super) struct Meeting<'a> {
    /// By the names that the contract before gives its parameters.
    pub(super) path: String,
    /// The names before and after of the parameters that take the same part of it. What the others take is
    /// the same text in all of the requests.
    pub(super) same: Vec<(String, String)>,
    /// A text that a parameter does not take: of the operation before, so that no request is valid there,
    /// and of the one after.
    pub(super) refused: (Option<Refused<'a>>, Option<Refused<'a>>),
}

/// A text that is no value of a parameter.
pub(super) struct Refused<'a> {
    pub(super) text: String,
    pub(super) parameter: &'a Parameter,
}

/// An operation and its contract.
type Of<'a> = (&'a Side, &'a Operation);

impl<'a> Meeting<'a> {
    /// Of operations at the same path, below whatever server.
    pub(super) fn at_one(before: Of<'_>, after: Of<'_>) -> Meeting<'a> {
        Meeting {
            path: before.0.path(before.1),
            same: alike(&before.1.path, &after.1.path),
            refused: (None, None),
        }
    }

    /// Of operations whose paths both take some request.
    pub(super) fn of(before: Of<'a>, after: Of<'a>) -> Meeting<'a> {
        let templates = (before.0.path(before.1), after.0.path(after.1));
        let (mut path, mut same, mut refused) = (Vec::new(), Vec::new(), (None, None));
        for (old, new) in templates.0.split('/').zip(templates.1.split('/')) {
            path.push(old);
            if !old.contains('{') {
                refused.1 = refused.1.or(refusal(after, new, old));
            } else if !new.contains('{') {
                path.pop();
                path.push(new);
                refused.0 = refused.0.or(refusal(before, old, new));
            } else if unnamed(old) == unnamed(new) {
                same.extend(alike(old, new));
            }
        }
        Meeting {
            path: path.join("/"),
            same,
            refused,
        }
    }
}

/// The names of parameters at the same places.
fn alike(before: &str, after: &str) -> Vec<(String, String)> {
    let names = path_parameters(before).into_iter();
    let pairs = names.zip(path_parameters(after));
    pairs
        .map(|(old, new)| (old.to_owned(), new.to_owned()))
        .collect()
}

/// What of a text the parameters of a segment do not take. One that is not declared takes any.
fn refusal<'a>((side, operation): Of<'a>, segment: &str, text: &str) -> Option<Refused<'a>> {
    captures(segment, text)
        .into_iter()
        .find_map(|(name, text)| {
            let mut own = operation.parameters.iter();
            let parameter = own.find(|one| one.place == Place::Path && one.name == name)?;
            let travels = Slot::of(parameter).travels();
            let value = Value::String(text.clone());
            let is_taken = accepts(&side.view, Some(&parameter.schema), travels, &value);
            (!is_taken).then_some(Refused { text, parameter })
        })
}
