//! Schemas that accept no value, as far as that is easily seen.

use crate::normal::{AllOf, NormalForm, Normalizer, Tag, Type, Union, Variant};
use crate::sampler::least;
use crate::value::scalar::accepts_text;
use crate::value::text;
use json_schema::number::decimal::Decimal;
use json_schema::pattern::length::longest;
use serde_json::{Map, Value};
use std::cell::Cell;

/// How many schemas are looked at.
const BUDGET: usize = 1_000;

/// Asks whether schemas accept any value.
#[derive(Debug)]
pub struct Satisfiability<'s, 'a> {
    forms: &'s Normalizer<'a>,
    left: Cell<usize>,
}

/// The schemas around a place: a finite value does not come to one of them again.
type Around = Vec<Vec<usize>>;

impl<'s, 'a> Satisfiability<'s, 'a> {
    /// For the schemas of one bundle.
    #[must_use]
    pub fn new(forms: &'s Normalizer<'a>) -> Satisfiability<'s, 'a> {
        let left = Cell::new(BUDGET);
        Satisfiability { forms, left }
    }

    /// Whether no value is accepted: an enumeration has no valid value, limits exclude each other, a
    /// required member has no value or never ends, or a union has no variant with a value of its own.
    #[must_use]
    pub fn is_unsatisfiable(&self, all: &AllOf<'a>) -> bool {
        self.below(all, &mut Vec::new())
    }

    fn below(&self, all: &AllOf<'a>, around: &mut Around) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else {
            return false;
        };
        self.left.set(left);
        if all.is_false() {
            return true;
        }
        let here = all.addresses();
        if here.is_empty() || around.contains(&here) {
            return !here.is_empty();
        }
        around.push(here);
        let is_unsatisfiable = self.form(&self.forms.of(all), around);
        around.pop();
        is_unsatisfiable
    }

    fn form(&self, form: &NormalForm<'a>, around: &mut Around) -> bool {
        let is_only = |ty: Type| form.types.iter().all(|known| *known == ty);
        let lacks_values = |values: &Vec<Value>| !values.iter().any(|v| accepts(form, v));
        form.types.is_empty()
            || form.enumerated.as_ref().is_some_and(lacks_values)
            || (is_only(Type::String) && has_no_text(form))
            || (is_only(Type::Number) && exclude(form, "minimum", "maximum"))
            || (is_only(Type::Array) && exclude(form, "minItems", "maxItems"))
            || (is_only(Type::Object) && exclude(form, "minProperties", "maxProperties"))
            || (is_only(Type::Object) && self.lacks_member(form, around))
            || (is_only(Type::Array) && self.lacks_item(form, around))
            || form.unions.iter().any(|union| self.union(union, around))
    }

    fn lacks_member(&self, form: &NormalForm<'a>, around: &mut Around) -> bool {
        let required = form.required.iter();
        let mut members = required.filter_map(|name| form.member(name));
        members.any(|member| self.below(&member, around))
    }

    fn lacks_item(&self, form: &NormalForm<'a>, around: &mut Around) -> bool {
        let item = form.item(0).filter(|_| least(form, "minItems") > 0);
        item.is_some_and(|item| self.below(&item, around))
    }

    fn union(&self, union: &Union<'a>, around: &mut Around) -> bool {
        let meanings: Vec<Option<Value>> = match union.exactly_one {
            true => {
                let variants = union.variants.iter();
                variants.map(|v| self.meaning(&v.schemas)).collect()
            }
            false => Vec::new(),
        };
        // A value of two equal variants of `oneOf` fits twice, and so is refused.
        let is_repeated = |index: usize| {
            let own = meanings.get(index).and_then(Option::as_ref);
            let same = meanings.iter().filter(|other| other.as_ref() == own);
            own.is_some() && same.count() > 1
        };
        let mut variants = union.variants.iter().enumerate();
        variants.all(|(index, variant)| {
            (variant.tags.is_empty() && is_repeated(index))
                || self.refuses_its_tags(variant)
                || self.below(&variant.schemas, around)
        })
    }

    /// Whether a variant refuses each of the names that a discriminator gives it.
    fn refuses_its_tags(&self, variant: &Variant<'a>) -> bool {
        let form = self.forms.of(&variant.schemas);
        let accepts = |(property, tag): &Tag| {
            let member = form.member(property).map(|all| self.forms.of(&all));
            member.is_none_or(|member| {
                let values = member.enumerated.as_ref();
                member.types.contains(&Type::String)
                    && values.is_none_or(|values| values.iter().any(|value| value == tag))
            })
        };
        !variant.tags.is_empty() && !variant.tags.iter().any(accepts)
    }

    /// The meaning of a schema without parts, so that it can be compared; `None` for others.
    fn meaning(&self, all: &AllOf<'a>) -> Option<Value> {
        let form = self.forms.of(all);
        let has_parts = form.describes_parts() || !form.unions.is_empty();
        if has_parts || !form.opaque.is_empty() {
            return None;
        }
        let constraints = form.constraints.iter().filter(|(keyword, operand)| {
            *keyword != "format" || !text::format_samples(operand).is_empty()
        });
        let constraints = constraints.map(|(keyword, operand)| format!("{keyword} {operand}"));
        let limits = form.limits.iter();
        let limits = limits.map(|(keyword, limit)| format!("{keyword} {limit}"));
        let values = form.enumerated.clone().map_or(Value::Null, Value::Array);
        let said = [
            ("types", form.types.iter().map(|ty| ty.name()).collect()),
            ("integer", form.integer.into()),
            ("values", values),
            ("required", form.required.iter().cloned().collect()),
            ("keywords", constraints.chain(limits).collect()),
        ];
        let said = said.into_iter().map(|(name, said)| (name.to_owned(), said));
        Some(Value::Object(said.collect::<Map<String, Value>>()))
    }
}

