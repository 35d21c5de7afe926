//! The server's command line.
fn main() {}
