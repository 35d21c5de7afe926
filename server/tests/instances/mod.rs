//! Temporary servers that tests need.

#![allow(dead_code, unused_imports, reason = "no test needs all of it")]

mod authority;
mod postgres;

pub(crate) use authority::{Authority, Certified};
pub(crate) use postgres::{Instance, dump, execute};
