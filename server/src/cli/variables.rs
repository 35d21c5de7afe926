//! The environment variables of the program. Misspelled ones are errors, as in the file of settings.

use std::collections::BTreeSet;
use std::env;
use std::fmt;

use clap::{Arg, Command, CommandFactory};
use strsim::osa_distance;

use super::Cli;

const PREFIX: &str = "CATALOG_";

/// The number of typing errors up to which a name is suggested.
const CLOSE: usize = 3;

/// A variable that no setting has.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {name} is no setting{suggestion}")]
pub(super) struct UnknownVariable {
    name: String,
    suggestion: Suggestion,
}

/// The setting that was probably meant, if any is close.
#[derive(Debug, PartialEq, Eq)]
struct Suggestion(Option<String>);

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(name) => write!(f, "; did you mean {name}?"),
            None => f.write_str(": `donation-catalog serve --help` lists the settings"),
        }
    }
}

/// Rejects an environment with a variable `CATALOG_…` that no setting has.
///
/// # Errors
/// The first of these variables. The error does not contain its value.
pub(super) fn reject_unknown_variables() -> Result<(), UnknownVariable> {
    let names = env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    match unknown(names) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn unknown(names: impl Iterator<Item = String>) -> Option<UnknownVariable> {
    let mut known = BTreeSet::new();
    collect(&Cli::command(), &mut known);
    let name = names
        .filter(|name| name.starts_with(PREFIX) && !known.contains(name))
        .min()?;
    let nearest = known
        .into_iter()
        .map(|setting| (osa_distance(&name, &setting), setting))
        .filter(|(distance, _)| *distance <= CLOSE)
        .min();
    let suggestion = Suggestion(nearest.map(|(_, setting)| setting));
    Some(UnknownVariable { name, suggestion })
}

/// The variables of a command and its subcommands.
fn collect(command: &Command, known: &mut BTreeSet<String>) {
    let variables = command.get_arguments().filter_map(Arg::get_env);
    known.extend(variables.map(|name| name.to_string_lossy().into_owned()));
    for command in command.get_subcommands() {
        collect(command, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(names: &[&str]) -> Option<String> {
        unknown(names.iter().map(|name| (*name).to_owned())).map(|error| error.to_string())
    }

    #[test]
    fn settings_and_variables_of_other_programs_are_accepted() {
        let names = [
            "CATALOG_DATABASE",
            "CATALOG_CONFIG",
            "CATALOG_LISTEN",
            "PATH",
        ];
        assert_eq!(message(&names), None);
    }

    #[test]
    fn a_misspelled_setting_is_named_with_the_nearest_one() {
        let said = message(&["CATALOG_LISTEN", "CATALOG_DATABSE"]).unwrap();
        let expected = "the environment variable CATALOG_DATABSE is no setting; \
                        did you mean CATALOG_DATABASE?";
        assert_eq!(said, expected);
        let said = message(&["CATALOG_PORT_8080_TCP_PROTO"]).unwrap();
        assert!(
            said.ends_with("`donation-catalog serve --help` lists the settings"),
            "{said}"
        );
    }
}
