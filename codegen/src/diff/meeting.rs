//! Requests that two paths take: the same path of both contracts, or one that a path with parameters takes
//! as well (OpenAPI 3.1.1 §4.8.8.2), as `/items/{id}` does `/items/mine` where that is no path of its own.

use super::arriving::accepts;
use super::operations::{path_parameters, unnamed};
use super::routes::captures;
use super::side::Side;
use super::slot::Slot;
use crate::openapi::{Operation, ParamLocation, Parameter};
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
    /// Whether there are more requests that both take.
    pub(super) is_part: bool,
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
            is_part: false,
        }
    }

    /// Of operations whose paths both take a request. Where their segments have parameters in different ways,
    /// it is requests with the text of that one.
    pub(super) fn of(before: Of<'a>, after: Of<'a>, sent: &str) -> Meeting<'a> {
        let templates = (before.0.path(before.1), after.0.path(after.1));
        let (mut path, mut same, mut refused) = (Vec::new(), Vec::new(), (None, None));
        let mut is_part = false;
        let segments = templates.0.split('/').zip(templates.1.split('/'));
        for ((old, new), text) in segments.zip(sent.split('/')) {
            if unnamed(old) == unnamed(new) {
                path.push(old);
                same.extend(alike(old, new));
            } else {
                path.push(text);
                refused.0 = refused.0.or(refusal(before, old, text));
                refused.1 = refused.1.or(refusal(after, new, text));
                is_part |= old.contains('{') && new.contains('{');
            }
        }
        Meeting {
            path: path.join("/"),
            same,
            refused,
            is_part,
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
            let parameter = own.find(|one| one.place == ParamLocation::Path && one.name == name)?;
            let travels = Slot::of(parameter).travels();
            let value = Value::String(text.clone());
            let is_taken = accepts(&side.view, Some(&parameter.schema), travels, &value);
            (!is_taken).then_some(Refused { text, parameter })
        })
}
