//! A value of the document together with its place.

use super::fixed_fields::{self, Field};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value and the pointer that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    pub(super) at: Pointer,
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Node<'a> {
        Node {
            value,
            at: Pointer::default(),
        }
    }

    /// A member of an object.
    pub(super) fn member(&self, name: &str) -> Option<Node<'a>> {
        let value = self.value.as_object()?.get(name)?;
        Some(Node {
            value,
            at: self.at.child(name),
        })
    }

    /// A string member.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value.get(name)?.as_str()
    }

    /// A string member as an owned text.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// Whether a member is `true`.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.value.get(name) == Some(&Value::Bool(true))
    }

    /// The members of an object that may have extensions (OpenAPI 3.1.1 §4.9), which are left out; of
    /// anything else, none.
    pub(super) fn members(&self) -> Vec<(&'a str, Node<'a>)> {
        let mut members = self.entries();
        members.retain(|(name, _)| !name.starts_with("x-"));
        members
    }

    /// The members of a map, whose names are the document's own, whatever they begin with; of anything
    /// else, none.
    pub(super) fn entries(&self) -> Vec<(&'a str, Node<'a>)> {
        let members = self.value.as_object().into_iter().flatten();
        members
            .map(|(name, value)| {
                (
                    name.as_str(),
                    Node {
                        value,
                        at: self.at.child(name),
                    },
                )
            })
            .collect()
    }

    /// The items of an array; of anything else, none.
    pub(super) fn items(&self) -> Vec<Node<'a>> {
        let items = self.value.as_array().into_iter().flatten().enumerate();
        items
            .map(|(i, value)| Node {
                value,
                at: self.at.child(i.to_string()),
            })
            .collect()
    }

    /// The value at a pointer below this one.
    pub(super) fn find(&self, pointer: &Pointer) -> Option<Node<'a>> {
        let value = self.value.pointer(pointer.as_str())?;
        Some(Node {
            value,
            at: pointer.clone(),
        })
    }

    /// Reads the object as a type of `openapiv3` from the fixed fields that are right; an error, if
    /// nothing of it is left, is reported by the caller.
    pub(super) fn typed<T: DeserializeOwned>(
        &self,
        fields: &[Field],
        diagnostics: &mut Diagnostics,
    ) -> Result<T, Box<Diagnostic>> {
        let value = fixed_fields::fit(self, fields, diagnostics)?;
        let unread = |error: serde_json::Error| {
            let message = error.to_string();
            let problem = Diagnostic::new(Code::Invalid, &self.at, message);
            Box::new(problem)
        };
        T::deserialize(value).map_err(unread)
    }
}
