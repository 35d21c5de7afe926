//! The groups of a pattern, and the back-references to them (ECMA-262
//! §22.2.1).

use std::str::Chars;

/// Groups within each other more often than this are refused, as the engine
/// refuses them.
const DEPTH: usize = 50;

/// What a group does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Capture,
    Plain,
    Ahead,
    NotAhead,
    /// Both ways.
    Behind,
}

impl Kind {
    pub(crate) const fn is_look_around(self) -> bool {
        matches!(self, Self::Ahead | Self::NotAhead | Self::Behind)
    }
}

/// A group; the whole pattern is one too.
pub(crate) struct Group {
    pub(crate) kind: Kind,
    pub(crate) parent: Option<usize>,
    /// In which of its parent's alternatives it is.
    pub(crate) branch: usize,
    /// How many alternatives it has, but for the first.
    pub(crate) branches: usize,
    /// How much of the pattern is left behind its end.
    pub(crate) left: usize,
    /// Whether it may be passed over.
    pub(crate) is_optional: bool,
    /// Whether it may be taken more than once.
    pub(crate) is_repeated: bool,
}

impl Group {
    const fn new(kind: Kind, parent: Option<usize>, branch: usize) -> Self {
        Self {
            kind,
            parent,
            branch,
            branches: 0,
            left: 0,
            is_optional: false,
            is_repeated: false,
        }
    }
}

/// A back-reference.
pub(crate) struct Reference<'s> {
    /// The number or the name of a group.
    pub(crate) target: &'s str,
    /// The innermost group that it is in, and in which of its alternatives.
    pub(crate) group: usize,
    pub(crate) branch: usize,
    /// How much of the pattern is left behind it.
    pub(crate) left: usize,
}

/// A way through a pattern.
pub(crate) struct Scan<'s> {
    rest: Chars<'s>,
    /// The first is the whole pattern.
    pub(crate) groups: Vec<Group>,
    /// Those that are open, the innermost last.
    open: Vec<usize>,
    /// The groups that have a number, with their names.
    pub(crate) captures: Vec<(usize, &'s str)>,
    pub(crate) references: Vec<Reference<'s>>,
}

