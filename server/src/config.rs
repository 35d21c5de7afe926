//! The configuration: flags, environment and an optional TOML file, in this order of precedence.
//!
//! [`Settings`] are the optional settings of one source; [`Config`] is the result, complete and
//! checked. Nothing else reads the environment. No setting changes the clock or turns a check off, and
//! the one that lifts the limits is logged as a warning at every start.

mod duration;
mod merge;
mod rate;
mod redacted;
mod resolve;
mod settings;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use edge::http::TrustedProxies;

use db::Location;
use edge::http::{ConnectionLimits, EdgeOptions, LogFilter, LogFormat, LoggedClients};
use edge::limits::Capacity;
use edge::limits::shared::RedisUrl;
use features::access::RateLimits;
use features::chain_rpc::ChainEndpoint;
use features::configs::ConfigQuotas;
use features::console_config::ConsoleConfig;
use features::domain::service_identity::{BaseUrl, CharityPage, ServiceIdentity};
use features::webhooks::WebhookConfig;

pub use duration::{HumanDuration, HumanDurationError};
pub use merge::{ALL, Effect, Reloaded, Setting};
pub use rate::{Rate, RateError};
pub use redacted::Redacted;
pub use settings::Settings;

/// The complete configuration of `serve`.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The address of the API.
    pub listen: SocketAddr,
    /// The address of liveness, readiness and metrics. Not for the public.
    pub admin_listen: SocketAddr,
    pub database: Location,
    /// Whether a PostgreSQL database that needs it is migrated at the start.
    pub migrate: bool,
    /// The names of the service in links and feeds.
    pub service: ServiceIdentity,
    /// The dashboard, accounts and email.
    pub console: ConsoleConfig,
    /// The proxies whose `X-Forwarded-For` and `X-Request-Id` are trusted.
    pub trusted_proxies: TrustedProxies,
    /// The nodes that say who owns a contract.
    pub chain_rpc: Vec<ChainEndpoint>,
    /// The webhooks that projects may have.
    pub webhooks: WebhookConfig,
    /// The numbers of requests that are admitted in any window.
    pub rates: RateLimits,
    /// How many configs a project may have.
    pub quotas: ConfigQuotas,
    /// How many networks without a key have windows of their own.
    pub capacity: Capacity,
    /// Whether every request is admitted regardless of the limits. The start logs a warning about it.
    pub lift_limits: bool,
    /// The file in which rate windows survive a restart, if any. Not a setting: `serve` puts it beside
    /// its database.
    pub journal: Option<PathBuf>,
    /// The Redis in which several servers share the limits, if they do.
    pub redis: Option<RedisUrl>,
    /// The PEM file of the authorities that may sign the certificate of a Redis with TLS; `None` for
    /// the system's authorities.
    pub redis_ca: Option<PathBuf>,
    /// How long a request waits for Redis before it is decided without it.
    pub redis_timeout: Duration,
    /// The maximum number of servers that share the limits; without Redis each enforces its share of
    /// them.
    pub replicas: u32,
    /// Whether this is a demo, whose dashboard signs anybody on this machine in by one click. Not a
    /// setting: `serve --demo` sets it.
    pub demo: bool,
    /// The largest request body that is read, in bytes; larger ones are answered with 413.
    pub max_body: usize,
    /// The maximum number of connections of an IPv4 address or an IPv6 /64; further ones are closed at
    /// once. Trusted proxies are exempt.
    pub max_connections_per_network: usize,
    /// The maximum number of connections of an IPv6 /48. Trusted proxies are exempt.
    pub max_connections_per_48: usize,
    /// The maximum number of requests in flight; further ones get 503.
    pub max_in_flight: usize,
    /// The maximum number of those of one project, or of one network of callers without a key.
    pub max_in_flight_per_caller: usize,
    /// How long a request may take; a longer one gets 503.
    pub request_timeout: Duration,
    /// Limits of connections, and how they end.
    pub connections: ConnectionLimits,
    pub log_format: LogFormat,
    pub log: LogFilter,
    /// The part of clients' addresses that access lines show.
    pub log_clients: LoggedClients,
}

/// The reason why there is no valid configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read the configuration file {}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The file is not TOML, or names or values in it are wrong.
    #[error("{}:{line}: {message}", path.display())]
    Malformed {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The error. It does not quote the line, which may hold a password.
        message: String,
    },
    /// A demo must not be reachable from elsewhere: its keys are public.
    #[error("a demo listens on loopback addresses only, not on {0}")]
    NotLoopback(SocketAddr),
}

impl Settings {
    /// The settings of the TOML file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read, has an unknown name or a wrong value.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        toml::from_str(&text).map_err(|error| malformed(path, &text, &error))
    }
}

fn malformed(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let before = error.span().and_then(|span| text.get(..span.start));
    ConfigError::Malformed {
        path: path.to_owned(),
        line: 1 + before.unwrap_or_default().matches('\n').count(),
        message: error.message().to_owned(),
    }
}

impl Config {
    /// Merges flags and environment, the file, and the defaults; the earlier takes precedence.
    pub fn resolve(flags: Settings, file: Settings) -> Self {
        Self::of(flags.or(file))
    }

    /// The configuration that `settings` and the defaults make up.
    pub fn of(settings: Settings) -> Self {
        resolve::resolve(settings)
    }

    /// The identity of the service once it listens at `bound`: a default base URL, and the default page of
    /// a charity below it, have the port that the system chose.
    pub fn service_at(&self, bound: SocketAddr) -> ServiceIdentity {
        let mut service = self.service.clone();
        if service.public_base_url == BaseUrl::at(self.listen) {
            if service.charity_page == CharityPage::at(&service.public_base_url) {
                service.charity_page = CharityPage::at(&BaseUrl::at(bound));
            }
            service.public_base_url = BaseUrl::at(bound);
        }
        service
    }

    pub fn edge_options(&self) -> EdgeOptions {
        EdgeOptions {
            trusted_proxies: self.trusted_proxies.clone(),
            max_connections_per_network: self.max_connections_per_network,
            max_connections_per_48: self.max_connections_per_48,
            max_in_flight: self.max_in_flight,
            request_timeout: self.request_timeout,
        }
    }

    /// Refuses a configuration that would let others than this machine in.
    ///
    /// # Errors
    /// When the API or the operators' address is no loopback address.
    pub fn require_loopback(&self) -> Result<(), ConfigError> {
        [self.listen, self.admin_listen]
            .into_iter()
            .find(|address| !address.ip().is_loopback())
            .map_or(Ok(()), |address| Err(ConfigError::NotLoopback(address)))
    }
}

#[cfg(test)]
mod tests;
