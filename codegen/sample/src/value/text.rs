//! Strings for a pattern, a format or a length.

use json_schema::format::Format;
use json_schema::pattern::parse;
use regex_syntax::hir::{Hir, HirKind};

/// Up to eight different strings that match a pattern; none if it does not compile.
#[must_use]
pub fn matching(pattern: &str) -> Vec<String> {
    const SEEDS: usize = 8;
    let Some(hir) = parsed(pattern) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    for seed in 0..SEEDS {
        push(&mut texts, Generator::generate(&hir, seed, 0));
    }
    texts
}

/// A string of that many characters that matches a pattern; `None` if no attempt has that length, as repetitions stop
/// at 20 000 bytes.
#[must_use]
pub fn matching_with_length(pattern: &str, length: usize) -> Option<String> {
    const COUNTS: usize = 64;
    const SEEDS: usize = 3;
    let hir = parsed(pattern)?;
    let fits = |text: &String| text.chars().count() == length;
    let repeats = (length.saturating_sub(COUNTS)..=length).rev();
    let mut texts = repeats.flat_map(|repeats| {
        let hir = &hir;
        (0..SEEDS).map(move |seed| Generator::generate(hir, seed, repeats))
    });
    texts.find(fits)
}

/// That many letters.
#[must_use]
pub fn letters(length: usize) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    // Repeats the alphabet, which is fast for long strings.
    let mut text = LETTERS.repeat(length / LETTERS.len() + 1);
    text.truncate(length);
    text
}

/// The samples of a format.
pub(crate) fn format_samples(format: &str) -> &'static [&'static str] {
    Format::named(format).map_or(&[], |format| format.samples)
}

fn parsed(pattern: &str) -> Option<Hir> {
    parse(&without_look_around(pattern))
}

/// Removes look-around assertions, which `regex_syntax` cannot parse. Most strings that match the rest satisfy them
/// too; the caller checks.
fn without_look_around(pattern: &str) -> String {
    const OPENINGS: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];
    let mut out = String::new();
    let mut rest = pattern;
    // How deeply the groups that are left out are nested, and whether this is inside a class.
    let (mut depth, mut in_class) = (0_usize, false);
    while let Some(c) = rest.chars().next() {
        let opens = !in_class && OPENINGS.iter().any(|opening| rest.starts_with(opening));
        let length = match c {
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            _ => c.len_utf8(),
        };
        match c {
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && (opens || depth > 0) => depth += 1,
            _ => {}
        }
        let (taken, after) = rest.split_at(length);
        if depth == 0 {
            out.push_str(taken);
        } else if c == ')' && !in_class {
            depth -= 1;
        }
        rest = after;
    }
    out
}

fn push(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}

/// Generates one string that matches an expression.
struct Generator {
    out: String,
    /// The number by which alternatives, characters and counts are chosen.
    seed: usize,
    /// The number of repetitions for the first repetition operator whose range allows it; 0 when it has been used.
    repeats: usize,
}

/// How many ranges of a class are looked at.
const RANGES: usize = 64;

/// The bytes at which a string is not repeated any more.
const MAX_BYTES: usize = 20_000;

impl Generator {
    fn generate(hir: &Hir, seed: usize, repeats: usize) -> String {
        let mut generator = Generator {
            out: String::new(),
            seed,
            repeats,
        };
        generator.expression(hir);
        generator.out
    }

    fn expression(&mut self, hir: &Hir) {
        if self.out.len() > MAX_BYTES {
            return;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => {
                self.out.push_str(&String::from_utf8_lossy(&literal.0));
            }
            HirKind::Class(class) => self.out.extend(self.character(class)),
            HirKind::Repetition(repetition) => {
                let count = self.count(repetition.min, repetition.max);
                self.repeat(&repetition.sub, count);
            }
            HirKind::Capture(capture) => self.expression(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.expression(part)),
            HirKind::Alternation(parts) => {
                let chosen = self.seed % parts.len().max(1);
                if let Some(part) = parts.get(chosen) {
                    self.expression(part);
                }
            }
        }
    }

