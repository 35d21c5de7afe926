//! The pages: the public site, the documentation and the dashboard, with accounts, sign-in and email.
//!
//! [`Console`] is all of it. `server` includes this crate by its default feature `console`.

#![allow(missing_docs)]

pub mod accounts;
pub mod availability;
mod chart;
mod console;
pub mod dashboard;
pub mod docs;
mod donation_chart;
mod highlight;
mod hue;
mod logo;
pub mod mailer;
pub mod members;
mod money;
pub mod oidc;
pub mod operators;
pub mod passkeys;
pub mod personal_data;
pub mod public_pages;
pub mod site;
mod split_bar;
pub mod tier_requests;

pub use console::{Console, ConsoleError, Setup, Site};

#[cfg(test)]
#[path = "../../tests/conformance/records.rs"]
mod test_records;
