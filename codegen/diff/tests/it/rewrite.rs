//! Refactorings of a document, chosen at random: each leaves every request and response as valid
//! as it was.

use serde_json::{Map, Value, json};

/// A small generator of numbers (SplitMix64), so that a seed names a refactoring.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            let other = self.below(index + 1);
            items.swap(index, other);
        }
    }

    fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

/// Refactors a document once; the name of the refactoring, or `None` where none applies.
pub(crate) fn refactor(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    const KINDS: usize = 14;
    match dice.below(KINDS) {
        0 => {
            reorder(document, dice);
            Some("reorder everything")
        }
        1 => rename_component(document, dice),
        2 => inline(document, dice),
        3 => extract(document, dice),
        4 => split(document, dice),
        5 => at_schema(document, dice, "wrap in allOf", |schema| {
            let whole = Value::Object(std::mem::take(schema));
            schema.insert("allOf".into(), json!([whole]));
            true
        }),
        6 => nullable(document, dice),
        7 => at_schema(document, dice, "const as enum", |schema| {
            let Some(value) = schema.remove("const") else {
                return false;
            };
            schema.insert("enum".into(), json!([value])).is_none()
        }),
        8 => at_schema(document, dice, "enum as oneOf of constants", |schema| {
            let whole = schema.contains_key("enum") && !schema.contains_key("oneOf");
            let Some(Value::Array(values)) = schema.get("enum").filter(|_| whole).cloned() else {
                return false;
            };
            schema.remove("enum");
            let constants = values.iter().map(|value| json!({ "enum": [value] }));
            schema.insert("oneOf".into(), constants.collect());
            true
        }),
        9 => at_schema(document, dice, "say what goes without saying", |schema| {
            let object = schema.get("type") == Some(&json!("object"));
            if object && !schema.contains_key("additionalProperties") {
                schema.insert("additionalProperties".into(), true.into());
            }
            for keyword in ["minLength", "minItems", "minProperties"] {
                schema.entry(keyword).or_insert(0.into());
            }
            true
        }),
        10 => at_schema(document, dice, "another description", |schema| {
            schema.insert("description".into(), "In other words.".into());
            true
        }),
        11 => at_schema(document, dice, "a union of one", |schema| {
            let whole = Value::Object(std::mem::take(schema));
            schema.insert("anyOf".into(), json!([whole]));
            true
        }),
        12 => share_parameter(document, dice),
        _ => exclusive(document, dice),
    }
}

/// Of integers, at least 1 is more than 0; OpenAPI 3.0 has its own way to write that.
fn exclusive(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    let old = document["openapi"].as_str()?.starts_with("3.0");
    at_schema(document, dice, "an exclusive limit", |schema| {
        let integer = schema.get("type") == Some(&json!("integer"));
        let limit = schema.get("minimum").and_then(Value::as_i64);
        let Some(limit) = limit.filter(|_| integer && !schema.contains_key("exclusiveMinimum"))
        else {
            return false;
        };
        schema.remove("minimum");
        if old {
            schema.insert("minimum".into(), json!(limit - 1));
            schema.insert("exclusiveMinimum".into(), true.into());
        } else {
            schema.insert("exclusiveMinimum".into(), json!(limit - 1));
        }
        true
    })
}

/// Puts the members of all objects, and the lists whose order means nothing, in another order.
fn reorder(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(members) => {
            let mut pairs: Vec<_> = std::mem::take(members).into_iter().collect();
            dice.shuffle(&mut pairs);
            for (name, mut member) in pairs {
                let free = [
                    "required",
                    "enum",
                    "type",
                    "allOf",
                    "anyOf",
                    "oneOf",
                    "parameters",
                ];
                if let (true, Value::Array(items)) = (free.contains(&&*name), &mut member) {
                    dice.shuffle(items);
                }
                if !["example", "examples", "default", "const"].contains(&&*name) {
                    reorder(&mut member, dice);
                }
                members.insert(name, member);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| reorder(item, dice)),
        _ => {}
    }
}

