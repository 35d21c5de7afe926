//! Constraints of a schema beyond its Rust type.

use super::Models;
use crate::ir::{Format, FormatId, Name, Pattern, PatternId, Rules, TypeKind};
use crate::lower::formats;
use crate::schema::Keywords;
use crate::source::Pointer;

impl<'a> Models<'a> {
    /// The constraints that are checked on the generated type.
    pub(super) fn rules(&mut self, k: &Keywords<'a>, hint: &str) -> Rules {
        Rules {
            min_length: k.min_length.filter(|n| *n > 0),
            max_length: k.max_length,
            pattern: k
                .pattern
                .as_ref()
                .map(|source| self.pattern(source, &k.at, hint)),
            format: self.text_format(k).or_else(|| self.number_format(k)),
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

    fn text_format(&self, k: &Keywords<'a>) -> Option<String> {
        formats::of_text(self.bundle.formats(), k.format.as_deref())
    }

    fn number_format(&self, k: &Keywords<'a>) -> Option<String> {
        formats::of_number(self.bundle.formats(), k.format.as_deref())
    }

    /// The type of strings under these rules: their format's, where it has one.
    pub(super) fn text(&self, rules: &mut Rules) -> TypeKind {
        let named = |format: &Format| rules.format.as_deref() == Some(&format.wire);
        let Some(index) = self.formats.iter().position(named) else {
            return TypeKind::String;
        };
        formats::without_implied(rules);
        TypeKind::Formatted {
            format: FormatId(index),
            verbatim: rules.min_length.is_some()
                || rules.max_length.is_some()
                || rules.pattern.is_some(),
        }
    }

    /// A pattern, named after its place. The same pattern at two places has two names, because one may change.
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
        let name = self.pattern_names.claim(Name::of(hint));
        let id = PatternId(self.patterns.len());
        self.patterns.push(Pattern {
            name,
            source: source.to_owned(),
        });
        self.pattern_at.insert(at.clone(), id);
        id
    }
}
