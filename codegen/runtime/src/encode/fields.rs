//! Structs written as objects, field by field.
//!
//! The code that `serde` derives for a struct checks for an error after every
//! field, and counts the fields beforehand; the compiler checks that for every
//! type. Here an error is kept until the end, so that a generated struct has
//! one short statement for each field.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// Writes the fields of one struct.
pub struct Writer<S: Serializer>(Result<S::SerializeMap, S::Error>);

impl<S: Serializer> Writer<S> {
    /// An object without members so far.
    #[must_use]
    pub fn new(serializer: S) -> Self {
        Self(serializer.serialize_map(None))
    }

    /// Writes a member that is always there. Names are not checked to be
    /// distinct.
    pub fn required<T: Serialize>(&mut self, name: &str, value: &T) {
        if let Ok(map) = &mut self.0
            && let Err(error) = map.serialize_entry(name, value)
        {
            self.0 = Err(error);
        }
    }

    /// Writes a member unless it is absent.
    pub fn optional<T: Serialize>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// Writes the members that have no field of their own.
    pub fn others<T: Serialize>(&mut self, kept: &BTreeMap<String, T>) {
        for (name, value) in kept {
            self.required(name, value);
        }
    }

    /// Ends the object.
    ///
    /// # Errors
    /// Returns the first error of writing the object.
    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.0?.end()
    }
}
