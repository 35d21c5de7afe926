//! The defaults of all settings. A test compares them with the help texts.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use edge::http::TrustedProxies;
use edge::http::{ConnectionLimits, LogFormat, LoggedClients};
use edge::limits::Capacity;

use super::duration::HumanDuration;
use super::rate::Rate;
use super::{Config, Settings};
use features::access::RateLimits;
use features::configs::ConfigQuotas;
use features::console_config::{AccountRules, ConsoleConfig, MailConfig, OidcConfig};
use features::domain::service_identity::{BaseUrl, ServiceIdentity};
use features::webhooks::{WebhookConfig, WebhookKeys};

/// Completes `settings` with the defaults.
pub(super) fn resolve(settings: Settings) -> Config {
    let listen = settings.listen.unwrap_or(loopback(8080));
    let connections = connections(&settings);
    let max_in_flight = settings.max_in_flight.map_or(1024, NonZeroUsize::get);
    Config {
        listen,
        admin_listen: settings.admin_listen.unwrap_or(loopback(9090)),
        service: service(&settings, listen),
        max_connections_per_network: settings
            .max_connections_per_network
            .map_or(connections.max_connections.div_ceil(16), NonZeroUsize::get),
        max_connections_per_48: settings
            .max_connections_per_48
            .map_or(connections.max_connections.div_ceil(8), NonZeroUsize::get),
        connections,
        rates: rates(&settings),
        quotas: quotas(&settings),
        capacity: capacity(&settings),
        console: ConsoleConfig {
            dashboard: settings.dashboard.unwrap_or(false),
            mail: MailConfig {
                transport: settings.mail.clone(),
                from: settings.mail_from.clone(),
                authorities: settings.mail_ca.clone(),
            },
            oidc: OidcConfig {
                issuer: settings.oidc_issuer.clone(),
                client_id: settings.oidc_client_id.clone(),
                client_secret_file: settings.oidc_client_secret_file.clone(),
                name: settings.oidc_name.clone(),
            },
            accounts: accounts(&settings),
        },
        lift_limits: settings.lift_limits.unwrap_or(false),
        journal: None,
        demo: false,
        redis: settings.redis.clone(),
        redis_ca: settings.redis_ca.clone(),
        redis_timeout: settings
            .redis_timeout
            .map_or(Duration::from_millis(30), |wait| wait.0),
        replicas: settings.replicas.map_or(1, NonZeroU32::get),
        max_body: settings.max_body.unwrap_or(64 * 1024),
        max_in_flight,
        max_in_flight_per_caller: settings
            .max_in_flight_per_caller
            .map_or(max_in_flight.div_ceil(16), NonZeroUsize::get),
        request_timeout: seconds(settings.request_timeout, 10),
        log_format: settings.log_format.unwrap_or(LogFormat::Pretty),
        database: settings
            .database
            .unwrap_or_else(|| PathBuf::from("donation-catalog.db").into()),
        migrate: settings.migrate.unwrap_or(false),
        chain_rpc: settings.chain_rpc.clone().unwrap_or_default(),
        webhooks: WebhookConfig {
            keys: settings
                .webhook_key_file
                .clone()
                .map_or(WebhookKeys::None, WebhookKeys::File),
            networks: settings.webhook_networks.clone().unwrap_or_default(),
        },
        trusted_proxies: settings
            .trusted_proxies
            .map_or_else(TrustedProxies::default, TrustedProxies::new),
        log: settings.log.unwrap_or_default(),
        log_clients: settings.log_clients.unwrap_or(LoggedClients::Whole),
    }
}

fn rates(settings: &Settings) -> RateLimits {
    let defaults = RateLimits::default();
    let given = |limit: Option<Rate>, default| limit.map_or(default, Rate::get);
    RateLimits {
        anonymous: given(settings.limit_anonymous, defaults.anonymous),
        free: given(settings.limit_free, defaults.free),
        pro: given(settings.limit_pro, defaults.pro),
        enterprise: given(settings.limit_enterprise, defaults.enterprise),
        pages: given(settings.limit_pages, defaults.pages),
    }
}

fn quotas(settings: &Settings) -> ConfigQuotas {
    let defaults = ConfigQuotas::default();
    ConfigQuotas {
        free: settings.quota_free.unwrap_or(defaults.free),
        pro: settings.quota_pro.unwrap_or(defaults.pro),
        enterprise: settings.quota_enterprise.unwrap_or(defaults.enterprise),
    }
}

fn accounts(settings: &Settings) -> AccountRules {
    let defaults = AccountRules::default();
    let given = |time: Option<HumanDuration>, default| time.map_or(default, |time| time.0);
    AccountRules {
        session_idle: given(settings.session_idle, defaults.session_idle),
        session_life: given(settings.session_life, defaults.session_life),
        free_projects: settings.free_projects.unwrap_or(defaults.free_projects),
        keys_per_project: settings
            .keys_per_project
            .unwrap_or(defaults.keys_per_project),
    }
}

fn capacity(settings: &Settings) -> Capacity {
    let defaults = Capacity::default();
    let given = |count: Option<NonZeroUsize>, default| count.map_or(default, NonZeroUsize::get);
    Capacity {
        networks: given(settings.max_networks, defaults.networks),
        networks_per_48: given(settings.max_networks_per_48, defaults.networks_per_48),
    }
}

fn service(settings: &Settings, listen: SocketAddr) -> ServiceIdentity {
    let base_url = settings.public_base_url.clone();
    let defaults = ServiceIdentity::at(base_url.unwrap_or_else(|| BaseUrl::at(listen)));
    let settings = settings.clone();
    ServiceIdentity {
        name: settings.service_name.unwrap_or(defaults.name),
        domain: settings.service_domain.unwrap_or(defaults.domain),
        charity_page: settings.charity_page.unwrap_or(defaults.charity_page),
        security_contact: settings.security_contact,
        public_base_url: defaults.public_base_url,
    }
}

fn connections(settings: &Settings) -> ConnectionLimits {
    ConnectionLimits {
        max_connections: settings.max_connections.map_or(4096, NonZeroUsize::get),
        head_timeout: seconds(settings.head_timeout, 10),
        min_throughput: settings.min_throughput.map_or(3000, NonZeroU32::get),
        max_refusals: settings.max_refusals.map_or(8, NonZeroU32::get),
        drain_delay: seconds(settings.drain_delay, 0),
        shutdown_timeout: seconds(settings.shutdown_timeout, 25),
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

fn seconds(given: Option<HumanDuration>, default: u64) -> Duration {
    given.map_or(Duration::from_secs(default), |wait| wait.0)
}
