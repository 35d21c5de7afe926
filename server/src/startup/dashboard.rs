//! The dashboard of a server, and the sending of its mails.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::maintenance;
use crate::config::Config;
use crate::dashboard::{Dashboard, Setup};
use crate::domain::email::Email;
use crate::domain::service_identity::BaseUrl;
use crate::mail::{MailSender, MailSetupError, MailTransport, Outbox};
use crate::oidc::{OidcSetupError, Provider};
use crate::webhooks::WebhookKeys;
use edge::http::Metrics;
use tls::TlsError;

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
    /// Nobody could sign in by the provider of OpenID Connect.
    #[error(transparent)]
    Oidc(#[from] OidcSetupError),
    /// That provider cannot be asked by TLS.
    #[error("cannot ask the provider of --oidc-issuer")]
    OidcTls(#[from] TlsError),
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

/// Opens the dashboard, if the configuration asks for one.
pub(super) fn open(
    config: &Config,
    mut setup: Setup,
    metrics: &Metrics,
) -> Result<DashboardParts, DashboardError> {
    let (store, clock) = (setup.store.clone(), Arc::clone(&setup.clock));
    let new_mail = Arc::clone(&setup.new_mail);
    let public_url = setup.identity.public_base_url.clone();
    let identity = setup.identity.clone();
    if config.demo || config.dashboard {
        let provider = config.oidc.complete()?.map(Provider::new);
        setup.oidc = provider.transpose()?;
    }
    let dashboard = match (config.demo, config.dashboard) {
        (true, _) => Dashboard::new(setup),
        (false, false) => None,
        (false, true) => {
            let dashboard = Dashboard::new(setup);
            Some(dashboard.ok_or(DashboardError::PublicUrl(public_url))?)
        }
    };
    // Mails say it where there are accounts, and webhooks where there are webhooks.
    let announces = dashboard.is_some() || config.webhooks.keys != WebhookKeys::None;
    let announcing = announces.then(|| {
        let service = dashboard
            .as_ref()
            .map_or(&identity, Dashboard::identity)
            .clone();
        let (store, clock) = (store.clone(), Arc::clone(&clock));
        maintenance::announce_ends_of_keys(store, service, clock, Arc::clone(&new_mail)).boxed()
    });
    let outbox = match dashboard.is_some() && !config.demo {
        true => {
            let sender = sender(config)?;
            Some(Arc::new(Outbox::new(
                store, clock, sender, new_mail, metrics,
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
    let transport = mail.transport.as_ref().ok_or(DashboardError::NoMail)?;
    let for_development = || match transport {
        MailTransport::Smtp(_) => None,
        MailTransport::Folder(_) | MailTransport::Console => {
            let address = format!("no-reply@{}", config.service.domain);
            address.parse::<Email>().ok()
        }
    };
    let from = mail.from.clone().or_else(for_development);
    let from = from.ok_or(DashboardError::NoSender)?;
    let authorities = mail.authorities.as_deref();
    Ok(MailSender::new(
        transport,
        authorities,
        &from,
        &config.service.name,
    )?)
}
