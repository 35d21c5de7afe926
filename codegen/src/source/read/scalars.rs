//! The scalars of a YAML text as they are written, in the order in which the value has them.

use crate::source::span;
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashMap;
use std::ops::Range;

/// A scalar as it is written.
pub(super) struct Scalar<'s> {
    pub(super) text: &'s str,
    pub(super) style: ScalarStyle,
    pub(super) is_tagged: bool,
    pub(super) is_key: bool,
}

/// A collection whose end has not been read.
struct Open {
    anchor: usize,
    /// How many scalars came before it.
    start: usize,
    /// Whether a key comes next; `None` in a sequence.
    key_next: Option<bool>,
}

/// The results of `want` for all scalars; an alias counts as the scalars of its anchor.
pub(super) fn scalars<T: Clone>(text: &str, want: impl Fn(&Scalar<'_>) -> Option<T>) -> Vec<T> {
    let mut events = Parser::new_from_str(text);
    let mut found: Vec<T> = Vec::new();
    // The results inside each anchored value; an event without an anchor has the number 0.
    let mut anchored: HashMap<usize, Range<usize>> = HashMap::new();
    let mut open: Vec<Open> = Vec::new();
    while let Some((event, _)) = span::next(&mut events) {
        if let Event::MappingEnd | Event::SequenceEnd = event {
            let ended = open.pop();
            anchored.extend(ended.map(|open| (open.anchor, open.start..found.len())));
            continue;
        }
        let key_next = open.last_mut().and_then(|open| open.key_next.as_mut());
        let is_key = key_next.is_some_and(|next| std::mem::replace(next, !*next));
        let start = found.len();
        let mut begin = |anchor, key_next| {
            open.push(Open {
                anchor,
                start,
                key_next,
            });
        };
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                found.extend(want(&Scalar {
                    text: &text,
                    style,
                    is_tagged: tag.is_some(),
                    is_key,
                }));
                anchored.insert(anchor, start..found.len());
            }
            Event::Alias(anchor) => {
                let inside = anchored.get(&anchor).cloned().unwrap_or_default();
                found.extend_from_within(inside);
            }
            Event::MappingStart(anchor, _) => begin(anchor, Some(true)),
            Event::SequenceStart(anchor, _) => begin(anchor, None),
            _ => {}
        }
    }
    found
}
