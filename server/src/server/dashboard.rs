//! The dashboard of a server, and the sending of its mails.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::Notify;

use super::{LiveConfig, maintenance};
use crate::accounts::Email;
use crate::api::Api;
use crate::clock::Clock;
use crate::config::{BaseUrl, Config, ServiceIdentity};
use crate::dashboard::{Dashboard, Setup};
use crate::database::Store;
use crate::http::Metrics;
use crate::limits::Concurrency;
use crate::mail::{MailSender, MailSetupError, MailWay, Outbox};

/// The reason why a server that is to have a dashboard does not start.
#[derive(Debug, thiserror::Error)]
pub enum DashboardError {
    /// The public URL is none for a dashboard.
    #[error(
        "--dashboard needs a --public-base-url of https without a path, such as \
         https://api.example.org, or http on this machine; it is {0}"
    )]
    PublicUrl(BaseUrl),
    /// Nobody could sign in.
    #[error(
        "--dashboard needs --mail, as people sign in by mail: smtps://USER:PASSWORD@HOST, or for \
         development folder:PATH or console"
    )]
    NoMail,
    /// A mail server needs to know who sends.
    #[error("--mail with a mail server needs --mail-from, an address that it sends for")]
    NoSender,
    /// Mails cannot be sent.
    #[error(transparent)]
    Mail(#[from] MailSetupError),
}

/// The dashboard, if the server has one, and the sending of its mails. A demo shows them instead.
pub(super) struct DashboardParts {
    pub(super) dashboard: Option<Dashboard>,
    pub(super) outbox: Option<Arc<Outbox>>,
    /// Tells owners of the end of their keys.
    pub(super) announcing: Option<BoxFuture<'static, ()>>,
}

/// Opens the dashboard that the configuration asks for.
pub(super) fn open(
    config: &Config,
    store: &Store,
    clock: &Arc<dyn Clock>,
    identity: &ServiceIdentity,
    live: &LiveConfig,
    api: &Arc<Api>,
    metrics: &Metrics,
) -> Result<DashboardParts, DashboardError> {
    let new_mail = Arc::new(Notify::new());
    let dashboard = || {
        Dashboard::new(Setup {
            store: store.clone(),
            clock: Arc::clone(clock),
            identity: identity.clone(),
            rates: live.rates.clone(),
            quotas: live.quotas.clone(),
            api: Arc::clone(api),
            rules: config.accounts,
            in_flight: Concurrency::new(live.max_in_flight_per_caller.clone()),
            new_mail: Arc::clone(&new_mail),
            is_demo: config.demo,
        })
    };
    let dashboard = match (config.demo, config.dashboard) {
        (true, _) => dashboard(),
        (false, false) => None,
        (false, true) => {
            let url = || DashboardError::PublicUrl(identity.public_base_url.clone());
            Some(dashboard().ok_or_else(url)?)
        }
    };
    let announcing = dashboard.as_ref().map(|dashboard| {
        let service = dashboard.identity().clone();
        let (store, clock) = (store.clone(), Arc::clone(clock));
        maintenance::announce_ends_of_keys(store, service, clock, Arc::clone(&new_mail)).boxed()
    });
    let outbox = match dashboard.is_some() && !config.demo {
        true => {
            let sender = sender(config)?;
            let clock = Arc::clone(clock);
            Some(Arc::new(Outbox::new(
                store.clone(),
                clock,
                sender,
                new_mail,
                metrics,
            )))
        }
        false => None,
    };
    Ok(DashboardParts {
        dashboard,
        outbox,
        announcing,
    })
}

fn sender(config: &Config) -> Result<MailSender, DashboardError> {
    let mail = &config.mail;
    let way = mail.way.as_ref().ok_or(DashboardError::NoMail)?;
    let for_development = || match way {
        MailWay::Smtp(_) => None,
        MailWay::Folder(_) | MailWay::Console => {
            let address = format!("no-reply@{}", config.service.domain);
            address.parse::<Email>().ok()
        }
    };
    let from = mail.from.clone().or_else(for_development);
    let from = from.ok_or(DashboardError::NoSender)?;
    let authorities = mail.authorities.as_deref();
    Ok(MailSender::new(
        way,
        authorities,
        &from,
        &config.service.name,
    )?)
}
