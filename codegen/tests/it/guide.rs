//! The Rust of a page of the guide is part of a behaviour test, which compiles it.

use crate::expected::folder;
use std::fs;

const PAGES: [(&str, &str); 1] = [("docs/errors.md", "errors.rs")];

#[test]
fn the_rust_of_each_page_is_compiled() {
    for (page, test) in PAGES {
        let text = fs::read_to_string(format!("{}/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let compiled = fs::read_to_string(folder("behaviour").join(test)).unwrap();
        let compiled = plain(&compiled);
        let mut blocks = text.split("```rust\n").skip(1).peekable();
        assert!(blocks.peek().is_some(), "{page}: no Rust");
        for block in blocks {
            let block = block.split("```").next().unwrap_or_default();
            assert!(
                compiled.contains(&plain(block)),
                "{page}: not in {test}:\n{block}"
            );
        }
    }
}

/// A text without the blanks, commas and notes that a formatter changes.
fn plain(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let code = lines.filter(|line| !line.starts_with("//"));
    let kept = code.flat_map(str::chars);
    kept.filter(|c| !c.is_whitespace() && *c != ',').collect()
}
