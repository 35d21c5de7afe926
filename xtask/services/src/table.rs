//! The outcomes of the calls as a table.

use service_calls::{Class, Outcome};
use std::fmt::Write as _;
use std::io;
use std::process::Output;

/// The columns of the table.
const CLASSES: [(Class, &str); 7] = [
    (Class::Fine, "fine"),
    (Class::WrongRequest, "wrong request"),
    (Class::Undecodable, "undecodable"),
    (Class::SuccessAsError, "success as error"),
    (Class::ErrorWithoutType, "error without type"),
    (Class::LostValue, "lost value"),
    (Class::WrongDocument, "wrong document"),
];

/// The result of a service.
pub(crate) struct Row {
    name: String,
    tried: Tried,
}

enum Tried {
    Called(Vec<Outcome>),
    NotInstalled,
    Broken(io::Error),
}

impl Row {
    pub(crate) fn skipped(name: &str) -> Row {
        Row {
            name: name.to_owned(),
            tried: Tried::NotInstalled,
        }
    }

    /// A service that could not be tried.
    pub(crate) fn untried(name: &str, error: io::Error) -> Row {
        Row {
            name: name.to_owned(),
            tried: Tried::Broken(error),
        }
    }

    /// Parses the output of a program of calls.
    pub(crate) fn read(name: &str, output: &Output) -> io::Result<Row> {
        let lines = String::from_utf8_lossy(&output.stdout);
        let outcomes: Result<Vec<Outcome>, _> = lines.lines().map(serde_json::from_str).collect();
        let outcomes = outcomes?;
        if !output.status.success() || outcomes.is_empty() {
            let calls = outcomes.len();
            let broken = format!("the program of {name} ended early, after {calls} calls");
            return Err(io::Error::other(broken));
        }
        Ok(Row {
            name: name.to_owned(),
            tried: Tried::Called(outcomes),
        })
    }

    pub(crate) fn is_skipped(&self) -> bool {
        matches!(self.tried, Tried::NotInstalled)
    }

    /// The error of a service that could not be tried.
    pub(crate) fn into_error(self) -> Option<io::Error> {
        match self.tried {
            Tried::Broken(error) => Some(error),
            _ => None,
        }
    }

    fn outcomes(&self) -> &[Outcome] {
        match &self.tried {
            Tried::Called(outcomes) => outcomes,
            _ => &[],
        }
    }

    /// Whether the client does as well as the document allows. The type of an error is often not documented.
    pub(crate) fn meets_target(&self) -> bool {
        let allowed = [Class::Fine, Class::ErrorWithoutType, Class::WrongDocument];
        let mut outcomes = self.outcomes().iter();
        outcomes.all(|outcome| allowed.contains(&outcome.class))
    }

    fn count(&self, class: Class) -> usize {
        let outcomes = self.outcomes().iter();
        outcomes.filter(|outcome| outcome.class == class).count()
    }
}

/// The calls of a service that are not fine, one paragraph each.
pub(crate) fn failures(row: &Row) -> String {
    let mut text = String::new();
    for outcome in row
        .outcomes()
        .iter()
        .filter(|outcome| outcome.class != Class::Fine)
    {
        let class = CLASSES.iter().find(|(class, _)| *class == outcome.class);
        let class = class.map_or("", |(_, name)| name);
        let exchange = &outcome.exchange;
        let status = exchange
            .status
            .map_or("no response".into(), |status| status.to_string());
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}: {}: {class}: {}\n    {} {}\n    {status} {} {}",
            row.name,
            outcome.call,
            outcome.reason,
            exchange.request,
            exchange.sent,
            exchange.content_type,
            exchange.received,
        );
    }
    text
}

/// A row per service, and the sum of all.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = "| service | calls |".to_owned();
    let mut rule = "|---|---:|".to_owned();
    for (_, name) in CLASSES {
        let _ = write!(text, " {name} |");
        rule.push_str("---:|");
    }
    let _ = writeln!(text, "\n{rule}");
    for row in rows {
        let reason = match &row.tried {
            Tried::Called(outcomes) => {
                let counts = CLASSES.map(|(class, _)| row.count(class));
                line(&mut text, &row.name, outcomes.len(), counts);
                continue;
            }
            Tried::NotInstalled => "SKIPPED: not installed, see --install".to_owned(),
            Tried::Broken(error) => format!("FAILED: {error}"),
        };
        let _ = writeln!(text, "| {} | {reason} |", row.name);
    }
    let calls = rows.iter().map(|row| row.outcomes().len()).sum();
    let counts = CLASSES.map(|(class, _)| rows.iter().map(|row| row.count(class)).sum());
    line(&mut text, "all", calls, counts);
    text
}

fn line(text: &mut String, name: &str, calls: usize, counts: [usize; CLASSES.len()]) {
    let _ = write!(text, "| {name} | {calls} |");
    for count in counts {
        let _ = write!(text, " {count} |");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use service_calls::Exchange;

    fn row(classes: &[Class]) -> Row {
        let outcomes = classes.iter().map(|class| Outcome {
            call: "read".into(),
            class: *class,
            reason: "R".into(),
            exchange: Exchange::default(),
        });
        Row {
            name: "shop".into(),
            tried: Tried::Called(outcomes.collect()),
        }
    }

    #[test]
    fn counts_each_class() {
        let rows = [
            row(&[Class::Fine, Class::Undecodable, Class::Fine]),
            Row::skipped("inn"),
            row(&[Class::WrongDocument]),
        ];
        let text = table(&rows);
        assert!(
            text.contains("| shop | 3 | 2 | 0 | 1 | 0 | 0 | 0 | 0 |\n"),
            "{text}"
        );
        assert!(
            text.contains("| inn | SKIPPED: not installed, see --install |\n"),
            "{text}"
        );
        assert!(
            text.ends_with("| all | 4 | 2 | 0 | 1 | 0 | 0 | 0 | 1 |\n"),
            "{text}"
        );
        assert_eq!(failures(&rows[0]).matches("undecodable: R").count(), 1);
    }

    #[test]
    fn fails_on_what_the_client_could_do_better() {
        assert!(row(&[Class::Fine, Class::ErrorWithoutType, Class::WrongDocument]).meets_target());
        for class in [
            Class::WrongRequest,
            Class::Undecodable,
            Class::SuccessAsError,
            Class::LostValue,
        ] {
            assert!(!row(&[Class::Fine, class]).meets_target());
        }
    }
}
