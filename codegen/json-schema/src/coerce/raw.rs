//! Texts that have been split but not yet typed: parameters and forms before
//! they are values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

/// A text, a list, or texts by name; or the value of a text of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw<'a> {
    /// One decoded text.
    Text(Cow<'a, str>),
    /// Items in order.
    List(Vec<Raw<'a>>),
    /// Members by name.
    Map(BTreeMap<Cow<'a, str>, Raw<'a>>),
    /// A value that has its type already.
    Json(Value),
}

/// How deeply bracketed names may nest; deeper ones are malformed.
const MAX_DEPTH: usize = 16;

/// Brackets that do not pair, that nest too deeply, or that give one name
/// both a text and members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl<'a> Raw<'a> {
    /// An empty object, to [`Raw::insert`] into.
    #[must_use]
    pub const fn object() -> Self {
        Self::Map(BTreeMap::new())
    }

    /// Adds `text` under a name such as `a`, `a[b]`, `a[b][c]` or `a[]`. A
    /// name that comes again, or that ends in `[]`, makes a list.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the name is malformed or contradicts an earlier one; earlier texts stay.
    pub fn insert(&mut self, name: &str, text: Cow<'a, str>) -> Result<(), Malformed> {
        let (first, path) = name.split_at(name.find('[').unwrap_or(name.len()));
        self.member(first)?.insert_below(path, text)
    }

    /// Puts a member that is not there yet.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the member is there already.
    pub fn put(&mut self, name: &str, value: Self) -> Result<(), Malformed> {
        let place = self.member(name)?;
        if !matches!(place, Self::List(items) if items.is_empty()) {
            return Err(Malformed);
        }
        *place = value;
        Ok(())
    }

    /// Adds `text` under a path such as `[b][c]`, which may be empty.
    ///
    /// # Errors
    /// Returns the errors of [`Raw::insert`].
    pub fn insert_below(&mut self, path: &str, text: Cow<'a, str>) -> Result<(), Malformed> {
        let (mut slot, mut path) = (self, path);
        for _ in 0..MAX_DEPTH {
            if path.is_empty() {
                return slot.append(text, false);
            }
            let below = path.strip_prefix('[').and_then(|path| path.split_once(']'));
            match below {
                Some(("", "")) => return slot.append(text, true),
                Some((key, rest)) if !key.contains('[') => {
                    slot = slot.member(key)?;
                    path = rest;
                }
                _ => return Err(Malformed),
            }
        }
        Err(Malformed)
    }

    /// The place of a member; an empty list where there was none.
    fn member(&mut self, name: &str) -> Result<&mut Self, Malformed> {
        if matches!(self, Self::List(items) if items.is_empty()) {
            *self = Self::object();
        }
        match self {
            Self::Map(members) => Ok(members
                .entry(Cow::Owned(name.to_owned()))
                .or_insert(Self::List(Vec::new()))),
            _ => Err(Malformed),
        }
    }

    /// Puts `text` into an empty place, or makes a list of it and the texts
    /// there.
    fn append(&mut self, text: Cow<'a, str>, as_list: bool) -> Result<(), Malformed> {
        match self {
            Self::Map(_) | Self::Json(_) => return Err(Malformed),
            Self::List(items) if items.is_empty() && !as_list => *self = Self::Text(text),
            Self::List(items) => items.push(Self::Text(text)),
            Self::Text(first) => {
                *self = Self::List(vec![Self::Text(std::mem::take(first)), Self::Text(text)]);
            }
        }
        Ok(())
    }
}
