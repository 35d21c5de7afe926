//! How sources and defaults add up. The defaults stand here and, for people, in the help.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use super::duration::Wait;
use super::service::{BaseUrl, CharityPage, ServiceIdentity};
use super::{Config, Settings};
use crate::access::TrustedProxies;
use crate::http::{ConnectionLimits, LogFormat};

/// Everything that `first` says, and the rest as `second` says it.
pub(super) fn prefer(first: Settings, second: Settings) -> Settings {
    Settings {
        listen: first.listen.or(second.listen),
        admin_listen: first.admin_listen.or(second.admin_listen),
        database: first.database.or(second.database),
        migrate: first.migrate.or(second.migrate),
        public_base_url: first.public_base_url.or(second.public_base_url),
        service_name: first.service_name.or(second.service_name),
        service_domain: first.service_domain.or(second.service_domain),
        charity_page: first.charity_page.or(second.charity_page),
        trusted_proxies: first.trusted_proxies.or(second.trusted_proxies),
        lift_limits: first.lift_limits.or(second.lift_limits),
        redis: first.redis.or(second.redis),
        redis_timeout: first.redis_timeout.or(second.redis_timeout),
        replicas: first.replicas.or(second.replicas),
        max_body: first.max_body.or(second.max_body),
        max_connections: first.max_connections.or(second.max_connections),
        max_connections_per_network: first
            .max_connections_per_network
            .or(second.max_connections_per_network),
        max_in_flight: first.max_in_flight.or(second.max_in_flight),
        head_timeout: first.head_timeout.or(second.head_timeout),
        request_timeout: first.request_timeout.or(second.request_timeout),
        drain_delay: first.drain_delay.or(second.drain_delay),
        shutdown_timeout: first.shutdown_timeout.or(second.shutdown_timeout),
        log_format: first.log_format.or(second.log_format),
        log: first.log.or(second.log),
    }
}

/// Completes `settings` with the defaults.
pub(super) fn resolve(settings: Settings) -> Config {
    let listen = settings.listen.unwrap_or(loopback(8080));
    let connections = connections(&settings);
    Config {
        listen,
        admin_listen: settings.admin_listen.unwrap_or(loopback(9090)),
        service: service(&settings, listen),
        max_connections_per_network: settings
            .max_connections_per_network
            .map_or(connections.max_connections.div_ceil(4), NonZeroUsize::get),
        connections,
        lift_limits: settings.lift_limits.unwrap_or(false),
        journal: None,
        redis: settings.redis.clone(),
        redis_timeout: settings
            .redis_timeout
            .map_or(Duration::from_millis(30), |wait| wait.0),
        replicas: settings.replicas.map_or(1, NonZeroU32::get),
        max_body: settings.max_body.unwrap_or(64 * 1024),
        max_in_flight: settings.max_in_flight.map_or(1024, NonZeroUsize::get),
        request_timeout: seconds(settings.request_timeout, 10),
        log_format: settings.log_format.unwrap_or(LogFormat::Pretty),
        database: settings
            .database
            .unwrap_or_else(|| PathBuf::from("donation-catalog.db").into()),
        migrate: settings.migrate.unwrap_or(false),
        trusted_proxies: settings
            .trusted_proxies
            .map_or_else(TrustedProxies::default, TrustedProxies::new),
        log: settings.log.unwrap_or_else(|| "info".to_owned()),
    }
}

fn service(settings: &Settings, listen: SocketAddr) -> ServiceIdentity {
    let domain = settings.service_domain.clone().unwrap_or_default();
    let page = settings.charity_page.clone();
    let base_url = settings.public_base_url.clone();
    ServiceIdentity {
        name: settings
            .service_name
            .clone()
            .unwrap_or_else(|| "Donation Catalog".to_owned()),
        public_base_url: base_url.unwrap_or_else(|| BaseUrl::at(listen)),
        charity_page: page.unwrap_or_else(|| CharityPage::at(&domain)),
        domain,
    }
}

fn connections(settings: &Settings) -> ConnectionLimits {
    ConnectionLimits {
        max_connections: settings.max_connections.map_or(4096, NonZeroUsize::get),
        head_timeout: seconds(settings.head_timeout, 10),
        drain_delay: seconds(settings.drain_delay, 0),
        shutdown_timeout: seconds(settings.shutdown_timeout, 25),
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

fn seconds(given: Option<Wait>, default: u64) -> Duration {
    given.map_or(Duration::from_secs(default), |wait| wait.0)
}
