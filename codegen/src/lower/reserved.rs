//! Names that the parts of generated code have beside those of the document, wherever both stand in one
//! scope. A name of the document that is equal to one of them gets a number. Names that only Rust's
//! syntax or the bodies of its functions take are in `rust/names.rs`.

/// The parts of a call beside the parameters in its path.
pub(super) const ARGUMENTS: &[&str] = &[
    "Accept",
    "Body",
    "Extensions",
    "Headers",
    "Params",
    "Principal",
];

/// The parts of an answer beside its headers.
pub(super) const ANSWER: &[&str] = &["Body", "Status", "Tag"];

/// The values that the function of a link reads beside its arguments and headers.
pub(super) const LINK: &[&str] = &["Response", "Answered", "Status"];
