//! Rewrites the syntax of ECMA-262 patterns (§22.2.1) into that of the
//! `regex` crate, and of others that share it.
//!
//! The two agree on most of the syntax. They differ in the classes `\d`,
//! `\w` and `\s`, in what `.` leaves out, in escapes, and in the characters
//! that are special inside a class.

use std::iter::Peekable;
use std::str::Chars;
use std::vec;

/// ECMA-262's WhiteSpace and LineTerminator, as the inside of a class.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// The class of no character.
const NOTHING: &str = r"[^\s\S]";

/// What engines write differently.
pub struct Dialect {
    /// `\b` and `\B` of ASCII.
    pub boundaries: [&'static str; 2],
    /// What stands for the back-references, in their order, where the engine
    /// takes them and look-around; its groups have no names.
    pub references: Option<vec::IntoIter<String>>,
}

impl Dialect {
    /// That of the `regex` crate.
    pub const fn linear() -> Self {
        Self {
            boundaries: [r"(?-u:\b)", r"(?-u:\B)"],
            references: None,
        }
    }
}

/// The pattern in the syntax of an engine.
///
/// # Errors
/// A construct that has no counterpart there, or an escape that is no escape.
pub fn translate(source: &str, dialect: Dialect) -> Result<String, String> {
    let mut reader = Reader {
        rest: source.chars().peekable(),
        dialect,
        out: String::new(),
    };
    while let Some(c) = reader.rest.next() {
        reader.atom(c)?;
    }
    Ok(reader.out)
}

/// What an escape stands for.
enum Escape {
    /// A code point. Surrogates are some, though no text holds one by itself.
    Char(u32),
    /// A set, written so that it is valid both inside and outside a class.
    Set(String),
    /// An assertion or a back-reference, as the engine writes it.
    Outside(String),
}

struct Reader<'s> {
    rest: Peekable<Chars<'s>>,
    dialect: Dialect,
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
            '(' => self.group()?,
            '.' => self.out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '{' if !self.is_quantifier() => self.out.push_str(r"\{"),
            '{' => self.quantifier(),
            '}' | ']' => self.literal(c.into()),
            _ => self.out.push(c),
        }
        Ok(())
    }

    fn literal(&mut self, code: u32) {
        match char::from_u32(code) {
            Some(c) => self
                .out
                .push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            None => self.out.push_str(NOTHING),
        }
    }

    /// Copies a group's opening, without its name where the engine knows
    /// numbers only, and refuses look-around where it has none.
    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('?') {
            return Ok(());
        }
        let (is_look_around, is_named) = match ahead.next() {
            Some('=' | '!') => (true, false),
            Some('<') => match ahead.next() {
                Some('=' | '!') => (true, false),
                _ => (false, true),
            },
            _ => (false, false),
        };
        if self.dialect.references.is_none() {
            let refused = Err("look-around is not supported".to_owned());
            return if is_look_around { refused } else { Ok(()) };
        }
        if is_named {
            self.rest.by_ref().find(|c| *c == '>');
        }
        Ok(())
    }

    /// Whether what follows a `{` makes it `{n}`, `{n,}` or `{n,m}`; it is a
    /// literal brace otherwise (ECMA-262 Annex B.1.2).
    fn is_quantifier(&self) -> bool {
        let body: String = self.rest.clone().take_while(|c| *c != '}').collect();
        let (min, max) = body.split_once(',').unwrap_or((&body, ""));
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        let closed = self.rest.clone().any(|c| c == '}');
        closed && !min.is_empty() && digits(min) && digits(max)
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

    fn class(&mut self) -> Result<(), String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            // `[^]` is any character and `[]` is none.
            self.out.push_str(if negated { r"[\s\S]" } else { NOTHING });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        while let Some(c) = self.rest.next() {
            if c == ']' {
                self.out.push(']');
                return Ok(());
            }
            let Some(first) = self.class_atom(c)? else {
                continue;
            };
            let mut last = first;
            if self.is_range() {
                self.rest.next();
                if let Some(end) = self.rest.next() {
                    last = self.class_atom(end)?.unwrap_or(first);
                }
            }
            self.range(first, last)?;
        }
        Err("a character class is not closed".to_owned())
    }

    /// Whether a `-` follows that joins two characters: not the last of the
    /// class, and not before a set such as `\d`.
    fn is_range(&self) -> bool {
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') {
            return false;
        }
        match ahead.next() {
            None | Some(']') => false,
            Some('\\') => !matches!(
                ahead.next(),
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')
            ),
            Some(_) => true,
        }
    }

    /// One member of a class: its code point, or nothing where it is a set,
    /// which has been written.
    fn class_atom(&mut self, c: char) -> Result<Option<u32>, String> {
        let escape = match c {
            '\\' if self.rest.next_if_eq(&'b').is_some() => Escape::Char(8),
            '\\' => self.escape()?,
            _ => Escape::Char(c.into()),
        };
        match escape {
            Escape::Char(code) => Ok(Some(code)),
            Escape::Set(set) => {
                self.out.push_str(&set);
                Ok(None)
            }
            Escape::Outside(_) => {
                Err(r"\B and back-references have no meaning in a character class".to_owned())
            }
        }
    }

    /// The characters from one to another, as members of a class. Surrogates
    /// among them are in no text, so they are left out.
    fn range(&mut self, first: u32, last: u32) -> Result<(), String> {
        if first > last {
            return Err("a range of characters ends before it begins".to_owned());
        }
        let around = [(first, last.min(0xD7FF)), (first.max(0xE000), last)];
        let around = around.map(|(first, last)| (char::from_u32(first), char::from_u32(last)));
        let before = self.out.len();
        for pair in around {
            if let (Some(first), Some(last)) = pair
                && first <= last
            {
                self.member(first);
                if first < last {
                    self.out.push('-');
                    self.member(last);
                }
            }
        }
        if self.out.len() == before {
            self.out.push_str(NOTHING);
        }
        Ok(())
    }

    fn member(&mut self, c: char) {
        if c.is_ascii_punctuation() && !matches!(c, '<' | '>') {
            self.out.push('\\');
        }
        self.out.push(c);
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
            'b' | 'B' => {
                let [is, is_not] = self.dialect.boundaries;
                Escape::Outside(if c == 'b' { is } else { is_not }.to_owned())
            }
            't' => Escape::Char(0x9),
            'n' => Escape::Char(0xA),
            'v' => Escape::Char(0xB),
            'f' => Escape::Char(0xC),
            'r' => Escape::Char(0xD),
            '0' => Escape::Char(0),
            'c' => self.control()?,
            'x' => Escape::Char(self.code_unit(2)?),
            'u' => Escape::Char(self.unicode()?),
            '1'..='9' | 'k' => self.reference(c)?,
            _ if c.is_ascii_alphanumeric() => return Err(format!(r"\{c} is not an escape")),
            _ => Escape::Char(c.into()),
        })
    }

    fn reference(&mut self, c: char) -> Result<Escape, String> {
        if c == 'k' {
            self.rest.by_ref().find(|c| *c == '>');
        } else {
            while self.rest.next_if(char::is_ascii_digit).is_some() {}
        }
        let references = self.dialect.references.as_mut();
        let text = references.and_then(Iterator::next);
        text.map(Escape::Outside)
            .ok_or_else(|| "back-references are not supported".to_owned())
    }

    fn property(&mut self, c: char) -> Result<Escape, String> {
        if self.rest.next_if_eq(&'{').is_none() {
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
        if self.rest.next_if_eq(&'{').is_some() {
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
