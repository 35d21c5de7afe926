//! The state that listeners, pages and maintenance of a server share, and how each of them is made of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ::http::header;
use axum::response::Response;
use edge::clock::Clock;
use edge::http::{
    self, Admin, Compressed, Connections, Edge, EdgeError, Handler, Metrics, Served, Shutdown,
};
use edge::limits::Concurrency;
use generated::Rejection;
use generated::runtime::Limits;
use generated::service;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::dashboard::{self, DashboardParts};
use super::occupancy::OccupancyReport;
use super::site::Site;
use super::{LiveConfig, StartError, limiter, maintenance};
use crate::accounts::AccountRules;
use crate::api::{Api, ApiHandler, ApiSetup, ContractErrors, works_without_key};
use crate::cache_refresh::CacheRefresh;
use crate::chain_rpc::ChainRpc;
use crate::config::Config;
use crate::configs::Quota;
use crate::dashboard::{Dashboard, Rejections, Setup};
use crate::docs;
use crate::domain::service_identity::ServiceIdentity;
use crate::public_pages::PublicPages;
use crate::site::{
    ErrorPages, PageLimit, PageRejections, Refusal, SiteInfo, StaticPages, short_paths,
};
use crate::usage::{self, Recorder};
use crate::webhooks::Deliverer;
use crate::webhooks::lifecycle::WebhookSetup;
use db::Db;

/// The seconds in `Retry-After` where the edge answers in the place of the operations.
const RETRY_AFTER: u32 = 1;

/// The state of a server.
pub(super) struct SharedState {
    pub(super) shutdown: Shutdown,
    /// The part of the configuration that can change while the server serves.
    pub(super) live: LiveConfig,
    store: Db,
    clock: Arc<dyn Clock>,
    metrics: Arc<Metrics>,
    usage: Arc<Recorder>,
    identity: ServiceIdentity,
    refresh: CacheRefresh,
    page_limit: Arc<PageLimit>,
    accounts: AccountRules,
    webhooks: WebhookSetup,
    api: Arc<Api>,
}

impl SharedState {
    /// Reads the catalogue, and finds Redis, if it is there.
    ///
    /// # Errors
    /// When the database or the keys of webhooks cannot be read, or Redis cannot be used whether it is there
    /// or not.
    pub(super) async fn load(
        config: &Config,
        store: Db,
        clock: Arc<dyn Clock>,
        address: SocketAddr,
    ) -> Result<SharedState, StartError> {
        let metrics = Arc::new(Metrics::new()?);
        let now = clock.now();
        let live = LiveConfig::new(config, &metrics, now.wall);
        let identity = config.service_at(address);
        let webhooks = config.webhooks.open(config.demo)?;
        let setup = ApiSetup {
            store: store.clone(),
            limiter: limiter::limiter(config, &metrics, now)?,
            rate_limits: live.rates.clone(),
            quota: metrics.record(|| Quota::register(live.quotas.clone())),
            concurrency: Concurrency::new(live.max_in_flight_per_caller.clone()),
            clock: Arc::clone(&clock),
            webhooks: webhooks.clone(),
            identity: identity.clone(),
        };
        let api = Arc::new(Api::load(setup).await?);
        // The first request already finds Redis.
        api.maintain().await;
        let page_limit = PageLimit::new(
            live.rates.clone(),
            config.lift_limits,
            Arc::clone(&clock),
            metrics.record(PageRejections::register),
        );
        Ok(SharedState {
            shutdown: Shutdown::default(),
            live,
            store,
            clock,
            metrics,
            usage: Arc::new(Recorder::new(now.wall)),
            identity,
            refresh: CacheRefresh::fresh(),
            page_limit: Arc::new(page_limit),
            accounts: config.accounts,
            webhooks,
            api,
        })
    }

    /// The dashboard, if there is one, and the sender of its mails.
    ///
    /// # Errors
    /// When the dashboard lacks something, or the nodes of chains cannot be asked by TLS.
    pub(super) fn open_dashboard(&self, config: &Config) -> Result<DashboardParts, StartError> {
        let setup = Setup {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            identity: self.identity.clone(),
            rates: self.live.rates.clone(),
            quotas: self.live.quotas.clone(),
            api: Arc::clone(&self.api),
            rpc: ChainRpc::new(&config.chain_rpc)?,
            rules: config.accounts,
            oidc: None,
            in_flight: Concurrency::new(self.live.max_in_flight_per_caller.clone()),
            new_mail: Arc::default(),
            is_demo: config.demo,
            rejections: self.metrics.record(Rejections::register),
            usage: Arc::clone(&self.usage),
        };
        Ok(dashboard::open(config, setup, &self.metrics)?)
    }

