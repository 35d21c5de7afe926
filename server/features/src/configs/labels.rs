//! The name and the metadata that a project gives a config, and changes of them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ConfigRejection;
use crate::domain::entity_tag::{IfMatch, digest, entity_tag};

/// A project's name for a config, and strings of the project's own, which only the project sees.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigLabels {
    pub name: Option<String>,
    /// At most [`ConfigLabels::MAX_PAIRS`] texts.
    pub metadata: Metadata,
}

/// Texts by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata(pub BTreeMap<String, String>);

db::column!(
    Metadata as String,
    |texts| texts.to_json().to_string(),
    |text| Metadata::from_json(&text)
);

impl Metadata {
    /// The texts as an object of JSON.
    pub fn to_json(&self) -> Value {
        let texts = self.0.iter();
        Value::Object(
            texts
                .map(|(key, text)| (key.clone(), text.as_str().into()))
                .collect(),
        )
    }

    /// Reads an object whose members are texts.
    pub(crate) fn from_json(text: &str) -> Option<Metadata> {
        serde_json::from_str(text).ok().map(Metadata)
    }
}

impl ConfigLabels {
    /// The maximum number of characters of a name.
    pub const MAX_NAME: usize = 80;
    /// The maximum number of texts.
    pub const MAX_PAIRS: usize = 20;

    /// A digest, equal exactly for equal labels.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let pairs = self.metadata.0.iter().flat_map(|(key, value)| [key, value]);
        digest(pairs.chain(&self.name).map(String::as_bytes))
    }

    /// The entity tag, with its quotes.
    pub fn tag(&self) -> String {
        entity_tag(self.digest())
    }
}

/// An update of labels, by JSON Merge Patch (RFC 7396), and the condition on which it is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelsUpdate {
    /// The new name, or that there is none; `None` for no change.
    pub name: Option<Option<String>>,
    /// The texts that change, or that there are none any more; `None` for no change.
    pub metadata: Option<Option<BTreeMap<String, Option<String>>>>,
    /// The tags, one of which the labels must have (`If-Match`).
    pub if_match: Option<IfMatch>,
}

impl LabelsUpdate {
    /// The labels after the change.
    ///
    /// # Errors
    /// When the condition does not hold, or there would be too many texts.
    pub(crate) fn apply(&self, labels: &ConfigLabels) -> Result<ConfigLabels, ConfigRejection> {
        let if_match = self.if_match.as_ref();
        if if_match.is_some_and(|tags| !tags.holds(&labels.tag())) {
            return Err(ConfigRejection::OtherTag);
        }
        let mut changed = labels.clone();
        if let Some(name) = &self.name {
            changed.name.clone_from(name);
        }
        match &self.metadata {
            None => {}
            Some(None) => changed.metadata.0.clear(),
            Some(Some(texts)) => {
                for (key, text) in texts {
                    match text {
                        Some(text) => _ = changed.metadata.0.insert(key.clone(), text.clone()),
                        None => _ = changed.metadata.0.remove(key),
                    }
                }
            }
        }
        match changed.metadata.0.len() {
            ..=ConfigLabels::MAX_PAIRS => Ok(changed),
            _ => Err(ConfigRejection::TooManyPairs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(name: Option<&str>, metadata: &[(&str, &str)]) -> ConfigLabels {
        let metadata = metadata.iter();
        ConfigLabels {
            name: name.map(str::to_owned),
            metadata: Metadata(
                metadata
                    .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
                    .collect(),
            ),
        }
    }

    fn texts(pairs: &[(&str, Option<&str>)]) -> Option<Option<BTreeMap<String, Option<String>>>> {
        let pairs = pairs.iter();
        let owned =
            |(key, text): &(&str, Option<&str>)| ((*key).to_owned(), text.map(str::to_owned));
        Some(Some(pairs.map(owned).collect()))
    }

    #[test]
    fn a_change_merges() {
        let old = labels(Some("A"), &[("a", "1"), ("b", "2")]);
        let none = LabelsUpdate::default();
        assert_eq!(none.apply(&old), Ok(old.clone()));
        let renamed = LabelsUpdate {
            name: Some(Some("B".to_owned())),
            metadata: texts(&[("a", None), ("c", Some("3")), ("d", None)]),
            if_match: None,
        };
        let expected = labels(Some("B"), &[("b", "2"), ("c", "3")]);
        assert_eq!(renamed.apply(&old), Ok(expected));
        let cleared = LabelsUpdate {
            name: Some(None),
            metadata: Some(None),
            if_match: None,
        };
        assert_eq!(cleared.apply(&old), Ok(ConfigLabels::default()));
    }

    #[test]
    fn a_change_leaves_at_most_twenty_texts() {
        let keys: Vec<String> = (0..=20).map(|n| n.to_string()).collect();
        let pairs: Vec<_> = keys.iter().map(|key| (key.as_str(), Some("x"))).collect();
        let change = |pairs| LabelsUpdate {
            metadata: texts(pairs),
            ..LabelsUpdate::default()
        };
        let empty = ConfigLabels::default();
        let full = change(&pairs[..20]).apply(&empty).unwrap();
        assert_eq!(full.metadata.0.len(), 20);
        let refused = change(&pairs[20..]).apply(&full);
        assert_eq!(refused, Err(ConfigRejection::TooManyPairs));
        let swapped = change(&[("0", None), ("20", Some("x"))]).apply(&full);
        assert_eq!(swapped.unwrap().metadata.0.len(), 20);
    }

    #[test]
    fn a_tag_is_that_of_name_and_metadata() {
        let all = [
            labels(None, &[]),
            labels(Some("a"), &[]),
            labels(Some("ab"), &[]),
            labels(None, &[("a", "b")]),
            labels(None, &[("ab", "")]),
            labels(None, &[("", "ab")]),
            labels(Some("c"), &[("a", "b")]),
        ];
        for (n, one) in all.iter().enumerate() {
            for (m, other) in all.iter().enumerate() {
                let change = LabelsUpdate {
                    if_match: Some(IfMatch(other.tag())),
                    ..LabelsUpdate::default()
                };
                assert_eq!(change.apply(one).is_ok(), n == m, "{one:?} {other:?}");
            }
        }
    }
}
