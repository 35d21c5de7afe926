//! Whether generated code and this crate are of versions that fit each other.

/// The major and minor version of this crate.
const OWN: (u32, u32) = (
    number(env!("CARGO_PKG_VERSION_MAJOR")),
    number(env!("CARGO_PKG_VERSION_MINOR")),
);

/// Refuses to compile code that another version of the generator has made: a runtime serves the code of
/// its own major version, up to its own minor version.
///
/// # Panics
/// When the code does not fit. Generated crates call this in a constant, so that the compiler panics.
pub const fn serves_code_of(major: u32, minor: u32) {
    assert!(
        major >= OWN.0,
        "this crate was generated for an older runtime: generate it again with an `openapi-crate` of the \
         runtime's version, or depend on the runtime that it was generated for"
    );
    assert!(
        major == OWN.0 && minor <= OWN.1,
        "this crate was generated for a newer runtime: update the runtime to the version that is in the \
         first line of this crate's Cargo.toml"
    );
}

/// The number that a text of digits is.
const fn number(digits: &str) -> u32 {
    let bytes = digits.as_bytes();
    let (mut at, mut number) = (0, 0);
    while let Some((digit, _)) = bytes.split_at(at).1.split_first() {
        number = number * 10 + (*digit - b'0') as u32;
        at += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_the_same_major_version_is_served() {
        assert_eq!(number("1024"), 1024);
        for minor in 0..=OWN.1 {
            serves_code_of(OWN.0, minor);
        }
    }

    #[test]
    #[should_panic(expected = "generated for a newer runtime: update the runtime")]
    fn code_of_a_later_minor_version_is_refused() {
        serves_code_of(OWN.0, OWN.1 + 1);
    }

    #[test]
    #[should_panic(expected = "generated for a newer runtime")]
    fn code_of_a_later_major_version_is_refused() {
        serves_code_of(OWN.0 + 1, 0);
    }

    #[test]
    #[should_panic(expected = "generated for an older runtime: generate it again")]
    fn code_of_an_earlier_major_version_is_refused() {
        serves_code_of(OWN.0 - 1, OWN.1);
    }
}
