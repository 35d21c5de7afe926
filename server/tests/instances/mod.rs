//! Servers that tests need, thrown away afterwards.

mod absent;
mod postgres;

pub(crate) use postgres::{Instance, execute};
