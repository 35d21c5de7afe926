//! The order of tags for readers: each below its parent.

use crate::ir::{Group, Section};
use crate::openapi::{Document, Tag};
use std::collections::BTreeMap;

/// The tags below each tag, or below none.
type Children<'a> = BTreeMap<Option<&'a str>, Vec<&'a str>>;

/// The tags that have operations, and those above them: the declared ones in their order, then the
/// others.
pub(super) fn sections(document: &Document, groups: &[Group]) -> Vec<Section> {
    let declared: BTreeMap<&str, &Tag> = document
        .tags
        .iter()
        .rev()
        .map(|tag| (tag.name.as_str(), tag))
        .collect();
    let mut children = Children::new();
    let all = document.tags.iter().map(|tag| tag.name.as_str());
    for name in all.chain(groups.iter().map(|group| group.tag.as_str())) {
        let parent = declared.get(name).and_then(|tag| tag.parent.as_deref());
        let siblings = children.entry(parent).or_default();
        if !siblings.contains(&name) {
            siblings.push(name);
        }
    }
    let groups = groups.iter().enumerate();
    let groups = groups.map(|(index, group)| (group.tag.as_str(), index));
    below(None, &children, &declared, &groups.collect())
}

/// The sections below a tag.
fn below<'a>(
    parent: Option<&'a str>,
    children: &Children<'a>,
    declared: &BTreeMap<&str, &Tag>,
    groups: &BTreeMap<&str, usize>,
) -> Vec<Section> {
    let names = children.get(&parent).into_iter().flatten().copied();
    let sections = names.filter_map(|name| {
        let sections = below(Some(name), children, declared, groups);
        let group = groups.get(name).copied();
        let tag = declared.get(name).copied();
        let title = tag.and_then(|tag| tag.summary.as_deref());
        (group.is_some() || !sections.is_empty()).then(|| Section {
            tag: name.to_owned(),
            title: title.unwrap_or(name).to_owned(),
            doc: tag.map(doc).unwrap_or_default(),
            group,
            sections,
        })
    });
    sections.collect()
}

fn doc(tag: &Tag) -> String {
    let description = tag.description.clone().unwrap_or_default();
    match &tag.kind {
        Some(kind) => format!("{description}\n\nKind: `{kind}`.")
            .trim()
            .to_owned(),
        None => description,
    }
}
