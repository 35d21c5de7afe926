//! Schemas that are joined from others where they are used.
//!
//! Joining copies what a component says, members and all, and among those members may be the very
//! schema that is being joined. So each such schema is lowered once for each place in the document,
//! and a type that contains itself ends in a reference to its own model.

use super::{Lowered, Models};
use crate::ir::{Kind, ModelId, Shape, Type};
use crate::schema::{Keywords, Schema};
use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How deep schemas are joined inside each other; below that, they are checked as they stand.
const DEEPEST: usize = 24;

/// The schemas that were joined, by where they stand. Joins of joins share a place with others.
#[derive(Default)]
pub(super) struct Inlined<'a> {
    known: BTreeMap<Pointer, Vec<(Cow<'a, Value>, Progress)>>,
    open: usize,
}

#[derive(Clone)]
enum Progress {
    /// It is being lowered, and nothing has referred to it.
    Begun,
    /// It is being lowered, and contains itself.
    Recursive(ModelId),
    Done(Type),
}

impl<'a> Inlined<'a> {
    fn progress(&mut self, k: &Keywords<'a>) -> Option<&mut Progress> {
        let here = self.known.get_mut(&k.at)?;
        let found = here.iter_mut().find(|(raw, _)| *raw == k.raw);
        found.map(|(_, progress)| progress)
    }

    fn begin(&mut self, k: &Keywords<'a>) {
        let here = self.known.entry(k.at.clone()).or_default();
        here.push((k.raw.clone(), Progress::Begun));
        self.open += 1;
    }

    fn end(&mut self, k: &Keywords<'a>, ty: &Type) {
        self.open -= 1;
        if let Some(progress) = self.progress(k) {
            *progress = Progress::Done(ty.clone());
        }
    }
}

impl<'a> Models<'a> {
    /// The type of a schema that is joined from others.
    pub(super) fn inlined(&mut self, k: &Keywords<'a>, hint: &str) -> Type {
        let home = match k.raw {
            Cow::Borrowed(_) if !self.in_form => home(&k.at),
            _ => None,
        };
        let hint = home.as_deref().unwrap_or(hint);
        match self.inlined.progress(k).cloned() {
            Some(Progress::Done(ty)) => return ty,
            Some(Progress::Recursive(id)) => return Type::of(Kind::Model(id)),
            Some(Progress::Begun) => return self.recursive(k, hint),
            None if self.inlined.open >= DEEPEST => return self.checked(k),
            None => {}
        }
        self.inlined.begin(k);
        let schema = Schema::Keywords(Box::new(k.clone()));
        let lowered = self.lower_named(&schema, hint);
        let ty = match (self.inlined.progress(k).cloned(), lowered) {
            (Some(Progress::Recursive(id)), lowered) => {
                let shape = match lowered {
                    Lowered::Named(shape) => shape,
                    Lowered::Plain(ty) => Shape::Alias(ty),
                };
                let shape = self.grounded(id, shape, &schema);
                if let Some(model) = self.models.get_mut(id.0) {
                    model.shape = shape;
                }
                Type::of(Kind::Model(id))
            }
            (_, Lowered::Named(shape)) => self.model(k, hint, shape),
            (_, Lowered::Plain(ty)) => ty,
        };
        self.inlined.end(k, &ty);
        ty
    }

    /// A model for a schema that turns out to contain itself.
    fn recursive(&mut self, k: &Keywords<'a>, hint: &str) -> Type {
        let stand_in = Shape::Alias(Type::of(Kind::Json));
        let ty = self.model(k, hint, stand_in);
        if let (Kind::Model(id), Some(progress)) = (&ty.kind, self.inlined.progress(k)) {
            *progress = Progress::Recursive(*id);
        }
        ty
    }
}

/// What a schema inside a component is named after, whoever uses it first: the component and the
/// members that lead there.
fn home(at: &Pointer) -> Option<String> {
    let mut steps = at.tokens();
    if steps.next()? != "components" || steps.next()? != "schemas" {
        return None;
    }
    let mut hint = steps.next()?;
    while let Some(step) = steps.next() {
        let word = match step.as_str() {
            "properties" => steps.next()?,
            "items" => "item".into(),
            "additionalProperties" => "value".into(),
            "allOf" => {
                steps.next()?;
                continue;
            }
            _ => return None,
        };
        hint.push(' ');
        hint.push_str(&word);
    }
    Some(hint)
}
