//! Tags as readers see them: with their operations, and with the tags below them.

/// A tag with its operations and the tags below it (OpenAPI 3.2.0 §4.22); one without either is left out.
#[derive(Debug)]
pub struct Section {
    /// The tag as the document writes it.
    pub tag: String,
    /// Its title: its summary, or else the tag itself.
    pub title: String,
    /// Its description, and its kind if it has one.
    pub doc: String,
    /// The index of its operations in [`Api::groups`](super::Api::groups), if it has any.
    pub group: Option<usize>,
    /// The tags below it.
    pub sections: Vec<Section>,
}
