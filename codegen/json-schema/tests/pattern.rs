//! Regular expressions of ECMA-262.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use json_schema::pattern::{Pattern, compile};

#[track_caller]
fn matches(pattern: &'static str, yes: &[&str], no: &[&str]) {
    let compiled = Pattern::new(pattern);
    for text in yes {
        assert!(compiled.is_match(text), "{pattern} should match {text:?}");
    }
    for text in no {
        assert!(
            !compiled.is_match(text),
            "{pattern} should not match {text:?}"
        );
    }
}

#[test]
fn patterns_are_ecma_262() {
    matches(r"^\d+$", &["09"], &["٣", "", "1\n"]);
    matches(r"^\w$", &["a", "_"], &["é"]);
    matches(r"^\s$", &["\u{FEFF}", "\u{A0}", " "], &["\u{85}", "a"]);
    matches(r"^[^\s]$", &["a"], &["\u{FEFF}"]);
    matches(r"^.$", &["a", "😀"], &["\n", "\u{2028}"]);
    matches(r"^[\w-.]+$", &["a-.b"], &["a b"]);
    matches(r"^[a\-z]$", &["a", "-", "z"], &["b"]);
    matches(r"^[[&~]+$", &["[&~"], &["a"]);
    matches(r"^\/a{2}b{$", &["/aab{"], &["/ab{"]);
    matches(r"^{}]$", &["{}]"], &[]);
    matches(r"^\u0041\x42\u{43}\uD83D\uDE00\cJ$", &["ABC😀\n"], &[]);
    matches(r"^\p{Lu}\P{Lu}$", &["Éé"], &["éÉ"]);
    matches(r"^[\p{L}\d]+$", &["é1"], &["-"]);
    matches(r"\bfoo\b", &["a foo b"], &["afoo"]);
    matches(r"^(?<year>[0-9]{4,})$", &["2026"], &["26"]);
    matches("^[^]$", &["\n"], &[]);
    matches("[]", &[], &["", "a"]);
    matches("es", &["yes!"], &["no"]);
}

#[test]
fn surrogates_by_themselves_are_code_points_that_no_text_holds() {
    // As the characters of XML 1.0 are often written for engines of UTF-16.
    matches(
        r"^[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDBFF-\uDC00\uDFFF\t]*$",
        &["a\té", "\u{E000}"],
        &["\n", "\u{FFFF}"],
    );
    matches(r"^[\uD800-\uDFFF]?a$", &["a"], &["\u{D7FF}a", "\u{E000}a"]);
    matches(r"^[^\uD800-\uDFFF]$", &["a", "😀"], &["", "aa"]);
    matches(r"^[a-\uDFFF]$", &["a", "\u{D7FF}"], &["\u{E000}"]);
    matches(r"^[\uDBFF-\u{10FFFF}]$", &["\u{E000}"], &["\u{D7FF}"]);
    matches(r"\uD83D|^\u{DE00}*\uD83D?x$", &["x"], &["", "😀"]);
    assert!(compile(r"[\uE000-\uD800]").is_err());
    assert!(compile(r"[\uD83D\uDE00-\uDE02]").is_err());
    assert!(compile(r"\u{110000}").is_err());
}

#[test]
fn look_around_at_the_ends_is_understood() {
    matches(
        "^(?=.*[0-9])(?=.*[a-z]).{3,}$",
        &["ab1", "1xy"],
        &["abc", "123", "a1"],
    );
    matches("^(?!id|x$)[a-z]+$", &["a", "xy"], &["id", "idea", "x"]);
    matches("^(?!-)[a-z-]+(?<!-)$", &["a", "a-b"], &["-a", "a-", "-"]);
    matches("b(?<=ab)$", &["ab", "xab"], &["b", "aba"]);
    matches(r"^(?!a)(\$|[|)])$", &["$", "|", ")"], &["a", "|)"]);
}

