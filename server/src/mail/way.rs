//! The setting that says where mails go.

use std::path::PathBuf;
use std::str::FromStr;

use super::{SmtpUrl, SmtpUrlError};

/// Where mails go.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub enum MailWay {
    /// To a mail server.
    Smtp(SmtpUrl),
    /// Into a folder, a file each, for development.
    Folder(PathBuf),
    /// To standard error, for development.
    Console,
}

/// The text names no place for mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailWayError {
    /// It is no URL of a mail server, as it should be.
    #[error(transparent)]
    Smtp(#[from] SmtpUrlError),
    /// It is none of the forms.
    #[error(
        "is none of smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST, folder:PATH and console"
    )]
    Unknown,
}

impl FromStr for MailWay {
    type Err = MailWayError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "console" => Ok(Self::Console),
            Some(("folder", path)) if !path.is_empty() => Ok(Self::Folder(path.into())),
            Some(("smtp" | "smtps", _)) => Ok(Self::Smtp(text.parse()?)),
            _ => Err(MailWayError::Unknown),
        }
    }
}

impl TryFrom<String> for MailWay {
    type Error = MailWayError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_a_server_a_folder_or_the_console() {
        let way = |text: &str| text.parse::<MailWay>();
        assert_eq!(way("console"), Ok(MailWay::Console));
        assert_eq!(way("folder:a/b"), Ok(MailWay::Folder("a/b".into())));
        assert!(matches!(
            way("smtps://mail.example.org"),
            Ok(MailWay::Smtp(_))
        ));
        assert!(matches!(way("smtp:"), Err(MailWayError::Smtp(_))));
        for text in [
            "",
            "console:",
            "folder:",
            "folder",
            "sendmail:/usr/bin/sendmail",
        ] {
            assert_eq!(way(text), Err(MailWayError::Unknown), "{text}");
        }
    }
}
