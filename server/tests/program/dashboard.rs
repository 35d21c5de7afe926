//! The dashboard as a developer's browser meets it, scripts off.

pub(crate) mod browser;
mod claims;
mod configs;
mod foreign;
mod forgery;
mod hostile_texts;
mod identities;
mod journey;
mod leaks;
mod mail;
mod members;
mod nodes;
mod oidc;
mod operator;
mod overview;
mod pages;
mod passkeys;
mod personal_data;
mod promises;
pub(crate) mod provider;
mod restored;
mod routes;
mod secrets;
mod sign_in;
mod smtp;
mod step_up;
mod usage;
mod webhooks;

use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// The database of a demo.
fn database(folder: &Folder) -> rusqlite::Connection {
    let is_demo = |name: &String| name.starts_with("donation-catalog-demo-");
    let demo = folder.names().into_iter().find(is_demo).unwrap();
    let file = folder.path().join(demo).join("catalog.db");
    rusqlite::Connection::open(file).unwrap()
}

/// A demo: its mails are on a page.
fn demo(folder: &Folder) -> Serving {
    serve(folder, &["--demo"])
}
