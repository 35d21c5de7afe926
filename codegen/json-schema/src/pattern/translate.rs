//! Translates the syntax of ECMA-262 patterns (section 22.2.1) into that of
//! the `regex` crate, which `fancy-regex` shares.
//!
//! The two agree on most of the syntax. They differ in the classes `\d`,
//! `\w` and `\s`, in the characters that `.` excludes, in escapes, in the
//! characters that are special inside a class, and in the meaning of a
//! back-reference to a group that has matched nothing.

mod class;
mod group;

use std::str::Chars;

use self::group::Groups;

/// ECMA-262's WhiteSpace and LineTerminator, as the inside of a class.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// The class of no character.
const NOTHING: &str = r"[^\s\S]";

/// A translated pattern.
pub(super) struct Translation {
    pub(super) text: String,
    /// Whether it has look-around or back-references. Its groups have no names
    /// then, since `fancy-regex` does not take names and numbers together.
    pub(super) backtracks: bool,
}

/// Translates a pattern.
///
/// # Errors
/// Returns a message if a construct has no counterpart, or if an escape is not known.
pub(super) fn translate(source: &str) -> Result<Translation, String> {
    let mut reader = Reader {
        rest: source.chars(),
        groups: Groups::default(),
        out: String::new(),
    };
    while let Some(c) = reader.rest.next() {
        reader.atom(c)?;
    }
    reader.finish()
}

/// The meaning of an escape.
enum Escape {
    /// A code point. Surrogates are some, though no text holds one by itself.
    Char(u32),
    /// A set, written so that it is valid both inside and outside a class.
    Set(String),
    /// An assertion or a back-reference.
    Outside(String),
}

struct Reader<'s> {
    rest: Chars<'s>,
    groups: Groups,
    out: String,
}

impl Reader<'_> {
    fn atom(&mut self, c: char) -> Result<(), String> {
        match c {
            '\\' => match self.escape()? {
                Escape::Char(c) => self.literal(c),
                Escape::Set(text) | Escape::Outside(text) => self.out.push_str(&text),
            },
            '[' => self.class()?,
            '(' => self.open_group()?,
            ')' => self.close_group()?,
            '.' => self.out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '{' if !self.is_quantifier() => self.out.push_str(r"\{"),
            '{' => self.quantifier(),
            '}' | ']' => self.literal(c.into()),
            _ => self.out.push(c),
        }
        Ok(())
    }

    /// The part that has not been read yet.
    fn ahead(&self) -> &str {
        self.rest.as_str()
    }

    /// Passes over a text, if it comes next.
    fn pass(&mut self, text: &str) -> bool {
        let rest = self.rest.as_str().strip_prefix(text);
        rest.map(|rest| self.rest = rest.chars()).is_some()
    }

    /// The next character, if it is such a one.
    fn next_if(&mut self, is: impl Fn(char) -> bool) -> Option<char> {
        let next = self.rest.clone().next().filter(|c| is(*c))?;
        self.rest.next();
        Some(next)
    }

    fn literal(&mut self, code: u32) {
        match char::from_u32(code) {
            Some(c) => self
                .out
                .push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            None => self.out.push_str(NOTHING),
        }
    }

    /// Whether a `{` begins `{n}`, `{n,}` or `{n,m}`; it is a
    /// literal brace otherwise (ECMA-262 Annex B.1.2).
    fn is_quantifier(&self) -> bool {
        let Some((body, _)) = self.ahead().split_once('}') else {
            return false;
        };
        let (min, max) = body.split_once(',').unwrap_or((body, ""));
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        !min.is_empty() && digits(min) && digits(max)
    }

    fn quantifier(&mut self) {
        self.out.push('{');
        for c in self.rest.by_ref() {
            self.out.push(c);
            if c == '}' {
                break;
            }
        }
    }

    fn escape(&mut self) -> Result<Escape, String> {
        let c = self.rest.next().ok_or("the pattern ends in a backslash")?;
        Ok(match c {
            'd' => Escape::Set("[0-9]".to_owned()),
            'D' => Escape::Set("[^0-9]".to_owned()),
            'w' => Escape::Set("[A-Za-z0-9_]".to_owned()),
            'W' => Escape::Set("[^A-Za-z0-9_]".to_owned()),
            's' => Escape::Set(format!("[{SPACE}]")),
            'S' => Escape::Set(format!("[^{SPACE}]")),
            'p' | 'P' => self.property(c)?,
            'b' | 'B' => Escape::Outside(format!(r"(?-u:\{c})")),
            't' => Escape::Char(0x9),
            'n' => Escape::Char(0xA),
            'v' => Escape::Char(0xB),
            'f' => Escape::Char(0xC),
            'r' => Escape::Char(0xD),
            '0' => Escape::Char(0),
            'c' => self.control()?,
            'x' => Escape::Char(self.code_unit(2)?),
            'u' => Escape::Char(self.unicode()?),
            '1'..='9' | 'k' => self.back_reference(c)?,
            _ if c.is_ascii_alphanumeric() => return Err(format!(r"\{c} is not an escape")),
            _ => Escape::Char(c.into()),
        })
    }

    fn property(&mut self, c: char) -> Result<Escape, String> {
        if !self.pass("{") {
            return Err(format!(r"\{c} needs a property in braces"));
        }
        let name: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
        Ok(Escape::Set(format!(r"\{c}{{{name}}}")))
    }

    fn control(&mut self) -> Result<Escape, String> {
        match self.rest.next() {
            Some(c) if c.is_ascii_alphabetic() => Ok(Escape::Char(u32::from(c) % 32)),
            _ => Err(r"\c needs a letter".to_owned()),
        }
    }

    fn code_unit(&mut self, digits: usize) -> Result<u32, String> {
        let text: String = self.rest.by_ref().take(digits).collect();
        u32::from_str_radix(&text, 16)
            .ok()
            .filter(|_| text.len() == digits)
            .ok_or_else(|| format!("an escape needs {digits} hexadecimal digits"))
    }

    /// `\uXXXX`, `\u{X…}`, or two surrogates that are one character.
    fn unicode(&mut self) -> Result<u32, String> {
        if self.pass("{") {
            let text: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
            let code = u32::from_str_radix(&text, 16).ok();
            return code
                .filter(|code| *code <= u32::from(char::MAX))
                .ok_or_else(|| "an escape names no character".to_owned());
        }
        let high = self.code_unit(4)?;
        let before = self.rest.clone();
        if (0xD800..0xDC00).contains(&high)
            && self.rest.next() == Some('\\')
            && self.rest.next() == Some('u')
            && let Ok(low @ 0xDC00..0xE000) = self.code_unit(4)
        {
            return Ok(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
        }
        self.rest = before;
        Ok(high)
    }
}
