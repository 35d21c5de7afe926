//! Sets of the types of JSON Schema (2020-12 Core, section 4.2.1).

/// A set of JSON types, in which every number that is an integer has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `boolean`.
    pub const BOOLEAN: Self = Self(2);
    /// A number without a fraction, however it is written.
    pub const INTEGER: Self = Self(4);
    /// Any number.
    pub const NUMBER: Self = Self(8 | 4);
    /// `string`.
    pub const STRING: Self = Self(16);
    /// `array`.
    pub const ARRAY: Self = Self(32);
    /// `object`.
    pub const OBJECT: Self = Self(64);
    /// Every type.
    pub const ALL: Self = Self(127);
    /// No type.
    pub const NONE: Self = Self(0);

    /// The types of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The types that both sets have.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether every type of `other` is in the set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The type with the name that JSON Schema gives it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(_, n, _)| *n == name)
            .map(|(types, ..)| *types)
    }

    /// The nouns of the set's types, joined with `or`.
    pub fn phrase(self) -> String {
        let mut nouns = Vec::new();
        for (types, name, noun) in Self::NAMES {
            let implied = name == "integer" && self.contains(Self::NUMBER);
            if self.contains(types) && !implied {
                nouns.push(noun);
            }
        }
        nouns.join(" or ")
    }

    /// The names of the set's types.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let names = Self::NAMES.iter();
        let names = names.filter(|(types, ..)| self.contains(*types));
        names.map(|(_, name, _)| *name).collect()
    }

    const NAMES: [(Self, &str, &str); 7] = [
        (Self::BOOLEAN, "boolean", "a boolean"),
        (Self::INTEGER, "integer", "an integer"),
        (Self::NUMBER, "number", "a number"),
        (Self::STRING, "string", "a string"),
        (Self::ARRAY, "array", "an array"),
        (Self::OBJECT, "object", "an object"),
        (Self::NULL, "null", "null"),
    ];
}