impl<'s> Scan<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self {
            rest: source.chars(),
            groups: vec![Group::new(Kind::Plain, None, 0)],
            open: vec![0],
            captures: Vec::new(),
            references: Vec::new(),
        }
    }

    /// Goes all the way.
    ///
    /// # Errors
    /// What is wrong with the pattern, or what of it cannot be expressed.
    pub(crate) fn pattern(&mut self) -> Result<(), String> {
        while let Some(c) = self.rest.next() {
            let mut closed = None;
            match c {
                '(' => {
                    self.opening()?;
                    continue;
                }
                '|' => {
                    let (group, _) = self.place();
                    if let Some(group) = self.groups.get_mut(group) {
                        group.branches += 1;
                    }
                    continue;
                }
                ')' => closed = self.open.pop(),
                '\\' => self.escape()?,
                '[' => self.class(),
                _ => {}
            }
            self.quantifier(closed)?;
        }
        match self.open.as_slice() {
            [0] => Ok(()),
            _ => Err("a group is not closed, or was not opened".to_owned()),
        }
    }

    /// The innermost open group, and in which of its alternatives the scan is.
    fn place(&self) -> (usize, usize) {
        let group = self.open.last().copied().unwrap_or(0);
        let branch = self.groups.get(group).map_or(0, |group| group.branches);
        (group, branch)
    }

    /// Passes over a text, if it comes next.
    fn pass(&mut self, text: &str) -> bool {
        let rest = self.rest.as_str().strip_prefix(text);
        rest.map(|rest| self.rest = rest.chars()).is_some()
    }

    /// Passes over all before a character, and the character.
    fn until(&mut self, end: char) -> Result<&'s str, String> {
        let (text, rest) = self
            .rest
            .as_str()
            .split_once(end)
            .ok_or("a name has no end")?;
        self.rest = rest.chars();
        Ok(text)
    }

    fn opening(&mut self) -> Result<(), String> {
        const KINDS: &[(&str, Kind)] = &[
            ("?:", Kind::Plain),
            ("?=", Kind::Ahead),
            ("?!", Kind::NotAhead),
            ("?<=", Kind::Behind),
            ("?<!", Kind::Behind),
        ];
        let known = KINDS.iter().find(|(opening, _)| self.pass(opening));
        let (kind, name) = match known {
            Some((_, kind)) => (*kind, ""),
            None if self.pass("?<") => (Kind::Capture, self.until('>')?),
            None if self.rest.as_str().starts_with(['?', '*']) => {
                return Err("a group begins as none of ECMA-262 does".to_owned());
            }
            None => (Kind::Capture, ""),
        };
        if self.open.len() > DEPTH {
            return Err("look-around with groups this deep is not supported".to_owned());
        }
        let index = self.groups.len();
        if kind == Kind::Capture {
            if !name.is_empty() && self.captures.iter().any(|(_, known)| *known == name) {
                return Err("two groups of one name are not supported".to_owned());
            }
            self.captures.push((index, name));
        }
        let (parent, branch) = self.place();
        self.groups.push(Group::new(kind, Some(parent), branch));
        self.open.push(index);
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
        let rest = self.rest.as_str();
        let target = match self.rest.next() {
            Some('1'..='9') => {
                let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                self.rest = after.chars();
                rest.strip_suffix(after).unwrap_or_default()
            }
            Some('k') if self.pass("<") => self.until('>')?,
            Some('u' | 'p' | 'P') if self.pass("{") => return self.until('}').map(|_| ()),
            _ => return Ok(()),
        };
        let (group, branch) = self.place();
        self.references.push(Reference {
            target,
            group,
            branch,
            left: self.rest.as_str().len(),
        });
        Ok(())
    }

    fn class(&mut self) {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => _ = self.rest.next(),
                ']' => return,
                _ => {}
            }
        }
    }

    /// What follows an atom, which may be the end of a group.
    fn quantifier(&mut self, closed: Option<usize>) -> Result<(), String> {
        let left = self.rest.as_str().len();
        let quantified = self.bounds();
        let (is_optional, is_repeated) = quantified.unwrap_or_default();
        if quantified.is_some() {
            self.pass("?");
            if self.rest.as_str().starts_with(['*', '+', '?']) {
                return Err("what is repeated cannot be repeated again".to_owned());
            }
        }
        if let Some(group) = closed.and_then(|index| self.groups.get_mut(index)) {
            if group.kind.is_look_around() && quantified.is_some() {
                return Err("repeated look-around is not supported".to_owned());
            }
            group.left = left;
            group.is_optional = is_optional;
            group.is_repeated = is_repeated;
        }
        Ok(())
    }

    /// Passes over a quantifier: whether it allows none, and more than one.
    fn bounds(&mut self) -> Option<(bool, bool)> {
        for (sign, bounds) in [
            ("*", (true, true)),
            ("+", (false, true)),
            ("?", (true, false)),
        ] {
            if self.pass(sign) {
                return Some(bounds);
            }
        }
        let (body, rest) = self.rest.as_str().strip_prefix('{')?.split_once('}')?;
        let (min, max) = body.split_once(',').unwrap_or((body, body));
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        if min.is_empty() || !digits(min) || !digits(max) {
            return None;
        }
        self.rest = rest.chars();
        let is = |text: &str, number| text.trim_start_matches('0') == number;
        Some((
            is(min, ""),
            max.is_empty() || !(is(max, "") || is(max, "1")),
        ))
    }

    /// A group and all that it is in, the innermost first.
    pub(crate) fn parents(&self, group: usize) -> impl Iterator<Item = (usize, &Group)> {
        let mut next = Some(group);
        std::iter::from_fn(move || {
            let index = next?;
            let group = self.groups.get(index)?;
            next = group.parent;
            Some((index, group))
        })
    }
}
