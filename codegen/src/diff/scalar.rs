//! Numbers and texts about the limits of two schemas.

use super::node::Node;
use super::pattern::matches;
use super::text;
use json_schema::format::integer_range;
use json_schema::number::decimal::Decimal;
use serde_json::Number;

/// The longest text that is made as a sample.
pub(super) const LONGEST: u64 = 20_000;

/// Of how many patterns texts are joined.
const MOST_JOINED: usize = 4;

/// Numbers of a normal form, those about the limits of either first.
pub(super) fn numbers(node: &Node<'_>, other: &Node<'_>) -> Vec<Number> {
    let mut found = Vec::new();
    let keywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    for side in [node, other] {
        for limit in keywords
            .iter()
            .filter_map(|keyword| side.bounds.get(*keyword))
        {
            about(limit, &mut found);
        }
    }
    for side in [node, other] {
        let steps = side.marks.iter().filter(|(name, _)| *name == "multipleOf");
        let steps: Vec<f64> = steps.filter_map(|(_, text)| text.parse().ok()).collect();
        // A multiple of all of them is one of each.
        let common = (steps.len() > 1).then(|| steps.iter().product::<f64>());
        for step in steps.into_iter().chain(common) {
            let multiples = [1.0, 2.0, 3.0, 5.0, 7.0, 0.5].map(|n| n * step);
            found.extend(multiples.iter().filter_map(|n| number(*n)));
        }
    }
    found.extend([0_i64, 1, -1, 2, 3, 5, 7, 10, 40_000, 3_000_000_000].map(Number::from));
    found.extend(Number::from_f64(0.5));
    // They come last: a sample is the first that fits, and bounds do not tell what a format refuses.
    for side in [node, other] {
        let formats = side.marks.iter().filter(|(name, _)| *name == "format");
        let ranges = formats.filter_map(|(_, format)| integer_range(format));
        let beyond = ranges.flat_map(|(min, max)| [max.saturating_add(1), min.saturating_sub(1)]);
        found.extend(beyond.filter_map(Number::from_i128));
    }
    found.retain(|number| !node.integer || !number.is_f64());
    let inside = found.iter().position(|number| admits(node, number));
    if let Some(position) = inside {
        found.swap(0, position);
    }
    found
}

/// A limit and its neighbours.
fn about(limit: &Number, found: &mut Vec<Number>) {
    found.push(limit.clone());
    if let Some(integer) = limit.as_i64() {
        let near = [1, -1, 2, -2].map(|step| i128::from(integer) + step);
        found.extend(near.into_iter().filter_map(Number::from_i128));
    }
    if let Some(float) = limit.as_f64() {
        found.extend(
            [0.5, -0.5, 1.0, -1.0, float]
                .iter()
                .filter_map(|step| number(float + step)),
        );
    }
}

/// A number, as an integer where it is one.
fn number(value: f64) -> Option<Number> {
    let text = format!("{value}");
    let integer = text.parse::<i64>().ok().map(Number::from);
    integer.or_else(|| Number::from_f64(value))
}

/// Whether a number keeps the bounds and steps of a normal form. One that is too long to be looked at
/// does, as far as anybody sees.
pub(super) fn admits(node: &Node<'_>, number: &Number) -> bool {
    let Some(value) = Decimal::of(number) else {
        return true;
    };
    let limit = |keyword: &str| Decimal::of(node.bounds.get(keyword)?);
    let is_multiple = |text: &str| {
        let step = Decimal::parse(text);
        step.is_none_or(|step| value.is_multiple_of(&step))
    };
    let mut steps = node
        .marks
        .iter()
        .filter(|(keyword, _)| *keyword == "multipleOf");
    limit("minimum").is_none_or(|min| value >= min)
        && limit("maximum").is_none_or(|max| value <= max)
        && limit("exclusiveMinimum").is_none_or(|min| value > min)
        && limit("exclusiveMaximum").is_none_or(|max| value < max)
        && (!node.integer || is_multiple("1"))
        && steps.all(|(_, text)| is_multiple(text))
}

/// Texts of a normal form, among them some at the limits of either.
pub(super) fn texts(node: &Node<'_>, other: &Node<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let marked = |keyword: &str| {
        let marks = node.marks.iter().chain(&other.marks);
        let texts = marks.filter(|(name, _)| *name == keyword);
        texts.map(|(_, text)| text.clone()).collect::<Vec<_>>()
    };
    let patterns = marked("pattern");
    let mut lengths: Vec<u64> = Vec::new();
    for side in [node, other] {
        for keyword in ["minLength", "maxLength"] {
            if let Some(limit) = side.bounds.get(keyword).and_then(Number::as_u64) {
                lengths.extend([limit, limit.saturating_add(1), limit.saturating_sub(1)]);
            }
        }
    }
    for pattern in &patterns {
        found.extend(text::matching(pattern));
    }
    found.extend(joined(&patterns));
    for format in marked("format") {
        found.extend(
            text::formatted(&format)
                .iter()
                .map(|text| (*text).to_owned()),
        );
    }
    if patterns.is_empty() {
        found.extend(["a", "sample", "", "A b", "1", "é"].map(str::to_owned));
    }
    for length in lengths.into_iter().filter(|length| *length <= LONGEST) {
        let length = usize::try_from(length).unwrap_or_default();
        let shaped = patterns
            .iter()
            .filter_map(|pattern| text::matching_of(pattern, length));
        found.extend(shaped);
        found.push(text::plain(length));
    }
    if !patterns.is_empty() {
        found.extend(["a", "sample", "", "A b", "1", "é"].map(str::to_owned));
    }
    let inside = found.iter().position(|text| fits(node, text));
    if let Some(position) = inside {
        found.swap(0, position);
    }
    found
}

/// Texts of two patterns one after the other, in which both occur as far as neither asks for more: one of them
/// may be the same, in which it occurs twice.
fn joined(patterns: &[String]) -> Vec<String> {
    let texts = patterns
        .iter()
        .filter_map(|pattern| text::matching(pattern).into_iter().next());
    let texts: Vec<String> = texts.take(MOST_JOINED).collect();
    let pairs = texts
        .iter()
        .flat_map(|one| texts.iter().map(move |other| format!("{one}{other}")));
    pairs.collect()
}

/// Whether a text keeps the lengths, patterns and formats of a normal form.
pub(super) fn fits(node: &Node<'_>, text: &str) -> bool {
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let limit = |keyword: &str| node.bounds.get(keyword).and_then(Number::as_u64);
    let marked = node.marks.iter().all(|(keyword, operand)| match *keyword {
        "pattern" => matches(operand, text).unwrap_or(true),
        "format" => json_schema::format::is_valid(operand, text),
        _ => true,
    });
    limit("minLength").is_none_or(|min| length >= min)
        && limit("maxLength").is_none_or(|max| length <= max)
        && marked
}
