//! The use of a connection pool.

/// A pool of connections at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolUse {
    /// The maximum number of connections.
    pub most: usize,
    pub open: usize,
    pub idle: usize,
    /// The number of requests that wait for a connection.
    pub waiting: usize,
    /// The number of requests that have timed out waiting since the start.
    pub timeouts: u64,
}
