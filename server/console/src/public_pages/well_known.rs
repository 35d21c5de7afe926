//! Files at well-known addresses: `robots.txt` for crawlers (RFC 9309), `security.txt` for those who report
//! vulnerabilities (RFC 9116).

use jiff::{SignedDuration, Timestamp};

use crate::site::{Page, SiteInfo, policy};
use features::domain::service_identity::SecurityContact;

const TEXT: &str = "text/plain; charset=utf-8";

/// How long the file is valid (`Expires`).
const VALID: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Crawlers may index the pages and the feed, but neither the rest of the API nor the dashboard.
const ROBOTS: &str =
    "User-agent: *\nAllow: /api/v1/charities/feed.atom\nDisallow: /api/\nDisallow: /dashboard\n";

/// `robots.txt`.
pub(super) fn robots(info: &SiteInfo) -> Page {
    let text = format!("{ROBOTS}Sitemap: {}/sitemap.xml\n", info.site());
    Page::new(TEXT, policy::FILE, text)
}

/// `security.txt` on the day of `now`.
pub(super) fn security(contact: &SecurityContact, now: Timestamp) -> Page {
    let expires = now.checked_add(VALID).unwrap_or(now);
    let day = expires.strftime("%Y-%m-%dT00:00:00Z");
    let text = format!("Contact: {contact}\nExpires: {day}\nPreferred-Languages: en\n");
    Page::new(TEXT, policy::FILE, text)
}
