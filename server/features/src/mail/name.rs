//! Names that people chose, made safe for mails to others.

use crate::domain::printable::is_unprintable;

/// The name with look-alikes for the characters that programs make links of, in all their widths: no user can have the
/// service mail a link by choosing a name. The look-alikes stay what they are when a program normalizes the text.
pub fn without_links(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '.' | '․' | '．' | '。' | '｡' | '﹒' => '·',
            '/' | '／' => '∕',
            '@' | '＠' | '﹫' => 'ⓐ',
            ':' | '：' | '﹕' | '︓' => '꞉',
            c if is_unprintable(c) => ' ',
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
            "evil．example",
            "evil。example",
            "eve＠evil｡example",
            "https：／／evil",
            "a\nb\u{2028}c",
        ] {
            let shown = without_links(name);
            let links = "./@:．。｡＠：／\n\u{2028}";
            assert!(!shown.contains(|c| links.contains(c)), "{shown}");
        }
    }
}
