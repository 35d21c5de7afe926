//! `explain`: the meaning of a diagnostic's code.

use codegen::Code;

/// The arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The code, as printed in brackets; without one, all codes are listed.
    code: Option<String>,
}

/// Prints the explanation of one code, or the list of all; whether there is such a code.
#[must_use]
pub fn run(arguments: &Arguments) -> bool {
    match &arguments.code {
        Some(name) => explain(name),
        None => {
            print!("{}", list(Code::ALL.iter().copied()));
            true
        }
    }
}

/// Prints the explanation of the code of that name; whether there is one.
pub(crate) fn explain(name: &str) -> bool {
    if let Some(code) = Code::named(name) {
        print!("{}", code.explanation());
        return true;
    }
    eprintln!("error: there is no code `{name}`");
    let near: Vec<Code> = alike(name).collect();
    if !near.is_empty() {
        eprint!("these are like it:\n{}", list(near.into_iter()));
    }
    false
}

fn list(codes: impl Iterator<Item = Code>) -> String {
    codes
        .map(|code| format!("{:<24} {}\n", code.name(), code.summary()))
        .collect()
}

/// The codes that share a word with a name.
fn alike(name: &str) -> impl Iterator<Item = Code> {
    let words: Vec<&str> = name.split('-').filter(|word| word.len() > 2).collect();
    let alike = move |code: &Code| words.iter().any(|word| code.name().contains(word));
    Code::ALL.iter().copied().filter(alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_codes_that_share_a_word() {
        let found: Vec<&str> = alike("path-params").map(Code::name).collect();
        assert!(found.contains(&"path-parameter") && found.contains(&"duplicate-path"));
        assert_eq!(alike("of").count(), 0);
    }
}
