//! Look-around anywhere in a pattern, in time linear in the text.
//!
//! Whether look-around holds depends on the place in the text alone, not on
//! what has led there: so it is found for all places at once, what stands
//! within other look-around first. A pattern asks for it as it asks for the
//! end of the text. Back-references depend on what has led there; they are
//! left to others.

use std::str::Chars;

use crate::pattern::states::{Direction, Places, Program};
use crate::pattern::syntax::{self, Dialect};

/// Groups within each other more often than this are left to others.
const DEPTH: usize = 50;

/// The name, but for its number, of a group that stands for look-around.
const NAME: &str = "look_around_";

/// A pattern that looks around.
#[derive(Debug)]
pub(crate) struct Around {
    /// Each before those that it stands within.
    looks: Vec<Look>,
    whole: Program,
}

#[derive(Debug)]
struct Look {
    program: Program,
    direction: Direction,
    /// Whether it holds where its pattern matches, or where that does not.
    wanted: bool,
}

impl Around {
    /// Whether the pattern occurs in `text`.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let mut holds: Vec<Vec<bool>> = Vec::new();
        for look in &self.looks {
            let mut places = Vec::with_capacity(text.len() + 1);
            for found in Places::of(&look.program, look.direction, &text, &holds) {
                places.push(found == look.wanted);
            }
            if look.direction == Direction::Backward {
                places.reverse();
            }
            holds.push(places);
        }
        Places::of(&self.whole, Direction::Forward, &text, &holds).any(|found| found)
    }
}

/// Compiles an ECMA-262 pattern.
///
/// # Errors
/// What is wrong with the pattern, or what of it cannot be expressed.
pub(crate) fn compile(source: &str) -> Result<Around, String> {
    let mut scan = Scan {
        rest: source.chars(),
        looks: Vec::new(),
    };
    let whole = scan.group(0)?;
    if scan.rest.next().is_some() {
        return Err("a group is closed that was not opened".to_owned());
    }
    Ok(Around {
        whole: program(&whole, Direction::Forward)?,
        looks: scan.looks,
    })
}

fn program(source: &str, direction: Direction) -> Result<Program, String> {
    let translated = syntax::translate(source, Dialect::linear())?;
    let parsed = regex_syntax::parse(&translated).map_err(|error| error.to_string())?;
    Program::of(&parsed, direction, |name| {
        name.strip_prefix(NAME)?.parse().ok()
    })
}

/// A way through a pattern.
struct Scan<'s> {
    rest: Chars<'s>,
    looks: Vec<Look>,
}

impl Scan<'_> {
    /// What is left of the innermost open group, and its end; look-around has
    /// become groups of no text.
    fn group(&mut self, depth: usize) -> Result<String, String> {
        if depth > DEPTH {
            return Err("look-around with groups this deep is not supported".to_owned());
        }
        let (mut text, mut is_repeated) = (String::new(), false);
        while let Some(c) = self.rest.next() {
            match c {
                '*' | '+' if is_repeated => {
                    return Err("what is repeated cannot be repeated again".to_owned());
                }
                ')' if depth > 0 => return Ok(text),
                ')' => return Err("a group is closed that was not opened".to_owned()),
                '\\' => {
                    text.push(c);
                    text.extend(self.rest.next());
                }
                '[' => self.class(&mut text),
                '(' => match self.opening() {
                    Some((direction, wanted)) => {
                        let inner = self.group(depth + 1)?;
                        let program = program(&inner, direction)?;
                        text.push_str(&format!("(?<{NAME}{}>)", self.looks.len()));
                        self.looks.push(Look {
                            program,
                            direction,
                            wanted,
                        });
                    }
                    None => {
                        let inner = self.group(depth + 1)?;
                        text.push_str(&format!("({inner})"));
                    }
                },
                _ => text.push(c),
            }
            is_repeated = matches!(c, '*' | '+' | '?');
        }
        match depth {
            0 => Ok(text),
            _ => Err("a group is not closed".to_owned()),
        }
    }

    fn class(&mut self, text: &mut String) {
        text.push('[');
        while let Some(c) = self.rest.next() {
            text.push(c);
            match c {
                '\\' => text.extend(self.rest.next()),
                ']' => return,
                _ => {}
            }
        }
    }

    /// Passes over what makes a group look-around: from where to where its
    /// pattern is matched so that all matches end at the place, and whether
    /// there should be one.
    fn opening(&mut self) -> Option<(Direction, bool)> {
        const KINDS: &[(&str, Direction, bool)] = &[
            ("?=", Direction::Backward, true),
            ("?!", Direction::Backward, false),
            ("?<=", Direction::Forward, true),
            ("?<!", Direction::Forward, false),
        ];
        for (opening, direction, wanted) in KINDS {
            if let Some(rest) = self.rest.as_str().strip_prefix(opening) {
                self.rest = rest.chars();
                return Some((*direction, *wanted));
            }
        }
        None
    }
}
