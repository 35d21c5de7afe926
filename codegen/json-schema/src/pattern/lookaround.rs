//! Splits a pattern with look-around at its ends into patterns without.
//!
//! `^(?=A)(?!B)C` matches a text that `^(?:A)` and `^C` match and `^(?:B)`
//! does not, because all three are held against the same place; so it is with
//! `A(?<!B)$`. `A(?=B)` occurs where `A(?:B)` does. This is how look-around is
//! mostly written: to want a digit somewhere in a password, or to keep a name
//! from looking like an id. Matching it takes time linear in the text.

use std::ops::Range;

/// The patterns, each with whether a text has to match it or must not; `None`
/// of a pattern that has alternatives, to one of which its ends would belong.
/// Look-around elsewhere stays where it is.
pub(super) fn split(source: &str) -> Option<Vec<(String, bool)>> {
    let mut rest = Rest {
        source,
        groups: outermost_groups(source)?,
        kept: 0..source.len(),
        parts: Vec::new(),
    };
    let start = rest.take_start();
    let end = rest.take_end();
    let middle = source.get(rest.kept).unwrap_or_default();
    rest.parts.push((format!("{start}{middle}{end}"), true));
    Some(rest.parts)
}

/// A pattern of which look-around has been taken off.
struct Rest<'s> {
    source: &'s str,
    /// The groups that are in no other.
    groups: Vec<Range<usize>>,
    /// The rest of the pattern.
    kept: Range<usize>,
    /// The look-around that was removed, as patterns of their own.
    parts: Vec<(String, bool)>,
}

impl<'s> Rest<'s> {
    /// Removes look-around from the start; returns its replacement.
    fn take_start(&mut self) -> String {
        if self.source.starts_with('^') {
            self.kept.start = 1;
            while let Some((inner, wanted)) = self.first(["(?=", "(?!"]) {
                self.parts.push((format!("^(?:{inner})"), wanted));
            }
            return "^".to_owned();
        }
        match self.first(["(?<=", "(?<!"]) {
            Some((inner, true)) => format!("(?:{inner})"),
            Some((_, false)) => {
                self.kept.start = 0;
                String::new()
            }
            None => String::new(),
        }
    }

    /// The same at the end.
    fn take_end(&mut self) -> String {
        if self.is_anchored_at_end() {
            self.kept.end -= 1;
            while let Some((inner, wanted)) = self.last(["(?<=", "(?<!"]) {
                self.parts.push((format!("(?:{inner})$"), wanted));
            }
            return "$".to_owned();
        }
        let end = self.kept.end;
        match self.last(["(?=", "(?!"]) {
            Some((inner, true)) => format!("(?:{inner})"),
            Some((_, false)) => {
                self.kept.end = end;
                String::new()
            }
            None => String::new(),
        }
    }

    /// Removes the first group, if the rest begins with one of two kinds.
    fn first(&mut self, kinds: [&str; 2]) -> Option<(&'s str, bool)> {
        let start = self.kept.start;
        let group = self.groups.iter().find(|group| group.start == start)?;
        let after = self.source.get(group.end..)?;
        if after.starts_with(['*', '+', '?', '{']) {
            return None;
        }
        let found = inside(self.source.get(group.clone())?, kinds)?;
        self.kept.start = group.end;
        Some(found)
    }

    /// Removes the last group, if the rest ends in one of two kinds.
    fn last(&mut self, kinds: [&str; 2]) -> Option<(&'s str, bool)> {
        let end = self.kept.end;
        let group = self.groups.iter().find(|group| group.end == end)?;
        if group.start < self.kept.start {
            return None;
        }
        let found = inside(self.source.get(group.clone())?, kinds)?;
        self.kept.end = group.start;
        Some(found)
    }

    /// Whether the pattern ends in a `$` that is the end of the text: after a
    /// group nothing can have escaped it.
    fn is_anchored_at_end(&self) -> bool {
        let before = self.source.strip_suffix('$').map(str::len);
        let last = self.groups.last().map(|group| group.end);
        before.is_some() && last == before
    }
}

/// The content of a group of one of two kinds, and whether it is of the first.
fn inside<'t>(group: &'t str, kinds: [&str; 2]) -> Option<(&'t str, bool)> {
    let [wanted, unwanted] = kinds;
    let body = group.strip_suffix(')')?;
    match body.strip_prefix(wanted) {
        Some(inner) => Some((inner, true)),
        None => Some((body.strip_prefix(unwanted)?, false)),
    }
}

/// The groups of a pattern that are in no other; `None` where the pattern has
/// alternatives, to one of which its ends would belong, or is no pattern.
fn outermost_groups(source: &str) -> Option<Vec<Range<usize>>> {
    let (mut groups, mut open) = (Vec::new(), Vec::new());
    let mut in_class = false;
    let mut chars = source.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            ']' => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '(' => open.push(at),
            ')' => {
                let start = open.pop()?;
                if open.is_empty() {
                    groups.push(start..at + 1);
                }
            }
            '|' if open.is_empty() => return None,
            _ => {}
        }
    }
    (open.is_empty() && !in_class).then_some(groups)
}
