//! The TLS options of a PostgreSQL URL, as libpq names them: `sslmode` and `sslrootcert`.
//!
//! The driver supports a part of them only, so they are read here and removed from its URL. Values that
//! leave open whether a connection is encrypted, and options that are not supported, are refused by
//! name.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

use super::InvalidLocation;
use tls::{Roots, Trust};

/// Splits a URL into the URL without its TLS options and their meaning; `None` is no TLS. No `?` stands
/// before its options.
pub(crate) fn split(url: &str) -> Result<(String, Option<Trust>), InvalidLocation> {
    let (before, options) = query(url);
    let (mut mode, mut root) = (None, None);
    let mut rest = Vec::new();
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let name = decoded(name)?;
        let place = match name.as_str() {
            "sslmode" => &mut mode,
            "sslrootcert" => &mut root,
            other if other.starts_with("ssl") => {
                return Err(InvalidLocation::Unsupported(name));
            }
            _ => {
                rest.push(option);
                continue;
            }
        };
        if place.replace(decoded(value)?).is_some() {
            return Err(InvalidLocation::Twice(name));
        }
    }
    let trust = trust(mode.as_deref(), root)?;
    let url = match rest.is_empty() {
        true => before.to_owned(),
        false => format!("{before}?{}", rest.join("&")),
    };
    Ok((url, trust))
}

/// The part of a URL before the options, and the options.
fn query(url: &str) -> (&str, impl Iterator<Item = &str>) {
    let (before, options) = url.split_once('?').unwrap_or((url, ""));
    let options = options.split('&');
    (before, options.filter(|option| !option.is_empty()))
}

fn decoded(text: &str) -> Result<String, InvalidLocation> {
    let text = percent_decode_str(text).decode_utf8();
    let text = text.map_err(|error| InvalidLocation::Malformed(error.to_string()))?;
    Ok(text.into_owned())
}

/// The meaning of both options together. It is libpq's with one exception: without `sslrootcert`,
/// `verify-full` uses the system's authorities instead of a file in the user's home.
fn trust(mode: Option<&str>, root: Option<String>) -> Result<Option<Trust>, InvalidLocation> {
    let root = root.map(|root| match root.as_str() {
        "system" => Roots::System,
        _ => Roots::File(PathBuf::from(root)),
    });
    Ok(match (mode, root) {
        (None | Some("disable"), None) => None,
        (Some("require"), None) => Some(Trust::Anyone),
        (Some("require" | "verify-ca"), Some(Roots::File(path))) => Some(Trust::Authority(path)),
        (Some("require" | "verify-ca"), _) => return Err(InvalidLocation::AnyNameOfTheSystem),
        (Some("verify-full"), root) => Some(Trust::Host(root.unwrap_or(Roots::System))),
        (None, Some(Roots::System)) => Some(Trust::Host(Roots::System)),
        (None | Some("disable"), Some(_)) => return Err(InvalidLocation::IdleRoot),
        (Some(_), _) => return Err(InvalidLocation::Mode),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(options: &str) -> Result<Option<Trust>, InvalidLocation> {
        split(&format!("postgres://h/d?{options}")).map(|(_, trust)| trust)
    }

    #[test]
    fn modes_have_the_meaning_of_libpq() {
        let file = || PathBuf::from("/a b.crt");
        let check = |options: &str, trust: Option<Trust>| assert_eq!(asked(options), Ok(trust));
        check("", None);
        check("sslmode=disable", None);
        check("sslmode=require", Some(Trust::Anyone));
        for mode in ["require", "verify-ca"] {
            let options = format!("sslrootcert=/a%20b.crt&sslmode={mode}");
            check(&options, Some(Trust::Authority(file())));
        }
        let system = Some(Trust::Host(Roots::System));
        check("sslmode=verify-full", system.clone());
        check("sslmode=verify-full&sslrootcert=system", system.clone());
        check("sslrootcert=system", system);
        check(
            "sslmode=verify-full&sslrootcert=/a%20b.crt",
            Some(Trust::Host(Roots::File(file()))),
        );
    }

    #[test]
    fn weaker_and_unknown_modes_are_refused() {
        use InvalidLocation::{AnyNameOfTheSystem, IdleRoot, Mode, Twice, Unsupported};
        let check = |options: &str, why| assert_eq!(asked(options), Err(why), "{options}");
        for mode in ["allow", "prefer", "", "REQUIRE", "verify_full"] {
            check(&format!("sslmode={mode}"), Mode);
            check(&format!("sslmode={mode}&sslrootcert=system"), Mode);
        }
        check("sslmode", Mode);
        check("sslmode=verify-ca", AnyNameOfTheSystem);
        check("sslmode=verify-ca&sslrootcert=system", AnyNameOfTheSystem);
        check("sslmode=require&sslrootcert=system", AnyNameOfTheSystem);
        check("sslrootcert=/root.crt", IdleRoot);
        check("sslmode=disable&sslrootcert=/root.crt", IdleRoot);
        check("sslmode=disable&sslrootcert=system", IdleRoot);
        check("sslmode=require&ssl%6dode=disable", Twice("sslmode".into()));
        for name in ["sslcert", "sslkey", "sslcrl", "sslnegotiation"] {
            check(&format!("a=b&{name}=x"), Unsupported(name.into()));
        }
    }

    #[test]
    fn everything_else_is_left_as_it_was() {
        let check = |url: &str, rest: &str| assert_eq!(split(url).unwrap().0, rest);
        check("postgres://h/d", "postgres://h/d");
        check("postgres://h/d?sslmode=disable", "postgres://h/d");
        check(
            "postgres://u:a%3F@h/d?x=%20&sslmode=require&y=a@b",
            "postgres://u:a%3F@h/d?x=%20&y=a@b",
        );
    }
}
