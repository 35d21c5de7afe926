//! Tests that are known to fail, each with its reason. One that passes after all fails the run, so
//! that the list never outlives its reasons.

/// A test, or every test of a group, that is not held against the generator.
pub(crate) struct Waiver {
    /// The file's name without its ending.
    pub(crate) file: &'static str,
    /// The group's description.
    pub(crate) group: &'static str,
    /// The test's description; `None` for the whole group.
    pub(crate) test: Option<&'static str>,
    /// Why it fails, and what would have to change.
    pub(crate) reason: &'static str,
}

/// All waivers.
pub(crate) const WAIVERS: &[Waiver] = &[];
