//! Compares a response with the expected one.

use serde_json::Value;

/// The expected response to a request.
#[derive(Debug)]
pub(super) enum Expected {
    /// It is accepted, and the response echoes this value.
    Accepted(Value),
    /// It is accepted, and the response has a head only.
    Head,
    /// It is refused with a validation error.
    Refused {
        place: &'static str,
        at: String,
        keyword: String,
        /// The bound that the message names.
        bound: Option<String>,
        /// The sent value, which the response must not repeat.
        sent: Value,
    },
    /// It is refused with a status, a code, and a header.
    Status(u16, &'static str, Option<&'static str>),
}

impl Expected {
    pub(super) fn is_valid(&self) -> bool {
        matches!(self, Expected::Accepted(_) | Expected::Head)
    }
}

/// Compares a response with the expected one; the error says how it is wrong.
pub(super) fn check(expected: &Expected, answer: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    let is = |wanted: &str| match status == wanted {
        true => Ok(()),
        false => Err(format!("status {status} where {wanted} is expected")),
    };
    match expected {
        Expected::Accepted(sent) => {
            is("200")?;
            let echoed: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
            match same(sent, &echoed) {
                true => Ok(()),
                false => Err(format!("{sent} is echoed as another value")),
            }
        }
        Expected::Head => {
            is("200")?;
            let length = head
                .lines()
                .any(|line| line.starts_with("content-length: "));
            (body.is_empty() && length)
                .then_some(())
                .ok_or_else(|| "not an answer to HEAD".into())
        }
        Expected::Status(wanted, code, header) => {
            is(&wanted.to_string())?;
            let refusal = refusal(head, body)?;
            if refusal.get("code").and_then(Value::as_str) != Some(code) {
                return Err(format!("the code is not {code}"));
            }
            match header {
                Some(header) if !head.lines().any(|line| line == *header) => {
                    Err(format!("no header {header}"))
                }
                _ => Ok(()),
            }
        }
        Expected::Refused {
            place,
            at,
            keyword,
            bound,
            sent,
        } => {
            is("400")?;
            let refusal = refusal(head, body)?;
            let violations = refusal.get("violations").and_then(Value::as_array);
            let violations = violations.ok_or("no violations")?;
            let named = violations.iter().find(|violation| {
                violation["in"] == *place
                    && violation["at"] == *at
                    && violation["keyword"] == *keyword
            });
            let named = named.ok_or_else(|| format!("no {keyword} at {place} {at}"))?;
            if let Some(other) = violations.iter().find(|violation| violation["at"] != *at) {
                return Err(format!("{} has a violation too", other["at"]));
            }
            let message = named["message"].as_str().unwrap_or_default();
            if bound.as_ref().is_some_and(|bound| !message.contains(bound)) {
                return Err("the message does not name the bound".into());
            }
            match repeated(sent, body) {
                true => Err("the answer repeats what was sent".into()),
                false => Ok(()),
            }
        }
    }
}

/// The error body, which must have the contract's format.
fn refusal(head: &str, body: &str) -> Result<Value, String> {
    if !head
        .lines()
        .any(|line| line == "content-type: application/json")
    {
        return Err("the refusal is not JSON".into());
    }
    let refusal: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let names: Vec<&str> = refusal
        .as_object()
        .into_iter()
        .flatten()
        .map(|(n, _)| n.as_str())
        .collect();
    match names == ["code", "violations"] {
        true => Ok(refusal),
        false => Err("the refusal is not in the contract's shape".into()),
    }
}

/// Whether the body repeats a sent text; short ones may occur in it by chance.
fn repeated(sent: &Value, body: &str) -> bool {
    match sent {
        Value::String(text) => text.chars().count() > 3 && body.contains(text.as_str()),
        Value::Array(items) => items
            .iter()
            .any(|item| item.is_string() && repeated(item, body)),
        _ => false,
    }
}

/// Whether two values are equal; numbers are compared by value, so that 1 and 1.0 are equal.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(status: &str, body: &str) -> Vec<u8> {
        format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n\r\n{body}").into_bytes()
    }

    fn refused(message: &str, at: &str) -> Vec<u8> {
        let violation =
            json!({ "in": "query", "at": at, "keyword": "maximum", "message": message });
        let body = json!({ "code": "INVALID", "violations": [violation] });
        answer("400 Bad Request", &body.to_string())
    }

    #[test]
    fn a_validation_error_names_the_place_and_the_bound_and_repeats_no_value() {
        let expected = Expected::Refused {
            place: "query",
            at: "limit".into(),
            keyword: "maximum".into(),
            bound: Some("200".into()),
            sent: json!("hunter2"),
        };
        let verdict = |answer: &[u8]| check(&expected, answer);
        assert_eq!(verdict(&refused("must be at most 200", "limit")), Ok(()));
        for wrong in [
            refused("is too large", "limit"),
            refused("must be at most 200", "offset"),
            refused("must be at most 200, not hunter2", "limit"),
            answer("200 OK", "{}"),
            answer("400 Bad Request", "{}"),
            b"HTTP/1.1 400 Bad Request\r\n\r\nno".to_vec(),
            Vec::new(),
        ] {
            assert!(
                verdict(&wrong).is_err(),
                "{}",
                String::from_utf8_lossy(&wrong)
            );
        }
    }

    #[test]
    fn an_accepted_value_is_echoed() {
        let expected = Expected::Accepted(json!({ "a": 1.0, "b": [null] }));
        assert_eq!(
            check(&expected, &answer("200 OK", r#"{"b":[null],"a":1}"#)),
            Ok(())
        );
        for wrong in [
            r#"{"a":1}"#,
            r#"{"a":1,"b":[]}"#,
            r#"{"a":1,"b":[null],"c":1}"#,
            "",
        ] {
            assert!(
                check(&expected, &answer("200 OK", wrong)).is_err(),
                "{wrong}"
            );
        }
    }
}
