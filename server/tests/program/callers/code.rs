//! The code that pages show.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A block of code on a page.
pub(super) struct Block {
    pub(super) language: String,
    /// Whether it is the output of the code before it.
    pub(super) is_answer: bool,
    pub(super) text: String,
}

/// The blocks of a page, in their order.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    const START: &str = "<code class=\"language-";
    let starts = page.match_indices(START);
    let blocks = starts.map(|(at, _)| {
        let (before, rest) = (&page[..at], &page[at + START.len()..]);
        let (language, text) = rest.split_once("\">").unwrap();
        Block {
            language: language.to_owned(),
            is_answer: before.ends_with("</figcaption><pre>"),
            text: plain(text.split("</code>").next().unwrap()),
        }
    });
    blocks.collect()
}

/// The blocks in one language that are no answers, one after the other.
pub(super) fn program(page: &str, language: &str) -> String {
    let blocks = blocks(page).into_iter();
    let blocks = blocks.filter(|block| block.language == language && !block.is_answer);
    blocks.map(|block| block.text).collect()
}

fn plain(html: &str) -> String {
    let marks = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    // Syntax colors are elements.
    let parts = html.split('<').enumerate();
    let text: String = parts
        .map(|(at, part)| match at {
            0 => part,
            _ => part.split_once('>').unwrap().1,
        })
        .collect();
    marks
        .iter()
        .fold(text, |text, (mark, sign)| text.replace(mark, sign))
}

/// The command that runs a program in one of the languages of samples.
pub(super) fn run(language: &str, program: &str) -> Command {
    let (interpreter, arguments): (_, &[&str]) = match language {
        "sh" => ("bash", &["-euo", "pipefail", "-c"]),
        "js" => ("node", &["--input-type=module", "--eval"]),
        _ => ("python3", &["-c"]),
    };
    let mut command = Command::new(interpreter);
    command.args(arguments).arg(program);
    command
}

/// Compiles a crate that is made of code of pages, with the versions of this workspace.
pub(super) fn build(root: &Path) {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, root.join("Cargo.lock")).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--offline", "--quiet"])
        .current_dir(root);
    cargo
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env("RUSTFLAGS", "-D warnings");
    printed(&mut cargo);
}

/// The output of a command, which must succeed.
#[track_caller]
pub(super) fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}\n{complaint}");
    said
}
