//! The maintainer's commands.
fn main() {}
