//! Counters of changes by kind of data, for processes that keep copies.

/// The numbers of changes of each kind of data. A counter changes in the transaction of the change, in
/// any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Versions {
    /// Charities, campaigns, chains, tokens and partner tokens.
    pub catalogue: u64,
    /// The amounts that campaigns have raised, and that charities have received.
    pub raised: u64,
    /// Keys and the tiers of their projects.
    pub keys: u64,
}

/// Data that has a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Versioned {
    Catalogue,
    Raised,
    Keys,
}

impl Versions {
    /// The counter of one kind.
    pub(crate) fn of(self, what: Versioned) -> u64 {
        match what {
            Versioned::Catalogue => self.catalogue,
            Versioned::Raised => self.raised,
            Versioned::Keys => self.keys,
        }
    }
}

impl Versioned {
    /// All kinds, in the order in which they are counted.
    pub(crate) const ALL: [Versioned; 3] =
        [Versioned::Catalogue, Versioned::Raised, Versioned::Keys];

    /// The name of its counter in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Versioned::Catalogue => "catalogue",
            Versioned::Raised => "raised",
            Versioned::Keys => "keys",
        }
    }
}
