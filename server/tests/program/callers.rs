//! What callers hold in their hands, used with the programs that they use: the documentation in a
//! browser, the quick start in a shell, the collection in newman, the contract in validators and client
//! generators, the feed in readers.
//!
//! A program that is not installed is said to be missing, loudly, and the test ends; in CI that is a
//! failure (see [`tool`]).

mod browser;
mod clients;
mod collection;
mod contract;
mod feed;
mod limit;
mod quick_start;
mod schemathesis;
pub(crate) mod tool;
