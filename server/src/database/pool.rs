//! How the connections to a database are used.

/// A pool of connections at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolUse {
    /// How many connections there may be.
    pub most: usize,
    /// How many there are.
    pub open: usize,
    /// The number of idle connections.
    pub idle: usize,
    /// How many requests wait for one.
    pub waiting: usize,
    /// How many have waited in vain since the start.
    pub timeouts: u64,
}
