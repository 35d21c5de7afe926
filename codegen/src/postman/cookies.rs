//! Cookies of a request. Postman has no table for them, so they are written as a header.

use super::format::{Description, Row};

/// The cookies that are always sent, and those that are sent when the caller wants it.
#[derive(Default)]
pub(super) struct Cookies {
    sent: Vec<String>,
    offered: Vec<String>,
}

impl Cookies {
    pub(super) fn add(&mut self, name: &str, value: &str, sent: bool) {
        let list = if sent {
            &mut self.sent
        } else {
            &mut self.offered
        };
        list.push(format!("{name}={value}"));
    }

    /// One header for each kind: a request has one `Cookie` header (RFC 6265 §5.4). The second
    /// repeats the first, which is unticked when the second is ticked.
    pub(super) fn into_rows(self) -> Vec<Row> {
        let mut rows = Vec::new();
        if !self.sent.is_empty() {
            rows.push(row(&self.sent, false));
        }
        if !self.offered.is_empty() {
            let all = [self.sent, self.offered].concat();
            rows.push(row(&all, true));
        }
        rows
    }
}

fn row(cookies: &[String], disabled: bool) -> Row {
    Row {
        key: "Cookie".into(),
        value: Some(cookies.join("; ")),
        description: Description::default(),
        disabled,
    }
}
