//! A table of figures, as text for a terminal or as Markdown.

use std::fmt::Write as _;

/// Rows below a head; the first column is text, the others are figures.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows yet.
    pub(crate) fn new(head: &[&str]) -> Table {
        let head = head.iter().map(|cell| (*cell).to_owned());
        Table {
            rows: vec![head.collect()],
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table in columns, or as Markdown.
    pub(crate) fn render(&self, markdown: bool) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            let cells: Vec<String> = cells.collect();
            // Writing to a string cannot fail.
            let _ = match markdown {
                true => writeln!(out, "| {} |", cells.join(" | ")),
                false => writeln!(out, "{}", cells.join("  ").trim_end()),
            };
            if markdown && index == 0 {
                let figures = "---:|".repeat(columns.saturating_sub(1));
                let _ = writeln!(out, "|---|{figures}");
            }
        }
        out
    }
}

/// The middle of some figures; 0 of none.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    match sorted.len() % 2 {
        1 => upper,
        _ => {
            let lower = sorted.get((sorted.len() / 2).saturating_sub(1));
            (upper + lower.copied().unwrap_or_default()) / 2.0
        }
    }
}

/// The figure that so many in a hundred are below; 0 of none.
pub(crate) fn quantile(figures: &[f64], percent: usize) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = sorted.len() * percent / 100;
    sorted.get(place).copied().unwrap_or_default()
}

/// The interquartile range of some ratios, as text; empty without ratios.
pub(crate) fn spread(ratios: &[f64]) -> String {
    let mut sorted = ratios.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len() / 4;
    let ends = (sorted.get(quarter), sorted.iter().rev().nth(quarter));
    match ends {
        (Some(low), Some(high)) => format!("{low:.3}–{high:.3}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_columns_and_markdown() {
        let mut table = Table::new(&["what", "µs"]);
        table.row(vec!["a list".into(), "13.9".into()]);
        table.row(vec!["é".into(), "7".into()]);
        assert_eq!(
            table.render(false),
            "what      µs\na list  13.9\né          7\n"
        );
        let expected = "| what   |   µs |\n|---|---:|\n| a list | 13.9 |\n| é      |    7 |\n";
        assert_eq!(table.render(true), expected);
    }

    #[test]
    fn finds_the_middle() {
        for (figures, middle) in [
            (vec![], 0.0),
            (vec![3.0], 3.0),
            (vec![9.0, 1.0], 5.0),
            (vec![9.0, 1.0, 2.0], 2.0),
        ] {
            assert!((median(&figures) - middle).abs() < 1e-9, "{figures:?}");
        }
    }

    #[test]
    fn finds_the_middle_half() {
        assert_eq!(spread(&[]), "");
        assert_eq!(spread(&[1.0]), "1.000–1.000");
        assert_eq!(
            spread(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0]),
            "2.000–5.000"
        );
    }
}
