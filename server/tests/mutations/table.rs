//! The kinds of mutations by operation, with the numbers of noticed and tried ones.

use std::collections::BTreeMap;
use std::fmt;

use super::Mutation;

/// Noticed and tried, by kind and operation.
#[derive(Default)]
pub struct Table {
    kinds: Vec<&'static str>,
    rows: BTreeMap<String, BTreeMap<&'static str, (usize, usize)>>,
    /// The mutations that were not noticed.
    pub survivors: Vec<String>,
}

impl Table {
    /// Notes whether a mutation was noticed.
    pub fn note(&mut self, mutation: &Mutation, noticed: bool) {
        if !self.kinds.contains(&mutation.kind) {
            self.kinds.push(mutation.kind);
        }
        let row = self.rows.entry(mutation.operation.clone()).or_default();
        let (caught, tried) = row.entry(mutation.kind).or_default();
        *caught += usize::from(noticed);
        *tried += 1;
        if !noticed {
            self.survivors.push(mutation.to_string());
        }
    }

    /// The numbers of noticed and of tried mutations.
    pub fn counts(&self) -> (usize, usize) {
        let cells = self.rows.values().flat_map(BTreeMap::values);
        cells.fold((0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (letter, kind) in ('a'..).zip(&self.kinds) {
            writeln!(f, "  {letter}  {kind}")?;
        }
        write!(f, "  {:28}", "noticed of tried")?;
        for (letter, _) in ('a'..).zip(&self.kinds) {
            write!(f, "{letter:>4}")?;
        }
        for (operation, row) in &self.rows {
            write!(f, "\n  {operation:28}")?;
            for kind in &self.kinds {
                match row.get(kind) {
                    Some((caught, tried)) if caught == tried => write!(f, "{tried:>4}")?,
                    Some((caught, tried)) => write!(f, "{:>4}", format!("{caught}/{tried}"))?,
                    None => write!(f, "{:>4}", "-")?,
                }
            }
        }
        let (caught, tried) = self.counts();
        let share = 100.0 * caught as f64 / tried as f64;
        write!(
            f,
            "\n  {caught} of {tried} mutations are noticed ({share:.1} %)"
        )
    }
}
