//! Names of countries.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The code of each country in ISO 3166-1 and its English name.
static NAMES: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("countries.txt").lines();
    lines.filter_map(|line| line.split_once(' ')).collect()
});

/// The name of a country; an unknown code is its own name.
pub(crate) fn name(code: &str) -> &str {
    NAMES.get(code).copied().unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name() {
        assert_eq!(NAMES.len(), 249);
        assert!(NAMES.keys().all(|code| code.len() == 2));
        assert_eq!((name("NL"), name("XX")), ("Netherlands", "XX"));
    }
}
