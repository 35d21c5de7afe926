//! All pages of a server, and the tasks behind them.

mod maintenance;
mod site;

use std::sync::Arc;

use db::Db;
use edge::clock::Clock;
use edge::http::{Metrics, Shutdown};
use edge::limits::Concurrency;
use edge::reloadable::Reloadable;
use features::access::RateLimits;
use features::api::{Api, ContractErrors};
use features::cache_refresh::CacheRefresh;
use features::chain_rpc::ChainRpc;
use features::configs::ConfigQuotas;
use features::console_config::{ConsoleConfig, MailConfig, MailTransport};
use features::domain::email::Email;
use features::domain::service_identity::{BaseUrl, ServiceIdentity};
use features::usage::Recorder;
use tls::TlsError;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::availability::Availability;
use crate::dashboard::{self, Dashboard, Rejections};
use crate::docs::DocsIndex;
use crate::mailer::{MailSender, MailSetupError, Outbox};
use crate::oidc::{OidcSetupError, Provider, ProviderSettings};
use crate::public_pages::PublicPages;
use crate::site::{ErrorPages, PageLimit, PageRejections, SiteInfo, StaticPages, short_paths};
pub use site::Site;

/// The number of emails sent at the same time, so that a slow recipient delays no other.
const CONCURRENT_EMAILS: usize = 3;

/// The parts of a server that its pages need.
pub struct Setup {
    pub config: ConsoleConfig,
    pub db: Db,
    pub clock: Arc<dyn Clock>,
    pub metrics: Arc<Metrics>,
    /// The names and the public URL of the service.
    pub identity: ServiceIdentity,
    pub rates: Reloadable<RateLimits>,
    pub quotas: Reloadable<ConfigQuotas>,
    /// The number of requests of one network that are handled at the same time.
    pub max_in_flight_per_caller: Reloadable<usize>,
    /// Whether pages have no rate limit.
    pub lift_limits: bool,
    pub api: Arc<Api>,
    pub refresh: CacheRefresh,
    pub usage: Arc<Recorder>,
    pub chain_rpc: ChainRpc,
    /// Notified when an email is added to the outbox.
    pub new_mail: Arc<Notify>,
    /// Whether the dashboard shows emails instead of sending them, and users sign in with one click.
    pub is_demo: bool,
}

