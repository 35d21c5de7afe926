//! Questions about the keywords of a schema.

use crate::schema::{JsonType, Keywords, is_annotation};

impl Keywords<'_> {
    /// The key of a reference with nothing but annotations beside it.
    pub(in crate::lower) fn lone_reference(&self) -> Option<&str> {
        let key = self.reference.as_deref()?;
        let alone = !self.constrains() && self.all_of.is_empty();
        alone.then_some(key)
    }

    /// Whether other schemas are to be merged with the schema's own keywords.
    pub(super) fn is_joined(&self) -> bool {
        let joins = self.reference.is_some() || !self.all_of.is_empty();
        joins && self.lone_reference().is_none()
    }

    /// Whether the keywords are enough for a native type.
    pub(super) fn has_form(&self) -> bool {
        !self.types.is_empty()
            || !self.properties.is_empty()
            || self.items.is_some()
            || self.constant.is_some()
            || self.values.is_some()
    }

    /// Why there is no native type, in words.
    pub(super) fn formless(&self) -> String {
        let joined = [("oneOf", &self.one_of), ("anyOf", &self.any_of)];
        let joined = joined.iter().find(|(_, parts)| !parts.is_empty());
        match (self.foreign, joined) {
            (Some(keyword), _) => format!("`{keyword}` has no Rust form here"),
            _ if self.is_joined() => "these parts have no Rust form together".to_owned(),
            (_, Some((keyword, _))) => format!("this `{keyword}` has no Rust form"),
            _ => "this schema has no Rust form".to_owned(),
        }
    }

    /// The types of values that keywords other than `type` constrain.
    pub(super) fn constrained_types(&self) -> Vec<JsonType> {
        let object = !self.properties.is_empty()
            || !self.required.is_empty()
            || self.additional.is_some()
            || self.min_properties.is_some()
            || self.max_properties.is_some();
        let array = self.items.is_some()
            || self.min_items.is_some()
            || self.max_items.is_some()
            || self.unique_items;
        let string = self.min_length.is_some()
            || self.max_length.is_some()
            || self.pattern.is_some()
            || self.format.is_some();
        let number = self.minimum.is_some()
            || self.maximum.is_some()
            || self.exclusive_minimum.is_some()
            || self.exclusive_maximum.is_some()
            || self.multiple_of.is_some();
        let spoken = [
            (JsonType::Object, object),
            (JsonType::Array, array),
            (JsonType::String, string),
            (JsonType::Number, number),
        ];
        spoken
            .into_iter()
            .filter(|(_, speaks)| *speaks)
            .map(|(ty, _)| ty)
            .collect()
    }

    /// Whether any keyword but `type` narrows the values in `const` or `enum`.
    pub(super) fn bounds_values(&self) -> bool {
        !self.constrained_types().is_empty()
    }

    /// Whether every text is valid; bytes are any text, as OpenAPI 3.0 describes them.
    pub(in crate::lower) fn takes_any_text(&self) -> bool {
        let strings = self.types.is_empty() || self.types.contains(&JsonType::String);
        let known: &[&str] = match self.format.as_deref() {
            Some("binary") => &["type", "format"],
            _ => &["type"],
        };
        strings && self.all_of.is_empty() && !self.constrains_beside(known)
    }

    /// Whether any keyword besides `$ref` and `allOf` constrains values.
    pub(in crate::lower) fn constrains(&self) -> bool {
        self.constrains_beside(&[])
    }

    /// Whether any keyword does that is not in `known` either.
    pub(in crate::lower) fn constrains_beside(&self, known: &[&str]) -> bool {
        let members = self.raw.as_object().into_iter().flatten();
        let mut keywords = members.map(|(keyword, _)| keyword.as_str());
        keywords.any(|keyword| {
            let is_structure = matches!(keyword, "$ref" | "allOf" | "discriminator");
            !(is_structure || is_annotation(keyword) || known.contains(&keyword))
        })
    }
}
