//! Operations that the API calls on the servers of others: webhooks (OpenAPI 3.1.1 §4.8.1) and
//! callbacks (§4.8.18).

use super::operation::{IGNORED, Operation};
use super::{Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Pointer;

/// An operation of a webhook or a callback.
#[derive(Debug)]
pub struct Outgoing {
    /// The request and its answers. Its path is the one under which a receiver may serve it.
    pub operation: Operation,
    /// Its name where it has no `operationId`.
    pub name: String,
    /// The URL that it is sent to; `None` for a webhook, whose receivers register by other means.
    pub target: Option<Target>,
}

/// The URL of a callback.
#[derive(Debug)]
pub struct Target {
    /// The operation that has the callback, by its method and path.
    pub of: (String, String),
    /// A URL with runtime expressions.
    pub expression: String,
    /// The place of the URL.
    pub at: Pointer,
}

impl<'a> Reader<'a> {
    /// The operations of the webhooks that can be read, and the number of all.
    pub(super) fn webhooks(&mut self, root: &Node<'a>) -> (Vec<Outgoing>, usize) {
        let (mut webhooks, mut documented) = (Vec::new(), 0);
        for (name, item) in root.map("webhooks") {
            let path = format!("/{}", path_segment(name));
            let (operations, count) = self.item(item, &path);
            documented += count;
            for (operation, node) in operations {
                if let Some(callbacks) = node.member("callbacks") {
                    let message = "callbacks of webhooks are not supported";
                    self.diagnostics.recover(
                        Diagnostic::new(Code::Unsupported, &callbacks.at, message),
                        IGNORED,
                    );
                }
                webhooks.push(Outgoing {
                    name: name_of(&operation, name),
                    operation,
                    target: None,
                });
            }
        }
        (webhooks, documented)
    }

    /// Reads the callbacks of an operation.
    pub(super) fn callbacks_of(&mut self, parent: &Operation, node: &Node<'a>) {
        let owner = match &parent.id {
            Some(id) => id.clone(),
            None => format!("{} {}", parent.method, parent.path),
        };
        for (name, callback) in node.map("callbacks") {
            let Some(callback) = self.resolve(callback, "a callback") else {
                continue;
            };
            for (number, (expression, item)) in callback.members().into_iter().enumerate() {
                let mut path = format!("/{}/{}", path_segment(&owner), path_segment(name));
                let mut name = format!("{owner} {name}");
                if number > 0 {
                    path = format!("{path}/{}", number + 1);
                    name = format!("{name} {}", number + 1);
                }
                let at = item.at.clone();
                let (operations, count) = self.item(item, &path);
                self.callbacks_documented += count;
                for (operation, _) in operations {
                    self.callbacks.push(Outgoing {
                        name: name_of(&operation, &name),
                        operation,
                        target: Some(Target {
                            of: (parent.method.clone(), parent.path.clone()),
                            expression: expression.to_owned(),
                            at: at.clone(),
                        }),
                    });
                }
            }
        }
    }
}

/// The name of an operation. The method is part of it unless it is POST, as nearly all are, so that
/// an added method renames no other.
fn name_of(operation: &Operation, name: &str) -> String {
    match operation.method.as_str() {
        "POST" => name.to_owned(),
        other => format!("{other} {name}"),
    }
}

/// A name as a segment of a path.
fn path_segment(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "-._~".contains(c) {
            c
        } else {
            '-'
        }
    };
    let text: String = name.chars().map(plain).collect();
    text.trim_matches('-').to_owned()
}
