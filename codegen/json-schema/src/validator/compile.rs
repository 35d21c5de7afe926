//! From a bundle of schemas as JSON to compiled nodes.
//!
//! Every subschema is known by its JSON pointer, so that a reference may
//! point forwards and at any schema of the bundle. Nothing fails: an operand
//! of the wrong kind, or a reference to nowhere, compiles to a keyword that
//! refuses every value.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Number, Value};

use crate::pattern::Pattern;
use crate::types::Types;
use crate::validator::TypedFormat;
use crate::validator::node::{
    Assertion, Conditional, Contains, Format, Items, Members, NodeId, Tagged, Worded,
};
use crate::validator::report::escape_pointer;

type Object = Map<String, Value>;

/// Assigns indices to pointers as they are met.
pub(crate) struct Compiler {
    nodes: Vec<Vec<Assertion>>,
    ids: HashMap<String, NodeId>,
    formats: &'static [TypedFormat],
}

impl Compiler {
    /// The nodes of a bundle, and the index of each name.
    pub(crate) fn bundle(
        bundle: &Value,
        formats: &'static [TypedFormat],
    ) -> (Vec<Vec<Assertion>>, HashMap<String, NodeId>) {
        let mut compiler = Self {
            formats,
            nodes: Vec::new(),
            ids: HashMap::new(),
        };
        let mut names = HashMap::new();
        for (name, schema) in bundle.as_object().into_iter().flatten() {
            let pointer = format!("/{}", escape_pointer(name));
            names.insert(name.clone(), compiler.schema(&pointer, schema));
        }
        (compiler.nodes, names)
    }

    /// The index of a pointer; until something is compiled there, it refuses.
    fn id(&mut self, pointer: &str) -> NodeId {
        if let Some(id) = self.ids.get(pointer) {
            return *id;
        }
        let id = NodeId(self.nodes.len());
        self.nodes.push(vec![Assertion::Broken]);
        self.ids.insert(pointer.to_owned(), id);
        id
    }

    fn schema(&mut self, at: &str, schema: &Value) -> NodeId {
        let id = self.id(at);
        let keywords = match schema {
            Value::Bool(true) => Vec::new(),
            Value::Bool(false) => vec![Assertion::Never],
            Value::Object(schema) => self.keywords(at, schema),
            _ => vec![Assertion::Broken],
        };
        if let Some(node) = self.nodes.get_mut(id.0) {
            *node = keywords;
        }
        id
    }

    fn format(&self, name: &str) -> Format {
        let mut typed = self.formats.iter().filter(|(format, _)| *format == name);
        Format {
            name: name.to_owned(),
            read: typed.next().map(|(_, read)| *read),
        }
    }

    fn keywords(&mut self, at: &str, schema: &Object) -> Vec<Assertion> {
        let mut keywords = Vec::new();
        if let Some(anchors) = schema.get("$dynamicScope") {
            let anchors = self.anchors(anchors);
            keywords.push(anchors.map_or(Assertion::Broken, Assertion::Scope));
        }
        let worded = self.worded(schema);
        for (name, operand) in schema {
            if worded.is_some() && matches!(name.as_str(), "pattern" | "format") {
                continue;
            }
            if let Some(keyword) = self.keyword(at, name, operand, schema) {
                keywords.push(keyword.unwrap_or(Assertion::Broken));
            }
        }
        keywords.extend(worded.map(Assertion::Worded));
        // Keywords that depend on each other are compiled together; the walk
        // above skipped them all.
        keywords.extend(self.items(at, schema));
        keywords.extend(self.members(at, schema));
        keywords
    }

    /// The keywords that `x-message` words, unless one of them is malformed.
    fn worded(&self, schema: &Object) -> Option<Worded> {
        let message = schema.get("x-message")?.as_str()?.to_owned();
        let (source, name) = (schema.get("pattern"), schema.get("format"));
        if [source, name]
            .into_iter()
            .flatten()
            .any(|it| !it.is_string())
        {
            return None;
        }
        Some(Worded {
            pattern: source.and_then(Value::as_str).map(pattern),
            format: name.and_then(Value::as_str).map(|name| self.format(name)),
            message,
        })
    }

