//! The settings of one source: flags and environment, or the file.

#![allow(
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    reason = "the doc comments of settings are help texts, which a terminal shows as they are"
)]

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use edge::http::ProxyNetwork;
use ipnet::IpNet;

use super::duration::HumanDuration;
use super::rate::Rate;
use super::redacted::Redacted;
use db::Location;
use edge::http::{LogFilter, LogFormat, LoggedClients};
use edge::limits::shared::RedisUrl;
use features::chain_rpc::ChainEndpoint;
use features::console_config::{Issuer, MailTransport};
use features::domain::email::Email;
use features::domain::service_identity::{BaseUrl, CharityPage, SecurityContact, ServiceDomain};

/// The settings of one source. In TOML they have the names of the flags, such as
/// `admin-listen = "127.0.0.1:9090"`.
#[derive(Debug, Clone, Default, PartialEq, clap::Args, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// The address of the API [default: 127.0.0.1:8080]
    #[arg(long, env = "CATALOG_LISTEN", value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// The address of liveness, readiness and metrics; do not expose it publicly [default: 127.0.0.1:9090]
    #[arg(long, env = "CATALOG_ADMIN_LISTEN", value_name = "ADDRESS:PORT")]
    pub admin_listen: Option<SocketAddr>,
    /// The database. As a flag it belongs to every command, and so not to these.
    #[arg(skip)]
    pub database: Option<Location>,
    /// Migrate an outdated PostgreSQL database before serving, instead of rejecting it; SQLite files
    /// are always migrated [default: false]
    #[arg(long, env = "CATALOG_MIGRATE", value_name = "BOOL", num_args = 0..=1)]
    #[arg(require_equals = true, default_missing_value = "true")]
    pub migrate: Option<bool>,
    /// The public URL of the server, without /api/v1 [default: http:// and the listen address]
    #[arg(long, env = "CATALOG_PUBLIC_BASE_URL", value_name = "URL")]
    pub public_base_url: Option<BaseUrl>,
    /// The service's name, the author of its feed [default: Donation Catalog]
    #[arg(long, env = "CATALOG_SERVICE_NAME", value_name = "NAME")]
    pub service_name: Option<String>,
    /// The domain in feed ids; do not change it once a feed has been read
    /// [default: donation-catalog.example]
    #[arg(long, env = "CATALOG_SERVICE_DOMAIN", value_name = "DOMAIN")]
    pub service_domain: Option<ServiceDomain>,
    /// The URL of a charity's public page, with the placeholder {slug} or {id}
    /// [default: /charities/{slug} below --public-base-url]
    #[arg(long, env = "CATALOG_CHARITY_PAGE", value_name = "URL")]
    pub charity_page: Option<CharityPage>,
    /// Where to report vulnerabilities, a mailto: or https: URL, for /.well-known/security.txt [default: none]
    #[arg(long, env = "CATALOG_SECURITY_CONTACT", value_name = "URL")]
    pub security_contact: Option<SecurityContact>,
    /// Serve the dashboard, where developers sign in by email, create projects and manage keys; requires
    /// --mail, and an https --public-base-url without a path (or http on this machine) [default: false]
    #[arg(long, env = "CATALOG_DASHBOARD", value_name = "BOOL", num_args = 0..=1)]
    #[arg(require_equals = true, default_missing_value = "true")]
    pub dashboard: Option<bool>,
    /// How to send the dashboard's emails: smtps://USER:PASSWORD@HOST, or smtp://… with STARTTLS, or
    /// smtp://localhost?tls=none; for development folder:PATH, a file per email, or console. Other users of
    /// the machine can see a password on the command line, but not in the environment or the file
    /// [default: none]
    #[arg(
        long,
        env = "CATALOG_MAIL",
        value_name = "URL",
        hide_env_values = true,
        value_parser = Redacted::<MailTransport>::new()
    )]
    pub mail: Option<MailTransport>,
    /// The sender address of emails; required for a mail server [default: no-reply@ and
    /// --service-domain]
    #[arg(long, env = "CATALOG_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<Email>,
    /// The certificate authorities for the mail server, in PEM [default: the system's]
    #[arg(long, env = "CATALOG_MAIL_CA", value_name = "FILE")]
    pub mail_ca: Option<PathBuf>,
    /// The issuer URL of an OpenID Connect provider that users can also sign in with, such as
    /// https://accounts.example.org [default: none]
    #[arg(long, env = "CATALOG_OIDC_ISSUER", value_name = "URL")]
    pub oidc_issuer: Option<Issuer>,
    /// The client ID of this server at the OpenID Connect provider [default: none]
    #[arg(long, env = "CATALOG_OIDC_CLIENT_ID", value_name = "ID")]
    pub oidc_client_id: Option<String>,
    /// The file with the client secret from the OpenID Connect provider [default: none]
    #[arg(long, env = "CATALOG_OIDC_CLIENT_SECRET_FILE", value_name = "FILE")]
    pub oidc_client_secret_file: Option<PathBuf>,
    /// The provider's name on the sign-in button [default: the host of --oidc-issuer]
    #[arg(long, env = "CATALOG_OIDC_NAME", value_name = "NAME")]
    pub oidc_name: Option<String>,
    /// How long a session lasts without use [default: 336h]
    #[arg(long, env = "CATALOG_SESSION_IDLE", value_name = "TIME")]
    pub session_idle: Option<HumanDuration>,
    /// The maximum lifetime of a session [default: 2160h]
    #[arg(long, env = "CATALOG_SESSION_LIFE", value_name = "TIME")]
    pub session_life: Option<HumanDuration>,
    /// The number of Free projects that an account can own, including those deleted in the last 24 h
    /// [default: 3]
    #[arg(long, env = "CATALOG_FREE_PROJECTS", value_name = "COUNT")]
    pub free_projects: Option<u32>,
    /// The number of keys of a project that are valid or were issued in the last 24 h, for keys issued in
    /// the dashboard; operators can issue more [default: 100]
    #[arg(long, env = "CATALOG_KEYS_PER_PROJECT", value_name = "COUNT")]
    pub keys_per_project: Option<u32>,
    /// The JSON-RPC nodes that verify the ownership of claimed contracts, one per chain, such as
    /// 8453=https://node.example/key, separated by commas [default: none]
    #[arg(
        long,
        env = "CATALOG_CHAIN_RPC",
        value_name = "CHAIN=URL",
        value_delimiter = ',',
        hide_env_values = true,
        value_parser = Redacted::<ChainEndpoint>::new()
    )]
    pub chain_rpc: Option<Vec<ChainEndpoint>>,
    /// The file of keys that encrypt webhook secrets, 32 base64-encoded bytes per line; new secrets use the
    /// first. Without it, webhooks are disabled [default: none]
    #[arg(long, env = "CATALOG_WEBHOOK_KEY_FILE", value_name = "FILE")]
    pub webhook_key_file: Option<PathBuf>,
    /// The networks that webhooks can be sent to besides the public internet, such as 10.1.0.0/16,
    /// separated by commas [default: none]
    #[arg(
        long,
        env = "CATALOG_WEBHOOK_NETWORKS",
        value_name = "NETWORK",
        value_delimiter = ','
    )]
    pub webhook_networks: Option<Vec<IpNet>>,
    /// The proxies whose X-Forwarded-For and X-Request-Id are trusted: networks or addresses, separated
    /// by commas [default: none]
    #[arg(
        long,
        env = "CATALOG_TRUSTED_PROXIES",
        value_name = "NETWORK",
        value_delimiter = ','
    )]
    pub trusted_proxies: Option<Vec<ProxyNetwork>>,
    /// The number of requests without a valid key that an IPv4 address or an IPv6 /64 can make in any
    /// 60 s [default: 20]
    #[arg(long, env = "CATALOG_LIMIT_ANONYMOUS", value_name = "REQUESTS")]
    pub limit_anonymous: Option<Rate>,
    /// The number of requests that a Free project can make in any 60 s [default: 50]
    #[arg(long, env = "CATALOG_LIMIT_FREE", value_name = "REQUESTS")]
    pub limit_free: Option<Rate>,
    /// The number of requests that a Pro project can make in any 60 s [default: 200]
    #[arg(long, env = "CATALOG_LIMIT_PRO", value_name = "REQUESTS")]
    pub limit_pro: Option<Rate>,
    /// The number of requests that an Enterprise project can make in any 60 s [default: 1000]
    #[arg(long, env = "CATALOG_LIMIT_ENTERPRISE", value_name = "REQUESTS")]
    pub limit_enterprise: Option<Rate>,
    /// The number of uncached pages that an IPv4 address or an IPv6 /64 can request in any 60 s
    /// [default: 300]
    #[arg(long, env = "CATALOG_LIMIT_PAGES", value_name = "REQUESTS")]
    pub limit_pages: Option<Rate>,
    /// The number of configs that a Free project can have, including those deleted in the last 24 h
    /// [default: 100]
    #[arg(long, env = "CATALOG_QUOTA_FREE", value_name = "CONFIGS")]
    pub quota_free: Option<u32>,
    /// The number of configs that a Pro project can have, counted alike [default: 1000]
    #[arg(long, env = "CATALOG_QUOTA_PRO", value_name = "CONFIGS")]
    pub quota_pro: Option<u32>,
    /// The number of configs that an Enterprise project can have, counted alike [default: 10000]
    #[arg(long, env = "CATALOG_QUOTA_ENTERPRISE", value_name = "CONFIGS")]
    pub quota_enterprise: Option<u32>,
    /// The number of IPv4 networks, and of IPv6 networks, without a valid key that have limits of their
    /// own; further ones share the limit of a wider network [default: 65536]
    #[arg(long, env = "CATALOG_MAX_NETWORKS", value_name = "COUNT")]
    pub max_networks: Option<NonZeroUsize>,
    /// The number of /64s of an IPv6 /48 that have limits of their own; further ones share one limit
    /// [default: 64]
    #[arg(long, env = "CATALOG_MAX_NETWORKS_PER_48", value_name = "COUNT")]
    pub max_networks_per_48: Option<NonZeroUsize>,
    /// Disable the rate limits, for tests of a server that no other clients can reach [default: false]
    #[arg(long, env = "CATALOG_LIFT_LIMITS", value_name = "BOOL", num_args = 0..=1)]
    #[arg(require_equals = true, default_missing_value = "true")]
    pub lift_limits: Option<bool>,
    /// The Redis through which servers share the limits, such as redis://host:6379, or rediss:// with TLS.
    /// Other users of the machine can see a password on the command line, but not in the environment or the
    /// file [default: none]
    #[arg(
        long,
        env = "CATALOG_REDIS",
        value_name = "URL",
        hide_env_values = true,
        value_parser = Redacted::<RedisUrl>::new()
    )]
    pub redis: Option<RedisUrl>,
    /// The certificate authorities for a rediss:// Redis, in PEM [default: the system's]
    #[arg(long, env = "CATALOG_REDIS_CA", value_name = "FILE")]
    pub redis_ca: Option<PathBuf>,
    /// How long a request waits for Redis before it is decided without it [default: 30ms]
    #[arg(long, env = "CATALOG_REDIS_TIMEOUT", value_name = "TIME")]
    pub redis_timeout: Option<HumanDuration>,
    /// The maximum number of servers that share the limits: without Redis, each enforces its share of
    /// them. While Redis responds, additional servers are counted too [default: 1]
    #[arg(long, env = "CATALOG_REPLICAS", value_name = "COUNT")]
    pub replicas: Option<NonZeroU32>,
    /// The largest request body in bytes; a larger one gets 413 [default: 65536]
    #[arg(long, env = "CATALOG_MAX_BODY", value_name = "BYTES")]
    pub max_body: Option<usize>,
    /// The maximum number of open connections; beyond it, the longest-idle connection is closed, or the
    /// new one waits [default: 4096]
    #[arg(long, env = "CATALOG_MAX_CONNECTIONS", value_name = "COUNT")]
    pub max_connections: Option<NonZeroUsize>,
    /// The maximum number of connections of an IPv4 address or an IPv6 /64; further ones are closed
    /// immediately, except those of trusted proxies [default: a 16th of --max-connections]
    #[arg(
        long,
        env = "CATALOG_MAX_CONNECTIONS_PER_NETWORK",
        value_name = "COUNT"
    )]
    pub max_connections_per_network: Option<NonZeroUsize>,
    /// The maximum number of connections of an IPv6 /48; further ones are closed immediately, except those
    /// of trusted proxies [default: an eighth of --max-connections]
    #[arg(long, env = "CATALOG_MAX_CONNECTIONS_PER_48", value_name = "COUNT")]
    pub max_connections_per_48: Option<NonZeroUsize>,
    /// The number of 429 responses after which a connection is closed, except those of trusted proxies
    /// [default: 8]
    #[arg(long, env = "CATALOG_MAX_REFUSALS", value_name = "COUNT")]
    pub max_refusals: Option<NonZeroU32>,
    /// The number of bytes per second that a client must read, once it has kept the server waiting for
    /// --head-timeout; slower clients are disconnected [default: 3000]
    #[arg(long, env = "CATALOG_MIN_THROUGHPUT", value_name = "BYTES")]
    pub min_throughput: Option<NonZeroU32>,
    /// The maximum number of requests in flight; further ones get 503 [default: 1024]
    #[arg(long, env = "CATALOG_MAX_IN_FLIGHT", value_name = "COUNT")]
    pub max_in_flight: Option<NonZeroUsize>,
    /// The maximum number of requests in flight of a project, or of a network of callers without a key;
    /// further ones get 503 [default: a 16th of --max-in-flight]
    #[arg(long, env = "CATALOG_MAX_IN_FLIGHT_PER_CALLER", value_name = "COUNT")]
    pub max_in_flight_per_caller: Option<NonZeroUsize>,
    /// How long a request's head may take to arrive, a connection may be idle, and a response may wait
    /// for a client that does not read it [default: 10s]
    #[arg(long, env = "CATALOG_HEAD_TIMEOUT", value_name = "TIME")]
    pub head_timeout: Option<HumanDuration>,
    /// How long a request may take; a longer one gets 503 [default: 10s]
    #[arg(long, env = "CATALOG_REQUEST_TIMEOUT", value_name = "TIME")]
    pub request_timeout: Option<HumanDuration>,
    /// How long the server still accepts connections after SIGTERM, while /readyz already fails
    /// [default: 0s]
    #[arg(long, env = "CATALOG_DRAIN_DELAY", value_name = "TIME")]
    pub drain_delay: Option<HumanDuration>,
    /// How long requests in flight may then take before they are aborted [default: 25s]
    #[arg(long, env = "CATALOG_SHUTDOWN_TIMEOUT", value_name = "TIME")]
    pub shutdown_timeout: Option<HumanDuration>,
    /// The format of log lines, which go to standard error [default: pretty]
    #[arg(long, env = "CATALOG_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// The log filter, such as warn or info,access=off [default: info]
    #[arg(long, env = "CATALOG_LOG", value_name = "FILTER")]
    pub log: Option<LogFilter>,
    /// The part of client addresses to log in access lines: whole, network (/24, or /48 of IPv6), or none
    /// [default: whole]
    #[arg(long, env = "CATALOG_LOG_CLIENTS", value_name = "PART")]
    pub log_clients: Option<LoggedClients>,
}
