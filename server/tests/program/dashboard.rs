//! The dashboard as a developer's browser meets it, scripts off.

mod browser;
mod claims;
mod configs;
mod foreign;
mod forgery;
mod journey;
mod leaks;
mod mail;
mod members;
mod nodes;
mod pages;
mod passkeys;
mod personal_data;
mod promises;
mod restored;
mod routes;
mod secrets;
mod sign_in;
mod smtp;
mod step_up;
mod usage;

use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// A demo: its mails are on a page.
fn demo(folder: &Folder) -> Serving {
    serve(folder, &["--demo"])
}
