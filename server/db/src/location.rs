//! The location of a database.

mod encryption;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use tls::Trust;

/// The location of a database: a SQLite file, or a PostgreSQL URL. A text that begins like a URL is
/// one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub enum Location {
    /// A file of this machine.
    File(PathBuf),
    /// A database that any number of machines share.
    Postgres(PostgresUrl),
}

/// A URL such as `postgres://user:password@host:5432/database`. It is never shown with the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    config: Box<Config>,
    tls: Option<Trust>,
}

/// The text is no PostgreSQL URL, or has options that this program does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLocation {
    /// Not of the form.
    #[error("is not a URL like postgres://user:password@host:5432/database: {0}")]
    Malformed(String),
    /// A URL of another scheme, or one whose scheme is misspelt.
    #[error("is a URL that does not begin with postgres:// or postgresql://")]
    Scheme,
    /// It is ambiguous where the password ends, or whether the rest are options.
    #[error(
        "is ambiguous because of an @, / or ?: write them %40, %2F and %3F in the user name and password, and \
         @ as %40 everywhere if there is no user name"
    )]
    Ambiguous,
    /// An unknown `sslmode`, or one that silently falls back to no TLS.
    #[error(
        "has an sslmode other than disable, require, verify-ca and verify-full; allow and prefer may silently \
         leave a connection unencrypted"
    )]
    Mode,
    /// The system's authorities, and any name.
    #[error(
        "does not verify the certificate's name: for that, sslrootcert must name a file, since the system's \
         authorities issue certificates to anyone; or use sslmode=verify-full"
    )]
    AnyNameOfTheSystem,
    /// Authorities without a mode that verifies certificates.
    #[error("has an sslrootcert without a mode that uses it: use sslmode=verify-full")]
    IdleRoot,
    /// An option that is given twice.
    #[error("has {0} twice")]
    Twice(String),
    /// An unsupported option about TLS.
    #[error("has {0}, which is not supported: the only TLS options are sslmode and sslrootcert")]
    Unsupported(String),
}

impl PostgresUrl {
    /// The configuration of the driver. Of TLS it says only whether it is required.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// How the server's certificate is verified; `None` for a connection without TLS.
    pub(crate) fn tls(&self) -> Option<&Trust> {
        self.tls.as_ref()
    }
}

impl FromStr for Location {
    type Err = InvalidLocation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Ok(Location::File(text.into()));
        };
        if !["postgres", "postgresql"].contains(&scheme) {
            return Err(InvalidLocation::Scheme);
        }
        require_one_reading(rest)?;
        let (url, tls) = encryption::split(text)?;
        let malformed = |error| InvalidLocation::Malformed(crate::postgres::explain(&error));
        let mut config: Config = url.parse().map_err(malformed)?;
        config.ssl_mode(match tls {
            Some(_) => SslMode::Require,
            None => SslMode::Disable,
        });
        Ok(Location::Postgres(PostgresUrl {
            config: Box::new(config),
            tls,
        }))
    }
}

/// Refuses URLs that are ambiguous: the driver takes all text before the first `@` for the user and the
/// password, even if it is the host with all options, and shows the text after it as the host.
fn require_one_reading(rest: &str) -> Result<(), InvalidLocation> {
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    match authority.matches('@').count() {
        0 if after.contains('@') => Err(InvalidLocation::Ambiguous),
        0 | 1 => Ok(()),
        _ => Err(InvalidLocation::Ambiguous),
    }
}

impl TryFrom<String> for Location {
    type Error = InvalidLocation;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<PathBuf> for Location {
    fn from(path: PathBuf) -> Self {
        Location::File(path)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File(path) => path.display().fmt(f),
            Location::Postgres(url) => url.fmt(f),
        }
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.config.get_user() {
            write!(f, "{user}@")?;
        }
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{comma}{}", path.display())?,
            }
            let ports = self.config.get_ports();
            if let Some(port) = ports.get(number).or(ports.first()) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_files_are_distinguished() {
        let file = |text: &str| Location::File(text.into());
        for text in [
            "donation-catalog.db",
            "/var/lib/a.db",
            "postgres",
            "postgres:/a",
        ] {
            assert_eq!(text.parse(), Ok(file(text)));
        }
        for text in [
            "postgres://h/d",
            "postgresql://u:p@[::1]:5433/d?connect_timeout=1",
        ] {
            assert!(matches!(text.parse(), Ok(Location::Postgres(_))), "{text}");
        }
        for text in [
            "postgress://u:secret@h/d",
            "POSTGRES://u:secret@h/d",
            " postgres://u:secret@h/d",
            "mysql://u:secret@h/d",
            "://",
        ] {
            assert_eq!(text.parse::<Location>(), Err(InvalidLocation::Scheme));
        }
        for text in [
            "postgres://u:se@cret@h/d",
            "postgres://u:se/cret@h/d",
            "postgres://u:se?cret@h/d",
            "postgres://h/d?sslmode=verify-full&user=u&password=sec@ret",
            "postgres://h?sslmode=verify-full&application_name=a@b",
        ] {
            let refused = text.parse::<Location>();
            assert_eq!(refused, Err(InvalidLocation::Ambiguous), "{text}");
        }
        let url = "postgres://u:s%40%2F%3F@h/d?application_name=a@b";
        assert!(matches!(url.parse(), Ok(Location::Postgres(_))));
        for text in ["postgres://h:x/d", "postgres://h/d?colour=red"] {
            let refused = text.parse::<Location>().unwrap_err();
            assert!(matches!(refused, InvalidLocation::Malformed(_)), "{text}");
        }
        let tls = |text: &str| match text.parse() {
            Ok(Location::Postgres(url)) => (url.config.get_ssl_mode(), url.tls),
            other => panic!("{other:?}"),
        };
        let plain = (SslMode::Disable, None);
        assert_eq!(tls("postgres://h/d"), plain);
        assert_eq!(tls("postgres://h/d?sslmode=disable"), plain);
        let required = "postgres://h/d?connect_timeout=1&sslmode=require";
        assert_eq!(tls(required), (SslMode::Require, Some(Trust::Anyone)));
    }

    #[test]
    fn a_password_is_never_shown() {
        let url: Location = "postgres://user:secret@one:1,two:2/data".parse().unwrap();
        assert_eq!(url.to_string(), "postgres://user@one:1,two:2/data");
        assert!(!format!("{url:?}").contains("secret"));
    }
}
