//! Files at addresses that programs know: for crawlers (RFC 9309) and for those who report weaknesses
//! (RFC 9116).

use jiff::{SignedDuration, Timestamp};

use crate::config::SecurityContact;
use crate::site::{Page, policy};

const TEXT: &str = "text/plain; charset=utf-8";

/// How long a contact is promised to be right.
const VALID: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Pages may be searched, and the feed; the rest of the API, and what belongs to an account, may not.
const ROBOTS: &str =
    "User-agent: *\nAllow: /api/v1/charities/feed.atom\nDisallow: /api/\nDisallow: /dashboard\n";

/// `robots.txt`.
pub(super) fn robots() -> Page {
    Page::new(TEXT, policy::FILE, ROBOTS)
}

/// `security.txt` on the day of `now`.
pub(super) fn security(contact: &SecurityContact, now: Timestamp) -> Page {
    let expires = now.checked_add(VALID).unwrap_or(now);
    let day = expires.strftime("%Y-%m-%dT00:00:00Z");
    let text = format!("Contact: {contact}\nExpires: {day}\nPreferred-Languages: en\n");
    Page::new(TEXT, policy::FILE, text)
}
