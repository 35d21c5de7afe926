//! Constraints of a schema that a Rust type does not rule out by itself.

use super::Models;
use crate::ir::{Pattern, PatternId, Rules};
use crate::names;
use crate::schema::Keywords;
use crate::source::Pointer;

/// The formats of strings that are asserted; all others are annotations, as the standard has it.
const TEXT_FORMATS: &[&str] = &[
    "uuid",
    "date",
    "date-time",
    "time",
    "uri",
    "ipv4",
    "ipv6",
    "byte",
];

/// The formats of numbers that are asserted.
const NUMBER_FORMATS: &[&str] = &[
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
];

/// The format, where it is asserted of strings.
pub(in crate::lower) fn text_format(format: Option<&str>) -> Option<String> {
    let format = format.filter(|format| TEXT_FORMATS.contains(format));
    format.map(str::to_owned)
}

/// The format, where it is asserted of numbers.
pub(in crate::lower) fn number_format(format: Option<&str>) -> Option<String> {
    let format = format.filter(|format| NUMBER_FORMATS.contains(format));
    format.map(str::to_owned)
}

impl<'a> Models<'a> {
    /// The constraints that the generated type is checked for.
    pub(super) fn rules(&mut self, k: &Keywords<'a>, hint: &str) -> Rules {
        Rules {
            min_length: k.min_length.filter(|n| *n > 0),
            max_length: k.max_length,
            pattern: k
                .pattern
                .as_ref()
                .map(|source| self.pattern(source, &k.at, hint)),
            format: text_format(k.format.as_deref()).or_else(|| number_format(k.format.as_deref())),
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
            values: Vec::new(),
            schema: None,
            condition: None,
        }
    }

    /// The constant of a pattern, named after the place that it stands at. Two places with the same
    /// pattern have two constants: that they are the same may change.
    pub(in crate::lower) fn pattern(
        &mut self,
        source: &str,
        at: &Pointer,
        hint: &str,
    ) -> PatternId {
        let known = self.pattern_at.get(at);
        let known = known.filter(|id| self.patterns.get(id.0).is_some_and(|p| p.source == source));
        if let Some(id) = known {
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
}
