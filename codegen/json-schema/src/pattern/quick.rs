//! Ways to match a pattern that are faster than the general engine, for
//! patterns that hold for a whole text and are about ASCII.

use regex_syntax::hir::{Hir, HirKind, Look};

use crate::pattern::runs::Runs;
use crate::pattern::table::Table;

/// The fastest way that a pattern has.
#[derive(Debug)]
pub(crate) enum Quick {
    Runs(Runs),
    Table(Table),
}

impl Quick {
    /// The way of a pattern in the syntax of the `regex` crate.
    pub(crate) fn of(pattern: &str) -> Option<Self> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let HirKind::Concat(parts) = hir.kind() else {
            return None;
        };
        let [first, whole @ .., last] = parts.as_slice() else {
            return None;
        };
        let is = |part: &Hir, look| matches!(part.kind(), HirKind::Look(own) if *own == look);
        if !is(first, Look::Start) || !is(last, Look::End) {
            return None;
        }
        match (Table::of(whole), Runs::of(whole)) {
            (Some(table), _) if table.is_small() => Some(Self::Table(table)),
            (_, Some(runs)) => Some(Self::Runs(runs)),
            (table, None) => table.map(Self::Table),
        }
    }

    /// Whether the pattern matches `text`.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Runs(runs) => runs.is_match(text),
            Self::Table(table) => table.is_match(text),
        }
    }
}
