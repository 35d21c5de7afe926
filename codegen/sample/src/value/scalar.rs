//! Numbers and strings of a normal form, among them those at the limits of another one.

use super::pattern::matches;
use super::text;
use crate::normal::NormalForm;
use json_schema::format::{integer_range, is_valid};
use json_schema::number::decimal::Decimal;
use serde_json::Number;

/// The longest text that is made as a sample.
pub(crate) const MAX_LENGTH: u64 = 20_000;

/// How many patterns are joined into one text.
const MAX_JOINED: usize = 4;

/// Texts that most schemas without a pattern accept.
const USUAL: [&str; 6] = ["a", "sample", "", "A b", "1", "é"];

/// Numbers of a form, those at the limits of either form first.
pub(crate) fn numbers(form: &NormalForm<'_>, other: &NormalForm<'_>) -> Vec<Number> {
    let mut found = Vec::new();
    let keywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    for side in [form, other] {
        let limits = keywords
            .iter()
            .filter_map(|keyword| side.limits.get(*keyword));
        limits.for_each(|limit| about(limit, &mut found));
    }
    for side in [form, other] {
        let steps = side.constraints_of("multipleOf");
        let steps: Vec<f64> = steps.filter_map(|text| text.parse().ok()).collect();
        // A multiple of the product is one of each.
        let common = (steps.len() > 1).then(|| steps.iter().product::<f64>());
        for step in steps.into_iter().chain(common) {
            let multiples = [1.0, 2.0, 3.0, 5.0, 7.0, 0.5].map(|n| n * step);
            found.extend(multiples.iter().filter_map(|n| number(*n)));
        }
    }
    found.extend([0_i64, 1, -1, 2, 3, 5, 7, 10, 40_000, 3_000_000_000].map(Number::from));
    found.extend(Number::from_f64(0.5));
    // These come last: limits do not say that a format refuses them, and a sample is the first that fits.
    for side in [form, other] {
        let ranges = side.constraints_of("format").filter_map(integer_range);
        let beyond = ranges.flat_map(|(min, max)| [max.saturating_add(1), min.saturating_sub(1)]);
        found.extend(beyond.filter_map(Number::from_i128));
    }
    found.retain(|number| !form.integer || !number.is_f64());
    let inside = found.iter().position(|number| accepts_number(form, number));
    if let Some(position) = inside {
        found.swap(0, position);
    }
    found
}

/// Adds a limit and its neighbours.
fn about(limit: &Number, found: &mut Vec<Number>) {
    found.push(limit.clone());
    if let Some(integer) = limit.as_i64() {
        let near = [1, -1, 2, -2].map(|step| i128::from(integer) + step);
        found.extend(near.into_iter().filter_map(Number::from_i128));
    }
    if let Some(float) = limit.as_f64() {
        let near = [0.5, -0.5, 1.0, -1.0, float];
        found.extend(near.iter().filter_map(|step| number(float + step)));
    }
}

/// A number, written as an integer if it is one.
fn number(value: f64) -> Option<Number> {
    let integer = format!("{value}").parse::<i64>().ok().map(Number::from);
    integer.or_else(|| Number::from_f64(value))
}

/// Whether a number keeps the limits and steps of a form. One with too many digits to compare is taken
/// to keep them.
pub(crate) fn accepts_number(form: &NormalForm<'_>, number: &Number) -> bool {
    let Some(value) = Decimal::of(number) else {
        return true;
    };
    let limit = |keyword: &str| Decimal::of(form.limits.get(keyword)?);
    let is_multiple = |text: &str| {
        let step = Decimal::parse(text);
        step.is_none_or(|step| value.is_multiple_of(&step))
    };
    limit("minimum").is_none_or(|min| value >= min)
        && limit("maximum").is_none_or(|max| value <= max)
        && limit("exclusiveMinimum").is_none_or(|min| value > min)
        && limit("exclusiveMaximum").is_none_or(|max| value < max)
        && (!form.integer || is_multiple("1"))
        && form.constraints_of("multipleOf").all(is_multiple)
}

/// Texts of a form, some of them at the limits of either form.
pub(crate) fn texts(form: &NormalForm<'_>, other: &NormalForm<'_>) -> Vec<String> {
    let constraints = |keyword: &'static str| -> Vec<&str> {
        let own = form.constraints_of(keyword);
        own.chain(other.constraints_of(keyword)).collect()
    };
    let patterns = constraints("pattern");
    let mut found: Vec<String> = Vec::new();
    for pattern in &patterns {
        found.extend(text::matching(pattern));
    }
    found.extend(joined(&patterns));
    for format in constraints("format") {
        found.extend(
            text::format_samples(format)
                .iter()
                .map(|&text| text.to_owned()),
        );
    }
    if patterns.is_empty() {
        found.extend(USUAL.map(str::to_owned));
    }
    for length in lengths(form, other) {
        let shaped = patterns.iter();
        found.extend(shaped.filter_map(|pattern| text::matching_with_length(pattern, length)));
        found.push(text::letters(length));
    }
    if !patterns.is_empty() {
        found.extend(USUAL.map(str::to_owned));
    }
    let inside = found.iter().position(|text| accepts_text(form, text));
    if let Some(position) = inside {
        found.swap(0, position);
    }
    found
}

/// The lengths of texts at the limits of either form.
fn lengths(form: &NormalForm<'_>, other: &NormalForm<'_>) -> Vec<usize> {
    let mut lengths = Vec::new();
    for side in [form, other] {
        let limits = ["minLength", "maxLength"].map(|keyword| side.limit(keyword));
        for limit in limits.into_iter().flatten() {
            lengths.extend([limit, limit.saturating_add(1), limit.saturating_sub(1)]);
        }
    }
    let short = lengths.into_iter().filter(|length| *length <= MAX_LENGTH);
    short
        .filter_map(|length| usize::try_from(length).ok())
        .collect()
}

/// Texts of two patterns one after the other, in which both occur unless one asks for more.
fn joined(patterns: &[&str]) -> Vec<String> {
    let texts = patterns
        .iter()
        .filter_map(|pattern| text::matching(pattern).into_iter().next());
    let texts: Vec<String> = texts.take(MAX_JOINED).collect();
    let pairs = texts
        .iter()
        .flat_map(|one| texts.iter().map(move |other| format!("{one}{other}")));
    pairs.collect()
}

/// Whether a text keeps the lengths, patterns and formats of a form.
pub(crate) fn accepts_text(form: &NormalForm<'_>, text: &str) -> bool {
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let mut patterns = form.constraints_of("pattern");
    let mut formats = form.constraints_of("format");
    form.limit("minLength").is_none_or(|min| length >= min)
        && form.limit("maxLength").is_none_or(|max| length <= max)
        && patterns.all(|pattern| matches(pattern, text).unwrap_or(true))
        && formats.all(|format| is_valid(format, text))
}
