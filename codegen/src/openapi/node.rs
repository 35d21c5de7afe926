//! A value of the document together with its place.

use super::object_fields::Object;
use super::type_errors::no_object;
use crate::diagnostic::{Code, Diagnostic};
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

    /// The members of a map, whose names are the document's own, `x-` ones too; of anything else, none.
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

    /// The entries of a member that is a map; none without it.
    pub(super) fn map(&self, name: &str) -> Vec<(&'a str, Node<'a>)> {
        let member = self.member(name);
        member.map(|map| map.entries()).unwrap_or_default()
    }

    /// The items of a member that is a list, without blank ones; none without it.
    pub(super) fn list(&self, name: &str) -> Vec<Node<'a>> {
        let member = self.member(name);
        let mut items = member.map(|list| list.items()).unwrap_or_default();
        items.retain(|item| !item.value.is_null());
        items
    }

    /// The value at a pointer below this one.
    pub(super) fn find(&self, pointer: &Pointer) -> Option<Node<'a>> {
        let value = self.value.pointer(pointer.as_str())?;
        Some(Node {
            value,
            at: pointer.clone(),
        })
    }

    /// The object as a type of `openapiv3`, without the parts that are read at their own places; see
    /// [`Object::own_fields`].
    pub(super) fn fields<T: DeserializeOwned>(&self, object: Object) -> Result<T, Box<Diagnostic>> {
        let Some(members) = self.value.as_object() else {
            let problem = no_object(&self.at, self.value, Some(object));
            return Err(Box::new(problem));
        };
        T::deserialize(object.own_fields(members)).map_err(|error| self.refused(&error))
    }

    /// A member as one of an enumeration of `openapiv3`, if it is there.
    pub(super) fn choice<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Box<Diagnostic>> {
        let Some(member) = self.member(name) else {
            return Ok(None);
        };
        let choice = T::deserialize(member.value).map_err(|error| member.refused(&error));
        choice.map(Some)
    }

    /// The problem with a value that `openapiv3` refuses, nearly in its words.
    fn refused(&self, error: &serde_json::Error) -> Box<Diagnostic> {
        let message = error.to_string();
        let message = message.replace("unknown variant", "unexpected value");
        let problem = Diagnostic::new(Code::Invalid, &self.at, message);
        Box::new(problem)
    }
}
