//! Recorded costs of other generators, measured once: they need Java, read OpenAPI 3.0 only, are macros
//! or make clients, so they cannot take turns with ours. The machine was busy, which hardly affects
//! processor time.

/// The versions of these generators and the date of their measurement.
pub(super) const GENERATORS: &str = "openapi-generator 7.26.0 (rust-axum), oapi-codegen for Rust 1.5.4, \
                                     openapi-trait 0.0.9 and cargo-progenitor 0.15.1, once on 2026-11-20 \
                                     on a busy machine";

/// A line per document and generator: seconds and megabytes of generation, and seconds of the check
/// where the output compiles.
const RECORDED: &str = include_str!("recorded.tsv");

/// The recorded costs for a document, as rows of a table.
pub(super) fn of(document: &str) -> String {
    let lines = RECORDED.lines().filter_map(|line| {
        let mut parts = line.split('\t');
        let known = parts.next()? == document;
        let (tool, seconds, _, check) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        known.then(|| format!("{tool} {seconds}/{check}"))
    });
    lines.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_recorded_costs() {
        assert_eq!(
            of("oxide-nexus.json"),
            "rust-axum 5.7/-, progenitor 0.37/4.06"
        );
        assert_eq!(of("no-such.json"), "");
    }

    #[test]
    fn every_line_has_its_figures() {
        for line in RECORDED.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let [_, _, seconds, megabytes, check] = parts[..] else {
                panic!("{line}");
            };
            for figure in [seconds, megabytes, check] {
                assert!(figure == "-" || figure.parse::<f64>().is_ok(), "{line}");
            }
        }
    }
}
