//! Links that take no value from anywhere.

use bare_links_api::api::default::AResponse;
use bare_links_api::links::{ARequest, a_again};

#[test]
fn a_link_without_values_always_leads_on() {
    assert!(matches!(a_again(&AResponse::NoContent), Ok(ARequest {})));
}
