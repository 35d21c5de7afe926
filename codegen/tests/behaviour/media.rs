//! Media types, statuses and parameter styles: bytes in, types in the middle, bytes out.

#[path = "media/answers.rs"]
mod answers;
#[path = "media/bodies.rs"]
mod bodies;
#[path = "media/client.rs"]
mod client;
#[path = "media/host.rs"]
mod host;
#[path = "media/parameters.rs"]
mod parameters;
