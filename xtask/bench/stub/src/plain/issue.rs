//! The validation errors of a request.

use serde::Serialize;

#[derive(Serialize)]
pub struct Issue {
    r#in: &'static str,
    at: String,
    keyword: &'static str,
    message: String,
}

impl Issue {
    pub fn new(keyword: &'static str, message: impl Into<String>) -> Self {
        Self {
            r#in: "",
            at: String::new(),
            keyword,
            message: message.into(),
        }
    }

    pub fn at(self, place: &'static str, at: impl Into<String>) -> Self {
        Self {
            r#in: place,
            at: at.into(),
            ..self
        }
    }
}

/// The first few of them: a hostile request cannot have a longer answer made.
#[derive(Default)]
pub struct Issues(pub Vec<Issue>);

impl Issues {
    pub fn push<T>(&mut self, issue: Issue) -> Option<T> {
        if self.0.len() < 64 {
            self.0.push(issue);
        }
        None
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
