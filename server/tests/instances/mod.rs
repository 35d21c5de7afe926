//! Temporary servers that tests need.

#![allow(dead_code, unused_imports, reason = "no test needs all of it")]

mod authority;
mod pgbouncer;
mod port;
mod postgres;

pub(crate) use authority::{Authority, Certified};
pub(crate) use pgbouncer::PgBouncer;
pub(crate) use port::free_port;
pub(crate) use postgres::{
    Instance, MIGRATED, SharedInstance, dump, execute, programs as postgres_programs,
};
