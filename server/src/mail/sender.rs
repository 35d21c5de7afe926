//! Sends one mail: to a mail server, into a folder or to the console.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::address::AddressError;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::{self, extension::ClientId};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message as Mime, Tokio1Executor};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::{MailWay, QueuedMail, SmtpTls, SmtpUrl, mime};
use crate::accounts::Email;
use crate::tls::{Roots, TlsError};

/// How long a mail server may take for one answer.
const ANSWER: Duration = Duration::from_secs(20);

/// How long an attempt may take.
pub(super) const ATTEMPT: Duration = Duration::from_secs(60);

/// Sends mails.
pub struct MailSender {
    from: Mailbox,
    way: Way,
}

enum Way {
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>),
    Folder(PathBuf),
    Console,
}

/// The reason why mails cannot be sent at all.
#[derive(Debug, thiserror::Error)]
pub enum MailSetupError {
    /// The sender's address is none of the mail library's.
    #[error("mails cannot be sent from this address")]
    From(#[from] AddressError),
    /// There is no folder for mails.
    #[error("there is no folder {} for mails", .0.display())]
    NoFolder(PathBuf),
    /// The certificates of authorities cannot be loaded.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The mail library refuses the server.
    #[error("the mail server cannot be used")]
    Smtp(#[from] smtp::Error),
}

/// The reason why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SendError {
    /// The mail server refuses this mail for good.
    #[error("the mail server refuses it: {0}")]
    Refused(String),
    /// It may be sent later.
    #[error("{0}")]
    Failed(String),
}

impl MailSender {
    /// A sender of mails in the name of a service. Reads the file of authorities.
    ///
    /// # Errors
    /// When mails cannot be sent with these settings, whether the mail server runs or not.
    pub fn new(
        way: &MailWay,
        authorities: Option<&Path>,
        from: &Email,
        service: &str,
    ) -> Result<Self, MailSetupError> {
        let from = mime::mailbox(service, from.as_str().parse()?);
        let way = match way {
            MailWay::Smtp(url) => Way::Smtp(Box::new(transport(url, authorities, &from)?)),
            MailWay::Folder(path) if !path.is_dir() => {
                return Err(MailSetupError::NoFolder(path.clone()));
            }
            MailWay::Folder(path) => Way::Folder(path.clone()),
            MailWay::Console => Way::Console,
        };
        Ok(Self { from, way })
    }

    /// Sends a mail.
    pub(super) async fn send(&self, mail: &QueuedMail) -> Result<(), SendError> {
        let failed = |error: &dyn ToString| SendError::Failed(error.to_string());
        let mime =
            mime::write(mail, &self.from).map_err(|why| SendError::Refused(why.to_string()))?;
        match &self.way {
            Way::Smtp(transport) => match timeout(ATTEMPT, transport.send(mime)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(of_smtp(&error)),
                Err(late) => Err(failed(&late)),
            },
            Way::Folder(path) => {
                let (folder, name) = (path.clone(), format!("{}.eml", mail.id.0));
                let put = spawn_blocking(move || put(&folder, &name, &mime)).await;
                put.map_err(|error| failed(&error))?
                    .map_err(|error| failed(&error))
            }
            Way::Console => {
                let message = &mail.message;
                let (to, subject) = (message.to.as_str(), &message.subject);
                let text = format!("To: {to}\nSubject: {subject}\n\n{}\n\n", message.text);
                let said = io::stderr().write_all(text.as_bytes());
                said.map_err(|error| failed(&error))
            }
        }
    }
}

fn transport(
    url: &SmtpUrl,
    authorities: Option<&Path>,
    from: &Mailbox,
) -> Result<AsyncSmtpTransport<Tokio1Executor>, MailSetupError> {
    let tls = match url.tls {
        SmtpTls::None => Tls::None,
        SmtpTls::Implicit => Tls::Wrapper(certificates(url, authorities)?),
        SmtpTls::StartTls => Tls::Required(certificates(url, authorities)?),
    };
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&url.host)
        .port(url.port)
        .tls(tls)
        .timeout(Some(ANSWER))
        .hello_name(ClientId::Domain(from.email.domain().to_owned()));
    if let Some((user, password)) = url.credentials.clone() {
        builder = builder.credentials(Credentials::new(user, password));
    }
    Ok(builder.build())
}

/// Verifies the certificate of a mail server: name and authority.
fn certificates(
    url: &SmtpUrl,
    authorities: Option<&Path>,
) -> Result<TlsParameters, MailSetupError> {
    let mut builder = TlsParameters::builder(url.host.clone());
    match authorities {
        None => {
            Roots::System.load()?;
        }
        Some(path) => {
            Roots::File(path.to_owned()).load()?;
            let pem = std::fs::read(path).map_err(|error| TlsError::Unreadable {
                path: path.to_owned(),
                why: error.to_string(),
            })?;
            builder = builder
                .certificate_store(CertificateStore::None)
                .add_root_certificate(Certificate::from_pem(&pem)?);
        }
    }
    Ok(builder.build()?)
}

/// A refusal of the recipient or the mail is final; one of our credentials is for operators to mend.
fn of_smtp(error: &smtp::Error) -> SendError {
    let code = error.status().map(u16::from);
    let source = std::error::Error::source(error);
    let text = source.map_or_else(|| error.to_string(), |why| format!("{error}: {why}"));
    match code {
        Some(530 | 534 | 535 | 538) => SendError::Failed(text),
        Some(500..) => SendError::Refused(text),
        _ => SendError::Failed(text),
    }
}

/// Makes the file of a mail. It appears whole; an attempt that is repeated replaces it.
fn put(folder: &Path, name: &str, mime: &Mime) -> io::Result<()> {
    let mut draft = NamedTempFile::new_in(folder)?;
    draft.write_all(&mime.formatted())?;
    draft.persist(folder.join(name))?;
    Ok(())
}
