//! Conversions between models that can always become each other: the read and the write variants of a schema, and
//! the models in the same members of both.

use crate::ir::{
    Conversion, ConvertedParts, Extra, Field, Model, ModelId, ModelShape, Name, Step, Type,
    TypeKind,
};
use std::collections::BTreeSet;

/// A model before and after its conversion.
type Pair = (ModelId, ModelId);

/// The conversions between these variants, both ways, and between the models in them.
pub(super) fn lower(variants: &[Pair], models: &[Model]) -> Vec<Conversion> {
    let both_ways = variants
        .iter()
        .flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    let mut converted = Converted {
        models,
        pairs: both_ways.collect(),
    };
    converted.close();
    let pairs = converted.pairs.iter();
    let conversions = pairs.filter_map(|(from, to)| {
        let parts = converted.parts((*from, *to), &mut BTreeSet::new())?;
        Some(Conversion {
            from: *from,
            to: *to,
            parts,
        })
    });
    conversions.collect()
}

/// The pairs that are taken to be convertible.
struct Converted<'a> {
    models: &'a [Model],
    pairs: BTreeSet<Pair>,
}

impl Converted<'_> {
    /// Adds the pairs that others need, and then removes those that cannot be, until none is left.
    fn close(&mut self) {
        let mut open: Vec<Pair> = self.pairs.iter().copied().collect();
        while let Some(pair) = open.pop() {
            let mut needed = BTreeSet::new();
            self.parts(pair, &mut needed);
            open.extend(
                needed
                    .into_iter()
                    .filter(|needed| self.pairs.insert(*needed)),
            );
        }
        loop {
            let possible = self.pairs.iter().copied();
            let possible = possible.filter(|pair| {
                let mut needed = BTreeSet::new();
                self.parts(*pair, &mut needed).is_some() && needed.is_subset(&self.pairs)
            });
            let possible: BTreeSet<Pair> = possible.collect();
            if possible.len() == self.pairs.len() {
                return;
            }
            self.pairs = possible;
        }
    }

    /// The conversion of the parts of a model; adds the pairs that this needs.
    fn parts(&self, (from, to): Pair, needed: &mut BTreeSet<Pair>) -> Option<ConvertedParts> {
        match (self.shape(from)?, self.shape(to)?) {
            (
                ModelShape::Struct { fields, extra, .. },
                ModelShape::Struct {
                    fields: made,
                    extra: kept,
                    ..
                },
            ) => {
                let mut steps = Vec::new();
                for field in made {
                    let known = fields.iter().find(|known| known.wire == field.wire);
                    steps.push((field.name.clone(), self.field(known, field, needed)?));
                }
                steps.extend(self.kept(extra, kept, needed)?);
                Some(ConvertedParts::Fields(steps))
            }
            (ModelShape::Union(from), ModelShape::Union(to)) => {
                let both = from.variants.iter().zip(&to.variants);
                let steps = both.map(|(from, to)| {
                    let step = self.step((&from.ty, from.boxed), (&to.ty, to.boxed), needed)?;
                    (from.name == to.name).then(|| (from.name.clone(), step))
                });
                let steps: Option<Vec<_>> = steps.collect();
                steps
                    .filter(|_| from.variants.len() == to.variants.len())
                    .map(ConvertedParts::Variants)
            }
            _ => None,
        }
    }

    fn field(
        &self,
        known: Option<&Field>,
        made: &Field,
        needed: &mut BTreeSet<Pair>,
    ) -> Option<Step> {
        let Some(known) = known else {
            return (!made.required).then_some(Step::Absent);
        };
        let step = self.step((&known.ty, known.boxed), (&made.ty, made.boxed), needed)?;
        match (known.required, made.required) {
            (true, true) => Some(step),
            (true, false) => Some(Step::Present(Box::new(step))),
            (false, false) => Some(within(Step::Optional, step)),
            (false, true) => None,
        }
    }

    /// The conversion of the members that have no field; none where nothing keeps them.
    fn kept(
        &self,
        from: &Extra,
        to: &Extra,
        needed: &mut BTreeSet<Pair>,
    ) -> Option<Option<(Name, Step)>> {
        let Extra::Kept { name, ty } = to else {
            return Some(None);
        };
        let step = match from {
            Extra::Kept { ty: known, .. } => within(
                Step::Members,
                self.step((known, false), (ty, false), needed)?,
            ),
            Extra::Ignored | Extra::Refused => Step::Empty,
        };
        Some(Some((name.clone(), step)))
    }

    /// The conversion of a value of a type, which is boxed or not.
    fn step(
        &self,
        (from, unboxed): (&Type, bool),
        (to, boxed): (&Type, bool),
        needed: &mut BTreeSet<Pair>,
    ) -> Option<Step> {
        let (from, to) = (self.behind(&from.kind), self.behind(&to.kind));
        Some(match (from, to) {
            (TypeKind::Model(from), TypeKind::Model(to)) if from == to && unboxed == boxed => {
                Step::Same
            }
            (TypeKind::Model(from), TypeKind::Model(to)) if from != to => {
                needed.insert((*from, *to));
                Step::Converted { unboxed, boxed }
            }
            (TypeKind::Nullable(from), TypeKind::Nullable(to)) => within(
                Step::Optional,
                self.step((from, unboxed), (to, boxed), needed)?,
            ),
            (TypeKind::Array(from), TypeKind::Array(to)) => {
                within(Step::Items, self.step((from, false), (to, false), needed)?)
            }
            (TypeKind::Map(from), TypeKind::Map(to)) => within(
                Step::Members,
                self.step((from, false), (to, false), needed)?,
            ),
            _ => is_same(from, to).then_some(Step::Same)?,
        })
    }

    /// The kind of a type behind aliases.
    fn behind<'t>(&'t self, kind: &'t TypeKind) -> &'t TypeKind {
        match kind {
            TypeKind::Model(id) => match self.shape(*id) {
                Some(ModelShape::Alias(ty)) => self.behind(&ty.kind),
                _ => kind,
            },
            _ => kind,
        }
    }

    fn shape(&self, id: ModelId) -> Option<&ModelShape> {
        self.models.get(id.0).map(|model| &model.shape)
    }
}

/// A step inside another; no step where the inner value stays the same.
fn within(outer: fn(Box<Step>) -> Step, inner: Step) -> Step {
    match inner {
        Step::Same => Step::Same,
        inner => outer(Box::new(inner)),
    }
}

/// Whether two kinds without parts are one type in Rust.
fn is_same(one: &TypeKind, other: &TypeKind) -> bool {
    match (one, other) {
        (TypeKind::Bool, TypeKind::Bool)
        | (TypeKind::Number, TypeKind::Number)
        | (TypeKind::String, TypeKind::String)
        | (TypeKind::Json, TypeKind::Json)
        | (TypeKind::Null, TypeKind::Null) => true,
        (TypeKind::Integer(one), TypeKind::Integer(other)) => one == other,
        (
            TypeKind::Formatted { format, verbatim },
            TypeKind::Formatted {
                format: other,
                verbatim: kept,
            },
        ) => (format, verbatim) == (other, kept),
        _ => false,
    }
}
