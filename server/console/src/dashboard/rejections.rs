//! Counts the refusals of the dashboard because of a limit.

use axum::response::Response;
use http::StatusCode;
use metrics::{Counter, counter, describe_counter};

use super::page_error::PageError;

const REJECTIONS: &str = "dashboard_rejections_total";

/// The refused requests, by the limit that they were above.
pub struct Rejections {
    requests: Counter,
    changes: Counter,
    mails: Counter,
    keys: Counter,
}

impl Rejections {
    /// Registers the counters with the recorder that is current.
    pub fn register() -> Self {
        describe_counter!(REJECTIONS, "Requests rejected by the dashboard, by limit.");
        let of = |limit: &'static str| counter!(REJECTIONS, "limit" => limit);
        Self {
            requests: of("requests"),
            changes: of("changes"),
            mails: of("mails"),
            keys: of("keys"),
        }
    }

    /// Counts a response that refuses a request because of a limit.
    pub(super) fn count(&self, response: &Response) {
        match response.extensions().get::<PageError>() {
            Some(PageError::KeyQuota) => self.keys.increment(1),
            Some(PageError::TooMany) => self.requests.increment(1),
            Some(PageError::TooManyChanges) => self.changes.increment(1),
            // A form that comes back with the limit of mails.
            _ if response.status() == StatusCode::TOO_MANY_REQUESTS => self.mails.increment(1),
            _ => {}
        }
    }
}