    /// `None` for a keyword without an effect, `Some(None)` for a malformed one.
    fn keyword(
        &mut self,
        at: &str,
        name: &str,
        operand: &Value,
        schema: &Object,
    ) -> Option<Option<Assertion>> {
        let below = format!("{at}/{name}");
        Some(match name {
            "$ref" => operand
                .as_str()
                .map(|target| Assertion::Ref(self.reference(target))),
            "type" => types(operand).map(Assertion::Type),
            "enum" => operand.as_array().cloned().map(Assertion::Enum),
            "const" => Some(Assertion::Const(operand.clone())),
            "minimum" => number(operand).map(Assertion::Minimum),
            "maximum" => number(operand).map(Assertion::Maximum),
            "exclusiveMinimum" => number(operand).map(Assertion::ExclusiveMinimum),
            "exclusiveMaximum" => number(operand).map(Assertion::ExclusiveMaximum),
            "multipleOf" => number(operand).map(Assertion::MultipleOf),
            "minLength" => count(operand).map(Assertion::MinLength),
            "maxLength" => count(operand).map(Assertion::MaxLength),
            "pattern" => operand
                .as_str()
                .map(|source| Assertion::Pattern(pattern(source))),
            "format" => operand
                .as_str()
                .map(|format| Assertion::Format(self.format(format))),
            "contains" => self.contains(&below, operand, schema),
            "minItems" => count(operand).map(Assertion::MinItems),
            "maxItems" => count(operand).map(Assertion::MaxItems),
            "uniqueItems" if operand == &Value::Bool(false) => return None,
            "uniqueItems" => operand.as_bool().map(|_| Assertion::UniqueItems),
            "unevaluatedItems" => Some(Assertion::UnevaluatedItems(self.schema(&below, operand))),
            "required" => strings(operand).map(Assertion::Required),
            "propertyNames" => Some(Assertion::PropertyNames(self.schema(&below, operand))),
            "minProperties" => count(operand).map(Assertion::MinProperties),
            "maxProperties" => count(operand).map(Assertion::MaxProperties),
            "dependentRequired" => dependent_required(operand).map(Assertion::DependentRequired),
            "dependentSchemas" => self.named(&below, operand).map(Assertion::DependentSchemas),
            "unevaluatedProperties" => Some(Assertion::UnevaluatedProperties(
                self.schema(&below, operand),
            )),
            "allOf" => self.list(&below, operand).map(Assertion::AllOf),
            "anyOf" => self.union(&below, operand, schema, false),
            "oneOf" => self.union(&below, operand, schema, true),
            "not" => Some(Assertion::Not(self.schema(&below, operand))),
            "if" => Some(Assertion::If(self.conditional(at, operand, schema))),
            "$dynamicRef" => self.dynamic_reference(operand),
            "$defs" | "definitions" => {
                // Compiled for the references into them.
                self.named(&below, operand);
                return None;
            }
            _ => return None,
        })
    }

    fn reference(&mut self, target: &str) -> NodeId {
        let pointer = target.strip_prefix('#').unwrap_or(target);
        let pointer = percent_decode_str(pointer).decode_utf8_lossy();
        self.id(&pointer)
    }

    /// A `$dynamicRef` as the generator writes it: an anchor, and where it leads
    /// at first.
    fn dynamic_reference(&mut self, operand: &Value) -> Option<Assertion> {
        let anchor = operand.get("anchor")?.as_str()?.to_owned();
        let target = self.reference(operand.get("to")?.as_str()?);
        Some(Assertion::DynamicRef(anchor, target))
    }

    /// The dynamic anchors of a resource, each a name and a reference.
    fn anchors(&mut self, operand: &Value) -> Option<Vec<(String, NodeId)>> {
        let anchors = operand.as_object()?.iter();
        anchors
            .map(|(name, target)| Some((name.clone(), self.reference(target.as_str()?))))
            .collect()
    }

    fn list(&mut self, at: &str, operand: &Value) -> Option<Vec<NodeId>> {
        let schemas = operand.as_array()?.iter().enumerate();
        Some(
            schemas
                .map(|(index, schema)| self.schema(&format!("{at}/{index}"), schema))
                .collect(),
        )
    }

