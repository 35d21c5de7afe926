//! Members that stand twice in the same object, each reported with both places.
//!
//! YAML 1.2.2 §3.2.1.3 forbids them; of JSON, readers differ in which one counts.

use super::merge_keys;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Related};
use crate::source::span::{next, ranges};
use crate::source::{Pointer, Source};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};
use std::collections::HashMap;

/// How many of them are reported.
const MAX_REPORTED: usize = 100;

/// The help for two merge keys in one mapping.
const SEVERAL: &str = "one merge key brings several: `<<: [*one, *other]`";

/// A collection whose end has not been read.
struct Open {
    at: Pointer,
    inside: Inside,
}

enum Inside {
    /// The keys so far, with whether each is written without quotes, and the key whose value comes
    /// next.
    Mapping(HashMap<String, (Span, bool)>, Option<String>),
    /// The index of the next item.
    Sequence(usize),
}

/// Finds every member that stands twice; none in a text that cannot be read.
pub(super) fn find(source: &Source) -> Diagnostics {
    let mut events = Parser::new_from_str(source.body());
    let mut repeated: Vec<(Pointer, String, bool)> = Vec::new();
    let mut marks: Vec<Option<(Marker, Marker)>> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    while let Some((event, span)) = next(&mut events).filter(|_| repeated.len() < MAX_REPORTED) {
        match &event {
            Event::MappingEnd | Event::SequenceEnd => {
                open.pop();
                continue;
            }
            Event::Scalar(key, style, ..) => {
                if let Some(Open { at, inside }) = open.last_mut()
                    && let Inside::Mapping(keys, next_key @ None) = inside
                {
                    let at = at.child(key);
                    *next_key = Some(key.to_string());
                    let plain = *style == ScalarStyle::Plain;
                    if let Some((first, too)) = keys.get(key.as_ref()) {
                        repeated.push((at, key.to_string(), plain && *too));
                        marks.extend([span, *first].map(|span| Some((span.start, span.end))));
                    } else {
                        keys.insert(key.to_string(), (span, plain));
                    }
                    continue;
                }
            }
            _ => {}
        }
        let at = step(&mut open);
        let inside = match event {
            Event::MappingStart(..) => Inside::Mapping(HashMap::new(), None),
            Event::SequenceStart(..) => Inside::Sequence(0),
            _ => continue,
        };
        open.push(Open { at, inside });
    }
    let mut ranges = ranges(source.body(), &marks).into_iter();
    let mut range = || ranges.next().flatten().unwrap_or_default();
    let mut problems = Diagnostics::default();
    for (at, key, plain) in repeated {
        let problem = problem(&key, &at, range(), range());
        // Quoted, it is a member like any other.
        let merges = plain && key == merge_keys::KEY;
        problems.add(if merges {
            problem.help(SEVERAL)
        } else {
            problem
        });
    }
    problems
}

/// The place of the value that begins here.
fn step(open: &mut [Open]) -> Pointer {
    let Some(Open { at, inside }) = open.last_mut() else {
        return Pointer::default();
    };
    match inside {
        Inside::Mapping(_, key) => at.child(key.take().unwrap_or_default()),
        Inside::Sequence(index) => {
            *index += 1;
            at.child((*index - 1).to_string())
        }
    }
}

fn problem(
    key: &str,
    at: &Pointer,
    second: std::ops::Range<usize>,
    first: std::ops::Range<usize>,
) -> Diagnostic {
    let message = format!("the member `{key}` stands here twice");
    let mut problem = Diagnostic::new(Code::DuplicateMember, at, message);
    problem.span = Some(second);
    problem.related.push(Related {
        at: at.clone(),
        span: Some(first),
        label: "it stands here first".into(),
    });
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_all_members_that_stand_twice() {
        let source = Source {
            name: "t".into(),
            text: "a: [{b: 1, c: {d: 1, d: 2}, b: 3}]\ne: 1\na: 2\n".into(),
        };
        let found = find(&source);
        let places: Vec<&str> = found.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, ["/a/0/c/d", "/a/0/b", "/a"]);
    }

    #[test]
    fn tells_keys_from_values() {
        let source = Source {
            name: "t".into(),
            text: "a: b\nb: a\nc: {a: b, [x, x]: x, x: 1}\n".into(),
        };
        assert!(find(&source).is_empty());
    }

    #[test]
    fn only_merge_keys_get_the_help_for_several() {
        for (text, helped) in [
            ("{<<: {a: 1}, <<: {b: 1}}", true),
            ("{\"<<\": {a: 1}, <<: {b: 1}}", false),
            ("{<<: {a: 1}, '<<': {b: 1}}", false),
        ] {
            let source = Source {
                name: "t".into(),
                text: text.into(),
            };
            let found = find(&source);
            assert!(
                found.iter().all(|problem| problem.help.is_some() == helped),
                "{text}"
            );
            assert_eq!(found.iter().count(), 1, "{text}");
        }
    }
}