    /// Writes strings of an expression that many times. Once `repeats` is used, further ones are equal, so they are
    /// copied and not generated.
    fn repeat(&mut self, sub: &Hir, count: u32) {
        for written in 1..=count {
            let (start, repeats) = (self.out.len(), self.repeats);
            self.expression(sub);
            let piece = self.out.get(start..).unwrap_or_default().to_owned();
            if piece.is_empty() || self.repeats == repeats {
                let room = MAX_BYTES.saturating_sub(self.out.len()) / piece.len().max(1);
                let left = usize::try_from(count - written).unwrap_or(usize::MAX);
                self.out.push_str(&piece.repeat(left.min(room)));
                return;
            }
        }
    }

    fn count(&mut self, min: u32, max: Option<u32>) -> u32 {
        let wanted = u32::try_from(self.repeats).unwrap_or(u32::MAX);
        if wanted > min && max != Some(min) {
            self.repeats = 0;
            return wanted.min(max.unwrap_or(u32::MAX));
        }
        let more = min.saturating_add(u32::try_from(self.seed % 3).unwrap_or(0));
        let chosen = if self.seed == 0 { min.max(1) } else { more };
        chosen.min(max.unwrap_or(u32::MAX))
    }

    /// A character of a class, a printing one if there is one. Classes such as `\w` have hundreds of
    /// ranges; the first of them have the printing characters.
    fn character(&self, class: &regex_syntax::hir::Class) -> Option<char> {
        let ranges: Vec<(char, char)> = match class {
            regex_syntax::hir::Class::Unicode(class) => {
                let ranges = class.iter().take(RANGES);
                ranges.map(|range| (range.start(), range.end())).collect()
            }
            regex_syntax::hir::Class::Bytes(class) => {
                let ranges = class.iter();
                ranges
                    .map(|range| (char::from(range.start()), char::from(range.end())))
                    .collect()
            }
        };
        let inside = |c: &char| ranges.iter().any(|(start, end)| (start..=end).contains(&c));
        let printing = "a1Az0Z-_. ".chars().filter(inside);
        let mut choices: Vec<char> = printing.collect();
        choices.extend(ranges.iter().flat_map(|(start, end)| [*start, *end]));
        choices.get(self.seed % choices.len().max(1)).copied()
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str) {
        let compiled = json_schema::pattern::compile(pattern).unwrap();
        let texts = matching(pattern);
        assert!(!texts.is_empty(), "{pattern}");
        for text in texts {
            assert!(compiled.is_match(&text), "{pattern} against {text:?}");
        }
    }

    #[test]
    fn a_text_matches_the_pattern_it_was_made_for() {
        for pattern in [
            "^([a-z]{1,50}-){2,100}$",
            "^[a-z]{2,5}$",
            "^(EVM|SVM|UTXO)$",
            r"^0x[0-9a-fA-F]{64}$",
            r"^\d{4}-\d{2}$",
            "a|b+",
            "^[^/]+$",
            "^.*x?$",
        ] {
            check(pattern);
        }
    }

    #[test]
    fn some_generated_string_satisfies_look_around() {
        for pattern in [
            r"^((?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)+[A-Za-z]{2,6}$",
            r"^/(?!\*)(?:[a-z(?=]|\((?!.*(x|y)))+$",
            r"^a(?=b|[)])b$",
        ] {
            let compiled = json_schema::pattern::compile(pattern).unwrap();
            let texts = matching(pattern);
            let kept = texts.iter().any(|text| compiled.is_match(text));
            assert!(kept, "{pattern} against {texts:?}");
        }
    }

    #[test]
    fn a_length_is_met_where_the_pattern_allows_it() {
        assert_eq!(matching_with_length("^[a-z]+$", 12).unwrap().len(), 12);
        assert_eq!(
            matching_with_length("^x-[0-9]{1,40}$", 30).unwrap().len(),
            30
        );
        assert_eq!(matching_with_length("^[a-z]{2}$", 3), None);
        let long = matching_with_length("^a(b|-){1,1011}$", 1012).unwrap();
        assert_eq!(long.chars().count(), 1012);
    }
}