    /// The pages, the dashboard and the API, behind all that is around every request.
    pub(super) fn edge(
        &self,
        config: &Config,
        dashboard: Option<Dashboard>,
    ) -> ErrorPages<Edge<Everything>> {
        let info = SiteInfo::new(&self.identity, dashboard.is_some());
        let service = service::service(Arc::clone(&self.api), limits(config));
        let limit = Arc::clone(&self.page_limit);
        let public_pages = PublicPages::new(
            info.clone(),
            &self.identity,
            Arc::clone(&self.api),
            self.refresh.clone(),
        );
        let pages = docs::pages(&info).into_iter().chain(short_paths());
        let pages = StaticPages::new(pages);
        let errors = ContractErrors::new(service.clone(), self.identity.public_base_url.clone());
        let refuse = {
            let errors = errors.clone();
            move |refusal| refused(&errors, refusal)
        };
        let api = Compressed::new(ApiHandler(service.clone()));
        let site = Site::new(pages, public_pages, dashboard, limit, api, refuse);
        let usage = Arc::clone(&self.usage);
        let works_without_key = works_without_key(service);
        let edge = Edge::new(
            site,
            self.live.edge.clone(),
            Arc::clone(&self.metrics),
            move |request| usage.record(request),
            move |error| failed(&errors, error),
            works_without_key,
        );
        ErrorPages::new(edge, info)
    }

    /// Answers the connections of a listener of this name until the shutdown.
    pub(super) fn serve<H: Handler>(
        &self,
        name: &'static str,
        listener: TcpListener,
        handler: H,
        shutdown: Shutdown,
    ) -> impl Future<Output = Served> + Send + use<H> {
        let limits = self.live.connections.clone();
        let connections = Connections::new(
            name,
            limits.get().max_connections,
            self.live.edge.clone(),
            Arc::clone(&self.metrics),
        );
        http::serve(listener, handler, limits, connections, shutdown)
    }

    /// The service on the operators' port: the server is ready while its copies of the database are fresh.
    pub(super) fn admin(&self) -> Admin {
        let (refresh, live) = (self.refresh.clone(), self.live.clone());
        let readiness = move || refresh.readiness().map(|()| live.readiness_text());
        Admin::new(Arc::clone(&self.metrics), readiness, self.shutdown.clone())
    }

    /// Starts the tasks beside the requests: copies of the database, windows, usage and metrics are kept up.
    pub(super) fn maintain(&self) -> JoinSet<()> {
        let mut helpers = JoinSet::new();
        let (api, metrics) = (Arc::clone(&self.api), Arc::clone(&self.metrics));
        let occupancy = metrics.record(OccupancyReport::register);
        let usage_metrics = metrics.record(usage::UsageMetrics::register);
        helpers.spawn(
            self.refresh
                .clone()
                .keep(Arc::clone(&api), Arc::clone(&metrics)),
        );
        helpers.spawn(maintenance::maintain_limits(api, occupancy));
        helpers.spawn(usage::run(
            Arc::clone(&self.usage),
            self.store.clone(),
            Arc::clone(&self.clock),
            usage_metrics,
        ));
        helpers.spawn(maintenance::maintain_metrics(metrics));
        let limit = Arc::clone(&self.page_limit);
        helpers.spawn(maintenance::maintain_page_limit(limit));
        helpers.spawn(maintenance::forget_expired(
            self.store.clone(),
            self.accounts,
            Arc::clone(&self.clock),
        ));
        helpers
    }

    /// The sender of events to webhooks, where the operator has set them up.
    pub(super) fn deliverer(&self) -> Option<Arc<Deliverer>> {
        let (store, clock) = (self.store.clone(), Arc::clone(&self.clock));
        let identity = self.identity.clone();
        Deliverer::new(store, clock, &self.webhooks, identity, &self.metrics).map(Arc::new)
    }

    /// Stores the data that is only in memory, and closes the database.
    pub(super) async fn close(self) {
        self.api.close().await;
        usage::close(&self.usage, &self.store, self.clock.now().wall).await;
        self.store.close();
    }
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

/// The pages, the dashboard and the API.
pub(super) type Everything = Site<Compressed<ApiHandler>>;

/// The response to a request that the API did not answer, in the contract's format.
fn failed(errors: &ContractErrors, error: EdgeError) -> Response {
    errors.answer(&match error {
        EdgeError::Overloaded | EdgeError::TimedOut => Rejection::Unavailable {
            retry_after: RETRY_AFTER,
        },
        EdgeError::Panicked => Rejection::Internal,
    })
}

/// The response to a request for a page that is refused, in the contract's format.
fn refused(errors: &ContractErrors, refusal: Refusal) -> Response {
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
    let mut response = errors.answer(&rejection);
    if let Some(wait) = wait {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, wait.into());
    }
    response
}
