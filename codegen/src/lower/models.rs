//! Lowers schemas to types.

mod component_name;
mod components;
mod enumerations;
mod equal_types;
mod inlined;
mod keywords;
mod object_rules;
mod rules;
mod shapes;
mod shared_types;
mod types;

use super::{formats, merge, unions};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::formats::own_type;
use crate::ir::Cause;
use crate::ir::integer::is_exact_in_f64;
use crate::ir::{
    Format, Model, ModelId, ModelShape, Name, Pattern, PatternId, Rules, Type, TypeKind,
};
use crate::names::{self, Scope};
use crate::openapi::{Bundle, Key, RUST_TYPE};
use crate::schema::{self, JsonType, Keywords, Schema};
use crate::source::Pointer;
use crate::source::files::is_mounted;
use inlined::Inlined;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The result of lowering a schema.
pub(super) enum Lowered {
    /// A shape that needs a name of its own.
    Named(ModelShape),
    /// A type that needs none.
    Plain(Type),
}

/// Lowers schemas on demand; each bundle key that is used becomes one model.
pub(super) struct Models<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) models: Vec<Model>,
    by_key: BTreeMap<Key, ModelId>,
    inlined: Inlined<'a>,
    /// Whether the schema is a read or write variant, whose parts are named after it.
    in_variant: bool,
    /// The component that is being lowered, or whose variant is.
    filled: Key,
    names: Scope,
    /// The formats that have a type.
    pub(super) formats: Vec<Format>,
    pub(super) patterns: Vec<Pattern>,
    pattern_names: Scope,
    pattern_at: BTreeMap<Pointer, PatternId>,
    shared: shared_types::SharedTypes<'a>,
    equal: equal_types::EqualTypes<'a>,
    pub(super) extra: Map<String, Value>,
    /// Those of `extra` that nothing reads any longer, because types and conditions hold what they say.
    pub(super) compiled: Map<String, Value>,
    /// The JSON types of schemas, as far as they have been asked for.
    pub(super) types: BTreeMap<Key, Vec<JsonType>>,
    /// The causes why schemas are left to the interpreter.
    pub(super) causes: BTreeMap<Key, Cause>,
    /// The schemas' checkers, as far as they were needed.
    pub(super) taken: BTreeMap<(String, String), bool>,
    /// The schemas for which it was reported that answers are any text; reported once, because all
    /// operations may share one for their errors.
    pub(super) reported_texts: BTreeSet<Pointer>,
}

impl<'a> Models<'a> {
    pub(super) fn new(bundle: &'a Bundle, diagnostics: &'a mut Diagnostics) -> Self {
        Models {
            bundle,
            diagnostics,
            models: Vec::new(),
            by_key: BTreeMap::new(),
            inlined: Inlined::default(),
            in_variant: false,
            filled: Key::new(),
            names: Scope::default(),
            formats: formats::used(bundle),
            patterns: Vec::new(),
            pattern_names: Scope::default(),
            pattern_at: BTreeMap::new(),
            shared: shared_types::SharedTypes::of(bundle),
            equal: equal_types::EqualTypes::default(),
            extra: Map::new(),
            compiled: Map::new(),
            types: BTreeMap::new(),
            causes: BTreeMap::new(),
            taken: BTreeMap::new(),
            reported_texts: BTreeSet::new(),
        }
    }

    /// The schema of a key, including keys made by [`Models::register`].
    pub(super) fn schema_of(&self, key: &str) -> Option<&Value> {
        self.extra.get(key).or_else(|| self.bundle.get(key))
    }

    /// The type of a bundle key: the model of a component, or the lowered schema itself.
    pub(super) fn type_of(&mut self, key: &str, hint: &str) -> Type {
        if let Some(id) = self.by_key.get(key) {
            return Type::of(TypeKind::Model(*id));
        }
        let Some(value) = self.bundle.get(key) else {
            return Type::of(TypeKind::Json);
        };
        if self.bundle.is_dynamic(key) {
            return self.dynamic(key);
        }
        if Pointer::parse(key).is_some_and(|at| is_mounted(&at)) {
            // A schema of another file has one type, as a component has, wherever it is used.
            return self.referred(key);
        }
        let place = self.bundle.place(key);
        let schema = schema::parse(value, &place, self.diagnostics);
        let component = self.component_name_of(key);
        self.lower(&schema, component.as_deref().unwrap_or(hint))
    }

