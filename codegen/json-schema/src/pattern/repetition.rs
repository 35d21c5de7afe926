//! Patterns that are a bounded repetition of one class of characters, such as
//! `^.{0,262144}$`: the engines unroll it, and refuse one that is too large.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Look};

/// Texts of so many characters of one class.
#[derive(Debug)]
pub(super) struct Repetition {
    class: ClassUnicode,
    min: usize,
    max: Option<usize>,
}

impl Repetition {
    /// The repetition that a translated pattern is, from the start of a text to
    /// its end.
    pub(super) fn of(translated: &str) -> Option<Self> {
        let hir = regex_syntax::parse(translated).ok()?;
        let HirKind::Concat(parts) = hir.kind() else {
            return None;
        };
        let [start, repeated, end] = parts.as_slice() else {
            return None;
        };
        let is = |part: &Hir, look| matches!(part.kind(), HirKind::Look(own) if *own == look);
        let HirKind::Repetition(repetition) = repeated.kind() else {
            return None;
        };
        let HirKind::Class(Class::Unicode(class)) = repetition.sub.kind() else {
            return None;
        };
        if !is(start, Look::Start) || !is(end, Look::End) {
            return None;
        }
        let max = repetition.max.map(usize::try_from).transpose().ok()?;
        Some(Self {
            class: class.clone(),
            min: usize::try_from(repetition.min).ok()?,
            max,
        })
    }

    /// Whether the pattern matches `text`.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let ranges = self.class.ranges();
        let takes = |c: char| {
            let after = ranges.partition_point(|range| range.end() < c);
            ranges.get(after).is_some_and(|range| range.start() <= c)
        };
        let count = text.chars().count();
        self.min <= count && self.max.is_none_or(|max| count <= max) && text.chars().all(takes)
    }
}
