//! Texts of a sample: parts that are written as they are, and parts from environment variables.

/// A text that may hold secrets.
#[derive(Debug, Default)]
pub(super) struct Text(pub(super) Vec<Part>);

/// A part of a text.
#[derive(Debug)]
pub(super) enum Part {
    /// As it is.
    Literal(String),
    /// The value of the environment variable of this name.
    Variable(String),
}

impl Text {
    /// Adds text as it is.
    pub(super) fn literal(mut self, text: impl Into<String>) -> Text {
        let text = text.into();
        match self.0.last_mut() {
            Some(Part::Literal(last)) => last.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(Part::Literal(text)),
        }
        self
    }

    /// Adds the value of an environment variable.
    pub(super) fn variable(mut self, name: String) -> Text {
        self.0.push(Part::Variable(name));
        self
    }

    /// Adds another text.
    pub(super) fn text(self, other: Text) -> Text {
        other.0.into_iter().fold(self, |text, part| match part {
            Part::Literal(more) => text.literal(more),
            Part::Variable(name) => text.variable(name),
        })
    }

    /// The only part, if there is one only.
    pub(super) fn only(&self) -> Option<&Part> {
        match self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}
