//! The state that listeners, pages and maintenance of a server share, and how each of them is made of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::console::Console;
use super::occupancy::OccupancyReport;
use super::process_metrics::ProcessMetrics;
use super::{LiveConfig, StartError, limiter, maintenance};
use crate::config::Config;
use db::Db;
use features::api::{Api, ApiHandler, ApiSetup, ContractErrors, works_without_key};
use features::cache_refresh::CacheRefresh;
use features::configs::Quota;
use features::domain::service_identity::ServiceIdentity;
use features::usage::{self, Recorder};
use features::webhooks::lifecycle::WebhookSetup;
use features::webhooks::{Deliverer, WebhookKeys};

/// The seconds in `Retry-After` where the edge answers in the place of the operations.
const RETRY_AFTER: u32 = 1;

/// The name of the operators' listener.
pub(super) const ADMIN: &str = "admin";

/// The maximum number of connections of operators, fewer than the descriptors that are reserved.
const ADMIN_CONNECTIONS: usize = 64;

/// The state of a server.
pub(super) struct SharedState {
    pub(super) shutdown: Shutdown,
    /// The part of the configuration that can change while the server serves.
    pub(super) live: LiveConfig,
    pub(super) store: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) usage: Arc<Recorder>,
    pub(super) identity: ServiceIdentity,
    pub(super) refresh: CacheRefresh,
    /// Whether the database takes no writes.
    is_read_only: Arc<AtomicBool>,
    /// Notified when an email is added to the outbox.
    pub(super) new_mail: Arc<Notify>,
    webhooks: WebhookSetup,
    pub(super) api: Arc<Api>,
}

impl SharedState {
    /// Reads the catalog.
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
        Ok(SharedState {
            shutdown: Shutdown::default(),
            live,
            store,
            clock,
            metrics,
            usage: Arc::new(Recorder::new(now.wall)),
            identity,
            refresh: CacheRefresh::default(),
            is_read_only: Arc::default(),
            new_mail: Arc::default(),
            webhooks,
            api,
        })
    }

    /// The pages and the API, behind what is around every request.
    pub(super) fn edge(&self, config: &Config, console: &Console) -> impl Handler + use<> {
        let service = service::service(Arc::clone(&self.api), limits(config));
        let errors = ContractErrors::new(service.clone(), self.identity.public_base_url.clone());
        let api = Compressed::new(ApiHandler(service.clone()));
        let site = console.site(api, errors.clone());
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
        console.with_error_pages(edge)
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
        let max = limits.get().max_connections;
        let connections = Connections::new(
            name,
            if name == ADMIN {
                max.min(ADMIN_CONNECTIONS)
            } else {
                max
            },
            self.live.edge.clone(),
            Arc::clone(&self.metrics),
        );
        http::serve(listener, handler, limits, connections, shutdown)
    }

    /// The service on the operators' port: the server is ready while its copies of the database are fresh.
    pub(super) fn admin(&self) -> Admin {
        let (refresh, live) = (self.refresh.clone(), self.live.clone());
        let is_read_only = Arc::clone(&self.is_read_only);
        let readiness = move || {
            refresh.readiness()?;
            let text = live.readiness_text();
            Ok(match is_read_only.load(Ordering::Relaxed) {
                true => format!("{text}\nthe database is read-only: writes get 503"),
                false => text,
            })
        };
        Admin::new(Arc::clone(&self.metrics), readiness, self.shutdown.clone())
    }

    /// Starts the background tasks of the API.
    pub(super) fn maintain(&self, config: &Config, console: &Console) -> JoinSet<()> {
        let mut helpers = JoinSet::new();
        let (api, metrics) = (Arc::clone(&self.api), Arc::clone(&self.metrics));
        let occupancy = metrics.record(OccupancyReport::register);
        let usage_metrics = metrics.record(usage::UsageMetrics::register);
        let refresh = self.refresh.clone();
        helpers.spawn(refresh.keep_keys(Arc::clone(&api), Arc::clone(&metrics)));
        let refresh = self.refresh.clone();
        helpers.spawn(refresh.keep_catalogue(Arc::clone(&api), Arc::clone(&metrics)));
        helpers.spawn(maintenance::watch_read_only(
            self.store.clone(),
            Arc::clone(&metrics),
            Arc::clone(&self.is_read_only),
        ));
        helpers.spawn(maintenance::prune_changes(self.store.clone()));
        helpers.spawn(maintenance::maintain_limits(api, occupancy));
        helpers.spawn(usage::run(
            Arc::clone(&self.usage),
            self.store.clone(),
            Arc::clone(&self.clock),
            usage_metrics,
        ));
        let process = metrics.record(ProcessMetrics::register);
        helpers.spawn(maintenance::maintain_metrics(metrics, process));
        // Emails announce the expiry to accounts, and events announce it to webhooks.
        if console.dashboard_url().is_some() || config.webhooks.keys != WebhookKeys::None {
            helpers.spawn(maintenance::announce_expiring_keys(
                self.store.clone(),
                console.identity().clone(),
                Arc::clone(&self.clock),
                Arc::clone(&self.new_mail),
            ));
        }
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

/// The response to a request that the API did not answer, in the contract's format.
fn failed(errors: &ContractErrors, error: EdgeError) -> Response {
    errors.answer(&match error {
        EdgeError::Overloaded | EdgeError::TimedOut => Rejection::Unavailable {
            retry_after: RETRY_AFTER,
        },
        EdgeError::Panicked => Rejection::Internal,
    })
}
