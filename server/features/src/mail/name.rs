//! Names that people chose, made safe for mails to others.

/// The name with look-alikes for the characters that programs make links of: no user can have the service
/// mail a link by choosing a name.
pub fn without_links(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '.' => '․',
            '/' => '∕',
            '@' => '＠',
            ':' => '꞉',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_link() {
        assert_eq!(without_links("Wallet 2"), "Wallet 2");
        for name in [
            "https://evil.example/x",
            "evil.example",
            "eve@evil.example",
            "a\nb",
        ] {
            let shown = without_links(name);
            assert!(!shown.contains(['.', '/', '@', ':', '\n']), "{shown}");
        }
    }
}
