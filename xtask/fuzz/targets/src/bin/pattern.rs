//! Patterns of schemas, in a line, and the text that they are looked for in. A pattern in a group means
//! the same, and so does one that any text may precede, although other matchers decide
//! these.

#![no_main]

use json_schema::pattern::compile;

/// The most characters of a text. In a longer one a backtracking matcher may give up, and then nothing
/// can be said.
const MAX_LENGTH: usize = 12;

libfuzzer_sys::fuzz_target!(|input: &str| {
    let (pattern, text) = input.split_once('\n').unwrap_or((input, ""));
    let Ok(compiled) = compile(pattern) else {
        return;
    };
    let is_match = compiled.is_match(text);
    if text.chars().count() > MAX_LENGTH {
        return;
    }
    for same in [format!("(?:{pattern})"), format!("^[^]*(?:{pattern})")] {
        let same_match = compile(&same).map(|same| same.is_match(text));
        // The longer one may be too large.
        assert!(
            same_match.is_err() || same_match == Ok(is_match),
            "{same:?} {is_match}"
        );
    }
});
