//! The property names that a schema allows, as far as they can be known.

use super::{Reader, node::Node};
use serde_json::Value;
use std::collections::BTreeSet;

impl<'a> Reader<'a> {
    /// The names of the properties that values may have, in any of the schema's parts and
    /// alternatives; `None` where they may have others.
    pub(super) fn property_names(&mut self, schema: Node<'a>) -> Option<BTreeSet<String>> {
        let (mut open, mut seen, mut names) = (vec![schema], BTreeSet::new(), BTreeSet::new());
        while let Some(schema) = open.pop() {
            if !seen.insert(schema.at.clone()) {
                continue;
            }
            for (keyword, operand) in schema.entries() {
                match keyword {
                    "properties" => {
                        let named = operand.entries().into_iter();
                        names.extend(named.map(|(name, _)| name.to_owned()));
                    }
                    "required" => {
                        let named = operand.items();
                        let named = named.iter().filter_map(|item| item.value.as_str());
                        names.extend(named.map(str::to_owned));
                    }
                    "patternProperties" | "additionalProperties" | "unevaluatedProperties"
                        if *operand.value != Value::Bool(false) =>
                    {
                        return None;
                    }
                    // Other schemas may extend it.
                    "discriminator" | "$dynamicRef" | "$recursiveRef" => return None,
                    "$ref" => open.push(self.referred(&operand)?),
                    "allOf" | "anyOf" | "oneOf" => open.extend(operand.items()),
                    "dependentSchemas" => {
                        open.extend(operand.entries().into_iter().map(|(_, schema)| schema));
                    }
                    "if" | "then" | "else" | "not" => open.push(operand),
                    _ => {}
                }
            }
        }
        Some(names)
    }

    /// The target of a reference into the document.
    fn referred(&mut self, reference: &Node<'a>) -> Option<Node<'a>> {
        let target = self
            .bundle
            .target(reference.value.as_str()?, &reference.at)?;
        Node::root(self.root).find(&target.at)
    }
}
