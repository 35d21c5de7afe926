//! The contract's schemas for each place in a value.

use serde_json::Value;

use super::pointer::Pointer;

/// A place at which a good response has values, and its schemas.
pub(super) struct Described<'d> {
    pub(super) place: Pointer,
    /// Every schema that describes them, including all alternatives.
    parts: Vec<&'d Value>,
    /// Whether the object around them must have such a member.
    pub(super) required: bool,
    /// The values, in order.
    pub(super) values: Vec<&'d Value>,
}

/// Every place in `value`, outer ones first, with its schema.
///
/// Members that no schema names are included at the top only: their content is not specified.
pub(super) fn described<'d>(
    root: &'d Value,
    schema: &'d Value,
    value: &'d Value,
) -> Vec<Described<'d>> {
    let place = Pointer::default();
    let whole = Described {
        parts: parts(root, schema),
        place,
        required: false,
        values: vec![value],
    };
    let (mut found, mut at) = (vec![whole], 0);
    while at < found.len() {
        let inside = inside(root, &found[at]);
        found.extend(inside);
        at += 1;
    }
    found
}

/// The places right below one.
fn inside<'d>(root: &'d Value, outer: &Described<'d>) -> Vec<Described<'d>> {
    let mut found: Vec<Described<'d>> = Vec::new();
    for value in &outer.values {
        for (name, member) in value.as_object().into_iter().flatten() {
            let named = outer
                .parts
                .iter()
                .filter_map(|it| it["properties"].get(name));
            let parts: Vec<_> = named.flat_map(|it| self::parts(root, it)).collect();
            if parts.is_empty() && !outer.place.is_root() {
                continue;
            }
            let required = outer.says("required", |names| lists(names, name));
            note(
                &mut found,
                outer.place.member(name),
                parts,
                required,
                member,
            );
        }
        for item in value.as_array().into_iter().flatten() {
            let schemas = outer.parts.iter().filter_map(|it| it.get("items"));
            let parts: Vec<_> = schemas.flat_map(|it| self::parts(root, it)).collect();
            if !parts.is_empty() {
                note(&mut found, outer.place.item(), parts, false, item);
            }
        }
    }
    found
}

fn note<'d>(
    found: &mut Vec<Described<'d>>,
    place: Pointer,
    parts: Vec<&'d Value>,
    required: bool,
    value: &'d Value,
) {
    match found.iter_mut().find(|it| it.place == place) {
        Some(known) => known.values.push(value),
        None => found.push(Described {
            place,
            parts,
            required,
            values: vec![value],
        }),
    }
}

impl Described<'_> {
    /// Whether one of the schemas has a keyword whose value satisfies a condition.
    pub(super) fn says(&self, keyword: &str, holds: impl Fn(&Value) -> bool) -> bool {
        let mut operands = self.parts.iter().filter_map(|part| part.get(keyword));
        operands.any(holds)
    }

    /// The operand of a keyword that is a number.
    pub(super) fn bound(&self, keyword: &str) -> Option<i64> {
        self.parts
            .iter()
            .find_map(|part| part.get(keyword)?.as_i64())
    }

    /// Whether the schemas restrict the types, and this type is not allowed.
    pub(super) fn rules_out(&self, name: &str) -> bool {
        let is_listed = |types: &Value| types == name || lists(types, name);
        self.says("type", |_| true) && !self.says("type", is_listed)
    }

    /// Whether an object there has the members that the contract names, and no others.
    pub(super) fn names_its_members(&self) -> bool {
        self.says("properties", |_| true)
            && !self.says("additionalProperties", |it| *it != Value::Bool(false))
    }
}

fn lists(names: &Value, name: &str) -> bool {
    let names = names.as_array().into_iter().flatten();
    names.into_iter().any(|it| it == name)
}

/// The schema with those that it is made of.
pub(super) fn parts<'d>(root: &'d Value, schema: &'d Value) -> Vec<&'d Value> {
    let mut found = vec![schema];
    if let Some(reference) = schema["$ref"].as_str() {
        let referred = root.pointer(reference.trim_start_matches('#'));
        found.extend(parts(root, referred.expect(reference)));
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let inner = schema[keyword].as_array().into_iter().flatten();
        found.extend(inner.flat_map(|inner| parts(root, inner)));
    }
    found
}
