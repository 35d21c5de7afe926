//! The guides, with their code copied from the pages.

use features::keys::demo::ENTERPRISE;

use super::code::{blocks, printed, program, run};
use crate::folder::Folder;
use crate::serving::{Serving, serve};

#[test]
fn the_quick_start_works_as_it_stands() {
    let programs = ["bash", "curl", "jq", "node", "python3"];
    if !installed::present(&programs, &[]) {
        return;
    }
    for language in ["sh", "js", "python"] {
        let folder = Folder::new();
        let serving = serve(&folder, &["--demo"]);
        let page = serving.page("/docs/guides/quick-start");
        let program = program(&page, language);
        let said = printed(run(language, &program).env("SERVICE_API_KEY", ENTERPRISE));
        for name in [
            "Fictional Otter Haven",
            "Fictional Quiet Paws",
            "Fictional Old Horse Meadow",
        ] {
            assert!(said.contains(name), "{language}: {said}");
        }
        // The last thing that it prints is the config with its statistics.
        let shown = &said[said.rfind("\n{").unwrap()..];
        let shown: serde_json::Value = serde_json::from_str(shown).unwrap();
        let config = shown["id"].as_str().unwrap();
        assert_eq!(said.matches(config).count(), 2, "{language}: {said}");
        assert_eq!(shown["stats"]["donationCount"], "0");
    }
}

/// Guides whose code is a shell's, and which show its output.
const ANSWERED: [&str; 4] = ["quick-start", "conditional-requests", "donations", "limits"];

#[test]
fn guides_show_what_their_code_prints() {
    if !installed::present(&["bash", "curl", "jq"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let answers: usize = ANSWERED.iter().map(|guide| compared(&serving, guide)).sum();
    assert_eq!(answers, 7);
}

/// Compares the answers of a guide with the output of the code before them; how many there are.
fn compared(serving: &Serving, guide: &str) -> usize {
    let mut code = String::new();
    let mut answers = 0;
    for block in blocks(&serving.page(&format!("/docs/guides/{guide}"))) {
        if block.language == "sh" {
            code.push_str(&block.text);
        }
        if block.is_answer {
            let said = printed(&mut run("sh", &code));
            let (said, shown) = (form(&said), form(&block.text));
            assert!(
                said.ends_with(&shown),
                "{guide}: {said} does not end with {shown}"
            );
            answers += 1;
        }
    }
    answers
}

/// A text in which words with digits look alike: ids, times and amounts are others each time.
fn form(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.');
    // Lines of headers end with both.
    let text = text.replace("\r\n", "\n");
    let words = text.trim().split_inclusive(|c| !is_word(c));
    let words = words.map(|word| {
        let (word, end) = word.split_at(word.trim_end_matches(|c| !is_word(c)).len());
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        format!("{}{end}", if has_digit { "#" } else { word })
    });
    words.collect()
}

#[test]
fn each_language_of_a_guide_reads_the_same() {
    if !installed::present(&["bash", "curl", "jq", "node", "python3"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    for (guide, expected) in [
        ("paging", "Fictional Otter Haven"),
        ("authentication", "usdDonatedE6"),
    ] {
        let page = serving.page(&format!("/docs/guides/{guide}"));
        for language in ["sh", "js", "python"] {
            let program = program(&page, language);
            let said = printed(run(language, &program).env("SERVICE_API_KEY", ENTERPRISE));
            assert!(said.contains(expected), "{guide}, {language}: {said}");
        }
    }
}