#[test]
fn look_around_is_understood_anywhere() {
    matches("^97[89](?=.{10}$)[0-9]+$", &["9781234567890"], &["978123"]);
    matches("a(?=b)", &["xab"], &["ac", "ba"]);
    matches("^(?=a)b|c", &["c", "xc"], &["ab", "b"]);
    matches("^a|^(?!b)[a-z]{2}$", &["a1", "cb"], &["bb", "c"]);
    matches("(?<=a|bc)d", &["ad", "bcd"], &["d", "cd"]);
    matches(r"(?<!\$)\b[0-9]+", &["a 9"], &["$9", "$99"]);
    matches(r"(?<=[0-9]{2,}x+)y", &["12xxy"], &["1xy", "12y"]);
    matches("^(?=a)?b", &["b"], &["ab", "a"]);
    matches(
        "^(?:(?=[ab])(?!b).){2,3}c?$",
        &["aa", "aaac"],
        &["a", "aba"],
    );
    matches("a(?=b(?!c(?<=bc)))", &["ab", "abd"], &["abc", "a"]);
    matches("(?<=^(?=.{3}$).)b", &["abc"], &["ab", "abcd", "b"]);
    matches(
        "^(?:(?!(?:ab|é)).)*$",
        &["", "ba", "e"],
        &["ab", "xaby", "é"],
    );
    matches(
        r"^a{0,2}(?=b|$)b?$",
        &["", "a", "aab"],
        &["aaa", "c", "aabb"],
    );
    matches(r"é\b(?=x)", &["éx"], &["é", "é x"]);
    matches(
        r"^(?:(?!\s|[\u00e9\-&~]).)+$",
        &["a٣"],
        &["a b", "é", "a-", "&", "~"],
    );
    matches(
        r"x(?=\d\w\cJ\p{Lu}\uD83D\uDE00.$)",
        &["x1_\nÉ😀😀"],
        &["x٣_\nÉ😀a"],
    );
}

#[test]
fn back_references_are_what_ecma_262_says() {
    matches(r#"^(['"]).*\1$"#, &["'a'", "\"\""], &["'a\"", "'"]);
    matches(
        r"^(?<one>.)(?<two>.)\k<two>\1$",
        &["abba", "é😀😀é"],
        &["abab"],
    );
    matches(r"^(a)|b\1$", &["ax", "b"], &["ba"]);
    matches(r"^(?:(a)|b)c\1$", &["aca", "bc"], &["ac", "bca"]);
    matches(r"^\1(a)$", &["a"], &["aa"]);
    matches(r"^(a\1)+$", &["aa"], &["ab"]);
    matches(r"^(?:(\w)(?!\1))+$", &["abab"], &["abba"]);
    matches(r"^(?!(a)b)\1c$", &["c"], &["ac"]);
    matches(r"^(a)\1{2}b{$", &["aaab{"], &["aab{"]);
}

/// The time of a match has a bound for every text.
#[test]
fn hostile_texts_are_refused_in_time() {
    let before = std::time::Instant::now();
    for (pattern, text) in [
        (r"^(?:(\w+)+\s?)+(?=!)$", "a".repeat(8 << 10)),
        (r"^(a*)(a*)(a*)(a*)\1\2\3b$", "a".repeat(8 << 10)),
        (r"^(?:(?=.*x).)+y$", "a".repeat(8 << 10) + "x"),
        (r"(?:(?=.*y).)+y(?<=x)", "a".repeat((8 << 10) - 1) + "y"),
        (r"(?:(?!b).(?<=a+))*c(?=a)", "a".repeat(200 << 10) + "c"),
    ] {
        assert!(!compile(pattern).unwrap().is_match(&text), "{pattern}");
    }
    // Look-around never gives up.
    let long = "a".repeat(200 << 10) + "ab";
    assert!(compile("a(?=b)").unwrap().is_match(&long));
    assert!(before.elapsed().as_secs() < 60, "{:?}", before.elapsed());
}

#[test]
fn patterns_that_cannot_be_expressed_are_refused() {
    for pattern in [
        r"(?=a)(?:(b)|c)*\1",
        r"(?:(b)|c\1)*",
        r"(?<=(a+))\1",
        r"(a)(?<=\1)",
        r"(a)\2",
        r"(a)[\1]",
        "(?=a)b++",
        "(?>a)(?=b)",
        "(?=a",
        "(?=a))",
        r"\k<a>",
        r"\a",
        "[a",
        r"\",
        r"\x4",
    ] {
        assert!(compile(pattern).is_err(), "{pattern}");
    }
}

#[test]
fn large_repetitions_match() {
    for (pattern, fits) in [
        ("^a{300}$", "a".repeat(300)),
        ("^(a|b)*a(a|b){12}$", "ab".repeat(20) + "abbbbbbbbbbbb"),
        ("^(a{0,20}){20}$", "a".repeat(300)),
    ] {
        matches(pattern, &[&fits], &["c"]);
    }
}
