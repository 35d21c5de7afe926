//! The figures as a table, in text and in Markdown.

use super::figures::{Figures, Row};
use super::programs::Tool;
use super::recorded;
use crate::table::Table;

/// The text of a cell without a value.
const NOTHING: &str = "-";

/// The table as text, with the values above the bar.
pub(super) fn text(rows: &[Row], misses: &[String]) -> String {
    format!("{}{}", table(rows).render(false), verdict(rows, misses))
}

/// The section of the file of figures.
pub(super) fn markdown(rows: &[Row], misses: &[String]) -> String {
    let peers = Tool::ALL.into_iter().filter_map(|tool| {
        let version = tool.version()?;
        Some(format!("`{}` {version} ({})", tool.name(), short(tool)))
    });
    let peers = peers.collect::<Vec<_>>().join(" and ");
    format!(
        "Processor seconds, user and system together, the least of the rounds, each of them through all \
         documents, in which the generators take turns, writing into memory where the system lets them: \
         ours, {peers}. *gen* is one run of the generator, *MB* its peak resident memory, *check* is \
         `cargo check` of what it has generated when everything that depends on is checked already; a \
         *ratio* is ours to the least of the others. `-` where a generator refuses the document, or makes \
         nothing by which its operations are served or called, or its output does not compile. The last \
         column is what others have cost at an earlier time \
         (gen/check). Bars: gen 1 ×, check 1.5 ×.\n\n{}\n{}",
        table(rows).render(true),
        verdict(rows, misses)
    )
}

fn table(rows: &[Row]) -> Table {
    let head = head();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(&head);
    for row in rows {
        table.row(cells(row));
    }
    table
}

fn head() -> Vec<String> {
    let mut head = vec!["document".to_owned()];
    for figure in ["gen", "MB", "check"] {
        head.extend(Tool::ALL.map(|tool| format!("{figure} {}", short(tool))));
        if figure != "MB" {
            head.push(format!("{figure} ratio"));
        }
    }
    head.push("recorded".into());
    head
}

fn short(tool: Tool) -> &'static str {
    match tool {
        Tool::Own => "ours",
        Tool::Oas3Gen => "oas3",
        Tool::OpenapiToRust => "o2r",
    }
}

fn cells(row: &Row) -> Vec<String> {
    let mut cells = vec![row.document.clone()];
    let mut add = |figure: fn(&Figures) -> Option<f64>, digits: usize, compared: bool| {
        for figures in row.each() {
            let figure = figure(figures);
            cells.push(figure.map_or(NOTHING.into(), |figure| format!("{figure:.digits$}")));
        }
        if compared {
            let ratio = row.against(figure).map(|(own, peer)| own / peer);
            cells.push(ratio.map_or(NOTHING.into(), |ratio| format!("{ratio:.2}")));
        }
    };
    add(Figures::generation_seconds, 4, true);
    add(Figures::megabytes, 0, false);
    add(Figures::check_seconds, 2, true);
    cells.push(recorded::of(&row.document));
    cells
}

/// Whether the bar is met, and the values above it.
fn verdict(rows: &[Row], misses: &[String]) -> String {
    if misses.is_empty() {
        return format!("{} documents: the bar is met\n", rows.len());
    }
    let each: String = misses.iter().map(|miss| format!("- {miss}\n")).collect();
    format!("{} documents, above the bar:\n\n{each}", rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use std::time::Duration;

    #[test]
    fn shows_present_and_missing_values() {
        let mut row = Row::of("a.json");
        let cost = |milliseconds, success| Cost {
            cpu: Duration::from_millis(milliseconds),
            memory: 12_400_000,
            success,
        };
        row.of_mut(Tool::Own).generated(cost(30, true));
        row.of_mut(Tool::Oas3Gen).generated(cost(60, true));
        row.of_mut(Tool::OpenapiToRust).generated(cost(1, false));
        row.of_mut(Tool::Own).checked(cost(700, true));
        let expected = "|a.json|0.0300|0.0600|-|0.50|12|12|-|0.70|-|-|-||";
        let rows = [row];
        let markdown = markdown(&rows, &[]);
        assert!(markdown.replace(' ', "").contains(expected), "{markdown}");
        assert!(markdown.ends_with("\n1 documents: the bar is met\n"));
        let text = text(&rows, &["a.json: slow".into()]);
        assert!(
            text.ends_with("above the bar:\n\n- a.json: slow\n"),
            "{text}"
        );
    }
}