fn components(document: &Value) -> Vec<String> {
    let schemas = document.pointer("/components/schemas");
    let schemas = schemas.and_then(Value::as_object).into_iter().flatten();
    schemas.map(|(name, _)| name.clone()).collect()
}

fn rename_component(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    let name = dice.pick(&components(document))?.clone();
    let fresh = format!("{name}Renamed{}", dice.below(1000));
    let schemas = document
        .pointer_mut("/components/schemas")?
        .as_object_mut()?;
    let schema = schemas.remove(&name)?;
    schemas.insert(fresh.clone(), schema);
    let old = format!("#/components/schemas/{name}");
    let new = format!("#/components/schemas/{fresh}");
    each(document, &mut |value| match value {
        Value::String(text) if *text == old => *text = new.clone(),
        Value::String(text) if text.starts_with(&format!("{old}/")) => {
            *text = text.replacen(&old, &new, 1);
        }
        _ => {}
    });
    Some("rename a component")
}

fn each(value: &mut Value, visit: &mut impl FnMut(&mut Value)) {
    visit(value);
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| each(member, visit)),
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, visit)),
        _ => {}
    }
}

/// Puts the target of a reference in its place; a target that refers to itself keeps that reference.
fn inline(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    let sites = sites(document);
    let lone = |site: &&String| {
        let schema = document.pointer(site).and_then(Value::as_object);
        schema.is_some_and(|schema| schema.len() == 1 && schema.contains_key("$ref"))
    };
    let sites: Vec<_> = sites.iter().filter(lone).cloned().collect();
    let site = dice.pick(&sites)?;
    let reference = document.pointer(site)?["$ref"].as_str()?.to_owned();
    let target = document.pointer(reference.strip_prefix('#')?)?.clone();
    *document.pointer_mut(site)? = target;
    Some("inline a reference")
}

fn extract(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    let sites = sites(document);
    let deep = |site: &&String| {
        let component = site.strip_prefix("/components/schemas/");
        component.is_none_or(|rest| rest.contains('/'))
    };
    // A variant of a discriminated union is called by its component.
    let is_named = |site: &&String| {
        let union = site.rsplitn(3, '/').last().unwrap_or_default();
        let union = document.pointer(union);
        union.is_some_and(|union| union.get("discriminator").is_some())
    };
    let sites: Vec<_> = sites
        .iter()
        .filter(deep)
        .filter(|site| !is_named(site))
        .cloned()
        .collect();
    let site = dice.pick(&sites)?;
    let name = format!("Extracted{}", dice.roll());
    let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
    let schema = std::mem::replace(document.pointer_mut(site)?, reference);
    let components = document
        .as_object_mut()?
        .entry("components")
        .or_insert(json!({}));
    let schemas = components
        .as_object_mut()?
        .entry("schemas")
        .or_insert(json!({}));
    schemas.as_object_mut()?.insert(name, schema);
    Some("extract a component")
}

/// Splits the members of an open object between two schemas.
fn split(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    let keep = dice.roll();
    at_schema(document, dice, "split into allOf", |schema| {
        let closed = [
            "additionalProperties",
            "unevaluatedProperties",
            "$ref",
            "allOf",
        ];
        let plain = !closed.iter().any(|keyword| schema.contains_key(*keyword));
        let Some(Value::Object(members)) = schema.get("properties").filter(|_| plain).cloned()
        else {
            return false;
        };
        let half = |parity: usize| -> Map<String, Value> {
            let chosen = members.iter().enumerate();
            chosen
                .filter(|(index, _)| (keep >> (index % 60)) & 1 == u64::try_from(parity).unwrap())
                .map(|(_, (name, schema))| (name.clone(), schema.clone()))
                .collect()
        };
        let required = schema.remove("required").unwrap_or(json!([]));
        schema.remove("properties");
        let parts = json!([
            { "properties": half(0) },
            { "properties": half(1), "required": required },
        ]);
        schema.insert("allOf".into(), parts);
        true
    })
}

