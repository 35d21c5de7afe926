//! Patterns with look-around or back-references: `fancy-regex` matches them by
//! backtracking, within bounds.
//!
//! In ECMA-262, each turn of a repetition clears the captures of the groups in
//! it (section 22.2.2.3.1); `fancy-regex` keeps them. A back-reference to which
//! this makes a difference is refused.

use fancy_regex::{Error, Expr, LookAround, Regex, RegexBuilder};

/// How often a match may go back and try another way.
const BACKTRACKS: usize = 50_000;

/// The longest text that is looked at, in bytes: each way may look at all of
/// it.
const MAX_LENGTH: usize = 8 * 1024;

/// The largest that a part of a compiled pattern may be, in bytes.
const SIZE: usize = 10 << 20;

/// How `regex` writes `\b` and `\B` between ASCII words, and how
/// `fancy-regex` can say the same.
const BOUNDARIES: [(&str, &str); 2] = [
    (
        r"(?-u:\b)",
        "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))",
    ),
    (
        r"(?-u:\B)",
        "(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))",
    ),
];

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Backtracking(Regex);

impl Backtracking {
    /// Whether the pattern occurs in `text`. It does not in a text that takes
    /// too many steps, or is too long.
    pub(super) fn is_match(&self, text: &str) -> bool {
        text.len() <= MAX_LENGTH && self.0.is_match(text).unwrap_or(false)
    }
}

/// Compiles a translated pattern.
///
/// # Errors
/// Returns the syntax error of the pattern, or names the construct that is not supported.
pub(super) fn compile(translated: &str) -> Result<Backtracking, String> {
    let mut text = translated.to_owned();
    for (linear, look_around) in BOUNDARIES {
        text = text.replace(linear, look_around);
    }
    let tree = Expr::parse_tree(&text).map_err(message)?;
    let mut scan = Scan::default();
    scan.walk(&tree.expr, &mut Vec::new())?;
    scan.check_references()?;
    let mut builder = RegexBuilder::new(&text);
    builder
        .backtrack_limit(BACKTRACKS)
        .delegate_size_limit(SIZE);
    builder.build().map(Backtracking).map_err(message)
}

fn message(error: Error) -> String {
    match error {
        Error::ParseError(..) => error.to_string(),
        error => format!("not supported: {error}"),
    }
}

/// An expression around another, and which of its parts that one is in.
#[derive(Clone, Copy)]
struct Step<'e> {
    around: &'e Expr,
    part: usize,
}

type Path<'e> = Vec<Step<'e>>;

/// Where the groups and the back-references of a pattern are.
#[derive(Default)]
struct Scan<'e> {
    captures: Vec<Path<'e>>,
    /// Each with the number of its group.
    references: Vec<(usize, Path<'e>)>,
}

impl<'e> Scan<'e> {
    fn walk(&mut self, expr: &'e Expr, path: &mut Path<'e>) -> Result<(), String> {
        match expr {
            Expr::Group(_) => self.captures.push(path.clone()),
            Expr::Backref { group, .. } => self.references.push((*group, path.clone())),
            Expr::AtomicGroup(_) => {
                return Err("possessive repetition is not of ECMA-262".to_owned());
            }
            _ => {}
        }
        for (part, child) in expr.children_iter().enumerate() {
            path.push(Step { around: expr, part });
            self.walk(child, path)?;
            path.pop();
        }
        Ok(())
    }

    fn check_references(&self) -> Result<(), String> {
        for (group, reference) in &self.references {
            let capture = group.checked_sub(1).and_then(|at| self.captures.get(at));
            let capture = capture.ok_or("a back-reference refers to no group")?;
            check(capture, reference)?;
        }
        Ok(())
    }
}

/// Refuses a back-reference that does not mean the same in ECMA-262.
fn check(capture: &[Step<'_>], reference: &[Step<'_>]) -> Result<(), String> {
    let is_behind = |step: &Step<'_>| {
        use LookAround::{LookBehind, LookBehindNeg};
        matches!(step.around, Expr::LookAround(_, LookBehind | LookBehindNeg))
    };
    if capture.iter().chain(reference).any(is_behind) {
        return Err("back-references and look-behind are not supported together".to_owned());
    }
    let pairs = capture.iter().zip(reference);
    let shared = pairs
        .take_while(|(one, other)| std::ptr::eq(one.around, other.around) && one.part == other.part)
        .count();
    let (common, own) = capture.split_at(shared);
    let may_repeat = |step: &Step<'_>| matches!(step.around, Expr::Repeat { hi, .. } if *hi > 1);
    let may_be_skipped = own.iter().any(|step| match step.around {
        Expr::Repeat { lo, .. } => *lo == 0,
        Expr::Alt(_) => true,
        _ => false,
    });
    if own.iter().any(may_repeat) || (may_be_skipped && common.iter().any(may_repeat)) {
        return Err("a back-reference to what a repetition forgets is not supported".to_owned());
    }
    Ok(())
}
