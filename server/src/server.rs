//! A whole server: listeners, edge, operations and maintenance, started together and stopped
//! together.

mod dashboard;
mod limiter;
mod live_config;
mod maintenance;
mod occupancy;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ::http::header;
use axum::response::Response;
use futures_util::FutureExt as _;
use generated::Rejection;
use generated::runtime::{Limits, Service};
use generated::service::{self, Dispatcher};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use crate::api::{Api, works_without_key};
use crate::cache_refresh::CacheRefresh;
use crate::chain_rpc::ChainRpc;
use crate::clock::Clock;
use crate::config::Config;
use crate::configs::Quota;
use crate::dashboard::{Dashboard, Setup};
use crate::database::{Store, StoreError};
use crate::docs;
use crate::http::{
    self, Admin, Compressed, Connections, Edge, EdgeError, EdgeOptions, Metrics, MetricsError,
    Served, Shutdown,
};
use crate::limits::Concurrency;
use crate::limits::shared::RedisError;
use crate::public_pages::PublicPages;
use crate::reloadable::Reloadable;
use crate::site::{ErrorPages, Facts, PageError, PageLimit, Refusal, Site, StaticPages};
use crate::usage::{self, Recorder};
pub use dashboard::DashboardError;
use dashboard::DashboardParts;
pub use live_config::LiveConfig;
use occupancy::OccupancyReport;

/// The seconds in `Retry-After` where the edge answers in the place of the operations.
const RETRY_AFTER: u32 = 1;

/// The mails that are sent at the same time, so that a slow recipient holds up no other.
const MAILS_AT_A_TIME: usize = 3;

/// How long a stop waits for the mails that are being sent.
const LAST_MAIL: Duration = Duration::from_secs(5);

/// A server that is listening.
pub struct Server {
    /// The address of the API.
    pub api: SocketAddr,
    /// The address of liveness, readiness and metrics.
    pub admin: SocketAddr,
    /// The URL of the dashboard, if it has one.
    pub dashboard: Option<String>,
    shutdown: Shutdown,
    config: LiveConfig,
    serving: JoinHandle<Served>,
    /// The sending of mails, which ends by itself at a shutdown.
    sending: JoinSet<()>,
    helpers: JoinSet<()>,
    operations: Arc<Api>,
    usage: Arc<Recorder>,
    clock: Arc<dyn Clock>,
    store: Store,
}

