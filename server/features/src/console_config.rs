//! The configuration of the console: accounts, OpenID Connect and email.
//!
//! These are settings of every build, so that a configuration file means the same for a server without the console,
//! which rejects them at its start.

mod account_rules;
mod mail_transport;
mod oidc;
mod smtp_url;

use std::path::PathBuf;

use crate::domain::email::Email;

pub use account_rules::AccountRules;
pub use mail_transport::{MailTransport, MailTransportError};
pub use oidc::{InvalidIssuer, Issuer, OidcConfig};
pub use smtp_url::{SmtpTls, SmtpUrl, SmtpUrlError};

/// The configuration of the console.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConsoleConfig {
    /// Whether the dashboard is served.
    pub dashboard: bool,
    pub mail: MailConfig,
    /// The provider of OpenID Connect, which users may sign in with too.
    pub oidc: OidcConfig,
    pub accounts: AccountRules,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MailConfig {
    /// The transport, if emails may be sent.
    pub transport: Option<MailTransport>,
    /// The sender. For development, the default is an address of the service's domain.
    pub from: Option<Email>,
    /// The PEM file of the authorities that may sign the certificate of the mail server; `None` for the
    /// system's authorities.
    pub authorities: Option<PathBuf>,
}