/// Whether a lower limit is above the upper one.
fn exclude(form: &NormalForm<'_>, lower: &str, upper: &str) -> bool {
    let limit = |keyword: &str| form.limits.get(keyword).and_then(Decimal::of);
    matches!((limit(lower), limit(upper)), (Some(lower), Some(upper)) if lower > upper)
}

/// Whether strings must be longer than they may be, or than any that matches a pattern.
fn has_no_text(form: &NormalForm<'_>) -> bool {
    let least = least(form, "minLength");
    let mut longest = form.constraints_of("pattern").filter_map(longest);
    exclude(form, "minLength", "maxLength")
        || longest.any(|longest| u64::try_from(longest).is_ok_and(|longest| longest < least))
}

/// Whether an enumerated value may be valid by the other keywords.
fn accepts(form: &NormalForm<'_>, value: &Value) -> bool {
    let text = value.as_str();
    form.types.contains(&Type::of(value)) && text.is_none_or(|text| accepts_text(form, text))
}

#[cfg(test)]
mod tests {
    use crate::Samples;
    use serde_json::{Map, Value, json};

    fn is_unsatisfiable(schema: Value) -> bool {
        let schemas = Map::from_iter([("It".to_owned(), schema)]);
        Samples::new(schemas).is_unsatisfiable("It")
    }

    #[test]
    fn schemas_without_values_are_unsatisfiable() {
        let own = json!({ "$ref": "#/It" });
        for schema in [
            json!({ "type": "string", "enum": [1, 2] }),
            json!({ "type": "string", "format": "date-time", "enum": ["now"] }),
            json!({ "type": "string", "pattern": "^[a-z0-9]$", "minLength": 32 }),
            json!({ "type": "string", "minLength": 3, "maxLength": 2 }),
            json!({ "type": "integer", "minimum": 3, "maximum": 2 }),
            json!({ "type": "array", "minItems": 3, "maxItems": 2 }),
            json!({ "type": "object", "required": ["a"], "properties": { "a": own } }),
            json!({ "type": "array", "minItems": 1, "items": own }),
            json!({ "oneOf": [{ "type": "string" }, { "type": "string", "title": "Again" }] }),
            json!({ "anyOf": [{ "type": "object", "required": ["a"], "properties": { "a": own } }, false] }),
        ] {
            assert!(is_unsatisfiable(schema.clone()), "{schema}");
        }
    }

    #[test]
    fn schemas_with_a_value_are_not() {
        let own = json!({ "$ref": "#/It" });
        for schema in [
            json!({ "type": "string", "enum": [1, "2"] }),
            json!({ "type": "string", "pattern": "^[a-z0-9]{32}$", "minLength": 32 }),
            json!({ "type": "string", "pattern": "[a-z0-9]", "minLength": 32 }),
            json!({ "type": ["string", "null"], "pattern": "^[a-z0-9]$", "minLength": 32 }),
            json!({ "type": "number", "minimum": 2, "maximum": 2.0 }),
            json!({ "type": "object", "properties": { "a": own } }),
            json!({ "type": "array", "items": own }),
            json!({ "oneOf": [{ "type": "string" }, { "type": "string", "maxLength": 3 }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "string" }] }),
            json!({ "anyOf": [{ "type": "object", "required": ["a"], "properties": { "a": own } }, { "type": "null" }] }),
        ] {
            assert!(!is_unsatisfiable(schema.clone()), "{schema}");
        }
    }
}
