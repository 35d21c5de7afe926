//! Schemas to types.

use super::{merge, unions};
use crate::diagnostic::Diagnostics;
use crate::document::{Bundle, Key};
use crate::ir::{
    EnumVariant, Extra, Field, Kind, Model, ModelId, Pattern, PatternId, Rules, Shape, Type,
};
use crate::names::{self, Scope};
use crate::schema::{self, JsonType, Keywords, Schema};
use crate::source::Pointer;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Names that `models.rs` uses for what is not a model.
const RESERVED: &[&str] = &[
    "Check",
    "Deserialize",
    "Encoded",
    "ObjectWriter",
    "Part",
    "Serialize",
    "String",
    "Vec",
    "Option",
    "Box",
    "Result",
    "Some",
    "None",
    "Ok",
    "Err",
];

/// What a schema becomes.
pub(super) enum Lowered {
    /// A shape that wants a name of its own.
    Named(Shape),
    /// A type that needs none.
    Plain(Type),
}

/// Lowers schemas on demand; each bundle key that is referred to becomes one model.
pub(super) struct Models<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) found: &'a mut Diagnostics,
    models: Vec<Model>,
    by_key: BTreeMap<Key, ModelId>,
    names: Scope,
    patterns: Vec<Pattern>,
    constants: Scope,
    pattern_at: BTreeMap<Pointer, PatternId>,
    extra: Map<String, Value>,
}

impl<'a> Models<'a> {
    pub(super) fn new(bundle: &'a Bundle, found: &'a mut Diagnostics) -> Self {
        Models {
            bundle,
            found,
            models: Vec::new(),
            by_key: BTreeMap::new(),
            names: Scope::reserving(RESERVED),
            patterns: Vec::new(),
            constants: Scope::default(),
            pattern_at: BTreeMap::new(),
            extra: Map::new(),
        }
    }

    /// The models, the patterns, and the schemas that are checked whole.
    pub(super) fn finish(self) -> (Vec<Model>, Vec<Pattern>, Map<String, Value>) {
        (self.models, self.patterns, self.extra)
    }

    /// Names every component before lowering one, so that references need no order.
    pub(super) fn lower_components(&mut self) {
        for key in self.bundle.components() {
            self.reserve(key, key);
        }
        for key in self.bundle.components() {
            self.fill(key);
        }
    }

    fn reserve(&mut self, key: &str, wanted: &str) -> ModelId {
        let id = ModelId(self.models.len());
        let name = self.names.claim(names::pascal(wanted));
        self.by_key.insert(key.to_owned(), id);
        // The shape stands in until `fill`; a cycle only ever asks for the id.
        let shape = Shape::Alias(Type::of(Kind::Json));
        self.models.push(Model {
            name,
            doc: String::new(),
            schema: key.to_owned(),
            shape,
        });
        id
    }

    fn fill(&mut self, key: &str) {
        let Some(id) = self.by_key.get(key).copied() else {
            return;
        };
        let Some(value) = self.bundle.get(key) else {
            return;
        };
        let schema = schema::parse(value, &self.bundle.place(key), self.found);
        let name = self
            .models
            .get(id.0)
            .map(|model| model.name.clone())
            .unwrap_or_default();
        let doc = doc_of(&schema);
        let shape = self.shape(&schema, &name);
        if let Some(model) = self.models.get_mut(id.0) {
            model.doc = doc;
            model.shape = shape;
        }
    }

    /// The type of a bundle key: the model of a component, or the lowered schema itself.
    pub(super) fn type_of(&mut self, key: &str, hint: &str) -> Type {
        if let Some(id) = self.by_key.get(key) {
            return Type::of(Kind::Model(*id));
        }
        let Some(value) = self.bundle.get(key) else {
            return Type::of(Kind::Json);
        };
        let schema = schema::parse(value, &self.bundle.place(key), self.found);
        self.lower(&schema, hint)
    }

