//! Syntax colors: code as HTML with a class for each kind of token.

/// A language that is highlighted.
struct Language {
    names: &'static [&'static str],
    /// The start of a comment that ends with its line.
    comment: &'static str,
    quotes: &'static str,
    /// Whether strings continue on the next line.
    has_long_strings: bool,
    keywords: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        names: &["json"],
        comment: "",
        quotes: "\"",
        has_long_strings: false,
        keywords: &["true", "false", "null"],
    },
    Language {
        names: &["sh", "shell", "bash"],
        comment: "#",
        quotes: "\"'",
        has_long_strings: true,
        keywords: &["do", "done", "export", "for", "if", "then", "fi", "while"],
    },
    Language {
        names: &["js", "javascript", "html"],
        comment: "//",
        quotes: "\"'`",
        has_long_strings: false,
        keywords: &[
            "async", "await", "const", "else", "export", "false", "for", "from", "function", "if",
            "import", "let", "new", "null", "of", "return", "throw", "true", "while",
        ],
    },
    Language {
        names: &["python"],
        comment: "#",
        quotes: "\"'",
        has_long_strings: false,
        keywords: &[
            "and", "as", "break", "def", "elif", "else", "except", "False", "for", "from", "if",
            "import", "in", "is", "None", "not", "or", "print", "raise", "return", "True", "try",
            "while", "with",
        ],
    },
    Language {
        names: &["rust"],
        comment: "//",
        quotes: "\"",
        has_long_strings: true,
        keywords: &[
            "async", "await", "break", "const", "else", "Err", "false", "fn", "for", "if", "impl",
            "in", "let", "loop", "match", "mut", "None", "Ok", "pub", "return", "Some", "struct",
            "true", "use", "while",
        ],
    },
];

/// The kinds of tokens, with the classes of their elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Comment,
    String,
    /// The name of a property in JSON.
    Property,
    Number,
    Keyword,
    Other,
}

/// Source code as HTML. Code in an unknown language is only escaped.
pub(crate) fn html(language: &str, source: &str) -> String {
    let known = LANGUAGES.iter().find(|it| it.names.contains(&language));
    let mut html = String::with_capacity(source.len() * 2);
    let Some(language) = known else {
        escape(source, &mut html);
        return html;
    };
    let mut rest = source;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let (token, length) = language.token(rest, before);
        let (text, after) = rest.split_at(length.max(first.len_utf8()));
        before = text.chars().next_back().unwrap_or(before);
        token.write(text, &mut html);
        rest = after;
    }
    html
}

impl Language {
    /// The first token of a source, and its length in bytes.
    fn token(&self, source: &str, before: char) -> (Token, usize) {
        let first = source.chars().next().unwrap_or_default();
        let line = source.find('\n').unwrap_or(source.len());
        let is_comment = !self.comment.is_empty() && source.starts_with(self.comment);
        if is_comment && before.is_whitespace() {
            return (Token::Comment, line);
        }
        if self.quotes.contains(first)
            && let Some(length) = string_length(source, first)
            && (self.has_long_strings || length <= line)
        {
            let after = source.get(length..).unwrap_or_default().trim_start();
            let is_property = self.names == ["json"] && after.starts_with(':');
            return match is_property {
                true => (Token::Property, length),
                false => (Token::String, length),
            };
        }
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let word = source.find(|it| !is_word(it)).unwrap_or(source.len());
        let text = source.get(..word).unwrap_or_default();
        if first.is_ascii_digit() {
            let is_number = |it: char| is_word(it) || it == '.';
            let end = source.find(|it| !is_number(it)).unwrap_or(source.len());
            return (Token::Number, end);
        }
        match self.keywords.contains(&text) && before != '.' && before != '-' {
            true => (Token::Keyword, word),
            false => (Token::Other, word),
        }
    }
}

/// The length of a quoted string, the quotes included; `None` if it has no end.
fn string_length(source: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, it) in source.char_indices().skip(1) {
        match it {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            it if it == quote => return Some(at + it.len_utf8()),
            _ => {}
        }
    }
    None
}

impl Token {
    fn class(self) -> &'static str {
        match self {
            Self::Comment => "c",
            Self::String => "s",
            Self::Property => "p",
            Self::Number => "n",
            Self::Keyword => "k",
            Self::Other => "",
        }
    }

    fn write(self, text: &str, html: &mut String) {
        if self == Self::Other {
            return escape(text, html);
        }
        html.push_str("<span class=\"");
        html.push_str(self.class());
        html.push_str("\">");
        escape(text, html);
        html.push_str("</span>");
    }
}

fn escape(text: &str, html: &mut String) {
    for it in text.chars() {
        match it {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            it => html.push(it),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens that are not [`Token::Other`], as `class:text`.
    fn tokens(language: &str, source: &str) -> Vec<String> {
        let html = html(language, source);
        let spans = html.split("<span class=\"").skip(1);
        let token = |span: &str| {
            let (class, rest) = span.split_once("\">").unwrap();
            format!("{class}:{}", rest.split_once("</span>").unwrap().0)
        };
        spans.map(token).collect()
    }

    #[test]
    fn tokens_have_classes() {
        for (language, source, expected) in [
            (
                "json",
                r#"{"a": "b\"", "c": [1.5, null]}"#,
                &["p:\"a\"", "s:\"b\\\"\"", "p:\"c\"", "n:1.5", "k:null"][..],
            ),
            (
                "sh",
                "export K='a\nb' # c\ncurl \"http://x/#y\"",
                &["k:export", "s:'a\nb'", "c:# c", "s:\"http://x/#y\""],
            ),
            (
                "js",
                "const url = `${a}`; // don't\nawait x.for",
                &["k:const", "s:`${a}`", "c:// don't", "k:await"],
            ),
            ("python", "if a1 == 20:  # é", &["k:if", "n:20", "c:# é"]),
            ("rust", "fn f<'a>(x: &'a str) {}", &["k:fn"]),
            ("html", "<p>don't</p>", &[]),
            ("csv", "a,1", &[]),
        ] {
            assert_eq!(tokens(language, source), expected, "{source}");
        }
    }

    #[test]
    fn code_is_escaped_and_complete() {
        let source = "a <b> && \"<i>\" 日本 # &\n'";
        for language in ["sh", "js", "python", "rust", "json", "unknown"] {
            let html = html(language, source);
            let plain: String = html
                .split('<')
                .map(|part| part.split_once('>').map_or(part, |(_, rest)| rest))
                .collect();
            let plain = plain
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            assert_eq!(plain, source, "{language}");
        }
    }
}
