//! The errors that end a command.

use crate::settings::SETTINGS_FILE;
use std::io;

/// The error that ends a command; its text is for the user.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The document is wrong; the text is its diagnostics.
    #[error("{0}\nerror: nothing was generated from {1}")]
    Document(String, String),
    /// A document to compare is wrong; the text is its diagnostics.
    #[error("{0}\nerror: {1} cannot be compared")]
    Comparison(String, String),
    /// There is no document to compare with; the text is why.
    #[error("error: no contract to compare with: {0}\n  = help: name a file or a git revision")]
    Base(String),
    /// The list of accepted breaking changes is wrong.
    #[error("error: {0}: {1}")]
    Accepted(String, String),
    /// A settings file is wrong; the text is why.
    #[error("error: {0}: {1}")]
    Settings(String, String),
    /// There are neither settings nor flags that say which document is meant.
    #[error(
        "error: there is no {SETTINGS_FILE} in this folder or above it\n  = help: write one beside the \
         document, name the document, or make a workspace with `openapi-crate init FOLDER`"
    )]
    NoSettings,
    /// A file or folder could not be read or written.
    #[error("error: {1}: {0}")]
    Disk(io::Error, String),
    /// The output folder holds something else.
    #[error(
        "error: {0} is not empty and holds no crate that this command has generated\n  = help: \
         name a new or empty folder"
    )]
    Foreign(String),
    /// The folder of a new workspace holds something.
    #[error("error: {0} is not empty\n  = help: name a new or empty folder")]
    NotEmpty(String),
}
