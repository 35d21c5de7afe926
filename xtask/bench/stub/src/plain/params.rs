//! Parameters and their bounds.

use super::issue::{Issue, Issues};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// The pairs of a query string.
pub struct Query<'q>(Vec<(Cow<'q, str>, Cow<'q, str>)>);

impl<'q> Query<'q> {
    /// Takes a query apart; names that are not `declared` become issues.
    pub fn parse(query: Option<&'q str>, declared: &[&str], issues: &mut Issues) -> Self {
        let pairs = query
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        let pairs: Vec<_> = pairs.collect();
        for (name, _) in &pairs {
            if !declared.contains(&name.as_ref()) {
                let name: String = name.chars().take(64).collect();
                let message = "is not a parameter of this operation";
                issues.push::<()>(Issue::new("undeclared", message).at("query", name));
            }
        }
        Self(pairs)
    }

    /// The value of a parameter, which may be given once.
    pub fn one(&self, name: &str, issues: &mut Issues) -> Option<Cow<'q, str>> {
        let mut values = self.0.iter().filter(|(own, _)| own == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value.clone()),
            (None, _) => None,
            (Some(_), Some(_)) => {
                issues.push(Issue::new("type", "must not be repeated").at("query", name))
            }
        }
    }
}

fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '+']) {
        return Cow::Borrowed(text);
    }
    let spaced = text.replace('+', " ");
    Cow::Owned(percent_decode_str(&spaced).decode_utf8_lossy().into_owned())
}

/// A whole number as JSON writes it, within its bounds.
pub fn number(text: &str, min: i64, max: i64) -> Result<i64, Issue> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let written = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    match text.parse() {
        Ok(number) if written => bounded(number, min, max),
        _ => Err(Issue::new("type", "must be an integer")),
    }
}

pub fn bounded(number: i64, min: i64, max: i64) -> Result<i64, Issue> {
    if number < min {
        Err(Issue::new("minimum", format!("must be at least {min}")))
    } else if number > max {
        Err(Issue::new("maximum", format!("must be at most {max}")))
    } else {
        Ok(number)
    }
}

/// A text whose length in code points is within its bounds.
pub fn text(text: &str, min: usize, max: usize) -> Result<(), Issue> {
    let length = text.chars().count();
    let noun = |count| {
        if count == 1 {
            "character"
        } else {
            "characters"
        }
    };
    if length < min {
        let message = format!("must have at least {min} {}", noun(min));
        Err(Issue::new("minLength", message))
    } else if length > max {
        let message = format!("must have at most {max} {}", noun(max));
        Err(Issue::new("maxLength", message))
    } else {
        Ok(())
    }
}
