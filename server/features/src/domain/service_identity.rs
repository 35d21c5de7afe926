//! The public names of the service: in feed ids, links and pages.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use http::Uri;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceIdentity {
    /// The feed's author and title.
    pub name: String,
    /// The authority of `tag:` URIs.
    pub domain: ServiceDomain,
    /// The public URL of the server, without the API's own base path.
    pub public_base_url: BaseUrl,
    /// The public page of a charity.
    pub charity_page: CharityPage,
    /// Where weaknesses are reported, if that is known.
    pub security_contact: Option<SecurityContact>,
}

impl ServiceIdentity {
    /// The defaults of a service at this URL.
    pub fn at(base_url: BaseUrl) -> Self {
        Self {
            name: "Donation Catalog".to_owned(),
            domain: ServiceDomain::default(),
            charity_page: CharityPage::at(&base_url),
            public_base_url: base_url,
            security_contact: None,
        }
    }
}

/// A domain name in lower case, as in `tag:{domain},2026:…` (RFC 4151).
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct ServiceDomain(String);

/// The text is no domain name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a domain name such as catalog.example.org")]
pub struct ServiceDomainError;

/// An absolute `http` or `https` URL without query, fragment or slash at its end.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct BaseUrl(String);

/// The text is no base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an http or https URL without query or fragment, such as https://api.example.org")]
pub struct BaseUrlError;

/// The URL of a charity's public page, with `{slug}` or `{id}` (or both) in the charity's place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct CharityPage(String);

/// The text is no page template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an http or https URL with {{slug}} or {{id}} in it and no other braces")]
pub struct CharityPageError;

/// Where weaknesses are reported: a `mailto:` or `https:` URL, as RFC 9116 has it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct SecurityContact(String);

/// The text is no contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a mailto: or https: URL, such as mailto:security@example.org")]
pub struct SecurityContactError;

impl Default for ServiceDomain {
    /// A name that is reserved for examples (RFC 2606).
    fn default() -> Self {
        Self("donation-catalog.example".to_owned())
    }
}

impl BaseUrl {
    /// The address of the server itself, for clients on the same machine.
    pub fn at(listen: SocketAddr) -> Self {
        Self(format!("http://{listen}"))
    }
}

impl CharityPage {
    /// The page that the server itself has at this URL.
    pub fn at(base: &BaseUrl) -> Self {
        Self(format!("{base}/charities/{{slug}}"))
    }

    /// The page of one charity. Slugs and ids hold only characters that a URL may.
    pub fn url(&self, slug: &str, id: &str) -> String {
        self.0.replace("{slug}", slug).replace("{id}", id)
    }
}

impl FromStr for ServiceDomain {
    type Err = ServiceDomainError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let valid = text.len() <= 253 && text.split('.').all(is_label);
        valid
            .then(|| Self(text.to_owned()))
            .ok_or(ServiceDomainError)
    }
}

/// A label of a host name (RFC 1123, section 2.1).
fn is_label(label: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=63).contains(&label.len())
        && label.bytes().all(plain)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

impl FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim_end_matches('/');
        let valid = is_web_url(text) && !text.contains(['?', '#']);
        valid.then(|| Self(text.to_owned())).ok_or(BaseUrlError)
    }
}

impl FromStr for CharityPage {
    type Err = CharityPageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let template = Self(text.to_owned());
        let page = template.url("a", "b");
        let valid = page != text && !page.contains(['{', '}']) && is_web_url(&page);
        valid.then_some(template).ok_or(CharityPageError)
    }
}

impl FromStr for SecurityContact {
    type Err = SecurityContactError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_known = match text.strip_prefix("mailto:") {
            Some(address) => address.contains('@'),
            None => text.starts_with("https://") && is_web_url(text),
        };
        let is_one_word = text.bytes().all(|byte| byte.is_ascii_graphic());
        (is_known && is_one_word)
            .then(|| Self(text.to_owned()))
            .ok_or(SecurityContactError)
    }
}

fn is_web_url(text: &str) -> bool {
    text.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
    })
}

/// The conversions that every text of a checked form has.
macro_rules! checked_text {
    ($($name:ident, $error:ident;)*) => {$(
        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    )*};
}

checked_text! {
    ServiceDomain, ServiceDomainError;
    BaseUrl, BaseUrlError;
    CharityPage, CharityPageError;
    SecurityContact, SecurityContactError;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_host_names_in_lower_case() {
        let check =
            |text: &str, ok| assert_eq!(text.parse::<ServiceDomain>().is_ok(), ok, "{text}");
        check("catalog.example.org", true);
        check("localhost", true);
        check("Catalog.example.org", false);
        check("example.org,2026", false);
        check("-a.example", false);
        check("a..example", false);
        check("", false);
    }

    #[test]
    fn base_urls_lose_their_last_slash() {
        let check = |text: &str, expected: Option<&str>| {
            let url = text.parse::<BaseUrl>().ok();
            assert_eq!(url.as_ref().map(BaseUrl::as_str), expected, "{text}");
        };
        check("https://api.example.org", Some("https://api.example.org"));
        check("http://[::1]:8080/base/", Some("http://[::1]:8080/base"));
        check("https://api.example.org?a", None);
        check("https://api.example.org/#a", None);
        check("ftp://api.example.org", None);
        check("api.example.org", None);
        check("/api", None);
        check("", None);
    }

    #[test]
    fn a_contact_is_a_url_of_one_word() {
        let check =
            |text: &str, ok| assert_eq!(text.parse::<SecurityContact>().is_ok(), ok, "{text}");
        check("mailto:security@example.org", true);
        check("https://example.org/security", true);
        check("security@example.org", false);
        check("mailto:security", false);
        check("http://example.org/security", false);
        check("https://example.org/\nExpires: never", false);
    }

    #[test]
    fn pages_name_the_charity() {
        let page: CharityPage = "https://example.org/{slug}?id={id}".parse().unwrap();
        assert_eq!(page.url("red-fox", "7"), "https://example.org/red-fox?id=7");
        let check = |text: &str, ok| assert_eq!(text.parse::<CharityPage>().is_ok(), ok, "{text}");
        check("https://example.org/{id}", true);
        check("https://example.org/", false);
        check("https://example.org/{slug}/{name}", false);
        check("example.org/{slug}", false);
    }
}
