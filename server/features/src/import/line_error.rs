//! Errors in a line of an import, and their messages.

use std::fmt;

use crate::domain::printable::printable;

/// The maximum length of a message in characters: a message that quotes the input could fill the screen.
const MAX_LENGTH: usize = 300;

/// A line that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number in the input, from 1.
    pub line: u64,
    /// Its errors; at least one.
    pub errors: Vec<LineError>,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// The place as a JSON pointer, empty for the whole line.
    pub pointer: String,
    /// The error as a predicate: "is longer than 100 characters".
    pub message: String,
}

impl LineError {
    /// An error of the value at `pointer`. Text of the input cannot act on the terminal that shows it.
    pub(super) fn new(pointer: impl Into<String>, message: impl Into<String>) -> LineError {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(MAX_LENGTH) {
            message.truncate(end);
            message.push('…');
        }
        LineError {
            pointer: printable(&pointer.into()).into_owned(),
            message: printable(&message).into_owned(),
        }
    }

    pub(super) fn of_line(message: impl Into<String>) -> LineError {
        LineError::new("", message)
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.message),
            pointer => write!(f, "{pointer} {}", self.message),
        }
    }
}
