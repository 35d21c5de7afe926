//! Makes values that a schema is likely to accept. None is certain: the validator has the last word.

use crate::distinguish::Distinguisher;
use crate::normal::{AllOf, NormalForm, Normalizer, Type, Variant};
use crate::value::choice::{distinct, first_filled, is_blank, preferred};
use crate::value::scalar::{accepts_number, accepts_text, numbers, texts};
use crate::value::text;
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How deeply samples are nested; required members that nest deeper have no sample.
const MAX_DEPTH: usize = 8;
/// How deeply optional members are added.
const MAX_OPTIONAL_DEPTH: usize = 3;
/// The longest list that is made.
const MAX_ITEMS: u64 = 20_000;
/// How many schemas one sampler visits; large contracts nest without end.
const BUDGET: usize = 1_000;

/// The kind of sample that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// With optional members.
    pub optional: bool,
    /// Without examples and defaults, and so that a value of one variant is a value of no other.
    pub distinct: bool,
    /// With nothing that a generated type would drop.
    pub round_trip: bool,
    /// With nothing empty, as far as the schema allows it: queries and forms cannot write that.
    pub filled: bool,
}

/// Makes samples of the schemas of one bundle.
#[derive(Debug)]
pub struct Sampler<'s, 'a> {
    /// The schemas.
    pub forms: &'s Normalizer<'a>,
    style: Style,
    left: Cell<usize>,
    /// The schemas around the current one: a schema that requires itself forever has no values.
    around: RefCell<Vec<Vec<usize>>>,
}

impl<'s, 'a> Sampler<'s, 'a> {
    /// For samples of a style.
    #[must_use]
    pub fn new(forms: &'s Normalizer<'a>, style: Style) -> Sampler<'s, 'a> {
        Sampler {
            forms,
            style,
            left: Cell::new(BUDGET),
            around: RefCell::default(),
        }
    }

    /// The plainest sample of schemas, without optional members.
    pub(crate) fn plain(&self, all: &AllOf<'a>) -> Option<Value> {
        let style = Style {
            optional: false,
            ..self.style
        };
        Sampler::new(self.forms, style).sample(all)
    }

    /// A value that the schemas are likely to accept.
    pub fn sample(&self, all: &AllOf<'a>) -> Option<Value> {
        self.at_depth(all, 0)
    }

