//! Groups, look-around and back-references.
//!
//! A back-reference to a group that has matched nothing is empty (ECMA-262
//! section 22.2.2.7.2); `fancy-regex` takes it for a failure.

use super::{Escape, Reader, Translation};

/// The groups of a pattern, as far as it has been read.
#[derive(Default)]
pub(super) struct Groups {
    /// The groups that are open, the innermost last.
    open: Vec<Open>,
    /// The groups that capture; the first has the number 1.
    captures: Vec<Capture>,
    /// The targets of back-references.
    targets: Vec<Target>,
    has_look_around: bool,
}

/// A group that is open.
enum Open {
    Plain,
    /// With its index among the captures.
    Capturing(usize),
    LookAround {
        /// Where it begins in the translation.
        start: usize,
        /// How many groups captured before it.
        captures: usize,
    },
}

struct Capture {
    name: Option<String>,
    is_closed: bool,
}

/// The number or the name of a group.
enum Target {
    Number(usize),
    Name(String),
}

impl Groups {
    /// The number of a group, as far as it is known.
    fn number(&self, target: &Target) -> Option<usize> {
        match target {
            Target::Number(number) => Some(*number).filter(|number| *number <= self.captures.len()),
            Target::Name(name) => {
                let named = |capture: &Capture| capture.name.as_ref() == Some(name);
                self.captures.iter().position(named).map(|index| index + 1)
            }
        }
    }

    fn is_closed(&self, number: usize) -> bool {
        let capture = number.checked_sub(1).and_then(|at| self.captures.get(at));
        capture.is_some_and(|capture| capture.is_closed)
    }
}

impl Reader<'_> {
    pub(super) fn open_group(&mut self) -> Result<(), String> {
        const LOOK_AROUND: [&str; 4] = ["?=", "?!", "?<=", "?<!"];
        if let Some(kind) = LOOK_AROUND.iter().find(|kind| self.pass(kind)) {
            self.groups.has_look_around = true;
            self.groups.open.push(Open::LookAround {
                start: self.out.len(),
                captures: self.groups.captures.len(),
            });
            self.out.push_str(&format!("({kind}"));
            return Ok(());
        }
        self.out.push('(');
        if self.pass("?<") || self.pass("?P<") {
            let name = self.name()?;
            self.capture(Some(name))
        } else if !self.ahead().starts_with(['?', '*']) {
            self.capture(None)
        } else if self.ahead().starts_with("?:") || self.has_flags() {
            self.groups.open.push(Open::Plain);
            Ok(())
        } else {
            Err("a group begins as none of ECMA-262 does".to_owned())
        }
    }

    fn capture(&mut self, name: Option<String>) -> Result<(), String> {
        let mut captures = self.groups.captures.iter();
        if name.is_some() && captures.any(|capture| capture.name == name) {
            return Err("two groups of one name are not supported".to_owned());
        }
        let index = self.groups.captures.len();
        self.groups.open.push(Open::Capturing(index));
        self.groups.captures.push(Capture {
            name,
            is_closed: false,
        });
        Ok(())
    }

    /// Whether a group changes flags, as `(?i:a)` does.
    fn has_flags(&self) -> bool {
        let flags = self.ahead().get(1..).unwrap_or_default();
        let after = flags.trim_start_matches(['i', 'm', 's', '-']);
        after.len() < flags.len() && after.starts_with([':', ')'])
    }

    pub(super) fn close_group(&mut self) -> Result<(), String> {
        self.out.push(')');
        match self.groups.open.pop() {
            Some(Open::Capturing(index)) => {
                if let Some(capture) = self.groups.captures.get_mut(index) {
                    capture.is_closed = true;
                }
                Ok(())
            }
            Some(Open::LookAround { start, captures }) => self.repeated(start, captures),
            Some(Open::Plain) | None => Ok(()),
        }
    }

    /// Passes over the quantifier of look-around, which `fancy-regex` does not
    /// take: once is as good as several times, and an optional one asserts
    /// nothing.
    fn repeated(&mut self, start: usize, captures: usize) -> Result<(), String> {
        let before = self.out.len();
        match self.next_if(|c| matches!(c, '*' | '+' | '?')) {
            Some(sign) => self.out.push(sign),
            None if self.ahead().starts_with('{') => {
                let brace = self.rest.next();
                if !self.is_quantifier() {
                    return brace.map_or(Ok(()), |brace| self.atom(brace));
                }
                self.quantifier();
            }
            None => return Ok(()),
        }
        self.pass("?");
        let quantifier = self.out.split_off(before);
        if quantifier.starts_with(['*', '?']) || quantifier.starts_with("{0") {
            if self.groups.captures.len() > captures {
                return Err("repeated look-around with groups is not supported".to_owned());
            }
            self.out.truncate(start);
        }
        Ok(())
    }

    /// The back-reference that begins with `c`.
    pub(super) fn back_reference(&mut self, c: char) -> Result<Escape, String> {
        let target = match c.to_digit(10) {
            Some(_) => {
                let mut digits = String::from(c);
                while let Some(digit) = self.next_if(|c| c.is_ascii_digit()) {
                    digits.push(digit);
                }
                Target::Number(digits.parse().unwrap_or(usize::MAX))
            }
            None if self.pass("<") => Target::Name(self.name()?),
            None => return Err(r"\k needs a name".to_owned()),
        };
        let number = self.groups.number(&target);
        self.groups.targets.push(target);
        // A group that has not been left has matched nothing in this turn.
        let number = number.filter(|number| self.groups.is_closed(*number));
        Ok(Escape::Outside(match number {
            Some(number) => format!(r"(?({number})\{number})"),
            None => "(?:)".to_owned(),
        }))
    }

    fn name(&mut self) -> Result<String, String> {
        let name: String = self.rest.by_ref().take_while(|c| *c != '>').collect();
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let is_name = !name.is_empty() && name.chars().all(is_word);
        is_name
            .then_some(name)
            .ok_or_else(|| "a group has no name".to_owned())
    }

    pub(super) fn finish(self) -> Result<Translation, String> {
        let groups = self.groups;
        let is_known = |target: &Target| groups.number(target).is_some();
        if !groups.targets.iter().all(is_known) {
            return Err("a back-reference refers to no group".to_owned());
        }
        Ok(Translation {
            text: self.out,
            backtracks: groups.has_look_around || !groups.targets.is_empty(),
        })
    }
}