/// The reason why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The dashboard lacks something.
    #[error(transparent)]
    Dashboard(#[from] DashboardError),
    /// A page cannot be made.
    #[error(transparent)]
    Page(#[from] PageError),
    /// Redis cannot be used, whether it is there or not.
    #[error("cannot share the limits")]
    Limits(#[from] RedisError),
    /// The nodes of chains cannot be asked by TLS.
    #[error("cannot ask the nodes of chain-rpc")]
    Rpc(#[from] crate::tls::TlsError),
    /// Metrics cannot be recorded.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
}

impl Server {
    /// Starts to serve. Must run on a Tokio runtime with time and I/O enabled.
    ///
    /// # Errors
    /// When the database cannot be read or an address cannot be listened on.
    pub async fn start(
        config: &Config,
        store: Store,
        clock: Arc<dyn Clock>,
    ) -> Result<Server, StartError> {
        let listener = listen(config.listen)?;
        let admin_listener = listen(config.admin_listen)?;
        let addresses = (address(&listener)?, address(&admin_listener)?);
        let metrics = Arc::new(Metrics::new()?);
        let now = clock.now();
        let live = LiveConfig::new(config, &metrics, now.wall);
        let limiter = limiter::limiter(config, &metrics, now)?;
        let usage = Arc::new(Recorder::new(now.wall));
        let identity = config.service_at(addresses.0);
        let page_limit = PageLimit::new(live.rates.clone(), config.lift_limits, Arc::clone(&clock));
        let load = Api::load(
            store.clone(),
            limiter,
            live.rates.clone(),
            metrics.record(|| Quota::register(live.quotas.clone())),
            Concurrency::new(live.max_in_flight_per_caller.clone()),
            Arc::clone(&clock),
            identity.clone(),
        );
        let api = Arc::new(load.await?);
        let setup = Setup {
            store: store.clone(),
            clock: Arc::clone(&clock),
            identity: identity.clone(),
            rates: live.rates.clone(),
            quotas: live.quotas.clone(),
            api: Arc::clone(&api),
            rpc: ChainRpc::new(&config.chain_rpc)?,
            rules: config.accounts,
            oidc: None,
            in_flight: Concurrency::new(live.max_in_flight_per_caller.clone()),
            new_mail: Arc::default(),
            is_demo: config.demo,
            usage: Arc::clone(&usage),
        };
        let DashboardParts {
            dashboard,
            outbox,
            announcing,
        } = dashboard::open(config, setup, &metrics)?;
        let dashboard_url = dashboard.as_ref().map(Dashboard::url);
        let facts = Facts::new(&identity, dashboard.is_some());
        let pages = StaticPages::new(docs::pages(&facts)?);
        let shutdown = Shutdown::default();
        // The first request already finds Redis, if it is there.
        api.maintain().await;
        let service = service::service(Arc::clone(&api), limits(config));
        let connections_of = |listener| {
            let max = config.connections.max_connections;
            Connections::new(listener, max, live.edge.clone(), Arc::clone(&metrics))
        };
        let refresh = CacheRefresh::fresh();
        let public_pages =
            PublicPages::new(facts.clone(), &identity, Arc::clone(&api), refresh.clone());
        let site = site(&service, pages, public_pages, dashboard, page_limit);
        let edge = edge(live.edge.clone(), &service, site, &metrics, &usage);
        let serving = http::serve(
            listener,
            ErrorPages::new(edge, facts),
            live.connections.clone(),
            connections_of("api"),
            shutdown.clone(),
        );
        let admin = admin(refresh.clone(), live.clone(), &metrics, &shutdown);
        let mut helpers = JoinSet::new();
        // Operators are answered until the last request is: only `finished` stops this.
        let admin_serving = http::serve(
            admin_listener,
            admin,
            live.connections.clone(),
            connections_of("admin"),
            Shutdown::default(),
        );
        helpers.spawn(admin_serving.map(drop));
        helpers.spawn(refresh.keep(Arc::clone(&api), Arc::clone(&metrics)));
        helpers.spawn(maintenance::maintain_limits(
            Arc::clone(&api),
            metrics.record(OccupancyReport::register),
        ));
        helpers.spawn(usage::run(
            Arc::clone(&usage),
            store.clone(),
            Arc::clone(&clock),
            metrics.record(usage::UsageMetrics::register),
        ));
        helpers.spawn(maintenance::maintain_metrics(metrics));
        if let Some(announcing) = announcing {
            helpers.spawn(announcing);
        }
        let mut sending = JoinSet::new();
        if let Some(outbox) = outbox {
            helpers.spawn(Arc::clone(&outbox).report());
            for _ in 0..MAILS_AT_A_TIME {
                sending.spawn(Arc::clone(&outbox).send(shutdown.clone()));
            }
        }
        Ok(Server {
            api: addresses.0,
            admin: addresses.1,
            dashboard: dashboard_url,
            shutdown,
            config: live,
            serving: tokio::spawn(serving),
            sending,
            helpers,
            operations: api,
            usage,
            clock,
            store,
        })
    }

    /// The request to stop this server.
    pub fn shutdown(&self) -> &Shutdown {
        &self.shutdown
    }

    /// The part of the configuration that can change while the server serves.
    pub fn config(&self) -> &LiveConfig {
        &self.config
    }

    /// Waits until a requested shutdown is complete; the database is closed then.
    pub async fn finished(mut self) -> Served {
        let served = self.serving.await.unwrap_or(Served::CutOff(0));
        // A mail that is being sent is finished, or sent again by the next process.
        while let Ok(Some(_)) = timeout(LAST_MAIL, self.sending.join_next()).await {}
        self.sending.shutdown().await;
        self.helpers.shutdown().await;
        self.operations.close().await;
        usage::close(&self.usage, &self.store, self.clock.now().wall).await;
        self.store.close();
        served
    }
}

fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
    http::listen(address).map_err(|source| StartError::Listen { address, source })
}

fn address(listener: &TcpListener) -> Result<SocketAddr, StartError> {
    let unspecified = SocketAddr::from(([0, 0, 0, 0], 0));
    listener.local_addr().map_err(|source| StartError::Listen {
        address: unspecified,
        source,
    })
}

/// The limits of the generated service. It drains no bodies, as the edge does.
fn limits(config: &Config) -> Limits {
    Limits {
        body: u64::try_from(config.max_body).unwrap_or(u64::MAX),
        drain: 0,
        drain_deadline: Duration::ZERO,
        ..Limits::default()
    }
}

/// What operators are told: the server is ready while its copies of the database are fresh.
fn admin(
    refresh: CacheRefresh,
    live: LiveConfig,
    metrics: &Arc<Metrics>,
    shutdown: &Shutdown,
) -> Admin {
    let readiness = move || refresh.readiness().map(|()| live.readiness_text());
    Admin::new(Arc::clone(metrics), readiness, shutdown.clone())
}

/// The pages, the dashboard and the API.
type Everything = Site<Compressed<Service<Dispatcher<Api>>>>;

/// The pages in front of the API.
fn site(
    service: &Service<Dispatcher<Api>>,
    pages: StaticPages,
    public_pages: PublicPages,
    dashboard: Option<Dashboard>,
    limit: PageLimit,
) -> Everything {
    let wording = service.clone();
    let api = Compressed::new(service.clone());
    let word = move |refusal| refused(&wording, refusal);
    Site::new(pages, public_pages, dashboard, limit, api, word)
}

fn edge(
    options: Reloadable<EdgeOptions>,
    service: &Service<Dispatcher<Api>>,
    site: Everything,
    metrics: &Arc<Metrics>,
    usage: &Arc<Recorder>,
) -> Edge<Everything> {
    let wording = service.clone();
    let error_response = move |error| {
        wording.answer(&match error {
            EdgeError::Overloaded | EdgeError::TimedOut => Rejection::Unavailable {
                retry_after: RETRY_AFTER,
            },
            EdgeError::Panicked => Rejection::Internal,
        })
    };
    let works_without_key = works_without_key(service.clone());
    Edge::new(
        site,
        options,
        Arc::clone(metrics),
        Arc::clone(usage),
        error_response,
        works_without_key,
    )
}

/// The response to a request for a page that is refused, in the contract's format.
fn refused(wording: &Service<Dispatcher<Api>>, refusal: Refusal) -> Response {
    let (rejection, wait) = match refusal {
        Refusal::NoSuchPage => (Rejection::Route, None),
        Refusal::Method => {
            let allow = "GET, HEAD".to_owned();
            (Rejection::Method { allow }, None)
        }
        Refusal::TooMany { retry_after } => (Rejection::RateLimited, Some(retry_after)),
        Refusal::Busy => {
            let retry_after = RETRY_AFTER;
            (Rejection::Unavailable { retry_after }, None)
        }
        Refusal::Failed => (Rejection::Internal, None),
    };
    let mut response = wording.answer(&rejection);
    if let Some(wait) = wait {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, wait.into());
    }
    response
}
