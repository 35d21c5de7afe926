//! The sender of mails: one mail at a time, to a mail server, into a folder or to the console.

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

use features::console_config::{MailTransport, SmtpTls, SmtpUrl};
use features::mail::QueuedMail;

use super::mime;
use features::domain::email::Email;
use tls::{Roots, TlsError};

/// How long a mail server may take for one answer.
const ANSWER: Duration = Duration::from_secs(20);

/// How long an attempt may take.
pub(super) const ATTEMPT: Duration = Duration::from_secs(60);

/// A sender of mails, from one address by one transport.
pub struct MailSender {
    from: Mailbox,
    transport: Transport,
}

/// A transport that is ready.
enum Transport {
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>),
    Folder(PathBuf),
    Console,
}

/// The reason why mails cannot be sent at all.
#[derive(Debug, thiserror::Error)]
pub enum MailSetupError {
    /// The mail library does not accept the sender's address.
    #[error("cannot send emails from this address")]
    From(#[from] AddressError),
    /// There is no folder for mails.
    #[error("there is no folder {} for emails", .0.display())]
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
    #[error("the mail server rejected it: {0}")]
    Refused(String),
    /// The attempt failed, and is repeated.
    #[error("{0}")]
    Failed(String),
}

impl MailSender {
    /// A sender of mails in the name of a service. Reads the file of authorities.
    ///
    /// # Errors
    /// When mails cannot be sent with these settings, whether the mail server runs or not.
    pub fn new(
        transport: &MailTransport,
        authorities: Option<&Path>,
        from: &Email,
        service: &str,
    ) -> Result<Self, MailSetupError> {
        let from = mime::mailbox(service, from.as_str().parse()?);
        let transport = match transport {
            MailTransport::Smtp(url) => {
                Transport::Smtp(Box::new(smtp_transport(url, authorities, &from)?))
            }
            MailTransport::Folder(path) if !path.is_dir() => {
                return Err(MailSetupError::NoFolder(path.clone()));
            }
            MailTransport::Folder(path) => Transport::Folder(path.clone()),
            MailTransport::Console => Transport::Console,
        };
        Ok(Self { from, transport })
    }

    pub(super) async fn send(&self, mail: &QueuedMail) -> Result<(), SendError> {
        let failed = |error: &dyn ToString| SendError::Failed(error.to_string());
        let mime =
            mime::write(mail, &self.from).map_err(|why| SendError::Refused(why.to_string()))?;
        match &self.transport {
            Transport::Smtp(smtp) => match timeout(ATTEMPT, smtp.send(mime)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(classify(&error)),
                Err(late) => Err(failed(&late)),
            },
            Transport::Folder(path) => {
                let (folder, name) = (path.clone(), format!("{}.eml", mail.id.0));
                let written = spawn_blocking(move || write_file(&folder, &name, &mime)).await;
                written
                    .map_err(|error| failed(&error))?
                    .map_err(|error| failed(&error))
            }
            Transport::Console => {
                let message = &mail.message;
                let (to, subject) = (message.to.as_str(), &message.subject);
                let text = format!("To: {to}\nSubject: {subject}\n\n{}\n\n", message.text);
                let written = io::stderr().write_all(text.as_bytes());
                written.map_err(|error| failed(&error))
            }
        }
    }
}

/// The client of a mail server, which connects when a mail is sent.
fn smtp_transport(
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

/// The TLS parameters for a mail server, whose certificate must have its name and be of an authority.
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

/// Whether an error of the mail server is final: the refusal of a recipient or a mail is, that of our
/// credentials (530 to 538) is not, as operators correct them.
fn classify(error: &smtp::Error) -> SendError {
    let code = error.status().map(u16::from);
    let source = std::error::Error::source(error);
    let text = source.map_or_else(|| error.to_string(), |why| format!("{error}: {why}"));
    match code {
        Some(530 | 534 | 535 | 538) => SendError::Failed(text),
        Some(500..) => SendError::Refused(text),
        _ => SendError::Failed(text),
    }
}

/// Writes a mail as a file, which appears whole. An attempt that is repeated replaces it.
fn write_file(folder: &Path, name: &str, mime: &Mime) -> io::Result<()> {
    let mut draft = NamedTempFile::new_in(folder)?;
    draft.write_all(&mime.formatted())?;
    draft.persist(folder.join(name))?;
    Ok(())
}
