//! The features of a generated crate.

use std::str::FromStr;

/// A feature of a generated crate, which its dependents turn on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// The client.
    Client,
    /// The client's transport calls servers of `https`.
    Tls,
    /// The traits to implement and the service.
    Server,
    /// JSON values keep all digits of their numbers.
    ExactNumbers,
}

impl Feature {
    /// All features, in the order of the manifest.
    pub const ALL: [Feature; 4] = [Self::Client, Self::Tls, Self::Server, Self::ExactNumbers];

    /// The features that are on unless the settings name others: TLS takes a dozen crates and
    /// a compiler of C, which a team whose crate serves does not need.
    pub const DEFAULT: [Feature; 3] = [Self::Client, Self::Server, Self::ExactNumbers];

    /// Its name in the manifest.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Tls => "tls",
            Self::Server => "server",
            Self::ExactNumbers => "exact-numbers",
        }
    }
}

impl FromStr for Feature {
    type Err = String;

    fn from_str(name: &str) -> Result<Feature, String> {
        let known = Self::ALL.into_iter().find(|feature| feature.name() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!("there is no feature `{name}`: name {}", names.join(", "))
        })
    }
}
