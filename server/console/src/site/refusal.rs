//! The refusal of a request for a page.

/// The reason why a request for a page is refused.
#[derive(Debug)]
pub enum Refusal {
    NoSuchPage,
    /// The method is neither GET nor HEAD.
    Method,
    /// The network has asked for as many pages in the last minute as it may.
    TooMany {
        /// The seconds after which it may ask for another one.
        retry_after: u64,
    },
    /// The client has as many requests at a time as it may.
    Busy,
    /// The page cannot be written.
    Failed,
}
