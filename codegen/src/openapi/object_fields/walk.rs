//! The walk through all objects of a document.

use super::{FieldType, Object, of};
use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// Visits the document's values around its schemas, each with its place and type, through
/// references too; goes into a value only if `show` returns true.
pub(crate) fn each<'v>(
    root: &'v Value,
    mut show: impl FnMut(&Pointer, &'v Value, FieldType) -> bool,
) {
    let mut seen = HashSet::new();
    let mut left = vec![(Pointer::default(), root, of(Object::Document))];
    while let Some((at, value, kind)) = left.pop() {
        let kind = kind.by_value(value);
        if !show(&at, value, kind) {
            continue;
        }
        let Some((at, value)) = referred(root, value) else {
            let inside = kind.inside(value).into_iter();
            left.extend(inside.map(|(token, value, kind)| (at.child(token), value, kind)));
            continue;
        };
        // Components are visited at their own place; a target of another kind is not visited as
        // this kind.
        let is_shown = is_component(&at) || !kind.may_be(value);
        if !is_shown && seen.insert(at.clone()) {
            left.push((at, value, kind));
        }
    }
}

/// Whether a place is in a section of the components.
fn is_component(at: &Pointer) -> bool {
    let mut tokens = at.tokens();
    let is_inside = tokens.next().is_some_and(|token| token == "components");
    let section = tokens.next().filter(|_| is_inside);
    section.is_some_and(|section| Object::Components.member(&section) != FieldType::Any)
}

/// The target of a reference into the document, and its place.
pub(crate) fn referred<'v>(root: &'v Value, value: &Value) -> Option<(Pointer, &'v Value)> {
    let at = Pointer::of_reference(value.get("$ref")?.as_str()?)?;
    let target = root.pointer(at.as_str())?;
    Some((at, target))
}

impl FieldType {
    /// The same type, but of a security scheme the one for its `type`.
    fn by_value(self, value: &Value) -> FieldType {
        match self {
            FieldType::Object(Object::SecurityScheme) => of(Object::security_scheme(value)),
            other => other,
        }
    }

    /// The values directly inside a value that need a closer look, each with its token and type.
    fn inside(self, value: &Value) -> Vec<(Cow<'_, str>, &Value, FieldType)> {
        let mut inside = Vec::new();
        match (self, value) {
            (FieldType::List(kind), Value::Array(items)) => {
                let items = items.iter().enumerate();
                inside.extend(items.map(|(i, item)| (i.to_string().into(), item, *kind)));
            }
            (FieldType::Map(_) | FieldType::Object(_), Value::Object(members)) => {
                let members = members.iter();
                inside.extend(
                    members.map(|(name, value)| (name.as_str().into(), value, self.member(name))),
                );
            }
            _ => {}
        }
        inside.retain(|(_, value, kind)| !kind.is_leaf(value));
        inside
    }

    /// Whether a value is of a type that holds no others.
    fn is_leaf(self, value: &Value) -> bool {
        use FieldType::{Any, Flag, Schema, Text};
        matches!(self, Any | Schema | Text | Flag) && self.may_be(value)
    }
}