    /// The model that a `$ref` names.
    fn referred(&mut self, key: &str) -> Type {
        if let Some(id) = self.by_key.get(key) {
            return Type::of(Kind::Model(*id));
        }
        if self.bundle.get(key).is_none() {
            // The bundle has reported it.
            return Type::of(Kind::Json);
        }
        let wanted = key.rsplit('/').next().unwrap_or(key).to_owned();
        let id = self.reserve(key, &wanted);
        self.fill(key);
        Type::of(Kind::Model(id))
    }

    /// The keywords of a schema, references followed; for looking, not for naming.
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
            let Schema::Keywords(next) = schema::parse(value, &self.bundle.place(key), self.found)
            else {
                return None;
            };
            current = *next;
        }
        None
    }

    /// A type of its own for a schema that needs one.
    pub(super) fn model(&mut self, keywords: &Keywords<'a>, hint: &str, shape: Shape) -> Type {
        let id = ModelId(self.models.len());
        let name = self.names.claim(names::pascal(hint));
        let doc = keywords.description.clone().unwrap_or_default();
        self.models.push(Model {
            name,
            doc,
            schema: String::new(),
            shape,
        });
        Type::of(Kind::Model(id))
    }

    /// What a named schema looks like.
    fn shape(&mut self, schema: &Schema<'a>, name: &str) -> Shape {
        match self.lower_named(schema, name) {
            Lowered::Named(shape) => shape,
            Lowered::Plain(ty) => Shape::Alias(ty),
        }
    }

    /// The type of a schema; a new model, if one is needed, is named after `hint`.
    pub(super) fn lower(&mut self, schema: &Schema<'a>, hint: &str) -> Type {
        match self.lower_named(schema, hint) {
            Lowered::Plain(ty) => ty,
            Lowered::Named(shape) => match schema {
                Schema::Keywords(keywords) => self.model(keywords, hint, shape),
                _ => Type::of(Kind::Json),
            },
        }
    }

    fn lower_named(&mut self, schema: &Schema<'a>, hint: &str) -> Lowered {
        match schema {
            Schema::Always => Lowered::Plain(Type::of(Kind::Json)),
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
            return match value {
                Value::Null => Lowered::Plain(Type::of(Kind::Null)),
                Value::Array(_) | Value::Object(_) => Lowered::Plain(self.checked(k)),
                _ => Lowered::Named(Shape::Constant(value.clone())),
            };
        }
        if let Some(values) = &k.values {
            return self.enumeration(k, values, hint);
        }
        self.typed(k, hint)
    }

    /// A list of strings is an enum; with `null` among them, a nullable one.
    fn enumeration(&mut self, k: &Keywords<'a>, values: &[Value], hint: &str) -> Lowered {
        let strings: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let has_null = values.contains(&Value::Null);
        let others = values.len() - strings.len() - usize::from(has_null);
        let typed = k
            .types
            .iter()
            .all(|t| matches!(t, JsonType::String | JsonType::Null));
        if strings.is_empty() || others > 0 || !typed {
            return Lowered::Plain(self.checked(k));
        }
        let mut scope = Scope::default();
        let mut variants: Vec<EnumVariant> = Vec::new();
        for wire in strings {
            if variants.iter().all(|variant| variant.wire != wire) {
                let rust = scope.claim(names::pascal(wire));
                variants.push(EnumVariant {
                    wire: wire.to_owned(),
                    rust,
                });
            }
        }
        let shape = Shape::Enum(variants);
        let null_allowed = k.types.is_empty() || k.types.contains(&JsonType::Null);
        if has_null && null_allowed {
            let inner = self.model(k, hint, shape);
            return Lowered::Plain(Type::nullable(inner));
        }
        Lowered::Named(shape)
    }

    fn typed(&mut self, k: &Keywords<'a>, hint: &str) -> Lowered {
        let nullable = k.types.contains(&JsonType::Null);
        let mut types: Vec<JsonType> = k
            .types
            .iter()
            .copied()
            .filter(|t| *t != JsonType::Null)
            .collect();
        if types.contains(&JsonType::Number) {
            types.retain(|t| *t != JsonType::Integer);
        }
        let lowered = match types.as_slice() {
            [] if nullable => return Lowered::Plain(Type::of(Kind::Null)),
            [] => return self.untyped(k, hint),
            [one] => self.one_type(k, *one, hint),
            _ => return unions::of_types(self, k, &types, nullable, hint),
        };
        match lowered {
            _ if !nullable => lowered,
            Lowered::Named(shape) => {
                let inner = self.model(k, hint, shape);
                Lowered::Plain(Type::nullable(inner))
            }
            Lowered::Plain(ty) => Lowered::Plain(Type::nullable(ty)),
        }
    }

    /// Without `type`, any value passes that the keywords of its own type let through. Documents
    /// that write `properties` or `items` mean an object or an array, and get one.
    fn untyped(&mut self, k: &Keywords<'a>, hint: &str) -> Lowered {
        if !k.properties.is_empty() || k.additional.is_some() {
            return self.one_type(k, JsonType::Object, hint);
        }
        if k.items.is_some() {
            return self.one_type(k, JsonType::Array, hint);
        }
        if k.constrains() {
            Lowered::Plain(self.checked(k))
        } else {
            Lowered::Plain(Type::of(Kind::Json))
        }
    }

    fn one_type(&mut self, k: &Keywords<'a>, ty: JsonType, hint: &str) -> Lowered {
        let rules = self.rules(k, hint);
        Lowered::Plain(Type {
            kind: match ty {
                JsonType::Null => Kind::Null,
                JsonType::Boolean => Kind::Bool,
                JsonType::Integer => Kind::Integer,
                JsonType::Number => Kind::Number,
                JsonType::String => Kind::String,
                JsonType::Array => {
                    let item = match &k.items {
                        Some(items) => self.lower(items, &format!("{hint} item")),
                        None => Type::of(Kind::Json),
                    };
                    Kind::Array(Box::new(item))
                }
                JsonType::Object => return self.object(k, rules, hint),
            },
            rules: Box::new(rules),
        })
    }

    fn object(&mut self, k: &Keywords<'a>, rules: Rules, hint: &str) -> Lowered {
        let closed = matches!(k.additional, Some(Schema::Never));
        if k.properties.is_empty() && k.required.is_empty() && !closed {
            let value = match &k.additional {
                Some(additional) => self.lower(additional, &format!("{hint} value")),
                None => Type::of(Kind::Json),
            };
            return Lowered::Plain(Type {
                kind: Kind::Map(Box::new(value)),
                rules: Box::new(rules),
            });
        }
        if k.min_properties.is_some() || k.max_properties.is_some() {
            // Members that a struct drops cannot be counted.
            return Lowered::Plain(self.checked(k));
        }
        let mut scope = Scope::default();
        let mut fields = Vec::new();
        for (wire, schema) in &k.properties {
            let required = k.required.contains(wire);
            fields.push(self.field(wire, schema, required, hint, &mut scope));
        }
        for wire in &k.required {
            if k.properties.iter().all(|(name, _)| name != wire) {
                let schema = k.additional.clone().unwrap_or(Schema::Always);
                fields.push(self.field(wire, &schema, true, hint, &mut scope));
            }
        }
        let extra = match &k.additional {
            Some(Schema::Never) => Extra::Refused,
            Some(Schema::Keywords(additional)) => {
                let schema = Schema::Keywords(additional.clone());
                let ty = self.lower(&schema, &format!("{hint} value"));
                Extra::Kept {
                    rust: scope.claim("other_members".into()),
                    ty,
                }
            }
            Some(Schema::Always) | None => Extra::Ignored,
        };
        Lowered::Named(Shape::Struct { fields, extra })
    }

    fn field(
        &mut self,
        wire: &str,
        schema: &Schema<'a>,
        required: bool,
        owner: &str,
        scope: &mut Scope,
    ) -> Field {
        let deprecated = matches!(schema, Schema::Keywords(k) if k.deprecated);
        Field {
            wire: wire.to_owned(),
            rust: scope.claim(names::snake(wire)),
            doc: doc_of(schema),
            ty: self.lower(schema, &format!("{owner} {wire}")),
            required,
            boxed: false,
            deprecated,
        }
    }

    /// The constraints that the generated type is checked for.
    fn rules(&mut self, k: &Keywords<'a>, hint: &str) -> Rules {
        Rules {
            min_length: k.min_length.filter(|n| *n > 0),
            max_length: k.max_length,
            pattern: k
                .pattern
                .as_ref()
                .map(|source| self.pattern(source, &k.at, hint)),
            format: k
                .format
                .clone()
                .filter(|format| FORMATS.contains(&format.as_str())),
            minimum: k.minimum.clone(),
            maximum: k.maximum.clone(),
            exclusive_minimum: k.exclusive_minimum.clone(),
            exclusive_maximum: k.exclusive_maximum.clone(),
            multiple_of: k.multiple_of.clone(),
            min_items: k.min_items.filter(|n| *n > 0),
            max_items: k.max_items,
            unique_items: k.unique_items,
            min_properties: k.min_properties.filter(|n| *n > 0),
            max_properties: k.max_properties,
            schema: None,
        }
    }

    /// The constant of a pattern, named after the place that it stands at. Two places with the same
    /// pattern have two constants: that they are the same may change.
    fn pattern(&mut self, source: &str, at: &Pointer, hint: &str) -> PatternId {
        if let Some(id) = self.pattern_at.get(at) {
            return *id;
        }
        let wanted = names::snake(hint).trim_start_matches("r#").to_uppercase();
        let constant = self.constants.claim(wanted);
        let id = PatternId(self.patterns.len());
        self.patterns.push(Pattern {
            constant,
            source: source.to_owned(),
        });
        self.pattern_at.insert(at.clone(), id);
        id
    }

    /// A JSON value that the checker must find valid: the form of whatever has no native one.
    pub(super) fn checked(&mut self, k: &Keywords<'a>) -> Type {
        let key = self.register(k.at.as_str(), &k.raw);
        Type::checked(key)
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

    /// What a model looks like so far.
    pub(super) fn shape_of(&self, id: ModelId) -> Option<&Shape> {
        self.models.get(id.0).map(|model| &model.shape)
    }
}

