//! The code in pages of documentation.

/// The blocks of a language in a page: those of a section where one is named, else all.
pub(crate) fn blocks(page: &str, section: Option<&str>, language: &str) -> Vec<String> {
    let fence = format!("```{language}");
    let mut is_wanted = section.is_none();
    let (mut blocks, mut open) = (Vec::new(), None::<(bool, String)>);
    for line in page.lines() {
        match &mut open {
            None if line.starts_with("```") => open = Some((line == fence, String::new())),
            None if line.starts_with('#') => {
                let heading = line.trim_start_matches('#').trim();
                is_wanted = section.is_none_or(|section| section == heading);
            }
            None => {}
            Some((is_of_language, text)) if line == "```" => {
                if *is_of_language && is_wanted {
                    blocks.push(std::mem::take(text));
                }
                open = None;
            }
            Some((_, text)) => text.extend([line, "\n"]),
        }
    }
    blocks
}

#[test]
fn a_block_is_of_its_language_and_section() {
    let page = "# A\n```rust\none\n```\n```rust,ignore\ntwo\n```\n## B\n```rust\n# three\nfour\n```\n```yaml\n```\n";
    assert_eq!(blocks(page, None, "rust"), ["one\n", "# three\nfour\n"]);
    assert_eq!(blocks(page, Some("B"), "rust"), ["# three\nfour\n"]);
    assert_eq!(blocks(page, None, "yaml"), [""]);
}
