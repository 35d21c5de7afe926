//! The choice of names: words for the schemas of a document, and distinct names in a scope.

use crate::ir::Name;
use crate::source::Pointer;
use crate::source::files;
use std::collections::HashSet;

/// The name of a schema's type from its key: the last step of its place, or the path of its file if
/// it is the whole file.
pub(crate) fn of_key(key: &str) -> String {
    let (place, last) = key.rsplit_once('/').unwrap_or_default();
    let step = Pointer::parse(key).and_then(|place| place.tokens().last());
    match step {
        Some(path) if place.strip_prefix('/') == Some(files::MOUNT) => {
            let (stem, ending) = path.rsplit_once('.').unwrap_or((&path, ""));
            // The key of a read or write variant has a word more.
            match ending.split_once(' ') {
                Some((_, variant)) => format!("{stem} {variant}"),
                None => stem.to_owned(),
            }
        }
        Some(step) => step,
        None if last.is_empty() => key.to_owned(),
        None => last.to_owned(),
    }
}

/// Hands out distinct names.
#[derive(Debug, Default, Clone)]
pub(crate) struct Scope(HashSet<String>);

impl Scope {
    /// A scope in which some texts are taken from the beginning; names count in Pascal case.
    pub(crate) fn reserving(texts: &[&str]) -> Scope {
        Scope(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    /// The wanted name, or the first of `wanted2`, `wanted3` … that is free. Names that differ in
    /// Pascal case differ in every case.
    pub(crate) fn claim(&mut self, wanted: Name) -> Name {
        let mut name = wanted.clone();
        let mut numbers = 2..;
        while !self.0.insert(name.pascal()) {
            name = wanted.numbered(numbers.next().unwrap_or_default());
        }
        name
    }

    /// The same for a text that is written as it is.
    pub(crate) fn claim_text(&mut self, wanted: String) -> String {
        let mut text = wanted.clone();
        let mut numbers = 2..;
        while !self.0.insert(text.clone()) {
            text = format!("{wanted}{}", numbers.next().unwrap_or_default());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_named_after_their_places() {
        assert_eq!(of_key("Pet"), "Pet");
        assert_eq!(of_key("/x-files/b.yaml/$defs/a~1b"), "a/b");
        assert_eq!(of_key("/x-files/sub~1old.pet.yaml"), "sub/old.pet");
        assert_eq!(of_key("place/of/use"), "use");
    }

    #[test]
    fn keeps_names_apart() {
        let mut scope = Scope::default();
        let mut claim = |text| scope.claim(Name::of(text)).to_string();
        assert_eq!(claim("a_b"), "a_b");
        assert_eq!(claim("aB"), "a_b2");
        assert_eq!(claim("page1"), "page1");
        assert_eq!(claim("page_1"), "page_12");
        assert_eq!(claim("type"), "type");
    }
}
