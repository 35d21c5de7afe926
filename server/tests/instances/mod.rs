//! Servers that tests need, thrown away afterwards.

#![allow(dead_code, unused_imports, reason = "no test needs all of it")]

mod absent;
mod authority;
mod postgres;

pub(crate) use authority::{Authority, Certified};
pub(crate) use postgres::{Instance, execute};
