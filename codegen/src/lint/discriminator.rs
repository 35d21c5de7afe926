//! A discriminator leads to each variant and to nothing else (OpenAPI 3.1.1 §4.8.25).

use super::Findings;
use super::subject::{Members, Spot, Subject, in_place};
use crate::openapi::DEFAULT_MAPPING;
use crate::source::Pointer;
use json_schema::reference::key_in;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let list = ["oneOf", "anyOf"].into_iter().find_map(|name| {
            let variants = spot.members.get(name)?.as_array()?;
            Some((spot.at.child(name), variants))
        });
        let discriminator = spot.members.get("discriminator");
        if let (Some((at, variants)), Some(discriminator)) = (list, discriminator) {
            mapping(spot, variants, discriminator, findings);
            members(subject, spot, (&at, variants), discriminator, findings);
        }
    }
}

/// Each target of the mapping is a variant. Variants that it does not name keep the names of their
/// components (OpenAPI 3.2.0 §4.25.3).
fn mapping(
    spot: &Spot<'_>,
    variants: &[Value],
    discriminator: &Value,
    findings: &mut Findings<'_>,
) {
    let keys: Vec<String> = variants.iter().filter_map(key_in).collect();
    if let Some(default) = default(discriminator).filter(|key| !keys.iter().any(|own| own == key)) {
        let at = spot.at.child("discriminator").child(DEFAULT_MAPPING);
        findings.report(&at, format!("`{default}` is no variant"));
    }
    let Some(Value::Object(mapping)) = discriminator.get("mapping") else {
        return;
    };
    let at = spot.at.child("discriminator").child("mapping");
    for (tag, target) in mapping {
        let target = target.as_str().unwrap_or_default();
        if !keys.iter().any(|key| key == target) {
            findings.report(&at.child(tag), format!("`{target}` is no variant"));
        }
    }
}

/// The key of the variant of values that name none.
fn default(discriminator: &Value) -> Option<&str> {
    discriminator.get(DEFAULT_MAPPING)?.as_str()
}

/// Each variant is a component that requires the member, unless a schema around does, or one of them is meant
/// without it.
fn members(
    subject: &Subject<'_>,
    spot: &Spot<'_>,
    (at, variants): (&Pointer, &[Value]),
    discriminator: &Value,
    findings: &mut Findings<'_>,
) {
    let Some(property) = discriminator.get("propertyName").and_then(Value::as_str) else {
        return;
    };
    let may_lack = default(discriminator).is_some() || is_required_around(subject, spot, property);
    for (index, variant) in variants.iter().enumerate() {
        let at = at.child(index.to_string());
        let Some(members) = variant.as_object() else {
            continue;
        };
        let is_null = members.get("type").and_then(Value::as_str) == Some("null");
        if key_in(variant).is_none() && !is_null {
            findings.report(
                &at,
                "no value leads to a variant that is no reference to a component",
            );
        } else if !may_lack
            && !subject.takes_no_object(members)
            && !requires(subject, members, property, 0)
        {
            let message = format!("this variant does not require the discriminator `{property}`");
            findings.report(&at, message);
        }
    }
}

/// Whether a schema, or one around it for the same value, requires a member.
fn is_required_around(subject: &Subject<'_>, spot: &Spot<'_>, name: &str) -> bool {
    let around = |spot: &&Spot<'_>| subject.spots.get(spot.same_value?);
    let mut spots = std::iter::successors(Some(spot), around);
    spots.any(|spot| requires(subject, spot.members, name, 0))
}

/// Whether a schema requires a member: itself, by reference, in all of `allOf` or in each variant.
fn requires(subject: &Subject<'_>, members: &Members, name: &str, depth: usize) -> bool {
    if depth > 32 {
        return false;
    }
    let own = members.get("required").and_then(Value::as_array);
    if own.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name))) {
        return true;
    }
    if let Some((target, _)) = subject.referred(members)
        && requires(subject, target, name, depth + 1)
    {
        return true;
    }
    let within = |list: &str| {
        let list = list.to_owned();
        let all = in_place(members, &Pointer::default()).into_iter();
        let listed = all.filter(move |(here, _)| here.as_str().starts_with(&list));
        listed.map(|(_, schema)| {
            let inner = schema.as_object();
            inner.is_some_and(|inner| requires(subject, inner, name, depth + 1))
        })
    };
    let each = |list: &str| {
        let verdicts: Vec<bool> = within(list).collect();
        !verdicts.is_empty() && verdicts.into_iter().all(|verdict| verdict)
    };
    within("/allOf").any(|verdict| verdict) || each("/oneOf") || each("/anyOf")
}
