//! The setting that says how mails are sent: to a mail server, into a folder or to the console.

use std::path::PathBuf;
use std::str::FromStr;

use super::{SmtpUrl, SmtpUrlError};

#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub enum MailTransport {
    /// SMTP to a mail server.
    Smtp(SmtpUrl),
    /// A folder, in which each mail becomes a file, for development.
    Folder(PathBuf),
    /// Standard error, for development.
    Console,
}

/// Why a text does not say how mails are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailTransportError {
    /// It begins like the URL of a mail server, and is not a valid one.
    #[error(transparent)]
    Smtp(#[from] SmtpUrlError),
    /// It is none of the forms.
    #[error(
        "is not one of smtps://[USER:PASSWORD@]HOST[:PORT], smtp://[USER:PASSWORD@]HOST[:PORT], folder:PATH and console"
    )]
    Unknown,
}

impl FromStr for MailTransport {
    type Err = MailTransportError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "console" => Ok(Self::Console),
            Some(("folder", path)) if !path.is_empty() => Ok(Self::Folder(path.into())),
            Some(("smtp" | "smtps", _)) => Ok(Self::Smtp(text.parse()?)),
            _ => Err(MailTransportError::Unknown),
        }
    }
}

impl TryFrom<String> for MailTransport {
    type Error = MailTransportError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_a_server_a_folder_or_the_console() {
        let transport = |text: &str| text.parse::<MailTransport>();
        assert_eq!(transport("console"), Ok(MailTransport::Console));
        assert_eq!(
            transport("folder:a/b"),
            Ok(MailTransport::Folder("a/b".into()))
        );
        assert!(matches!(
            transport("smtps://mail.example.org"),
            Ok(MailTransport::Smtp(_))
        ));
        assert!(matches!(
            transport("smtp:"),
            Err(MailTransportError::Smtp(_))
        ));
        for text in [
            "",
            "console:",
            "folder:",
            "folder",
            "sendmail:/usr/bin/sendmail",
        ] {
            assert_eq!(transport(text), Err(MailTransportError::Unknown), "{text}");
        }
        let error = MailTransportError::Unknown.to_string();
        assert!(
            error.contains("smtps://[USER:PASSWORD@]HOST[:PORT]"),
            "{error}"
        );
    }
}