/// The formats that are asserted; all others are annotations, as the standard has it.
const FORMATS: &[&str] = &[
    "uuid",
    "date",
    "date-time",
    "time",
    "ipv4",
    "ipv6",
    "int32",
    "uint32",
    "uint64",
    "int64",
];

fn doc_of(schema: &Schema<'_>) -> String {
    match schema {
        Schema::Keywords(keywords) => keywords.description.clone().unwrap_or_default(),
        _ => String::new(),
    }
}

impl Type {
    /// A type without constraints.
    pub(super) fn of(kind: Kind) -> Type {
        Type {
            kind,
            rules: Box::default(),
        }
    }

    pub(super) fn nullable(inner: Type) -> Type {
        if matches!(inner.kind, Kind::Nullable(_) | Kind::Json | Kind::Null) {
            return inner;
        }
        Type::of(Kind::Nullable(Box::new(inner)))
    }

    fn checked(schema: Key) -> Type {
        Type {
            kind: Kind::Json,
            rules: Box::new(Rules {
                schema: Some(schema),
                ..Rules::default()
            }),
        }
    }
}

impl Keywords<'_> {
    /// The key of a reference that stands alone but for annotations.
    pub(super) fn lone_reference(&self) -> Option<&str> {
        let key = self.reference.as_deref()?;
        let alone = !self.constrains() && self.all_of.is_empty();
        alone.then_some(key)
    }

    /// Whether the keywords say enough for a native form.
    fn has_form(&self) -> bool {
        !self.types.is_empty()
            || !self.properties.is_empty()
            || self.items.is_some()
            || self.constant.is_some()
            || self.values.is_some()
    }

    /// Whether any keyword besides `$ref` and `allOf` makes a value invalid.
    pub(super) fn constrains(&self) -> bool {
        const SILENT: &[&str] = &[
            "$ref",
            "allOf",
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "example",
            "readOnly",
            "writeOnly",
            "xml",
            "externalDocs",
            "$comment",
            "discriminator",
            "$schema",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
            "$defs",
            "definitions",
        ];
        let members = self.raw.as_object().into_iter().flatten();
        let mut keywords = members.map(|(keyword, _)| keyword.as_str());
        keywords.any(|keyword| !SILENT.contains(&keyword) && !keyword.starts_with("x-"))
    }
}
