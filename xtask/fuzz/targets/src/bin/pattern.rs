//! Patterns of schemas, in a line, and the text that they are looked for in.

#![no_main]

use json_schema::Pattern;

libfuzzer_sys::fuzz_target!(|input: &str| {
    let (pattern, text) = input.split_once('\n').unwrap_or((input, ""));
    let pattern = Pattern::owned(pattern.to_owned());
    let is_match = pattern.is_match(text);
    assert_eq!(pattern.is_match(text), is_match);
});