/// `type: [x, null]` as a union.
fn nullable(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    at_schema(document, dice, "null as a variant", |schema| {
        let Some(Value::Array(types)) = schema.get("type").cloned() else {
            return false;
        };
        if !types.contains(&json!("null")) || types.len() != 2 {
            return false;
        }
        let other = types.into_iter().find(|name| name != "null");
        let mut variant = std::mem::take(schema);
        // A list of values with null in it speaks of both variants.
        if variant.contains_key("enum") || variant.contains_key("const") {
            *schema = variant;
            return false;
        }
        variant.insert("type".into(), other.unwrap());
        let variants = json!([variant, { "type": "null" }]);
        schema.insert("oneOf".into(), variants);
        true
    })
}

/// Moves a parameter into the components.
fn share_parameter(document: &mut Value, dice: &mut Dice) -> Option<&'static str> {
    let mut sites = Vec::new();
    let paths = document.get("paths").and_then(Value::as_object)?;
    for (path, item) in paths {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let parameters = operation.get("parameters").and_then(Value::as_array);
            for index in 0..parameters.map_or(0, Vec::len) {
                sites.push(format!(
                    "/paths/{}/{method}/parameters/{index}",
                    escape(path)
                ));
            }
        }
    }
    let site = dice.pick(&sites)?;
    let name = format!("Shared{}", dice.roll());
    let reference = json!({ "$ref": format!("#/components/parameters/{name}") });
    let parameter = std::mem::replace(document.pointer_mut(site)?, reference);
    let components = document
        .as_object_mut()?
        .entry("components")
        .or_insert(json!({}));
    let parameters = components
        .as_object_mut()?
        .entry("parameters")
        .or_insert(json!({}));
    parameters.as_object_mut()?.insert(name, parameter);
    Some("share a parameter")
}

/// Rewrites some schema that lets itself be rewritten.
pub(crate) fn at_schema(
    document: &mut Value,
    dice: &mut Dice,
    name: &'static str,
    mut rewrite: impl FnMut(&mut Map<String, Value>) -> bool,
) -> Option<&'static str> {
    let mut sites = sites(document);
    dice.shuffle(&mut sites);
    for site in sites {
        let schema = document.pointer_mut(&site).and_then(Value::as_object_mut);
        let Some(schema) = schema else { continue };
        // Unions with a discriminator, and what is not spoken of in 3.0, are left alone.
        let bound = schema.contains_key("discriminator") || schema.contains_key("$ref");
        if !bound && rewrite(schema) {
            return Some(name);
        }
    }
    None
}

/// Pointers to all schemas, those inside others among them.
fn sites(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let components = document
        .pointer("/components/schemas")
        .and_then(Value::as_object);
    for (name, schema) in components.into_iter().flatten() {
        schema_sites(
            schema,
            format!("/components/schemas/{}", escape(name)),
            &mut found,
        );
    }
    outer_sites(document, String::new(), &mut found);
    found
}

/// Looks for `schema` outside of schemas.
fn outer_sites(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let below = format!("{at}/{}", escape(name));
                match name.as_str() {
                    "schema" => schema_sites(member, below, found),
                    "schemas" | "example" | "examples" => {}
                    _ => outer_sites(member, below, found),
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                outer_sites(item, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn schema_sites(schema: &Value, at: String, found: &mut Vec<String>) {
    let Value::Object(keywords) = schema else {
        return;
    };
    for (keyword, operand) in keywords {
        let below = format!("{at}/{keyword}");
        match (keyword.as_str(), operand) {
            ("properties" | "patternProperties", Value::Object(members)) => {
                for (name, schema) in members {
                    schema_sites(schema, format!("{below}/{}", escape(name)), found);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    schema_sites(schema, format!("{below}/{index}"), found);
                }
            }
            ("items" | "additionalProperties", schema) => schema_sites(schema, below, found),
            _ => {}
        }
    }
    found.push(at);
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
