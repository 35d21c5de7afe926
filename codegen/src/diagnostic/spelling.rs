//! Spelling suggestions: the known name that is likely meant by an unknown one.

/// The known name that is most similar to an unknown one, if any is similar enough.
pub(crate) fn closest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.filter_map(|known| Some((slips(name, known)?, known)));
    let (_, known) = near.min_by_key(|(slips, _)| *slips)?;
    Some(known)
}

/// The edit distance from a name to a known one, with a swap of letters as one edit; `None` for
/// more than two edits, or more than a third of the letters. Case and separators do not count. A
/// name with a digit is never misspelt, because names are often numbered.
fn slips(name: &str, known: &str) -> Option<usize> {
    if name.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    let (name, known) = (plain(name), plain(known));
    let bound = (known.len() / 3).min(2);
    // Names of very different lengths are not compared.
    let is_alike = name.len().abs_diff(known.len()) <= bound;
    let slips = is_alike.then(|| strsim::osa_distance(&name, &known));
    slips.filter(|slips| *slips <= bound)
}

#[cfg(test)]
mod tests {
    use super::closest;

    fn is_near(name: &str, known: &'static str) -> bool {
        closest(name, [known].into_iter()).is_some()
    }

    #[test]
    fn a_misspelt_name_differs_in_two_letters_at_most() {
        for name in [
            "x-raw-header",
            "x-rawHeaders",
            "X-Raw_Headers",
            "x-row-headers",
            "x-rawheader",
        ] {
            assert!(is_near(name, "x-raw-headers"), "{name}");
        }
        for name in ["x-headers", "x-raw", "x-extensible", "x-meta-data"] {
            assert!(!is_near(name, "x-raw-headers"), "{name}");
            assert!(!is_near(name, "x-metered"), "{name}");
        }
        for name in ["x-tag", "x-sdk", "x-id"] {
            assert!(!is_near(name, "x-raw"), "{name}");
        }
        assert!(!is_near("x-extension-1", "x-extensions"));
    }
    #[test]
    fn the_most_similar_name_is_meant() {
        let known = ["examples", "example", "explode"];
        assert_eq!(closest("exampl", known.into_iter()), Some("example"));
        assert_eq!(closest("exampels", known.into_iter()), Some("examples"));
        assert_eq!(closest("exapmle", known.into_iter()), Some("example"));
        assert_eq!(closest("value", known.into_iter()), None);
    }
}
