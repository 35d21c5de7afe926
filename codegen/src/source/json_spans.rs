//! Positions of values in a JSON text, found by their pointers.
//!
//! The YAML parser reads JSON too, but holds every token of a text that is one flow collection. Here only the
//! objects and lists that a pointer leads through are divided into their parts.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::ops::Range;

/// The positions of the values that `wanted` leads to, each by its tokens, as [`Source::spans`] gives them; `None`
/// where the text is no JSON.
///
/// [`Source::spans`]: super::Source::spans
pub(super) fn spans(text: &str, wanted: &[Vec<String>]) -> Option<Vec<Option<Range<usize>>>> {
    let mut walk = Walk {
        text,
        wanted,
        spans: vec![None; wanted.len()],
    };
    let root = serde_json::from_str(text).ok()?;
    let all: Vec<usize> = (0..wanted.len()).collect();
    walk.value(root, &all, 0, None);
    Some(walk.spans)
}

/// Walks a text along the tokens of several pointers at once.
struct Walk<'t> {
    text: &'t str,
    wanted: &'t [Vec<String>],
    spans: Vec<Option<Range<usize>>>,
}

impl Walk<'_> {
    /// Reads one value; the pointers `here` lead to it or into it.
    fn value(&mut self, value: &RawValue, here: &[usize], depth: usize, key: Option<Range<usize>>) {
        let whole = self.place(value);
        let is_collection = value.get().starts_with(['{', '[']);
        let is_one_line = !value.get().contains('\n');
        let (first, exact) = match &key {
            Some(key) if is_collection => (key.clone(), None),
            Some(key) => (key.clone(), Some(key.start..whole.end)),
            None if is_collection => (whole.start..whole.start + 1, is_one_line.then_some(whole)),
            None => (whole.clone(), Some(whole)),
        };
        self.mark(here, &first);
        let leads_on = |at: &usize| self.wanted.get(*at).is_some_and(|it| it.len() > depth);
        if is_collection
            && here.iter().any(leads_on)
            && let Ok(parts) = serde_json::from_str(value.get())
        {
            self.parts(parts, here, depth);
        }
        if let Some(exact) = exact {
            let ends = |at: &usize| self.wanted.get(*at).is_some_and(|it| it.len() == depth);
            let ending: Vec<usize> = here.iter().copied().filter(ends).collect();
            self.mark(&ending, &exact);
        }
    }

    /// Reads the members or items of a collection.
    fn parts(&mut self, parts: Parts<'_>, here: &[usize], depth: usize) {
        match parts {
            Parts::Members(members) => {
                for (key, value) in members {
                    if let Ok(name) = serde_json::from_str::<String>(key.get()) {
                        let key = self.place(key);
                        self.below(value, here, depth, &name, Some(key));
                    }
                }
            }
            Parts::Items(items) => {
                for (index, item) in items.into_iter().enumerate() {
                    self.below(item, here, depth, &index.to_string(), None);
                }
            }
        }
    }

    /// Reads a member or item, which only the pointers that name it lead into.
    fn below(
        &mut self,
        value: &RawValue,
        here: &[usize],
        depth: usize,
        name: &str,
        key: Option<Range<usize>>,
    ) {
        let leads = |at: &usize| {
            let token = self.wanted.get(*at).and_then(|tokens| tokens.get(depth));
            token.is_some_and(|token| token == name)
        };
        let there: Vec<usize> = here.iter().copied().filter(leads).collect();
        if !there.is_empty() {
            self.value(value, &there, depth + 1, key);
        }
    }

    fn mark(&mut self, pointers: &[usize], place: &Range<usize>) {
        for pointer in pointers {
            if let Some(span) = self.spans.get_mut(*pointer) {
                *span = Some(place.clone());
            }
        }
    }

    /// The bytes of a part of the text.
    fn place(&self, part: &RawValue) -> Range<usize> {
        let part = part.get();
        let start = part
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr());
        start..start + part.len()
    }
}

/// The parts of an object or a list, as they are written.
enum Parts<'t> {
    Members(Vec<(&'t RawValue, &'t RawValue)>),
    Items(Vec<&'t RawValue>),
}

impl<'de> Deserialize<'de> for Parts<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor)
    }
}

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(member) = members.next_entry()? {
            found.push(member);
        }
        Ok(Parts::Members(found))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element()? {
            found.push(item);
        }
        Ok(Parts::Items(found))
    }
}
