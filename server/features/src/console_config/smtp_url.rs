//! The URL of a mail server.

use std::fmt;
use std::str::FromStr;

use http::Uri;
use percent_encoding::percent_decode_str;

use crate::domain::loopback::is_loopback;

/// The URL of a mail server: `smtps://user:password@host` speaks TLS from the first byte,
/// `smtp://user:password@host` changes to TLS before anything else is said (STARTTLS), and
/// `smtp://localhost?tls=none`, to this machine alone, does not encrypt.
///
/// Its `Debug` form shows no password.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpUrl {
    /// The name or address of the server, without brackets.
    pub host: String,
    pub port: u16,
    pub tls: SmtpTls,
    /// User and password, if the server asks for them.
    pub credentials: Option<(String, String)>,
}

/// How a connection to a mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// From the first byte (RFC 8314).
    Implicit,
    /// By STARTTLS (RFC 3207), without which nothing is sent.
    StartTls,
    /// Not at all.
    None,
}

/// The text is no URL of a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SmtpUrlError {
    #[error(
        "is not of the form smtps://[USER:PASSWORD@]HOST[:PORT] or smtp://[USER:PASSWORD@]HOST[:PORT], with \
         @, : and / in the password as %40, %3A and %2F"
    )]
    Malformed,
    /// `tls=none` for a server elsewhere.
    #[error(
        "has tls=none, which requires a mail server on this machine, such as smtp://localhost:25?tls=none"
    )]
    Unencrypted,
}

impl FromStr for SmtpUrl {
    type Err = SmtpUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = SmtpUrlError::Malformed;
        let uri: Uri = text.parse().map_err(|_| malformed)?;
        let authority = uri.authority().ok_or(malformed)?;
        let host = authority.host();
        let (tls, port) = match (uri.scheme_str(), uri.query()) {
            (Some("smtps"), None) => (SmtpTls::Implicit, 465),
            (Some("smtp"), None) => (SmtpTls::StartTls, 587),
            (Some("smtp"), Some("tls=none")) if is_loopback(host) => (SmtpTls::None, 25),
            (Some("smtp"), Some("tls=none")) => return Err(SmtpUrlError::Unencrypted),
            _ => return Err(malformed),
        };
        if host.is_empty() || !matches!(uri.path(), "" | "/") {
            return Err(malformed);
        }
        let credentials = match authority.as_str().rsplit_once('@') {
            Some((user, _)) => Some(credentials(user).ok_or(malformed)?),
            None => None,
        };
        Ok(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(port),
            tls,
            credentials,
        })
    }
}

/// The user and the password of `user:password`.
fn credentials(text: &str) -> Option<(String, String)> {
    let (user, password) = text.split_once(':')?;
    let decode = |text| {
        percent_decode_str(text)
            .decode_utf8()
            .ok()
            .map(String::from)
    };
    Some((decode(user)?, decode(password)?))
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SmtpUrl(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Result<SmtpUrl, SmtpUrlError> {
        text.parse()
    }

    #[test]
    fn is_encrypted_unless_it_is_this_machine_and_says_so() {
        let check = |text: &str, tls, port| {
            let url = url(text).unwrap();
            assert_eq!((url.tls, url.port), (tls, port), "{text}");
        };
        check("smtps://mail.example.org", SmtpTls::Implicit, 465);
        check("smtps://mail.example.org:2465/", SmtpTls::Implicit, 2465);
        check("smtp://mail.example.org", SmtpTls::StartTls, 587);
        check("smtp://localhost", SmtpTls::StartTls, 587);
        check("smtp://localhost?tls=none", SmtpTls::None, 25);
        check("smtp://[::1]:2525?tls=none", SmtpTls::None, 2525);
        for text in [
            "smtp://mail.example.org?tls=none",
            "smtp://10.0.0.1?tls=none",
        ] {
            assert_eq!(url(text), Err(SmtpUrlError::Unencrypted), "{text}");
        }
    }

    #[test]
    fn a_password_is_decoded_and_not_shown() {
        let url = url("smtps://ada%40example.org:a%2Fb%40c@mail.example.org").unwrap();
        let expected = ("ada@example.org".to_owned(), "a/b@c".to_owned());
        assert_eq!(url.credentials, Some(expected));
        assert_eq!(url.host, "mail.example.org");
        assert_eq!(format!("{url:?}"), "SmtpUrl(…)");
    }

    #[test]
    fn other_urls_are_refused() {
        for text in [
            "",
            "mail.example.org",
            "http://mail.example.org",
            "smtp://",
            "smtp://mail.example.org/path",
            "smtp://mail.example.org?tls=opportunistic",
            "smtps://localhost?tls=none",
            "smtps://user@mail.example.org",
        ] {
            assert_eq!(url(text), Err(SmtpUrlError::Malformed), "{text}");
        }
    }
}
