//! What an attacker can do, and what others see meanwhile.
//!
//! Each test runs one attack against the program, bounded in count and time, and fails on the program
//! that did not defend itself yet.

mod files;
mod networks;
