//! The program: configuration, command line, demonstration data, and starting and running a server.
//!
//! The API itself is in `features`, the pages are in `console`, and connections are in `edge`.

#![allow(missing_docs)]

pub mod cli;
pub mod config;
pub mod demo;
#[cfg(test)]
mod layers;
pub mod startup;