    fn union(
        &mut self,
        at: &str,
        operand: &Value,
        schema: &Object,
        exactly_one: bool,
    ) -> Option<Assertion> {
        let branches = self.list(at, operand)?;
        let tagged = Tagged::of(schema, operand, &branches, exactly_one);
        Some(match tagged {
            Some(tagged) => Assertion::Tagged(tagged),
            None if exactly_one => Assertion::OneOf(branches),
            None => Assertion::AnyOf(branches),
        })
    }

    fn named(&mut self, at: &str, operand: &Value) -> Option<Vec<(String, NodeId)>> {
        let mut ids = Vec::new();
        for (name, schema) in operand.as_object()? {
            let pointer = format!("{at}/{}", escape_pointer(name));
            ids.push((name.clone(), self.schema(&pointer, schema)));
        }
        Some(ids)
    }

    fn optional(&mut self, at: &str, name: &str, schema: &Object) -> Option<NodeId> {
        schema
            .get(name)
            .map(|operand| self.schema(&format!("{at}/{name}"), operand))
    }

    fn conditional(&mut self, at: &str, condition: &Value, schema: &Object) -> Conditional {
        Conditional {
            condition: self.schema(&format!("{at}/if"), condition),
            then: self.optional(at, "then", schema),
            otherwise: self.optional(at, "else", schema),
        }
    }

    fn contains(&mut self, at: &str, operand: &Value, schema: &Object) -> Option<Assertion> {
        let min = schema.get("minContains").map_or(Some(1), count)?;
        let max = match schema.get("maxContains") {
            Some(operand) => Some(count(operand)?),
            None => None,
        };
        Some(Assertion::Contains(Contains {
            schema: self.schema(at, operand),
            min,
            max,
        }))
    }

    fn items(&mut self, at: &str, schema: &Object) -> Option<Assertion> {
        let prefix = schema.get("prefixItems");
        let rest = self.optional(at, "items", schema);
        let prefix = match prefix {
            Some(operand) => match self.list(&format!("{at}/prefixItems"), operand) {
                Some(prefix) => prefix,
                None => return Some(Assertion::Broken),
            },
            None => Vec::new(),
        };
        (rest.is_some() || !prefix.is_empty()).then_some(Assertion::Items(Items { prefix, rest }))
    }

    fn members(&mut self, at: &str, schema: &Object) -> Option<Assertion> {
        let mut subschemas = |name: &str| match schema.get(name) {
            Some(operand) => self.named(&format!("{at}/{name}"), operand),
            None => Some(Vec::new()),
        };
        let (Some(properties), Some(patterns)) =
            (subschemas("properties"), subschemas("patternProperties"))
        else {
            return Some(Assertion::Broken);
        };
        let additional = self.optional(at, "additionalProperties", schema);
        if properties.is_empty() && patterns.is_empty() && additional.is_none() {
            return None;
        }
        let patterns = patterns
            .into_iter()
            .map(|(source, id)| (pattern(&source), id))
            .collect();
        let properties = properties.into_iter().collect();
        Some(Assertion::Members(Members {
            properties,
            patterns,
            additional,
        }))
    }
}

fn pattern(source: &str) -> Pattern {
    Pattern::owned(source.to_owned())
}

fn number(operand: &Value) -> Option<Number> {
    operand.as_number().cloned()
}

/// A count may be written as `2.0`.
fn count(operand: &Value) -> Option<u64> {
    let whole = || {
        operand
            .as_f64()
            .filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n))
    };
    operand
        .as_u64()
        .or_else(|| format!("{:.0}", whole()?).parse().ok())
}

fn strings(operand: &Value) -> Option<Vec<String>> {
    operand
        .as_array()?
        .iter()
        .map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn dependent_required(operand: &Value) -> Option<Vec<(String, Vec<String>)>> {
    let members = operand.as_object()?.iter();
    members
        .map(|(name, names)| Some((name.clone(), strings(names)?)))
        .collect()
}

fn types(operand: &Value) -> Option<Types> {
    match operand {
        Value::String(name) => Types::named(name),
        Value::Array(names) => names
            .iter()
            .map(|name| name.as_str().and_then(Types::named))
            .try_fold(Types::NONE, |types, name| Some(types.union(name?))),
        _ => None,
    }
}
