//! The figures as a table, in text and in Markdown.

use super::figures::{Figures, Row};
use super::programs::Tool;
use super::recorded;
use super::targets;
use crate::table::Table;

/// The text of a cell without a value.
const NOTHING: &str = "-";

/// The table as text, with the values above the target.
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
        "CPU seconds (user and system), the minimum over all rounds; generators take turns within a round and write \
         to a RAM disk if possible. Generators: ours, {peers}. *gen* is one run, *clock* the wall-clock time of ours, \
         *MB* its peak memory, *check* is `cargo check` of the output with warm dependencies, *ratio* is ours divided \
         by the best other. `-` means that the generator rejects the document, generates no server or client for it, \
         or its output does not compile. The last \
         column has the costs of other generators (gen/check): {}. {}\n\n{}\n{}",
        recorded::GENERATORS,
        targets::text(),
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
    let each = |figure: &str| Tool::ALL.map(|tool| format!("{figure} {}", short(tool)));
    let mut head = vec!["document".to_owned()];
    head.extend(each("gen"));
    head.extend(["gen ratio".into(), "clock ours".into()]);
    head.extend(each("MB"));
    head.extend(each("check"));
    head.extend(["check ratio".into(), "recorded".into()]);
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
    let shown = |figure: Option<f64>, digits: usize| {
        figure.map_or(NOTHING.into(), |figure| format!("{figure:.digits$}"))
    };
    let each = |figure: fn(&Figures) -> Option<f64>, digits| {
        let figures = row
            .each()
            .map(move |figures| shown(figure(figures), digits));
        figures.collect::<Vec<String>>()
    };
    let ratio = |figure: fn(&Figures) -> Option<f64>| {
        shown(row.against(figure).map(|(own, peer)| own / peer), 2)
    };
    let mut cells = vec![row.document.clone()];
    cells.extend(each(Figures::generation_seconds, 4));
    cells.push(ratio(Figures::generation_seconds));
    cells.push(shown(row.own().elapsed_seconds(), 3));
    cells.extend(each(Figures::megabytes, 0));
    cells.extend(each(Figures::check_seconds, 2));
    cells.push(ratio(Figures::check_seconds));
    cells.push(recorded::of(&row.document));
    cells
}

/// Whether the target is met, and the values above it.
fn verdict(rows: &[Row], misses: &[String]) -> String {
    if misses.is_empty() {
        return format!("{} documents: the target is met\n", rows.len());
    }
    let each: String = misses.iter().map(|miss| format!("- {miss}\n")).collect();
    format!("{} documents, above the target:\n\n{each}", rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use std::time::Duration;

    #[test]
    fn shows_present_and_missing_values() {
        let mut row = Row::of("a.json", 100);
        let cost = |milliseconds, success| Cost {
            cpu: Duration::from_millis(milliseconds),
            elapsed: Duration::from_millis(2 * milliseconds),
            memory: 12_400_000,
            success,
        };
        row.of_mut(Tool::Own).generated(cost(30, true));
        row.of_mut(Tool::Oas3Gen).generated(cost(60, true));
        row.of_mut(Tool::OpenapiToRust).generated(cost(1, false));
        row.of_mut(Tool::Own).checked(cost(700, true));
        let expected = "|a.json|0.0300|0.0600|-|0.50|0.060|12|12|-|0.70|-|-|-||";
        let rows = [row];
        let markdown = markdown(&rows, &[]);
        assert!(markdown.replace(' ', "").contains(expected), "{markdown}");
        assert!(markdown.ends_with("\n1 documents: the target is met\n"));
        let text = text(&rows, &["a.json: slow".into()]);
        assert!(
            text.ends_with("above the target:\n\n- a.json: slow\n"),
            "{text}"
        );
    }
}
