//! References to the objects around the schemas (OpenAPI 3.1.1 §4.8.23), and the diagnostics of any
//! reference that leads to nothing or to a wrong object.

use super::object_fields::{FieldType, type_at};
use super::{Reader, node::Node};
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use crate::source::files::is_mounted;
use serde_json::Value;

/// How many references are followed, one after the other.
const MAX_REFERENCES: usize = 64;

/// The fallback for a schema that cannot be found.
pub(super) const ANYTHING: &str = "any value is taken";

impl<'a> Reader<'a> {
    /// Follows `$ref`s to an object; reports a reference that leads to nothing, or to a schema
    /// where another kind of object is `wanted`.
    pub(super) fn resolve(&mut self, node: Node<'a>, wanted: &str) -> Option<Node<'a>> {
        let followed = self.follow(node, wanted);
        followed
            .map_err(|problem| self.diagnostics.error(*problem))
            .ok()
    }

    /// Like [`Reader::resolve`], for a part that an operation can do without; `fallback` is used in
    /// its place.
    pub(super) fn resolve_part(
        &mut self,
        node: Node<'a>,
        wanted: &str,
        fallback: &str,
    ) -> Option<Node<'a>> {
        let followed = self.follow(node, wanted);
        let recover = |problem: Box<_>| self.diagnostics.recover(*problem, fallback);
        followed.map_err(recover).ok()
    }

    fn follow(&self, node: Node<'a>, wanted: &str) -> Result<Node<'a>, Box<Diagnostic>> {
        let mut current = node;
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = current.text("$ref") else {
                return Ok(current);
            };
            let at = current.at.child("$ref");
            let Some(pointer) = Pointer::of_reference(reference) else {
                return Err(Box::new(unreached(reference, &at, self.diagnostics)));
            };
            let Some(target) = Node::root(self.root).find(&pointer) else {
                let problem = dangling(reference, &at, self.diagnostics);
                let written = self.diagnostics.as_written(reference, &at);
                let meant = neighbour(self.root, &pointer, written);
                return Err(Box::new(problem.did_you_mean(meant)));
            };
            if type_at(&pointer) == FieldType::Schema {
                let reference = self.diagnostics.as_written(reference, &at);
                return Err(Box::new(misplaced(reference, &at, "a schema", wanted)));
            }
            current = target;
        }
        let message = "this reference leads back to itself";
        let code = Code::CircularReference;
        let problem = Diagnostic::new(code, &current.at, message);
        Err(Box::new(problem))
    }
}

/// Reports a reference without a known target.
pub(super) fn unreached(reference: &str, at: &Pointer, diagnostics: &Diagnostics) -> Diagnostic {
    if is_mounted(at) && at.as_str().ends_with("/$dynamicRef") {
        let message = format!("`{reference}` may be any of several schemas, in other files too");
        let help = "it is followed where the schemas that it leads to are in the first file";
        return Diagnostic::new(Code::Unsupported, at, message).help(help);
    }
    if reference.starts_with('#') {
        return dangling(reference, at, diagnostics);
    }
    let (code, message, help) = crate::source::files::unreached(reference);
    Diagnostic::new(code, at, message).help(help)
}

/// A reference to an existing place of nearly the same name beside a missing one. `written` is the
/// reference to the missing one in its author's words, which may name another file.
pub(super) fn neighbour(root: &Value, at: &Pointer, written: &str) -> Option<String> {
    let (parent, _) = at.as_str().rsplit_once('/')?;
    let members = root.pointer(parent)?.as_object()?;
    let name = at.tokens().last()?;
    let meant = closest(&name, members.keys().map(String::as_str))?;
    let (written, _) = written.rsplit_once('/')?;
    Some(format!(
        "{written}{}",
        Pointer::default().child(meant).as_str()
    ))
}

/// Reports a reference to a missing place.
pub(super) fn dangling(reference: &str, at: &Pointer, diagnostics: &Diagnostics) -> Diagnostic {
    let message = format!(
        "`{}` points to nothing",
        diagnostics.as_written(reference, at)
    );
    Diagnostic::new(Code::DanglingReference, at, message)
}

/// Reports a reference to an object of another kind than is wanted.
pub(super) fn misplaced(reference: &str, at: &Pointer, is: &str, wanted: &str) -> Diagnostic {
    let message = match reference {
        "" => format!("an empty reference names {is}, and {wanted} is wanted"),
        _ => format!("`{reference}` names {is}, and {wanted} is wanted"),
    };
    Diagnostic::new(Code::MisplacedReference, at, message)
}
