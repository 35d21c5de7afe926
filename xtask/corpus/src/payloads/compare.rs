//! The differences between a value that was sent and the same value after a client has read it.

use serde_json::Value;

/// The JSON pointers of differences.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// Values that are gone.
    gone: Vec<String>,
    /// Values that are others now, with both.
    changed: Vec<String>,
    /// Values that were not sent.
    added: Vec<String>,
    /// `null` that is an absent property or an empty collection now, which is no loss.
    nulls: Vec<String>,
}

impl Differences {
    /// Compares two values. Numbers are equal by value: `1.0` is `1`.
    pub(crate) fn between(sent: &Value, written: &Value) -> Differences {
        let mut differences = Differences::default();
        differences.compare(sent, written, String::new());
        differences
    }

    /// Whether a reader of the client's value misses anything.
    pub(crate) fn is_lossy(&self) -> bool {
        !self.gone.is_empty() || !self.changed.is_empty() || !self.added.is_empty()
    }

    /// The differences in a line, up to a number of each kind.
    pub(crate) fn summary(&self, max: usize) -> String {
        let kinds = [
            ("gone", &self.gone),
            ("changed", &self.changed),
            ("added", &self.added),
        ];
        let kinds = kinds.iter().filter(|(_, found)| !found.is_empty());
        let kinds = kinds.map(|(kind, found)| {
            let listed: Vec<&str> = found.iter().take(max).map(String::as_str).collect();
            let more = match found.len().saturating_sub(max) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{kind} {}{more}", listed.join(", "))
        });
        kinds.collect::<Vec<_>>().join("; ")
    }

    fn compare(&mut self, sent: &Value, written: &Value, at: String) {
        let below = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        match (sent, written) {
            (Value::Object(sent), Value::Object(written)) => {
                for (name, value) in sent {
                    match written.get(name) {
                        Some(written) => self.compare(value, written, below(name)),
                        None if value.is_null() => self.nulls.push(below(name)),
                        None => self.gone.push(below(name)),
                    }
                }
                let added = written.keys().filter(|name| !sent.contains_key(*name));
                self.added.extend(added.map(|name| below(name)));
            }
            (Value::Array(sent), Value::Array(written)) if sent.len() == written.len() => {
                for (index, (sent, written)) in sent.iter().zip(written).enumerate() {
                    self.compare(sent, written, below(&index.to_string()));
                }
            }
            (Value::Null, Value::Array(items)) if items.is_empty() => self.nulls.push(at),
            (Value::Null, Value::Object(properties)) if properties.is_empty() => {
                self.nulls.push(at);
            }
            _ if is_same(sent, written) => {}
            _ => self.changed.push(format!("{at} ({sent} to {written})")),
        }
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_named_by_pointers() {
        let sent = json!({
            "a/b": 1, "same": 1.0, "list": [{ "x": 1, "y": null }], "none": null, "empty": null,
            "date": "2024-01-01T00:00:00",
        });
        let written = json!({
            "same": 1, "list": [{ "x": "1" }], "empty": [], "date": "2024-01-01T00:00:00", "new": 0,
        });
        let found = Differences::between(&sent, &written);
        let summary = r#"gone /a~1b; changed /list/0/x (1 to "1"); added /new"#;
        assert_eq!(found.summary(2), summary);
        assert_eq!(found.nulls, ["/list/0/y", "/none", "/empty"]);
        assert!(found.is_lossy());
    }

    #[test]
    fn null_is_no_loss() {
        let found = Differences::between(&json!({ "a": null }), &json!({}));
        assert!(!found.is_lossy());
        assert_eq!(found.nulls, ["/a"]);
    }

    #[test]
    fn long_lists_are_cut() {
        let sent = json!({ "a": 1, "b": 2, "c": 3 });
        let found = Differences::between(&sent, &json!({}));
        assert_eq!(found.summary(1), "gone /a and 2 more");
    }
}