    /// The name of a schema inside a component, where its key is a place.
    fn component_name_of(&self, key: &str) -> Option<String> {
        let place = self.bundle.place(key);
        let known = self.bundle.key_at(&place).filter(|known| *known == key);
        known.and_then(|_| component_name::component_name(&place))
    }

    /// The model that a `$ref` names.
    fn referred(&mut self, key: &str) -> Type {
        if let Some(id) = self.by_key.get(key) {
            return Type::of(TypeKind::Model(*id));
        }
        if self.bundle.get(key).is_none() {
            // The bundle has reported it.
            return Type::of(TypeKind::Json);
        }
        if self.component_name_of(key).is_some() {
            // A component is no variant, wherever it is referred to.
            let in_variant = std::mem::replace(&mut self.in_variant, false);
            let ty = self.type_of(key, key);
            self.in_variant = in_variant;
            return ty;
        }
        let wanted = names::of_key(key);
        let id = self.reserve(key, &wanted);
        // A variant is filled after all components.
        if !self
            .bundle
            .read_write_variants()
            .iter()
            .any(|variant| variant == key)
        {
            self.fill(key);
        }
        Type::of(TypeKind::Model(id))
    }

    /// The keywords of a schema behind its references; to inspect, not to name types after.
    pub(super) fn resolved(&mut self, schema: &Schema<'a>) -> Option<Keywords<'a>> {
        let mut current = match schema {
            Schema::Keywords(keywords) => (**keywords).clone(),
            _ => return None,
        };
        for _ in 0..32 {
            let Some(key) = current.lone_reference() else {
                return Some(current);
            };
            let value = self.bundle.get(key)?;
            let Schema::Keywords(next) =
                schema::parse(value, &self.bundle.place(key), self.diagnostics)
            else {
                return None;
            };
            current = *next;
        }
        None
    }

    /// A new model for a schema that needs one.
    pub(super) fn model(&mut self, keywords: &Keywords<'a>, hint: &str, shape: ModelShape) -> Type {
        let id = ModelId(self.models.len());
        let shape = match self.equal.first(keywords, &shape, id) {
            Some(first) => ModelShape::Alias(Type::of(TypeKind::Model(first))),
            None => shape,
        };
        let name = self.names.claim(Name::of(hint));
        let doc = keywords.description.clone().unwrap_or_default();
        self.models.push(Model {
            name,
            doc,
            schema: String::new(),
            shape,
        });
        Type::of(TypeKind::Model(id))
    }

    /// The shape of a schema that has a name.
    fn shape(&mut self, schema: &Schema<'a>, name: &str) -> ModelShape {
        match self.lower_named(schema, name) {
            Lowered::Named(shape) => shape,
            Lowered::Plain(ty) => ModelShape::Alias(ty),
        }
    }

    /// The type of a schema; a new model, if one is needed, is named after `hint`.
    pub(super) fn lower(&mut self, schema: &Schema<'a>, hint: &str) -> Type {
        if self.in_variant
            && let Some(known) = self.shared.get(&self.filled, schema)
        {
            return known;
        }
        let ty = match schema {
            Schema::Keywords(keywords) if self.is_inlined(keywords, hint) => {
                self.inlined(keywords, hint)
            }
            _ => self.lower_in_place(schema, hint),
        };
        if !self.in_variant {
            self.shared.insert(&self.filled, schema, &ty);
        }
        ty
    }

    fn lower_in_place(&mut self, schema: &Schema<'a>, hint: &str) -> Type {
        match self.lower_named(schema, hint) {
            Lowered::Plain(ty) => ty,
            Lowered::Named(shape) => match schema {
                Schema::Keywords(keywords) => self.model(keywords, hint, shape),
                _ => Type::of(TypeKind::Json),
            },
        }
    }

    fn lower_named(&mut self, schema: &Schema<'a>, hint: &str) -> Lowered {
        match schema {
            Schema::Always => Lowered::Plain(Type::of(TypeKind::Json)),
            Schema::Never => {
                let key = self.register("never", &Value::Bool(false));
                Lowered::Plain(Type::checked(key))
            }
            Schema::Keywords(keywords) => self.keywords(keywords, hint),
        }
    }

    fn keywords(&mut self, k: &Keywords<'a>, hint: &str) -> Lowered {
        if let Some(key) = k.lone_reference() {
            return Lowered::Plain(self.referred(key));
        }
        if let Some(own) = self.own(k) {
            return Lowered::Named(own);
        }
        if let Some(rules) = self.object_rules(k) {
            return self.object_with_rules(k, &rules, hint);
        }
        if k.foreign.is_some() {
            return Lowered::Plain(self.checked(k));
        }
        if !k.all_of.is_empty() || k.reference.is_some() {
            return match merge::merge(self, k) {
                Some(merge::Merged::One(only)) => self.lower_named(&only, hint),
                Some(merge::Merged::Whole(merged)) if merged.has_form() => {
                    self.keywords(&merged, hint)
                }
                _ => Lowered::Plain(self.checked(k)),
            };
        }
        if !k.one_of.is_empty() || !k.any_of.is_empty() {
            return unions::lower(self, k, hint);
        }
        if let Some(value) = &k.constant {
            let typed = k.types.is_empty() || k.types.iter().any(|ty| ty.takes(value));
            let listed = k.values.as_ref().is_none_or(|all| all.contains(value));
            let is_allowed = !k.valid_values(std::slice::from_ref(value)).is_empty();
            return match value {
                _ if !typed || !listed || !is_allowed => Lowered::Plain(self.checked(k)),
                Value::Null => Lowered::Plain(Type::of(TypeKind::Null)),
                Value::Array(_) | Value::Object(_) => Lowered::Plain(self.checked(k)),
                // A large float is only exactly equal to a number as a decimal.
                Value::Number(number) if !number.is_i64() && !is_exact_in_f64(value) => {
                    Lowered::Plain(self.checked(k))
                }
                _ => Lowered::Named(ModelShape::Constant(value.clone())),
            };
        }
        if let Some(values) = &k.values {
            return self.enumeration(k, values, hint);
        }
        self.typed(k, hint)
    }

    /// The type that a schema names as its own; the bundle has reported its errors.
    fn own(&mut self, k: &Keywords<'a>) -> Option<ModelShape> {
        let row = k.raw.get(RUST_TYPE)?;
        let typed = own_type(row, false, &k.at).ok()?;
        let rules = Rules {
            schema: Some(self.register(&self.key_for(k), &k.raw)),
            ..Rules::default()
        };
        Some(ModelShape::Own {
            typed: Box::new(typed),
            rules: Box::new(rules),
        })
    }

    /// A JSON value that the checker must accept: the type of all schemas without a native one.
    pub(super) fn checked(&mut self, k: &Keywords<'a>) -> Type {
        self.note_value(&k.at, &k.formless());
        let key = self.register(&self.key_for(k), &k.raw);
        Type::checked(key)
    }

    /// The key of a schema, or one for it.
    fn key_for(&self, k: &Keywords<'a>) -> Key {
        let whole = self.bundle.key_at(&k.at).cloned();
        whole.unwrap_or_else(|| k.at.as_str().to_owned())
    }

    /// A JSON value for a schema whose meaning depends on where it is used.
    fn dynamic(&mut self, key: &str) -> Type {
        self.note_value(&self.bundle.place(key), "`$dynamicRef` has no Rust form");
        Type::checked(key.to_owned())
    }

    /// Tells that the values of a schema are any JSON in Rust.
    fn note_value(&mut self, at: &Pointer, cause: &str) {
        let message = format!("{cause}: its values are `serde_json::Value`, which is checked");
        self.diagnostics
            .warn(Diagnostic::new(Code::JsonValue, at, message));
    }

    /// Gives a schema inside another one a key of its own.
    pub(super) fn register(&mut self, wanted: &str, schema: &Value) -> Key {
        if self.bundle.get(wanted) == Some(schema) || self.extra.get(wanted) == Some(schema) {
            return wanted.to_owned();
        }
        let mut key = wanted.to_owned();
        while self.extra.contains_key(&key) || self.bundle.get(&key).is_some() {
            key.push('\'');
        }
        self.extra.insert(key.clone(), schema.clone());
        key
    }

    /// The shape of a model, as far as it is known.
    pub(super) fn shape_of(&self, id: ModelId) -> Option<&ModelShape> {
        self.models.get(id.0).map(|model| &model.shape)
    }
}

/// The description of a schema, or else the one in its `allOf` beside a reference.
pub(super) fn doc_of(schema: &Schema<'_>) -> String {
    let Schema::Keywords(k) = schema else {
        return String::new();
    };
    let beside = || k.all_of.iter().map(doc_of).find(|doc| !doc.is_empty());
    k.description.clone().or_else(beside).unwrap_or_default()
}
