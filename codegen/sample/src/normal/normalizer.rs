//! Makes normal forms of schemas.

use super::keywords::{close, listed, own};
use super::merge::and;
use super::tidy::tidy;
use super::union::{flat, is_default, merged, tags};
use super::{AllOf, NormalForm, Type, Union, Variant, address};
use crate::bundle::{Bundle, component};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How deeply references, `allOf` and unions at one place may be nested.
const MAX_DEPTH: usize = 64;
/// How many schemas make up one place; references that double at every step would have no end.
const BUDGET: usize = 10_000;

/// The normal forms of the schemas of a bundle, each made once.
#[derive(Debug)]
pub struct Normalizer<'a> {
    /// The schemas.
    pub bundle: &'a Bundle,
    known: RefCell<HashMap<Vec<usize>, Rc<NormalForm<'a>>>>,
}

impl<'a> Normalizer<'a> {
    /// For the schemas of a bundle.
    #[must_use]
    pub fn new(bundle: &'a Bundle) -> Normalizer<'a> {
        Normalizer {
            bundle,
            known: RefCell::default(),
        }
    }

    /// The normal form of schemas that all apply.
    pub fn of(&self, all: &AllOf<'a>) -> Rc<NormalForm<'a>> {
        let key = all.addresses();
        if let Some(known) = self.known.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut reader = Reader {
            bundle: self.bundle,
            following: all.addresses(),
            joined: HashSet::new(),
            variants: HashMap::new(),
            left: BUDGET,
        };
        let mut form = NormalForm::any();
        for schema in &all.0 {
            form = and(form, reader.schema(schema));
        }
        tidy(&mut form);
        let form = Rc::new(form);
        self.known.borrow_mut().insert(key, Rc::clone(&form));
        form
    }
}

/// Follows a reference that stands alone, so that it is the same as its target.
#[must_use]
pub fn resolved<'a>(bundle: &'a Bundle, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..MAX_DEPTH {
        let lone = schema.as_object().filter(|keywords| keywords.len() == 1);
        let reference = lone.and_then(|keywords| keywords.get("$ref")?.as_str());
        match reference.and_then(|reference| bundle.target(reference)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// The schema that `not: { not: … }` asks for.
fn double_negation(keywords: &Map<String, Value>) -> Option<&Value> {
    let negated = keywords.get("not")?.as_object()?;
    negated.get("not").filter(|_| negated.len() == 1)
}

struct Reader<'a> {
    bundle: &'a Bundle,
    /// The addresses of the schemas that are being read: a reference back to one adds nothing to it.
    following: Vec<usize>,
    /// The targets of references that were merged: merging them again adds nothing.
    joined: HashSet<usize>,
    /// The variants that were read: one that several unions refer to is the same in each.
    variants: HashMap<usize, Rc<NormalForm<'a>>>,
    /// How many more schemas are read.
    left: usize,
}

impl<'a> Reader<'a> {
    fn schema(&mut self, schema: &'a Value) -> NormalForm<'a> {
        let Some(left) = self.left.checked_sub(1) else {
            return NormalForm::any();
        };
        self.left = left;
        match schema {
            Value::Bool(false) => NormalForm::default(),
            Value::Object(keywords) => self.keywords(keywords),
            _ => NormalForm::any(),
        }
    }

    fn keywords(&mut self, keywords: &'a Map<String, Value>) -> NormalForm<'a> {
        let mut form = own(keywords);
        if let Some(schema) = double_negation(keywords) {
            form.opaque.remove("not");
            form = and(form, self.schema(schema));
        }
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str)
            && let Some(target) = self.bundle.target(reference)
            && let address = address(target)
            && !self.following.contains(&address)
            && self.following.len() < MAX_DEPTH
            && self.joined.insert(address)
        {
            self.following.push(address);
            form = and(form, self.schema(target));
            self.following.pop();
        }
        for part in listed(keywords, "allOf") {
            form = and(form, self.schema(part));
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut variants: Vec<_> = listed(keywords, keyword).collect();
            if !variants.is_empty() {
                let exactly_one = keyword == "oneOf";
                if !exactly_one && !keywords.contains_key("discriminator") {
                    variants = flat(self.bundle, variants);
                }
                form = and(form, self.union(keywords, &variants, exactly_one));
            }
        }
        close(&mut form, keywords);
        form
    }

    /// The normal form of a variant by itself.
    fn variant(&mut self, schema: &'a Value) -> Rc<NormalForm<'a>> {
        let address = address(resolved(self.bundle, schema));
        if let Some(known) = self.variants.get(&address) {
            return Rc::clone(known);
        }
        let outside = std::mem::take(&mut self.joined);
        let mut form = self.schema(schema);
        self.joined = outside;
        tidy(&mut form);
        let form = Rc::new(form);
        self.variants.insert(address, Rc::clone(&form));
        form
    }

    fn union(
        &mut self,
        keywords: &Map<String, Value>,
        variants: &[&'a Value],
        exactly_one: bool,
    ) -> NormalForm<'a> {
        let tags = tags(keywords, variants);
        let (mut forms, mut kept) = (Vec::new(), Vec::new());
        for (index, schema) in variants.iter().enumerate() {
            let form = self.variant(schema);
            if !form.types.is_empty() {
                forms.push(form);
                kept.push(Variant {
                    name: component(schema),
                    schemas: AllOf::one(resolved(self.bundle, schema)),
                    tags: tags.get(index).cloned().unwrap_or_default(),
                    is_default: is_default(keywords, schema),
                });
            }
        }
        let is_named = |(form, variant): (&Rc<NormalForm<'_>>, &Variant<'_>)| {
            form.types.contains(&Type::Object) && !variant.tags.is_empty()
        };
        // The one form of all variants has no name for its objects.
        let can_be_one = !forms.iter().zip(&kept).any(is_named);
        if let Some(form) = can_be_one.then(|| merged(&forms, exactly_one)).flatten() {
            return form;
        }
        let mut form = NormalForm::any();
        let types = forms.iter().flat_map(|form| form.types.iter().copied());
        form.types = types.collect();
        form.unions.push(Union {
            exactly_one,
            variants: kept,
        });
        form
    }
}