    fn at_depth(&self, all: &AllOf<'a>, depth: usize) -> Option<Value> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        if depth > MAX_DEPTH {
            return None;
        }
        let here = all.addresses();
        let has_optional = self.has_optional(depth);
        if !here.is_empty() && !has_optional && self.around.borrow().contains(&here) {
            return None;
        }
        self.around.borrow_mut().push(here);
        let value = self.of_form(&self.forms.of(all), depth);
        self.around.borrow_mut().pop();
        value
    }

    /// A value that a variant is likely to accept, with its tag.
    pub fn variant(&self, variant: &Variant<'a>) -> Option<Value> {
        let value = self.at_depth(&variant.schemas, 0)?;
        Some(variant.tagged(value))
    }

    fn of_form(&self, form: &NormalForm<'a>, depth: usize) -> Option<Value> {
        if let Some(values) = &form.enumerated {
            return self.first(values.iter().cloned());
        }
        let notes = &form.annotations;
        let noted = notes.examples.iter().chain(&notes.default);
        let mut noted = noted.filter(|value| !self.style.distinct && is_plain(form, value));
        if let Some(value) = noted.find(|value| !self.leaves_out(value)) {
            return Some(value.clone());
        }
        match self.of_unions(form, depth, None) {
            Some(Value::Object(members)) => self.object(form, depth, members),
            Some(value) => Some(value),
            None => preferred(form).find_map(|ty| self.of_type(form, ty, depth)),
        }
    }

    fn of_type(&self, form: &NormalForm<'a>, ty: Type, depth: usize) -> Option<Value> {
        match ty {
            Type::Null => Some(Value::Null),
            Type::Boolean => Some(Value::Bool(true)),
            Type::Number => numbers(form, form).into_iter().next().map(Value::Number),
            Type::String => texts(form, form).into_iter().next().map(Value::String),
            Type::Array => self.array_at(form, depth, least(form, "minItems")),
            Type::Object => self.object(form, depth, Map::new()),
        }
    }

    /// A value of the unions of a form, except for one of them.
    fn of_unions(&self, form: &NormalForm<'a>, depth: usize, but: Option<usize>) -> Option<Value> {
        let mut value = None;
        // A union beside other keywords is kept as it is, whatever is in it.
        let round_trip = self.style.round_trip && form.is_only_types_and_unions();
        let within = Sampler {
            forms: self.forms,
            style: Style {
                round_trip,
                ..self.style
            },
            left: Cell::new(self.left.get()),
            around: self.around.clone(),
        };
        let unions = form.unions.iter().enumerate();
        for (_, union) in unions.filter(|(index, _)| but != Some(*index)) {
            let own = union.variants.iter().filter_map(|variant| {
                let own = within.variant_beside(form, variant, depth + 1)?;
                if !(self.style.distinct && union.exactly_one) {
                    return Some(own);
                }
                let distinguisher = Distinguisher::new(&within, within.forms);
                distinguisher.distinguish(variant, union.variants.iter(), own)
            });
            value = match (value, self.first(own)) {
                (Some(Value::Object(known)), Some(Value::Object(own))) => {
                    Some(Value::Object(known.into_iter().chain(own).collect()))
                }
                (known, own) => known.or(own),
            };
        }
        self.left.set(within.left.get());
        value
    }

    /// A value that a variant and the form around it are likely to accept: a variant may do no more than
    /// require members that the form describes.
    fn variant_beside(
        &self,
        form: &NormalForm<'a>,
        variant: &Variant<'a>,
        depth: usize,
    ) -> Option<Value> {
        let mut value = self.at_depth(&variant.schemas, depth)?;
        let own = self.forms.of(&variant.schemas);
        let is_plain = own.unions.is_empty() && own.enumerated.is_none();
        let members = value.as_object_mut().filter(|_| is_plain);
        for (name, member) in members.into_iter().flatten() {
            if let Some(mut schemas) = form.member(name) {
                schemas.add(&own.member(name).unwrap_or_default());
                *member = self.at_depth(&schemas, depth + 1)?;
            }
        }
        Some(variant.tagged(value))
    }

    /// An object with the given members and those that the form requires, its unions included, except for
    /// one of them.
    pub fn members_around(
        &self,
        form: &NormalForm<'a>,
        members: Map<String, Value>,
        but: Option<usize>,
    ) -> Option<Map<String, Value>> {
        let mut all = match self.of_unions(form, 0, but) {
            Some(Value::Object(beside)) => beside,
            _ => Map::new(),
        };
        all.extend(members);
        match self.object(form, 0, all)? {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// A list of a length, with different items as far as possible.
    pub fn array(&self, form: &NormalForm<'a>, length: u64) -> Option<Value> {
        self.array_at(form, 0, length)
    }

    fn array_at(&self, form: &NormalForm<'a>, depth: usize, length: u64) -> Option<Value> {
        if length > MAX_ITEMS {
            return None;
        }
        let some = u64::from(self.style.filled || self.has_optional(depth));
        let wanted = length.max(some);
        let wanted = form
            .limit("maxItems")
            .map_or(wanted, |room| wanted.min(room.max(length)));
        let is_unique = form.constraints_of("uniqueItems").next().is_some();
        let mut items = Vec::new();
        for index in 0..usize::try_from(wanted).ok()? {
            let schemas = form.item(index).unwrap_or_default();
            let item = self.at_depth(&schemas, depth + 1)?;
            items.push(match is_unique {
                true => distinct(item, &items),
                false => item,
            });
        }
        Some(Value::Array(items))
    }

    /// An object with the given members and those that it must have or, with optional members, may have.
    pub(crate) fn object(
        &self,
        form: &NormalForm<'a>,
        depth: usize,
        mut members: Map<String, Value>,
    ) -> Option<Value> {
        let optional = form.properties.keys().filter(|_| self.has_optional(depth));
        for name in form.required.iter().chain(optional) {
            if members.contains_key(name) {
                continue;
            }
            let is_required = form.required.contains(name);
            let schemas = form.member(name).unwrap_or_default();
            match self.at_depth(&schemas, depth + 1) {
                None if is_required => return None,
                Some(value) if is_required || !self.leaves_out(&value) => {
                    members.insert(name.clone(), value);
                }
                _ => {}
            }
        }
        let wanted = least(form, "minProperties").max(u64::from(self.style.filled));
        self.pad(form, &mut members, usize::try_from(wanted).ok()?, depth);
        self.add_dependencies(form, &mut members, depth)?;
        Some(Value::Object(members))
    }

    /// Adds the members that `dependentRequired` requires; `None` if one of them has no value.
    fn add_dependencies(
        &self,
        form: &NormalForm<'a>,
        members: &mut Map<String, Value>,
        depth: usize,
    ) -> Option<()> {
        let pairs: Vec<(String, String)> = form.dependencies().collect();
        let missing = |members: &Map<String, Value>| {
            let lacks = |(name, other): &&(String, String)| {
                members.contains_key(name) && !members.contains_key(other)
            };
            pairs.iter().find(lacks).map(|(_, other)| other.clone())
        };
        while let Some(name) = missing(members) {
            let schemas = form.member(&name).unwrap_or_default();
            members.insert(name, self.at_depth(&schemas, depth + 1)?);
        }
        Some(())
    }

    /// Adds members until there are so many, as far as the schema allows it.
    pub(crate) fn pad(
        &self,
        form: &NormalForm<'a>,
        members: &mut Map<String, Value>,
        wanted: usize,
        depth: usize,
    ) {
        let declared = form.properties.keys().cloned();
        let invented = (0..64).map(|index| format!("extra{index}"));
        let patterns = form.patterns.keys();
        let matching = patterns.flat_map(|pattern| text::matching(pattern));
        for name in declared.chain(matching).chain(invented) {
            if members.len() >= wanted {
                return;
            }
            let schemas = form.member(&name).unwrap_or_default();
            if !members.contains_key(&name)
                && !schemas.is_false()
                && let Some(value) = self.at_depth(&schemas, depth + 1)
                && !self.leaves_out(&value)
            {
                members.insert(name, value);
            }
        }
    }

    /// Whether a member that a form does not name may be added.
    pub(crate) fn may_add_others(&self, form: &NormalForm<'a>) -> bool {
        !self.style.round_trip || form.keeps_others()
    }

    fn first(&self, mut values: impl Iterator<Item = Value>) -> Option<Value> {
        match self.style.filled {
            true => first_filled(values),
            false => values.next(),
        }
    }

    /// Whether a value is better left out where it is not required.
    fn leaves_out(&self, value: &Value) -> bool {
        self.style.filled && is_blank(value)
    }

    fn has_optional(&self, depth: usize) -> bool {
        self.style.optional && depth < MAX_OPTIONAL_DEPTH
    }

    pub(crate) fn form(&self, all: &AllOf<'a>) -> Rc<NormalForm<'a>> {
        self.forms.of(all)
    }
}

/// Whether a value has no parts and keeps the form's own keywords: examples outlive the limits that they
/// were written for.
fn is_plain(form: &NormalForm<'_>, value: &Value) -> bool {
    let fits = match value {
        Value::Array(_) | Value::Object(_) => false,
        Value::String(text) => accepts_text(form, text),
        Value::Number(number) => accepts_number(form, number),
        Value::Null | Value::Bool(_) => true,
    };
    fits && form.types.contains(&Type::of(value))
}

/// A lower limit of a count; 0 if there is none.
pub(crate) fn least(form: &NormalForm<'_>, keyword: &str) -> u64 {
    form.limit(keyword).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::Samples;
    use serde_json::json;

    #[test]
    fn variants_may_require_members_that_the_schema_around_them_describes() {
        let schema = json!({
            "type": "object",
            "properties": {
                "status": { "type": "string", "enum": ["pending", "running"] },
                "runs": { "type": "array", "items": { "format": "uuid", "type": "string" } },
            },
            "oneOf": [
                { "required": ["status"], "properties": { "status": { "pattern": "^r" } } },
                { "required": ["runs"] },
            ],
        });
        let schemas = json!({ "Cancel": schema }).as_object().unwrap().clone();
        let value = Samples::new(schemas).plainest("Cancel");
        assert_eq!(value, Some(json!({ "status": "running" })));
    }
}