/// The reason why a server with a dashboard does not start.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    #[error(
        "--dashboard needs a --public-base-url of https without a path, such as \
         https://api.example.org, or http on this machine; it is {0}"
    )]
    PublicUrl(BaseUrl),
    #[error(
        "--dashboard needs --mail, as people sign in by mail: smtps://USER:PASSWORD@HOST, or for \
         development folder:PATH or console"
    )]
    NoMail,
    #[error("--mail with a mail server requires --mail-from, an address that it can send for")]
    NoSender,
    #[error(transparent)]
    Oidc(#[from] OidcSetupError),
    #[error("cannot use the provider of --oidc-issuer")]
    OidcTls(#[from] TlsError),
    #[error(transparent)]
    Mail(#[from] MailSetupError),
}

/// All pages of a server, and the tasks behind them.
pub struct Console {
    info: SiteInfo,
    identity: ServiceIdentity,
    pages: Arc<StaticPages>,
    public_pages: Arc<PublicPages>,
    availability: Availability,
    refresh: CacheRefresh,
    dashboard: Option<Dashboard>,
    /// Sends the emails, except in a demo.
    outbox: Option<Arc<Outbox>>,
    limit: Arc<PageLimit>,
    config: ConsoleConfig,
    db: Db,
    clock: Arc<dyn Clock>,
}

impl Console {
    /// Checks the configuration without starting anything.
    ///
    /// # Errors
    /// When settings are missing, or files cannot be read.
    pub fn check(config: &ConsoleConfig) -> Result<(), ConsoleError> {
        ProviderSettings::read(&config.oidc)?;
        Ok(())
    }

    /// The pages of a server, with a dashboard if it is configured or this is a demo.
    ///
    /// # Errors
    /// When settings of the dashboard are missing or cannot be used.
    pub fn new(setup: Setup) -> Result<Self, ConsoleError> {
        let (db, clock) = (setup.db.clone(), Arc::clone(&setup.clock));
        let metrics = Arc::clone(&setup.metrics);
        let config = setup.config.clone();
        let limit = PageLimit::new(
            setup.rates.clone(),
            setup.lift_limits,
            Arc::clone(&clock),
            metrics.record(PageRejections::register),
        );
        let (api, refresh) = (Arc::clone(&setup.api), setup.refresh.clone());
        let (new_mail, is_demo) = (Arc::clone(&setup.new_mail), setup.is_demo);
        let identity = setup.identity.clone();
        let dashboard = open_dashboard(setup)?;
        let outbox = match dashboard.is_some() && !is_demo {
            true => {
                let sender = sender(&config.mail, &identity)?;
                let outbox =
                    Outbox::new(db.clone(), Arc::clone(&clock), sender, new_mail, &metrics);
                Some(Arc::new(outbox))
            }
            false => None,
        };
        let info = SiteInfo::new(&identity, dashboard.is_some());
        let index = match &dashboard {
            Some(dashboard) => dashboard.docs_index(),
            None => Arc::new(DocsIndex::new(&info)),
        };
        let static_pages = crate::docs::pages(&info, index)
            .into_iter()
            .chain(short_paths());
        let pages = StaticPages::new(static_pages);
        let availability = Availability::default();
        let public_pages = PublicPages::new(
            info.clone(),
            &identity,
            api,
            refresh.clone(),
            availability.clone(),
            pages.paths_for_people(),
        );
        Ok(Self {
            pages: Arc::new(pages),
            public_pages: Arc::new(public_pages),
            availability,
            refresh,
            identity: dashboard
                .as_ref()
                .map_or(identity, |dashboard| dashboard.identity().clone()),
            info,
            dashboard,
            outbox,
            limit: Arc::new(limit),
            config,
            db,
            clock,
        })
    }

    /// The URL of the dashboard, if there is one.
    pub fn dashboard_url(&self) -> Option<String> {
        self.dashboard.as_ref().map(Dashboard::url)
    }

    /// The names of the service in emails, with the URL that their links lead to.
    pub fn identity(&self) -> &ServiceIdentity {
        &self.identity
    }

    /// The pages, and `api` below its path.
    pub fn site<S>(&self, api: S, errors: ContractErrors) -> Site<S> {
        Site {
            pages: Arc::clone(&self.pages),
            public_pages: Arc::clone(&self.public_pages),
            dashboard: self.dashboard.clone(),
            limit: Arc::clone(&self.limit),
            api,
            errors,
        }
    }

    /// Adds error pages for browsers to a handler.
    pub fn with_error_pages<H>(&self, handler: H) -> ErrorPages<H> {
        ErrorPages::new(handler, self.info.clone())
    }

    /// Starts the background tasks: those of `helpers` run until they are dropped, those of `sending` finish their
    /// current email at a shutdown.
    pub fn maintain(
        &self,
        helpers: &mut JoinSet<()>,
        sending: &mut JoinSet<()>,
        shutdown: &Shutdown,
    ) {
        helpers.spawn(maintenance::maintain_page_limit(Arc::clone(&self.limit)));
        helpers.spawn(self.availability.clone().record(
            self.db.clone(),
            self.refresh.clone(),
            Arc::clone(&self.clock),
        ));
        helpers.spawn(maintenance::forget_expired(
            self.db.clone(),
            self.config.accounts,
            Arc::clone(&self.clock),
        ));
        if let Some(outbox) = &self.outbox {
            helpers.spawn(Arc::clone(outbox).report());
            for _ in 0..CONCURRENT_EMAILS {
                sending.spawn(Arc::clone(outbox).send(shutdown.clone()));
            }
        }
    }
}

fn open_dashboard(setup: Setup) -> Result<Option<Dashboard>, ConsoleError> {
    if !(setup.is_demo || setup.config.dashboard) {
        return Ok(None);
    }
    let provider = ProviderSettings::read(&setup.config.oidc)?.map(Provider::new);
    let public_url = setup.identity.public_base_url.clone();
    let dashboard = Dashboard::new(dashboard::Setup {
        store: setup.db,
        clock: setup.clock,
        identity: setup.identity,
        rates: setup.rates,
        quotas: setup.quotas,
        api: setup.api,
        rules: setup.config.accounts,
        oidc: provider.transpose()?,
        rpc: setup.chain_rpc,
        in_flight: Concurrency::new(setup.max_in_flight_per_caller),
        new_mail: setup.new_mail,
        is_demo: setup.is_demo,
        rejections: setup.metrics.record(Rejections::register),
        usage: setup.usage,
    });
    match dashboard {
        None if !setup.is_demo => Err(ConsoleError::PublicUrl(public_url)),
        dashboard => Ok(dashboard),
    }
}

fn sender(mail: &MailConfig, identity: &ServiceIdentity) -> Result<MailSender, ConsoleError> {
    let transport = mail.transport.as_ref().ok_or(ConsoleError::NoMail)?;
    let for_development = || match transport {
        MailTransport::Smtp(_) => None,
        MailTransport::Folder(_) | MailTransport::Console => {
            let address = format!("no-reply@{}", identity.domain);
            address.parse::<Email>().ok()
        }
    };
    let from = mail.from.clone().or_else(for_development);
    let from = from.ok_or(ConsoleError::NoSender)?;
    let authorities = mail.authorities.as_deref();
    Ok(MailSender::new(
        transport,
        authorities,
        &from,
        &identity.name,
    )?)
}
