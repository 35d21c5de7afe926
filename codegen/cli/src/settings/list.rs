//! Lists of names: words between commas on a command line, an array in a settings file.

use serde::Deserialize;
use std::str::FromStr;

/// A list of names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>", bound = "T: FromStr<Err = String>")]
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<T: FromStr<Err = String>> TryFrom<Vec<String>> for List<T> {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<List<T>, String> {
        let names = names.iter().map(|name| name.parse());
        names.collect::<Result<_, _>>().map(List)
    }
}

impl<T: FromStr<Err = String>> FromStr for List<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<List<T>, String> {
        let names = text.split(',').filter(|name| !name.is_empty());
        names.map(str::parse).collect::<Result<_, _>>().map(List)
    }
}
