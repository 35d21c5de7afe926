//! Where a database is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Where a database is: a SQLite file, or a PostgreSQL database. What begins like a URL of
/// PostgreSQL is one.
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
pub struct PostgresUrl(Box<Config>);

/// The text is no URL of PostgreSQL, or asks for what this program cannot do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLocation {
    /// Not of the form.
    #[error("is not a URL like postgres://user:password@host:5432/database: {0}")]
    Malformed(String),
    /// Any `sslmode` but `disable`: also one that would do without TLS, and not say so.
    #[error(
        "asks for TLS, which this program does not speak to a database: reach it over a private network or \
         through a proxy that speaks TLS, and say sslmode=disable"
    )]
    Tls,
}

impl PostgresUrl {
    pub(super) fn config(&self) -> &Config {
        &self.0
    }
}

impl FromStr for Location {
    type Err = InvalidLocation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            return Ok(Location::File(text.into()));
        }
        if asks_for_tls(text) {
            return Err(InvalidLocation::Tls);
        }
        let malformed = |error| InvalidLocation::Malformed(super::postgres::explain(&error));
        let config: Config = text.parse().map_err(malformed)?;
        Ok(Location::Postgres(PostgresUrl(Box::new(config))))
    }
}

/// Whether a URL says anything of TLS but that there is none. The driver does not know all that can be
/// said of it.
fn asks_for_tls(url: &str) -> bool {
    let (_, query) = url.split_once('?').unwrap_or_default();
    let mut options = query.split('&').filter_map(|option| option.split_once('='));
    options.any(|(name, value)| {
        (name == "sslmode" && value != "disable")
            || ["sslcert", "sslkey", "sslrootcert"].contains(&name)
    })
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
        if let Some(user) = self.0.get_user() {
            write!(f, "{user}@")?;
        }
        for (number, host) in self.0.get_hosts().iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{comma}{}", path.display())?,
            }
            let ports = self.0.get_ports();
            if let Some(port) = ports.get(number).or(ports.first()) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.0.get_dbname().unwrap_or_default())
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
    fn a_url_is_told_from_a_file() {
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
        for text in ["postgres://h:x/d", "postgres://h/d?colour=red"] {
            let refused = text.parse::<Location>().unwrap_err();
            assert!(matches!(refused, InvalidLocation::Malformed(_)), "{text}");
        }
        for tls in ["allow", "prefer", "require", "verify-ca", "verify-full"] {
            let url = format!("postgres://h/d?connect_timeout=1&sslmode={tls}");
            assert_eq!(url.parse::<Location>(), Err(InvalidLocation::Tls));
        }
        let root = "postgres://h/d?sslrootcert=/root.crt".parse::<Location>();
        assert_eq!(root, Err(InvalidLocation::Tls));
        assert!("postgres://h/d?sslmode=disable".parse::<Location>().is_ok());
    }

    #[test]
    fn a_password_is_never_shown() {
        let url: Location = "postgres://user:secret@one:1,two:2/data".parse().unwrap();
        assert_eq!(url.to_string(), "postgres://user@one:1,two:2/data");
        assert!(!format!("{url:?}").contains("secret"));
    }
}
