//! Takes look-around off the ends of a pattern, where it can be said without.
//!
//! `^(?=A)(?!B)C` matches a text that `^(?:A)` and `^C` match and `^(?:B)`
//! does not, because all three are held against the same place; so it is with
//! `A(?<!B)$`. This is how look-around is mostly written: to want a digit
//! somewhere in a password, or to keep a name from looking like an id.

use std::ops::Range;

/// A pattern without the look-around at its ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Ends {
    /// What is left of it.
    pub core: String,
    /// What else is wanted of a text: whether it matches the pattern.
    pub also: Vec<(String, bool)>,
}

/// Takes a pattern apart. What is no such look-around stays where it is.
pub fn take_off(source: &str) -> Ends {
    let mut ends = Ends {
        core: source.to_owned(),
        also: Vec::new(),
    };
    let Some(groups) = outermost_groups(source) else {
        return ends;
    };
    let mut kept = 0..source.len();
    if source.starts_with('^') {
        kept.start = 1;
        for group in &groups {
            let text = source.get(group.clone()).unwrap_or_default();
            let Some((inner, wanted)) = inside(text, ["(?=", "(?!"]) else {
                break;
            };
            let repeated = source.get(group.end..).unwrap_or_default();
            if group.start != kept.start || repeated.starts_with(['*', '+', '?', '{']) {
                break;
            }
            ends.also.push((format!("^(?:{inner})"), wanted));
            kept.start = group.end;
        }
    }
    if is_anchored_at_end(source, &groups) {
        kept.end -= 1;
        for group in groups.iter().rev() {
            let text = source.get(group.clone()).unwrap_or_default();
            let Some((inner, wanted)) = inside(text, ["(?<=", "(?<!"]) else {
                break;
            };
            if group.end != kept.end || group.start < kept.start {
                break;
            }
            ends.also.push((format!("(?:{inner})$"), wanted));
            kept.end = group.start;
        }
    }
    if !ends.also.is_empty() {
        let start = if source.starts_with('^') { "^" } else { "" };
        let end = if kept.end < source.len() { "$" } else { "" };
        let middle = source.get(kept).unwrap_or_default();
        ends.core = format!("{start}{middle}{end}");
    }
    ends
}

/// What a group of one of two kinds holds, and whether it is of the first.
fn inside<'t>(group: &'t str, kinds: [&str; 2]) -> Option<(&'t str, bool)> {
    let [wanted, unwanted] = kinds;
    let body = group.strip_suffix(')')?;
    match body.strip_prefix(wanted) {
        Some(inner) => Some((inner, true)),
        None => Some((body.strip_prefix(unwanted)?, false)),
    }
}

/// Whether a pattern ends in a `$` that is the end of the text.
fn is_anchored_at_end(source: &str, groups: &[Range<usize>]) -> bool {
    let Some(before) = source.strip_suffix('$') else {
        return false;
    };
    // After a group nothing can have escaped it.
    groups.last().is_some_and(|group| group.end == before.len())
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
